//! Error bounds: tight, never below a measured error, and equal to the reference figures.

mod cases;
mod command;
mod configurations;
mod paths;
mod quantities;
