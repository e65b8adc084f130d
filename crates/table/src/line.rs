//! A cache line: eight columns of a row, or its entries.

use bytemuck::{Pod, Zeroable};

/// Eight neighbouring columns of a row, or their rates.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Eight(pub [f64; 8]);

/// A cache line of entries.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Line(pub [u8; 64]);
