//! Entries that a mend leaves beyond its own bounds. What explains the entries was compared along the path of the stated convention,
//! whose bound is the widest where the frequencies are of none. Under the mend they may be of a path with smaller bounds.

use super::AxialReport;
use super::comparison::{AxialBuffers, AxialComparison, BLOCK};
use super::judgement::AxialExpectation;
use crate::Invalid;
use crate::compare::exceeds;
use crate::faults::Finding;
use crate::report::Grade;
use crate::subject::Subject;
use posproof_bound::{AxialAllowance, Compute};
use rayon::prelude::*;

/// A report without the mend that `judge` refuses: with the findings of that judgement where these are about a few entries.
pub(super) fn beside(
    report: AxialReport,
    (subject, stated): (Subject<'_>, &AxialExpectation<'_>),
    judge: &dyn Fn(&AxialExpectation<'_>) -> Result<AxialReport, Invalid>,
) -> Result<AxialReport, Invalid> {
    let Some(mend) = &report.mend else { return Ok(report) };
    let Ok(law) = stated.law.altered(&mend.convention) else { return Ok(AxialReport { mend: None, ..report }) };
    let coordinates = mend.coordinates.as_ref().unwrap_or(stated.coordinates);
    let (compute, storage) = (mend.compute, mend.storage.or(stated.storage));
    let mended = AxialExpectation { law: &law, coordinates, compute, storage, ..*stated };
    // Coordinates that the mend's format does not hold are refused.
    let Ok(again) = judge(&mended) else { return Ok(AxialReport { mend: None, ..report }) };
    if again.conforms {
        return Ok(report);
    }
    let refused = AxialReport { mend: None, ..report };
    if 4 * again.statistics.exceeding >= again.entries {
        return Ok(refused);
    }
    let [explained, left] = shares(subject, [(stated, &refused), (&mended, &again)])?;
    let of = explained + left;
    let before = refused.findings.into_iter().map(|finding| {
        let explains = finding.explains.among(explained, of);
        Finding { explains, ..finding }
    });
    let after = again.findings.into_iter().map(|finding| {
        let explains = finding.explains.among(left, of);
        Finding { explains, confined: true, ..finding }
    });
    Ok(AxialReport { findings: before.chain(after).collect(), grade: Grade::Wrong, ..refused })
}

/// Entries beyond their bounds in the first of two judgements: those within their bounds in the second, and the others.
fn shares(subject: Subject<'_>, both: [(&AxialExpectation<'_>, &AxialReport); 2]) -> Result<[u64; 2], Invalid> {
    let of = |(expectation, report): (&AxialExpectation<'_>, &AxialReport)| {
        let AxialExpectation { law, coordinates, compute, libraries, .. } = *expectation;
        AxialAllowance::new(law, coordinates, (Compute { format: compute, libraries }, report.path), report.storage)
    };
    let [stated, mended] = both.map(of);
    let [first, second] = both;
    let first = AxialComparison::new(subject, first.0.law, first.0.coordinates, first.1.storage)?;
    let second = AxialComparison::new(subject, second.0.law, second.0.coordinates, second.1.storage)?;
    let all = first.all();
    let step = (BLOCK / first.cells[0].len().max(1)).clamp(1, all.rows.len().max(1));
    let starts: Vec<(usize, usize)> =
        all.slabs.iter().flat_map(|&slab| all.rows.clone().step_by(step).map(move |start| (slab, start))).collect();
    let beyond =
        |comparison: &AxialComparison<'_>, allowance, (slab, start): (usize, usize), buffers: &mut AxialBuffers| {
            let mut found: Vec<bool> = Vec::new();
            comparison.lines(slab, start..(start + step).min(all.rows.end), allowance, buffers, |row, _| {
                let entries = row.got.iter().zip(row.expected).zip(row.bounds);
                found.extend(entries.map(|((got, expected), bound)| exceeds((got - expected).abs(), *bound)));
            })?;
            Ok::<_, Invalid>(found)
        };
    starts
        .into_par_iter()
        .map_init(
            || (AxialBuffers::default(), AxialBuffers::default()),
            |(one, other), at| {
                let [here, there] = [beyond(&first, &stated, at, one)?, beyond(&second, &mended, at, other)?];
                let count =
                    |left: bool| here.iter().zip(&there).filter(|(here, there)| **here && **there == left).count();
                Ok([count(false) as u64, count(true) as u64])
            },
        )
        .try_reduce(|| [0; 2], |a, b| Ok([a[0] + b[0], a[1] + b[1]]))
}
