//! Layers of networks (softmax, convolutions, pools, normalisations), and losses. Rows and rules as in `ops`,
//! of whose operations they are composed.

pub mod adaptive_pool;
pub mod attention;
pub mod batch_norm;
pub mod bilinear;
pub mod conv;
pub mod dropout;
pub mod embedding;
pub mod layer_norm;
pub mod local_response_norm;
pub mod loss;
pub mod moments;
pub mod pad;
mod parts;
pub mod pool;
pub mod resample;
pub mod sample;
pub mod softmax;
pub mod window;
