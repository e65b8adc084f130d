//! `sinusoid.separation`: how far apart the encodings of distinct positions are.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::encoding::distances::{Least, least_distance};
use crate::encoding::pass::STEPS;
use crate::encoding::sinusoid;
use crate::evidence::Effort;
use crate::number::interval::{Enclosing, Interval};
use crate::number::system::{Decision, Measure};
use crate::number::{Number, Position, Relation, System};
use num_traits::Zero;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Separation;

/// The dimension of the documents.
const DIM: usize = 512;

/// The statement's length and, in thousandths, its bounds.
const LENGTH: usize = 1000;
const LEAST: u32 = 3714;
const FROM_1_TO_LAST: u32 = 19_249;

/// The position that is said not to be told from position 1, and the size that has it as its last.
const LAST: usize = 513;
const POSITIONS_TO_LAST: usize = LAST + 1;

/// (thousandths/1000)².
fn squared<S: System>(system: &S, thousandths: u32) -> S::Number {
    let root = system.rational(&Rational::from((thousandths, 1000)));
    root.clone() * root
}

fn distance<S: System>(system: &S, size: &Size, positions: [i64; 2]) -> S::Number {
    let [s, t] = positions.map(Position::integer);
    sinusoid::squared_distance(system, &sinusoid::frequencies(size.base, size.dim), [&s, &t])
}

/// All pairs of positions below `length` at one dimension.
fn survey(dim: usize, length: u32, form: Form) -> Survey {
    let size = Size::dim(dim);
    let scope = format!(
        "all pairs of positions below {length} at d = {dim}, base {}, by one pass over their distances in f64, restarted from MPFR every {STEPS}",
        size.base
    );
    let cases = u64::from(length).saturating_sub(1);
    let Some(least) = least_distance(&sinusoid::frequencies(size.base, dim), length) else {
        return Survey {
            scope,
            cases,
            decision: Decision::unable("no two positions"),
            finding: "nothing".to_owned(),
            measured: None,
        };
    };
    let Least { distance: n, mut squared, candidates } = least;
    if form.is_sabotaged() {
        squared /= Interval::from(2);
    }
    // The same distance from the components of two encodings, not from the sum of cosines.
    let direct = distance(&Enclosing::default(), &size, [i64::from(n), 0]);
    let stated = dim == DIM && length <= LENGTH as u32;
    let floor = if stated { self::squared(&Enclosing::default(), LEAST) } else { Interval::from(0) };
    let measure = Measure { error: squared.width_up(), bound: 0.0 };
    let decision = match () {
        () if squared.is_separate_from(&direct) || squared.is_below(&floor) => Decision::Refuted(measure),
        () if candidates == 1 && floor.is_below(&squared) => Decision::Held(measure),
        () => Decision::unable("several distances are too near to the least to tell which it is"),
    };
    let (lower, upper) = squared.sqrt().decimal_with(Some(20));
    let finding = format!("the least distance is [{lower}, {upper}], of positions {n} apart");
    Survey { scope, cases, decision, finding, measured: None }
}

impl Claim for Separation {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "sinusoid.separation",
        statement: "For d = 512 and base 10000, ‖PE(s) − PE(t)‖ > 3.714 for all integers s ≠ t with 0 ≤ s, t < 1000; no length limit is needed to tell position 1 from position 513, which are more than 19.249 apart.",
        written: Some("Without a length limit the model cannot distinguish position 1 from position 513."),
        sources: &[
            Source {
                document: Document::PositionalEmbedding,
                place: "Ensuring Uniqueness, positions 0 through L−1 with 500 or 1000 words",
            },
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, \"not be able to distinguish first and, say, 513th symbol\"",
            },
        ],
        verdict: Verdict::Corrected,
        sabotage: "1 − cos for 2 − 2·cos: a factor of 2 lost in the squared distance",
        remark: Some(
            "The comparisons show that the squared distance of PE(s) and PE(t) is Σ 2 − 2·cos((s−t)·ω_i), exactly and for all s and t; with that, one pass over the distances surveys all pairs.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let below = |tokens| Size { tokens, ..Size::dim(DIM) };
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            _ => [below(POSITIONS_TO_LAST), below(LENGTH)].into_iter().chain(Size::dimensions(kind)).collect(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Size::bounded())
    }

    fn inputs(size: &Size) -> Inputs {
        match size.tokens {
            0 => Inputs::default().position("s").position("t"),
            POSITIONS_TO_LAST => Inputs::default(),
            length => Inputs::default().choice("s", 0..=length - 1).choice("t", 0..=length - 1),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let size = &case.size;
        if form == Form::AsWritten {
            let apart = Relation::Equal(distance(system, size, [1, LAST as i64]), S::Number::zero());
            return Ok(vec![Comparison::new("squared distance of PE(1) and PE(513)", apart)]);
        }
        let [s, t] = match size.tokens {
            0 => ["s", "t"].map(Position::symbol),
            POSITIONS_TO_LAST => [1, LAST as i64].map(Position::integer),
            _ => [case.choice("s")?, case.choice("t")?].map(|place| Position::integer(place as i64)),
        };
        let frequencies = sinusoid::frequencies(size.base, size.dim);
        let between = sinusoid::squared_distance(system, &frequencies, [&s, &t]);
        let chords = sinusoid::squared_chords(system, &frequencies, &(s.clone() - t.clone()));
        let chords = if form.is_sabotaged() { chords / system.integer(2) } else { chords };
        let mut all = vec![Comparison::new("squared distance and its sum", Relation::Equal(between.clone(), chords))];
        let bound = match size.tokens {
            POSITIONS_TO_LAST => Some(("19.249² and the squared distance of PE(1) and PE(513)", FROM_1_TO_LAST)),
            LENGTH if s != t => Some(("3.714² and the squared distance", LEAST)),
            _ => None,
        };
        all.extend(bound.map(|(what, least)| Comparison::new(what, Relation::Less(squared(system, least), between))));
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        5 * size.dim
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let longest = Inputs::LAST_POSITION as u32 + 1;
        let mut all = vec![(DIM, 500), (DIM, LENGTH as u32), (64, longest), (128, longest)];
        if effort != Effort::Quick {
            all.push((DIM, longest));
        }
        if effort == Effort::Exhaustive {
            all.extend([64, 128, DIM].map(|dim| (dim, 1 << 20)));
        }
        all.into_iter().map(|(dim, length)| survey(dim, length, form)).collect()
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [
            ("distance_1", DIM, 1),
            ("distance_512", DIM, 512),
            ("distance_1_d64", 64, 1),
            ("distance_1_d128", 128, 1),
        ];
        let value = |dim, n| distance(&system, &Size::dim(dim), [n, 0]).sqrt();
        named.map(|(name, dim, n)| CertifiedValue { name, enclosure: value(dim, n) }).into()
    }
}
