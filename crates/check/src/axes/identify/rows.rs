//! Rows of a subject that are read where no expectation is given.

use crate::Invalid;
use crate::input::About;
use crate::subject::Subject;

/// Rows that are read: the first ones, and others equally far apart.
pub(super) const NEAR: usize = 384;
const FAR: usize = 128;

/// The number of rows of arrays that go with each other and show angles, and what messages about them are.
pub(super) fn shape(subject: Subject<'_>) -> Result<(usize, About<'_>), Invalid> {
    let first = subject.judged();
    let (about, rows) = (About(first.name()), first.rows());
    if subject.is_half() {
        let advice = "give both --cos and --sin";
        let found = "one of them, which shows no angle";
        return Err(about.error("the cache", "cosines and sines", found, advice).into());
    }
    subject.check_axes(first.width())?;
    for (_, grid) in subject.grids() {
        if (grid.rows(), grid.width()) != (rows, first.width()) {
            let expected = format!("{rows} rows of {}", first.width());
            let found = format!("{} rows of {}", grid.rows(), grid.width());
            return Err(about.error("the rows", expected, found, "check the positions").into());
        }
    }
    Ok((rows, about))
}

/// The rows of a sample: the first ones, others equally far apart, and the last.
pub(super) fn picked(rows: usize) -> Vec<usize> {
    let far = (0..FAR).map(|i| NEAR + i * rows.saturating_sub(NEAR) / FAR).filter(|&row| row < rows);
    let mut picked: Vec<usize> = (0..rows.min(NEAR)).chain(far).chain(rows.checked_sub(1)).collect();
    picked.dedup();
    picked
}
