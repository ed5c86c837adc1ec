# The loss of torch.nn.functional.ctc_loss as a module.


class CTCLoss(nn.Module):
    """−log of the probability of each label sequence, summed over its alignments."""
    __module__ = "torch.nn.modules.loss"

    def __init__(self, blank=0, reduction='mean', zero_infinity=False):
        super().__init__()
        self.blank = blank
        self.reduction = reduction
        self.zero_infinity = zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)
