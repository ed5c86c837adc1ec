//! Layers of networks (softmax, convolutions, pools, normalisations), and losses. Rows and rules as in `ops`,
//! of whose operations they are composed.

pub mod adaptive_pool;
pub mod conv;
pub mod conv_transpose;
pub mod dropout;
pub mod layer_norm;
pub mod layer_norm_and_pad;
pub mod loss;
pub mod moments;
pub mod normalise_and_embed;
pub mod pool;
pub mod resample;
pub mod sample;
pub mod softmax;
pub mod window;
