//! Bounds in words.

pub mod attention;
pub mod bounds;
pub mod composite;
pub mod kernel;
