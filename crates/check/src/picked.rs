//! Some rows of a subject, as a subject.

use super::grid::Grid;
use super::input::InvalidInput;
use super::subject::Subject;
use posproof_numerics::format::Format;
use std::ops::Range;

/// The grids of a subject, some rows of each.
pub(super) struct PickedRows<'a> {
    subject: Subject<'a>,
    judged: Vec<Picked<'a>>,
    /// The vectors of a rotation.
    x: Option<Picked<'a>>,
}

impl<'a> PickedRows<'a> {
    pub fn new(subject: Subject<'a>, rows: &'a [usize]) -> Self {
        let judged = subject.grids().into_iter().map(|(_, grid)| Picked { grid, rows }).collect();
        let x = if let Subject::Rotation { x, .. } = subject { Some(Picked { grid: x, rows }) } else { None };
        Self { subject, judged, x }
    }

    /// What is judged instead.
    pub fn subject(&self) -> Subject<'_> {
        match (self.subject.with(self.judged.iter().map(|grid| grid as &dyn Grid)), &self.x) {
            (Subject::Rotation { y, .. }, Some(x)) => Subject::Rotation { x, y },
            (subject, _) => subject,
        }
    }
}

/// Some rows of a grid.
struct Picked<'a> {
    grid: &'a dyn Grid,
    rows: &'a [usize],
}

impl Grid for Picked<'_> {
    fn name(&self) -> &str {
        self.grid.name()
    }
    fn format(&self) -> Format {
        self.grid.format()
    }
    fn slabs(&self) -> usize {
        self.grid.slabs()
    }
    fn rows(&self) -> usize {
        self.rows.len()
    }
    fn width(&self) -> usize {
        self.grid.width()
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (mut all, mut row) = (Vec::new(), Vec::new());
        for &at in self.rows.get(rows).unwrap_or_default() {
            self.grid.read(slab, at..at + 1, &mut row)?;
            all.extend_from_slice(&row);
        }
        *out = all;
        Ok(())
    }
}
