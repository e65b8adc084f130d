//! Figures: numbers, drawings and captions.
//!
//! [`data`] computes the numbers; [`frame`], [`chart`], [`heatmap`] and [`scale`] draw; [`figures`] says which of them
//! make a figure, and what is seen. Drawings are SVG with classes instead of colours, so that the page's style sheet
//! decides how they look in the light, in the dark and on paper.

pub mod chart;
pub mod data;
pub mod figure;
pub mod figures;
pub mod frame;
pub mod heatmap;
pub mod meaning;
pub mod raster;
pub mod scale;
