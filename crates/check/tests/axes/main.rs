//! Encodings of several axes: every family's convention against a program written from its own rule, and faults that are injected.

mod beside;
mod families;
mod faults;
mod halves;
mod honest;
mod identify;
mod laws;
mod lone;
mod moved;
mod narrow;
mod products;
mod programs;
mod regions;
mod rules;
mod sections;
mod silent;
mod transposed;
#[path = "../modules/truth.rs"]
mod truth;
mod unplaced;
mod vectors;
mod wild;
