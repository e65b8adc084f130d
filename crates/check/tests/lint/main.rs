//! Configurations beside other files: GGUF, checkpoints, other configurations.

mod checkpoints;
mod conversions;
mod families;
mod file;
mod frequencies;
mod hostile;
mod models;
mod rows;
