//! What people and programs read.

pub mod json;
pub mod markdown;
pub mod text;
