//! The decoding of positions of one axis.

use super::Query;
use super::bounds::Bounds;
use super::clock::clocks;
use super::decoder::Decoder;
use super::phase::Tolerance;
use super::reach::PositionReach;
use super::report::{Decoded, DecodedAxis};
use super::slots::slots;
use crate::Invalid;
use crate::cache;
use crate::levels::{Quantised, Statement};
use crate::rates::omega;
use crate::report::ArrayRead;
use crate::subject::Subject;
use crate::view::StatedGrids;
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::axes::POSITION;
use posproof_encoding::convention::{Convention, InvalidConvention};

/// Finds the position of every row of every table of a subject.
///
/// Reads a few rows at a time. Memory grows with the number of rows, not with their width: 32 bytes a row, and up to some
/// 300 for one that is ambiguous.
///
/// Entries that are not rotated are not looked at: [`check`](crate::check) does.
///
/// # Errors
///
/// Where the subject and the convention do not go together; half a cache, which leaves two angles for every entry; an
/// amplitude of 0; a scaling rule that depends on the length of the sequence without one.
pub fn decode(subject: Subject<'_>, query: &Query) -> Result<Decoded, Invalid> {
    let Query { convention, domain, compute, path, storage } = query;
    if convention.encoding != subject.encoding() {
        let (expected, found) = (subject.encoding(), convention.encoding);
        return Err(Invalid::Subject { subject: subject.name(), expected, found });
    }
    let quantised = Quantised::new(subject, Statement::of(convention, *storage))?;
    let given = quantised.as_ref().map_or(subject, Quantised::subject);
    let stated = StatedGrids::new(given, *storage);
    let subject = stated.as_ref().map_or(given, StatedGrids::subject);
    if !matches!(subject, Subject::Rope { cos: None, sin: None }) {
        subject.check_size()?;
    }
    convention.validate()?;
    require_amplitude(convention)?;
    let rows = if let Subject::Rope { cos: None, sin: None } = subject { 0 } else { subject.judged().rows() };
    subject.check_shape(convention, rows)?;
    cache::refuse_side_by_side(subject, convention)?;
    let slots = slots(subject, convention)?;
    let of_pairs = clocks(convention, domain.first())?;
    let omega = omega(convention).unwrap_or_default();
    let allowance = Allowance::new(convention, &omega, domain.reach(), (*compute, *path), subject.format());
    let rotation = matches!(subject, Subject::Rotation { .. });
    let tolerance =
        Tolerance::new(&convention.gain(), Bounds::Position(allowance), (rotation, subject.format()), domain.len())
            .on(subject.levels());
    let reach = PositionReach { step: 1.0, offset: Law::new(convention).reach(0.0) };
    let numbered: Vec<_> = of_pairs.into_iter().enumerate().collect();
    let decoder = Decoder::new(subject, slots, &numbered, (tolerance, reach), *domain);
    let domains = (*domain, *domain, decoder.told_apart());
    Ok(Decoded {
        subject: given.name(),
        convention: convention.clone(),
        domain: *domain,
        step: 1.into(),
        multiples: *domain,
        compute: *compute,
        path: *path,
        storage: subject.format(),
        inputs: ArrayRead::all(given, *storage)?,
        tables: subject.judged().slabs(),
        rows,
        axes: vec![DecodedAxis::new(POSITION, domains, decoder.all()?, rows)],
    })
}

fn require_amplitude(convention: &Convention) -> Result<(), Invalid> {
    if convention.gain().enclose(64).excludes_zero() {
        return Ok(());
    }
    let (found, expected) =
        (convention.amplitude.to_string(), "a number other than 0, so that entries show angles".into());
    Err(InvalidConvention { field: "amplitude", found, expected }.into())
}
