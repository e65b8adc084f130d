//! The convention that entries follow in place of an expected one.

use super::recognised;
use super::respected::holds;
use crate::Invalid;
use crate::picked::PickedRows;
use crate::subject::Subject;
use posproof_encoding::convention::Convention;
use posproof_table::Positions;

/// Convention that is followed in place of the expected one, for a judgement: every entry is within the bound for it.
pub fn convention(
    subject: Subject<'_>,
    positions: &Positions,
    expected: &Convention,
) -> Result<Option<Convention>, Invalid> {
    let run = Some(expected).filter(|expected| expected.frequency_dim.is_some());
    // Of rows with one position the first shows the frequencies.
    let mut rows: Vec<usize> = (0..positions.len()).collect();
    rows.dedup_by_key(|row| positions.get(*row));
    let found = if rows.len() == positions.len() {
        recognised(subject, positions, run)?
    } else {
        let each = Positions::list(rows.iter().filter_map(|&row| positions.get(row)))?;
        recognised(PickedRows::new(subject, &rows).subject(), &each, run)?
    };
    let follows = |convention: &Convention| {
        Ok::<_, Invalid>(rows.len() == positions.len() || holds(subject, convention, positions, found.answer.storage)?)
    };
    let Some(convention) = found.answer.convention.clone() else { return Ok(None) };
    if !follows(&convention)? {
        return Ok(None);
    }
    // A cache shows no layout, and not what it is a part of.
    let same = matches!(subject, Subject::Rope { .. }) && convention.pairs() == expected.pairs();
    Ok(Some(if same {
        let Convention { dim, rotary_dim, layout, order, .. } = expected.clone();
        Convention { dim, rotary_dim, layout, order, ..convention }
    } else {
        convention
    }))
}
