//! What a person is shown of a network: its layers, what a Jacobian costs, an array as a picture.

use vjp_tensor::Tensor;

/// `:show model`
#[derive(Clone, Debug)]
pub struct Network {
    pub layers: Vec<Layer>,
    /// Operations of the last backward, where it went through the network.
    pub operations: Option<usize>,
}

/// A module without modules in it.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its name in the network.
    pub path: String,
    /// Class and options: `Linear(2, 3)`.
    pub what: String,
    /// Shape of what it computed on the way to the last backward's output.
    pub output: Option<Vec<usize>>,
    /// Of each parameter: how many numbers, and the largest absolute gradient.
    pub parameters: Vec<(usize, Option<f64>)>,
    pub units: Option<Units>,
}

/// Outputs that let little or nothing back through: slopes of each output by its own input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Units, counted along the last dimension, whose slope is 0 for every example.
    Dead { units: usize, of: usize },
    /// Outputs whose slope is small beside the largest that the function has here.
    Flat { outputs: usize, of: usize },
}

/// `:cost`: J of the last backward, row by row or column by column.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub rows: usize,
    pub columns: usize,
    /// Multiplications of one reverse sweep, and of one forward sweep.
    pub sweep: usize,
}

/// `:heat W`
#[derive(Clone, Debug)]
pub struct Heat {
    pub name: String,
    pub value: Tensor,
}
