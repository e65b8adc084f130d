//! Rotations of several heads, made in plain arithmetic and judged.

use crate::corpus::vectors;
use posproof_check::{Expectation, Grid, InvalidInput, Report, Subject, check};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use std::ops::Range;

/// Tables [heads, rows, dim].
pub struct Heads {
    pub name: &'static str,
    pub entries: Vec<f64>,
    pub shape: [usize; 3],
    pub format: Format,
}

impl Grid for Heads {
    fn name(&self) -> &str {
        self.name
    }
    fn format(&self) -> Format {
        self.format
    }
    fn slabs(&self) -> usize {
        self.shape[0]
    }
    fn rows(&self) -> usize {
        self.shape[1]
    }
    fn width(&self) -> usize {
        self.shape[2]
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (start, width) = (slab * self.shape[1], self.shape[2]);
        out.clear();
        out.extend_from_slice(&self.entries[(start + rows.start) * width..(start + rows.end) * width]);
        Ok(())
    }
}

/// A row of y, given the head, the row and the row of x.
pub type Turn<'a> = &'a dyn Fn(usize, usize, &[f64]) -> Vec<f64>;

/// A rotation of several heads: `turn` writes a row of y, given the head, the row and the row of x.
pub fn rotation(convention: &Convention, shape: [usize; 3], turn: Turn<'_>) -> Report {
    let [heads, rows, dim] = shape;
    let x = vectors(heads * rows * dim, Format::F32);
    let turned = x.chunks_exact(dim).enumerate().flat_map(|(i, x)| turn(i / rows, i % rows, x));
    let y = turned.map(|y| f64::from(y as f32)).collect();
    let [x, y] = [("x", x), ("y", y)].map(|(name, entries)| Heads { name, entries, shape, format: Format::F32 });
    check(Subject::Rotation { x: &x, y: &y }, &Expectation::new(convention.clone())).unwrap()
}
