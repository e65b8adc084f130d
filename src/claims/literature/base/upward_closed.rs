//! `base.upward-closed`: a larger base may fail where a smaller one serves.

use super::{Failure, Service, failure, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::System;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct UpwardClosed;

const DIM: usize = 128;
const LENGTH: u32 = 8192;

/// Bases that serve the length, and larger ones that do not, with a distance at which B is negative.
const SERVING: [u32; 2] = [84_000, 200_000];
const FAILING: [Failure; 2] = [failure!(85000 at 8166), failure!(100000 at 7757)];

impl Claim for UpwardClosed {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.upward-closed",
        statement: "The bases that serve a length, B(m; b) ≥ 0 for all 0 ≤ m ≤ L, need not be all the bases above some bound; a base above one that serves may fail: for d = 128 and L = 8192, 84000 serves, 85000 and 100000 do not, 200000 does.",
        written: Some("There is an absolute lower bound: a base above it serves the length."),
        sources: &[Source {
            document: Document::BaseBounds,
            place: "abstract, \"absolute lower bound\", and the line of Figure 1",
        }],
        verdict: Verdict::Refuted,
        sabotage: "84000 for 85000 and 200000 for 100000: the bases that serve",
        remark: Some(
            "As a necessary condition the bound is not denied; what is refuted is that it suffices. The paper was read in its abstract and Figure 1; the post that quotes its table notes the fact, without witness. The refutation of it as written has other bases in Coq: 640, which serves 204, and 720, which does not.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: 0 }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let all = FAILING.iter().zip(SERVING).enumerate();
        Ok(all.map(|(row, (failure, serving))| failure.compared(system, DIM, form, row, Some(serving))).collect())
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let bases = if form.is_sabotaged() { FAILING.map(|failure| failure.base) } else { SERVING };
        bases.map(|base| survey_of_base(base, DIM, LENGTH, Service::Whole)).into()
    }

    fn values() -> Vec<CertifiedValue> {
        FAILING.iter().map(|failure| failure.certified(DIM)).collect()
    }
}
