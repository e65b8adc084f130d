//! What people and programs read.

pub mod bounds;
pub mod composite;
pub mod html;
pub mod json;
pub mod markdown;
pub mod notation;
pub mod pages;
pub mod plot;
pub mod survey;
pub mod text;
