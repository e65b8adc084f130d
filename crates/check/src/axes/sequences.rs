//! Sequences of a batch at each other's positions, or at numbers of their rows.

use crate::faults::{AxesCause, Fault, SEQUENCES_EXCHANGED, SHARED_POSITIONS};
use posproof_encoding::axes::Coordinates;
use posproof_numerics::Rational;

/// Rows of the sequences of a batch, where those of each are at the coordinates stated of one sequence, or all count up from one number.
pub(super) fn sequences(stated: &Coordinates, found: &[Option<Vec<Rational>>]) -> Option<(&'static Fault, AxesCause)> {
    let (count, axes) = (stated.sequences(), stated.axes());
    if count < 2 {
        return None;
    }
    let length = stated.length();
    let coordinates = |sequence: usize, row: usize| found[sequence * length + row].as_deref();
    let is = |sequence: usize, other: usize| {
        (0..length).all(|row| {
            coordinates(sequence, row).is_none_or(|found| {
                (0..axes).all(|axis| stated.get(other * length + row, axis).is_none_or(|x| found[axis] == *x))
            })
        })
    };
    if let Some(shared) = (0..count).find(|other| (0..count).all(|sequence| is(sequence, *other))) {
        return Some((&SHARED_POSITIONS, AxesCause::Sequences { of: vec![shared; count] }));
    }
    // The first row of every sequence, as each of its rows shows it.
    let mut firsts = (0..count)
        .flat_map(|sequence| (0..length).map(move |row| (sequence, row)))
        .filter_map(|(sequence, row)| Some((coordinates(sequence, row)?, Rational::from(row as u64))))
        .flat_map(|(found, row)| found.iter().map(move |x| x - &row));
    let first = firsts.next()?;
    if firsts.all(|other| other == first) {
        return Some((&SHARED_POSITIONS, AxesCause::SequencesCounted { first: first.to_u64()? }));
    }
    let of = |sequence: usize| std::iter::once(sequence).chain(0..count).find(|other| is(sequence, *other));
    let of: Vec<usize> = (0..count).map(of).collect::<Option<_>>()?;
    let other = of.iter().enumerate().any(|(sequence, other)| sequence != *other);
    other.then_some((&SEQUENCES_EXCHANGED, AxesCause::Sequences { of }))
}
