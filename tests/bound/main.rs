//! Error bounds: tight, never below a measured error, and equal to the reference figures.

mod attention;
mod cases;
mod command;
mod configurations;
mod directed;
mod draw;
mod gappa;
mod paths;
mod quantities;
mod residuals;
