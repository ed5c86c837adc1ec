//! What PyTorch calls the node that a recorded backward leaves: of `y = tanh(x)`, the gradient under
//! `create_graph` is `<TanhBackwardBackward0>`. Where nothing stands here it is what the arithmetic of
//! the derivative leaves, a product or a sum.

/// By the name of the forward node.
static NAMES: &[(&str, &str)] = &[
    ("BinaryCrossEntropyBackward0", "BinaryCrossEntropyBackwardBackward0"),
    ("CeluBackward0", "EluBackwardBackward0"),
    ("ClampBackward1", "WhereBackward0"),
    ("ClampMaxBackward0", "WhereBackward0"),
    ("ClampMinBackward0", "WhereBackward0"),
    ("ConstantPadNdBackward0", "ConstantPadNdBackward0"),
    ("CumsumBackward0", "FlipBackward0"),
    ("EluBackward0", "EluBackwardBackward0"),
    ("Exp2Backward0", "MulBackward1"),
    ("FlipBackward0", "FlipBackward0"),
    ("FmaxBackward0", "MaskedFillBackward0"),
    ("FminBackward0", "MaskedFillBackward0"),
    ("GeluBackward0", "GeluBackwardBackward0"),
    ("HardshrinkBackward0", "HardshrinkBackwardBackward0"),
    ("HardswishBackward0", "HardswishBackwardBackward0"),
    ("HardtanhBackward0", "HardtanhBackwardBackward0"),
    ("HuberLossBackward0", "HuberLossBackwardBackward0"),
    ("LeakyReluBackward0", "LeakyReluBackwardBackward0"),
    ("LogSigmoidBackward0", "LogSigmoidBackwardBackward0"),
    ("LogSoftmaxBackward0", "LogSoftmaxBackwardDataBackward0"),
    ("LogitBackward0", "WhereBackward0"),
    ("MaskedFillBackward0", "MaskedFillBackward0"),
    ("MaximumBackward0", "MaskedFillBackward0"),
    ("MedianBackward0", "MaskedFillBackward1"),
    ("MinimumBackward0", "MaskedFillBackward0"),
    ("MseLossBackward0", "MseLossBackwardBackward0"),
    ("NativeLayerNormBackward0", "NativeLayerNormBackwardBackward0"),
    ("ReluBackward0", "ThresholdBackwardBackward0"),
    ("RepeatBackward0", "SumBackward1"),
    ("RollBackward0", "RollBackward0"),
    ("SelectBackward0", "SelectBackwardBackward0"),
    ("SigmoidBackward0", "SigmoidBackwardBackward0"),
    ("SincBackward0", "WhereBackward0"),
    ("SliceBackward0", "SliceBackwardBackward0"),
    ("SmoothL1LossBackward0", "SmoothL1LossBackwardBackward0"),
    ("SoftmaxBackward0", "SoftmaxBackwardDataBackward0"),
    ("SoftplusBackward0", "SoftplusBackwardBackward0"),
    ("SoftshrinkBackward0", "SoftshrinkBackwardBackward0"),
    ("SortBackward0", "ScatterBackward0"),
    ("TanhBackward0", "TanhBackwardBackward0"),
    ("ThresholdBackward0", "ThresholdBackwardBackward0"),
    ("TrilBackward0", "TrilBackward0"),
    ("TriuBackward0", "TriuBackward0"),
    ("UnsqueezeBackward0", "SqueezeBackward1"),
];

/// The name of the recorded derivative of a node of this name.
pub fn second_name(grad_fn: &str) -> Option<&'static str> {
    let at = NAMES.binary_search_by(|(name, _)| name.cmp(&grad_fn)).ok()?;
    Some(NAMES[at].1)
}

/// Whether PyTorch multiplies by a mask that remembers nothing: the slope has no history.
pub fn slope_is_mask(grad_fn: &str) -> bool {
    matches!(second_name(grad_fn), Some("WhereBackward0" | "MaskedFillBackward0"))
        && !matches!(grad_fn, "LogitBackward0" | "SincBackward0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(second_name("TanhBackward0"), Some("TanhBackwardBackward0"));
        assert!(slope_is_mask("ClampBackward1") && !slope_is_mask("ReluBackward0"));
    }
}
