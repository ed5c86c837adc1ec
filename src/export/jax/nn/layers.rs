//! Layers of the library as expressions: each is a call of a function with what the layer keeps.

use crate::code::Code;
use crate::problem::{Done, Problem};
use crate::words::template::{Bound, Given, default};
use crate::words::{self, Word};
use crate::writer::Writer;
use std::rc::Rc;
use vjp_binder::signature;
use vjp_eval::{Instance, Value};
use vjp_export_torch::literal;
use vjp_torch::nn;
use vjp_torch::nn::{module, table};

/// Classes with parameters, and the functions that they call with these and with their options.
const FUNCTIONS: &[(&str, &str)] = &[
    ("Linear", "linear"),
    ("LayerNorm", "layer_norm"),
    ("RMSNorm", "rms_norm"),
    ("GroupNorm", "group_norm"),
    ("Conv1d", "conv1d"),
    ("Conv2d", "conv2d"),
    ("Conv3d", "conv3d"),
    ("ConvTranspose1d", "conv_transpose1d"),
    ("ConvTranspose2d", "conv_transpose2d"),
    ("Embedding", "embedding"),
    ("Bilinear", "bilinear"),
    ("PReLU", "prelu"),
    ("MaxPool1d", "max_pool1d"),
    ("MaxPool2d", "max_pool2d"),
    ("AvgPool1d", "avg_pool1d"),
    ("AvgPool2d", "avg_pool2d"),
    ("AdaptiveAvgPool1d", "adaptive_avg_pool1d"),
    ("AdaptiveAvgPool2d", "adaptive_avg_pool2d"),
];

impl<'a> Writer<'a> {
    /// What a module makes of its arguments, its parameters being written out.
    pub(crate) fn layer(&mut self, module: &Rc<Instance>, args: &[Code]) -> Done<Code> {
        let name = module.class().name.to_string();
        let lacks = || Problem::lacks(&format!("nn.{name}"));
        if !words::is_pytorch(&module.class()) {
            return Err(Problem::new(
                format!("{name} has no name of its own here"),
                "call it by a name, net = …; net(x), or export --to torch",
            ));
        }
        match (name.as_str(), args) {
            ("Identity", [x]) => return Ok(x.clone()),
            ("Sequential", [x]) => {
                let mut code = x.clone();
                for (_, inner) in module::children(module) {
                    code = self.layer(&inner, &[code])?;
                }
                return Ok(code);
            }
            ("Unflatten", [x]) => {
                let kept = |n: &str| nn::own(module, n).and_then(|v| literal::value(&v));
                let (Some(dim), Some(sizes)) = (kept("dim"), kept("unflattened_size")) else {
                    return Err(lacks());
                };
                let unflatten = self.helper("unflatten");
                return Ok(format!("{unflatten}({}, {dim}, {sizes})", x.text).into());
            }
            ("Dropout", [x]) => {
                let still = |n: &str, v: &str| {
                    nn::own(module, n).and_then(|v| literal::value(&v)).is_some_and(|t| t == v)
                };
                return match still("p", "0.0") || still("p", "0") {
                    true => Ok(x.clone()),
                    false => Err(Problem::new(
                        "nn.Dropout drops random elements; JAX draws different ones",
                        "use p=0, or export --to torch",
                    )),
                };
            }
            _ => {}
        }
        let own = FUNCTIONS.iter().find(|(class, _)| *class == name).map(|(_, f)| *f);
        let function = table::function_of(&name).or(own).ok_or_else(lacks)?;
        let function = nn::functional(function).map_err(|_| lacks())?;
        let line = function.signature.lines().next().unwrap_or_default();
        let signature = signature(line);
        let mut given: Vec<Option<Given>> = vec![None; signature.params.len()];
        for (slot, code) in given.iter_mut().zip(args) {
            *slot = Some(Given { code: code.clone(), tensor: true, literal: None });
        }
        for (at, param) in signature.params.iter().enumerate().skip(args.len()) {
            let Some(value) = nn::own(module, param.name) else { continue };
            let text = match &value {
                Value::Tensor(t) => {
                    let own = self.parameter_text(t.id());
                    Some(own.unwrap_or_else(|| self.array(&t.value()).text))
                }
                value => literal::value(value),
            };
            let text = text.ok_or_else(lacks)?;
            let tensor = matches!(value, Value::Tensor(_));
            if default(&param.usual).is_none_or(|usual| usual != text) {
                let literal = (!tensor).then(|| text.clone());
                given[at] = Some(Given { code: text.into(), tensor, literal });
            }
        }
        let word = Word::of(function).ok_or_else(lacks)?;
        let code = word.filled(&Bound { signature, given }, false).ok_or_else(lacks)?;
        self.needs(&code);
        Ok(code)
    }
}
