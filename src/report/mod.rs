//! Outputs for people and programs.

pub mod background;
pub mod decimal;
pub mod difference;
pub mod displacement;
pub mod explore;
pub mod html;
pub mod json;
pub mod markdown;
pub mod news;
pub mod notation;
pub mod overview;
pub mod pages;
pub mod plot;
pub mod survey;
pub mod text;
pub mod theorem;
pub mod uniform;
