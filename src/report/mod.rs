//! What people and programs read.

pub mod bounds;
pub mod composite;
pub mod json;
pub mod markdown;
pub mod plot;
pub mod survey;
pub mod text;
