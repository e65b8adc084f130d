//! Configurations beside other files: GGUF, checkpoints, other configurations.

mod conversions;
mod file;
mod hostile;
mod models;
mod rows;
