//! What PyTorch calls the node that a recorded backward leaves: of `y = tanh(x)`, the gradient under
//! `create_graph` is `<TanhBackwardBackward0>`. Where nothing stands here it is what the arithmetic of
//! the derivative leaves, a product or a sum. Rows of the table say it themselves.

/// Nodes that are functions of what the forward node saved, with derivative 0: through them a second sweep reaches
/// the input, to which no slope leads.
const FORGET_NOTHING: [&str; 20] = [
    "AdaptiveAvgPool2DBackwardBackward0",
    "AdaptiveAvgPool3DBackwardBackward0",
    "AvgPool2DBackwardBackward0",
    "AvgPool3DBackwardBackward0",
    "HardshrinkBackwardBackward0",
    "HardsigmoidBackwardBackward0",
    "HardtanhBackwardBackward0",
    "LeakyReluBackwardBackward0",
    "NllLoss2DBackwardBackward0",
    "NllLossBackwardBackward0",
    "PreluKernelBackwardBackward0",
    "ReflectionPad1DBackwardBackward0",
    "ReflectionPad2DBackwardBackward0",
    "ReflectionPad3DBackwardBackward0",
    "ReplicationPad1DBackwardBackward0",
    "ReplicationPad2DBackwardBackward0",
    "ReplicationPad3DBackwardBackward0",
    "RreluWithNoiseBackwardBackward0",
    "SoftshrinkBackwardBackward0",
    "ThresholdBackwardBackward0",
];

pub(super) fn forgets_nothing(name: &str) -> bool {
    FORGET_NOTHING.contains(&name)
}

/// By the name of the forward node: the names for its inputs, the last also for those that follow. `-`: as
/// the arithmetic has it.
static NAMES: &[(&str, &[&str])] = &[
    ("AdaptiveAvgPool2DBackward0", &["AdaptiveAvgPool2DBackwardBackward0"]),
    ("AdaptiveAvgPool3DBackward0", &["AdaptiveAvgPool3DBackwardBackward0"]),
    ("AdaptiveMaxPool2DBackward0", &["AdaptiveMaxPool2DBackwardBackward0"]),
    ("AdaptiveMaxPool3DBackward0", &["AdaptiveMaxPool3DBackwardBackward0"]),
    ("AddmvBackward0", &["-", "MulBackward0", "MvBackward0"]),
    ("AddrBackward0", &["-", "MvBackward0", "MvBackward0"]),
    ("AmaxBackward0", &["MulBackward0"]),
    ("AminBackward0", &["MulBackward0"]),
    ("AminmaxBackward0", &["DivBackward0"]),
    ("AsStridedBackward0", &["AsStridedBackward0"]),
    ("AvgPool2DBackward0", &["AvgPool2DBackwardBackward0"]),
    ("AvgPool3DBackward0", &["AvgPool3DBackwardBackward0"]),
    ("BinaryCrossEntropyBackward0", &["BinaryCrossEntropyBackwardBackward0"]),
    ("BinaryCrossEntropyWithLogitsBackward0", &["MulBackward0"]),
    ("BlockDiagBackward0", &["SliceBackward0"]),
    ("CatBackward0", &["SliceBackward0"]),
    ("CdistBackward0", &["CdistBackwardBackward0"]),
    ("CeluBackward1", &["EluBackwardBackward0"]),
    ("ChannelShuffleBackward0", &["ChannelShuffleBackward0"]),
    ("CholeskySolveBackward0", &["CholeskySolveBackward0", "NegBackward0"]),
    ("Col2ImBackward0", &["Im2ColBackward0"]),
    ("ConstantPadNdBackward0", &["ConstantPadNdBackward0"]),
    ("ConvolutionBackward0", &["ConvolutionBackwardBackward0"]),
    ("CummaxBackward0", &["ScatterAddBackward0"]),
    ("CumminBackward0", &["ScatterAddBackward0"]),
    ("CumprodBackward0", &["DivBackward0"]),
    ("CumsumBackward0", &["FlipBackward0"]),
    ("DiagEmbedBackward0", &["DiagonalBackward0"]),
    ("DiagonalBackward0", &["DiagonalBackwardBackward0"]),
    ("DiagonalBackward0_copy", &["DiagonalBackwardBackward0"]),
    ("DiagonalScatterBackward0", &["DiagonalScatterBackward0", "DiagonalBackward0"]),
    ("DotBackward0", &["MulBackward0"]),
    ("EluBackward1", &["EluBackwardBackward0"]),
    ("EmbeddingBackward0", &["EmbeddingDenseBackwardBackward0"]),
    ("EmbeddingBagBackward0", &["EmbeddingBagBackwardBackward0"]),
    ("FlipBackward0", &["FlipBackward0"]),
    ("GluBackward0", &["GluBackwardBackward0"]),
    ("GridSampler2DBackward0", &["GridSampler2DBackwardBackward0"]),
    ("GridSampler3DBackward0", &["GridSampler3DBackwardBackward0"]),
    ("HuberLossBackward0", &["HuberLossBackwardBackward0"]),
    ("Im2ColBackward0", &["Col2ImBackward0"]),
    ("IndexAddBackward0", &["-", "ExpandBackward0"]),
    ("IndexBackward0", &["IndexPutImplBackward0"]),
    ("IndexCopyBackward0", &["IndexFillBackward0", "ExpandBackward0"]),
    ("IndexFillBackward0", &["IndexFillBackward0"]),
    ("IndexFillBackward1", &["IndexFillBackward0", "SumBackward0"]),
    ("IndexPutBackward0", &["IndexPutBackward0", "IndexBackward0"]),
    ("IndexSelectBackward0", &["IndexAddBackward0"]),
    ("KthvalueBackward0", &["ScatterBackward0"]),
    ("LeakyReluBackward1", &["LeakyReluBackwardBackward0"]),
    ("LinalgCholeskyExBackward0", &["LinalgSolveTriangularBackward0"]),
    ("LinalgCrossBackward0", &["LinalgCrossBackward0"]),
    ("LinalgDetBackward0", &["LinalgSolveExBackward0"]),
    ("LinalgInvExBackward0", &["NegBackward0"]),
    ("LinalgMatrixExpBackward0", &["SliceBackward0"]),
    ("LinalgQrBackward0", &["LinalgSolveTriangularBackward0"]),
    ("LinalgSolveExBackward0", &["NegBackward0", "LinalgSolveExBackward0"]),
    ("LinalgSolveTriangularBackward0", &["-", "LinalgSolveTriangularBackward0"]),
    ("LogSoftmaxBackward0", &["LogSoftmaxBackwardDataBackward0"]),
    ("LogcumsumexpBackward0", &["SubBackward0"]),
    ("MaskedFillBackward0", &["MaskedFillBackward0"]),
    ("MaskedFillBackward1", &["MaskedFillBackward0", "SumBackward0"]),
    ("MaskedScatterBackward0", &["MaskedFillBackward0", "MaskedScatterBackwardBackward0"]),
    ("MaskedSelectBackward0", &["MaskedScatterBackward0"]),
    ("MaxBackward0", &["ScatterBackward0"]),
    ("MaxBackward1", &["MaskedFillBackward1"]),
    ("MaxPool2DWithIndicesBackward0", &["MaxPool2DWithIndicesBackwardBackward0"]),
    ("MaxPool3DWithIndicesBackward0", &["MaxPool3DWithIndicesBackwardBackward0"]),
    ("MeanBackward0", &["DivBackward1"]),
    ("MeanBackward1", &["DivBackward1"]),
    ("MedianBackward0", &["MaskedFillBackward1"]),
    ("MedianBackward1", &["ScatterBackward0"]),
    ("MinBackward0", &["ScatterBackward0"]),
    ("MinBackward1", &["MaskedFillBackward1"]),
    ("ModeBackward0", &["ScatterBackward0"]),
    ("MseLossBackward0", &["MseLossBackwardBackward0"]),
    ("MultiMarginLossBackward0", &["NotImplemented"]),
    ("MultilabelMarginLossBackward0", &["NotImplemented"]),
    ("MvBackward0", &["MulBackward0", "MvBackward0"]),
    ("NanmedianBackward0", &["MaskedFillBackward1"]),
    ("NanmedianBackward1", &["ScatterBackward0"]),
    ("NansumBackward0", &["MulBackward0"]),
    ("NativeBatchNormBackward0", &["NativeBatchNormBackwardBackward0"]),
    ("NativeGroupNormBackward0", &["-"]),
    ("NativeLayerNormBackward0", &["NativeLayerNormBackwardBackward0"]),
    ("NllLoss2DBackward0", &["NllLoss2DBackwardBackward0"]),
    ("NllLossBackward0", &["NllLossBackwardBackward0"]),
    ("PdistBackward0", &["PdistBackwardBackward0"]),
    ("PermuteBackward0", &["PermuteBackward0"]),
    ("PixelShuffleBackward0", &["PixelUnshuffleBackward0"]),
    ("PixelUnshuffleBackward0", &["PixelShuffleBackward0"]),
    ("PutBackward0", &["PutBackward0"]),
    ("ReflectionPad1DBackward0", &["ReflectionPad1DBackwardBackward0"]),
    ("ReflectionPad2DBackward0", &["ReflectionPad2DBackwardBackward0"]),
    ("ReflectionPad3DBackward0", &["ReflectionPad3DBackwardBackward0"]),
    ("RenormBackward0", &["WhereBackward0"]),
    ("RepeatBackward0", &["SumBackward1"]),
    ("ReplicationPad1DBackward0", &["ReplicationPad1DBackwardBackward0"]),
    ("ReplicationPad2DBackward0", &["ReplicationPad2DBackwardBackward0"]),
    ("ReplicationPad3DBackward0", &["ReplicationPad3DBackwardBackward0"]),
    ("RollBackward0", &["RollBackward0"]),
    ("Rot90Backward0", &["Rot90Backward0"]),
    ("RreluWithNoiseBackward0", &["RreluWithNoiseBackwardBackward0"]),
    ("RreluWithNoiseBackward1", &["RreluWithNoiseBackwardBackward0"]),
    ("ScaledDotProductFlashAttentionForCpuBackward0", &["NotImplemented"]),
    ("ScatterAddBackward0", &["-", "GatherBackward0"]),
    ("ScatterBackward0", &["ScatterBackward1", "GatherBackward0"]),
    ("ScatterBackward1", &["ScatterBackward1"]),
    ("SelectBackward0", &["SelectBackwardBackward0"]),
    ("SelectScatterBackward0", &["SelectScatterBackward0", "SelectBackward0"]),
    ("SliceBackward0", &["SliceBackwardBackward0"]),
    ("SliceScatterBackward0", &["SliceScatterBackward0", "SliceBackward0"]),
    ("SmoothL1LossBackward0", &["SmoothL1LossBackwardBackward0"]),
    ("SoftMarginLossBackward0", &["SoftMarginLossBackwardBackward0"]),
    ("SoftmaxBackward0", &["SoftmaxBackwardDataBackward0"]),
    ("SortBackward0", &["ScatterBackward0"]),
    ("SortBackward1", &["ScatterBackward0"]),
    ("SplitBackward0", &["CatBackward0"]),
    ("SplitWithSizesBackward0", &["CatBackward0"]),
    ("SqueezeBackward0", &["UnsqueezeBackward0"]),
    ("SqueezeBackward1", &["UnsqueezeBackward0"]),
    ("SqueezeBackward2", &["UnsqueezeBackward0"]),
    ("SqueezeBackward3", &["UnsqueezeBackward0"]),
    ("SqueezeBackward4", &["UnsqueezeBackward0"]),
    ("StackBackward0", &["SelectBackward0"]),
    ("TBackward0", &["TBackward0"]),
    ("TBackward1", &["TBackward0"]),
    ("TakeBackward0", &["PutBackward0"]),
    ("ThresholdBackward1", &["ThresholdBackwardBackward0"]),
    ("TopkBackward0", &["ScatterBackward0"]),
    ("TraceBackward0", &["ViewBackward0"]),
    ("TransposeBackward0", &["TransposeBackward0"]),
    ("TransposeBackward1", &["TransposeBackward0"]),
    ("TrilBackward0", &["TrilBackward0"]),
    ("TriuBackward0", &["TriuBackward0"]),
    ("UnbindBackward0", &["StackBackward0"]),
    ("UnfoldBackward0", &["UnfoldBackwardBackward0"]),
    ("UnsafeViewBackward0", &["ViewBackward0"]),
    ("UnsqueezeBackward0", &["SqueezeBackward1"]),
    ("UnsqueezeBackward1", &["SqueezeBackward1"]),
    ("UpsampleBilinear2DBackward0", &["UpsampleBilinear2DBackwardBackward0"]),
    ("UpsampleLinear1DBackward0", &["UpsampleLinear1DBackwardBackward0"]),
    ("UpsampleNearest1DBackward0", &["UpsampleNearest1DBackwardBackward0"]),
    ("UpsampleNearest2DBackward0", &["UpsampleNearest2DBackwardBackward0"]),
    ("ViewBackward0", &["ViewBackward0"]),
    ("XlogyBackward1", &["DivBackward0"]),
    ("XlogyBackward2", &["XlogyBackward2"]),
];

/// The name of the recorded derivative of a node of this name with respect to one of its inputs.
pub fn second_name(grad_fn: &str, wrt: usize) -> Option<&'static str> {
    let at = NAMES.binary_search_by(|(name, _)| name.cmp(&grad_fn)).ok()?;
    let (_, names) = NAMES[at];
    names.get(wrt).or(names.last()).copied().filter(|name| *name != "-")
}

/// What PyTorch calls a backward that has no derivative, by the name of the node whose backward it is.
static LAST: &[(&str, &str)] = &[
    ("EmbeddingBagBackward0", "_embedding_bag_backward"),
    ("MultiMarginLossBackward0", "multi_margin_loss_backward"),
    ("MultilabelMarginLossBackward0", "multilabel_margin_loss_backward"),
    (
        "ScaledDotProductFlashAttentionForCpuBackward0",
        "_scaled_dot_product_flash_attention_for_cpu_backward",
    ),
];

/// The name of a node's backward, where that has no derivative.
pub fn last_name(grad_fn: &str) -> Option<&'static str> {
    LAST.iter().find(|(name, _)| *name == grad_fn).map(|(_, own)| *own)
}

/// Of an operation that has a derivative with respect to some inputs only, what PyTorch calls the other.
static PARTIAL: &[(&str, &str)] = &[("igamma", "igamma: input"), ("igammac", "igammac: input")];

/// The name of the derivative that an operation of this name lacks.
pub fn partial_name(name: &'static str) -> &'static str {
    PARTIAL.iter().find(|(own, _)| *own == name).map_or(name, |(_, partial)| partial)
}

/// Nodes that have another name where they are written in place.
static IN_PLACE: &[(&str, &str)] = &[
    ("CeluBackward0", "CeluBackward1"),
    ("EluBackward0", "EluBackward1"),
    ("LeakyReluBackward0", "LeakyReluBackward1"),
    ("RreluWithNoiseBackward0", "RreluWithNoiseBackward1"),
    ("SqueezeBackward0", "SqueezeBackward3"),
    ("SqueezeBackward1", "SqueezeBackward4"),
    ("SqueezeBackward2", "SqueezeBackward5"),
    ("TBackward0", "TBackward1"),
    ("ThresholdBackward0", "ThresholdBackward1"),
    ("TransposeBackward0", "TransposeBackward1"),
    ("UnsqueezeBackward0", "UnsqueezeBackward1"),
];

/// Whether a node of this name, written in place, keeps its result instead of its input.
pub fn keeps_result(grad_fn: &str) -> bool {
    matches!(
        grad_fn,
        "CeluBackward1" | "EluBackward1" | "LeakyReluBackward1" | "RreluWithNoiseBackward1"
    )
}

/// The name of a node that is written in place, if it has one of its own.
pub fn in_place_name(grad_fn: &str) -> Option<&'static str> {
    IN_PLACE.iter().find(|(name, _)| *name == grad_fn).map(|(_, own)| *own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(second_name("StackBackward0", 3), Some("SelectBackward0"));
        assert_eq!(second_name("AddmvBackward0", 0), None);
    }
}
