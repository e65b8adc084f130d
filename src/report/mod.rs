//! What people and programs read.

pub mod json;
pub mod text;
