//! Error bounds: tight, never below a measured error, and equal to the reference figures.

mod attention;
mod cases;
mod command;
mod configurations;
mod directed;
mod draw;
mod ends;
mod gappa;
mod origins;
mod paths;
mod quantities;
mod residuals;
mod tightness;
