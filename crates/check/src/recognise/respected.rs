//! Bounds that every entry of a subject respects.

use crate::Invalid;
use crate::compare::{ComparedScopes, Scope, TableComparison};
use crate::compared::ComparedRows;
use crate::faults::Span;
use crate::rates::omega;
use crate::subject::Subject;
use posproof_bound::{Allowance, Path};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;

/// The precisions and the paths of frequencies that [`computed`] tells, the narrowest bound first.
const NARROWEST: [(Format, Path); 8] = [
    (Format::F64, Path::Rounded),
    (Format::F64, Path::Pow),
    (Format::F64, Path::Exp),
    (Format::F64, Path::Repeated),
    (Format::F32, Path::Rounded),
    (Format::F32, Path::Pow),
    (Format::F32, Path::Exp),
    (Format::F32, Path::Repeated),
];

/// The place of a bound among the narrowest.
pub(crate) fn order_of(found: (Format, Path)) -> usize {
    NARROWEST.iter().position(|narrow| *narrow == found).unwrap_or(NARROWEST.len())
}

/// The highest precision, and the code path with the tightest bound, that every entry respects.
pub(crate) fn computed(
    subject: Subject<'_>,
    convention: &Convention,
    positions: &Positions,
    storage: Format,
) -> Result<Option<(Format, Path)>, Invalid> {
    let omega = omega(convention).unwrap_or_default();
    let fits = |stated: (Format, Option<Path>)| -> Result<bool, Invalid> {
        let allowance = Allowance::new(convention, &omega, positions.max(), stated, storage);
        Ok(TableComparison::new(subject, convention, positions, &allowance)?.run()?.exceeding == 0)
    };
    for paths in NARROWEST.chunks(4) {
        // The widest bound: nothing narrower holds where it does not.
        if !fits((paths[0].0, None))? {
            continue;
        }
        for &(compute, path) in paths {
            if path == Path::Repeated || fits((compute, Some(path)))? {
                return Ok(Some((compute, path)));
            }
        }
    }
    Ok(None)
}

/// True if every entry is within the bound of binary32 arithmetic.
pub(super) fn holds(
    subject: Subject<'_>,
    convention: &Convention,
    positions: &Positions,
    storage: Format,
) -> Result<bool, Invalid> {
    respects(subject, convention, positions, (Format::F32, None), storage)
}

/// True if every entry is within the bound of a precision, and of a path or of all.
pub(crate) fn respects(
    subject: Subject<'_>,
    convention: &Convention,
    positions: &Positions,
    computed: (Format, Option<Path>),
    storage: Format,
) -> Result<bool, Invalid> {
    let omega = omega(convention).unwrap_or_default();
    let allowance = Allowance::new(convention, &omega, positions.max(), computed, storage);
    let comparison = TableComparison::new(subject, convention, positions, &allowance)?;
    let first = subject.judged();
    comparison.holds(Scope { slabs: Span::all(first.slabs()), rows: Span::all(first.rows()) })
}
