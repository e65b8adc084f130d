//! The judgement of one axis among several, and what mends it.

use crate::axes::mend::AxialMend;
use crate::axes::symptoms::AxialSymptoms;
use crate::faults::Finding;
use crate::report::Report;
use posproof_bound::Path;
use posproof_encoding::axes::AxialConvention;

/// Judgement of an axis, or of a part of it.
pub(super) struct JudgedAxis {
    pub axis: usize,
    pub report: Report,
    /// With their places among several axes.
    pub findings: Vec<Finding>,
}

impl JudgedAxis {
    /// Its mend, as a restatement of some axes of a convention; none where it has none, or axes cannot say it.
    pub fn mend(
        &self,
        case: &AxialSymptoms<'_>,
        (stated, path): (&AxialConvention, Option<Path>),
        axes: &[usize],
    ) -> Option<AxialMend> {
        let Report { mend, expected, .. } = &self.report;
        // A path that is not stated is that of each judgement.
        let mend = mend.as_ref().filter(|mend| path.is_none() || mend.path.is_none() || mend.path == path)?;
        // A step is one of whole arrays.
        let mend = Some(mend).filter(|mend| mend.levels.is_none())?;
        // The order of the columns that were picked is not that of the convention.
        let alike = mend.convention.order == expected.order;
        let convention = stated.restated(axes, (expected, &mend.convention)).filter(|_| alike)?;
        let storage = mend.storage.filter(|format| *format != case.storage);
        Some(AxialMend::of(convention, mend.compute, storage))
    }

    /// Its mend, or else the convention that most of its entries follow, restated likewise.
    pub fn restated(
        &self,
        case: &AxialSymptoms<'_>,
        (stated, path): (&AxialConvention, Option<Path>),
        axes: &[usize],
    ) -> Option<AxialMend> {
        let Report { mend, expected, found, .. } = &self.report;
        let found =
            found.as_ref().filter(|found| mend.is_none() && *found != expected && found.order == expected.order);
        let convention = found.and_then(|found| stated.restated(axes, (expected, found)));
        let most = convention.map(|convention| AxialMend::of(convention, case.compute.0.format, None));
        most.or_else(|| self.mend(case, (stated, path), axes))
    }
}
