//! `sinusoid.wavelengths`: a geometric progression that no counting makes run from 2π to base·2π.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source,
    SystemKind, Verdict,
};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Number, Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Wavelengths;

/// 2π/ω_i for the frequencies counted from `first`, in order.
fn wavelengths<S: System>(system: &S, first: usize, size: &Size) -> Vec<S::Number> {
    let frequencies = sinusoid::frequencies_from(first, size.base, size.dim);
    let rates = frequencies.into_iter().map(|frequency| system.angle(&(Position::integer(1) * frequency)));
    rates.map(|rate| turn(system) / rate).collect()
}

/// 2π.
fn turn<S: System>(system: &S) -> S::Number {
    system.angle(&Phase::turns(1, 1))
}

/// base^(1/parts) by square roots alone, for `parts` a power of two: a way that does not pass
/// through the frequencies.
fn root<S: System>(system: &S, base: u32, parts: usize) -> S::Number {
    (0..parts.ilog2()).fold(system.integer(base.into()), |root, _| root.sqrt())
}

/// Neighbours in a progression, and the ratio between them.
fn steps<N: Number>(what: &'static str, terms: &[N], ratio: &N) -> Vec<Comparison<N>> {
    let pairs = terms.windows(2).enumerate();
    pairs
        .map(|(place, pair)| Comparison {
            what,
            index: [place + 1, 0],
            relation: Relation::Equal(pair[1].clone(), pair[0].clone() * ratio.clone()),
        })
        .collect()
}

impl Claim for Wavelengths {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "sinusoid.wavelengths",
        statement: "For every base > 1 and even d ≥ 2, counted from 0, the wavelengths 2π/ω_i form a geometric progression of ratio base^(2/d) from 2π to 2π·base^((d−2)/d), which is below base·2π; counted from 1 they run from 2π·base^(2/d), above 2π, to base·2π: no counting gives both ends.",
        written: Some("The wavelengths form a geometric progression from 2π to 10000·2π."),
        sources: &[
            Source {
                document: Document::LinearRelationships,
                place: "reader comments, on the wavelengths of the first and the last two dimensions",
            },
            Source { document: Document::PositionalEmbedding, place: "Solution, Extend Periodicity" },
            Source {
                document: Document::AttentionIsAllYouNeed,
                place: "section 3.5, \"a geometric progression from 2π to 10000·2π\"",
            },
        ],
        verdict: Verdict::Corrected,
        sabotage: "ratio base^(1/d) for base^(2/d): a frequency for every component instead of every pair",
        remark: Some(
            "In the exact system frequencies are formal variables, with no value in terms of the base: it has nothing to say here. The numeric systems take base^(2/d) by square roots, for d a power of two; the proof covers every even d.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let size = |dim, base| Size { dim, tokens: 0, base };
        match kind {
            SystemKind::Formal => Vec::new(),
            _ => vec![size(512, 10_000), size(64, 10_000), size(8, 10_000), size(2, 10_000), size(128, 500_000)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let size = &case.size;
        let pairs = if form.is_sabotaged() { size.dim } else { size.dim / 2 };
        let (turn, ratio) = (turn(system), root(system, size.base, pairs));
        let (from_0, from_1) = (wavelengths(system, 0, size), wavelengths(system, 1, size));
        let longest = system.integer(size.base.into()) * turn.clone();
        let ends = |terms: &[S::Number]| Some((terms.first()?.clone(), terms.last()?.clone()));
        let (Some((first_0, last_0)), Some((first_1, last_1))) = (ends(&from_0), ends(&from_1)) else {
            return Err(Refusal::NotFound("a first and a last wavelength"));
        };
        if form == Form::AsWritten {
            return Ok(vec![
                Comparison::new("last wavelength, counted from 0", Relation::Equal(last_0, longest)),
                Comparison::new("first wavelength, counted from 1", Relation::Equal(first_1, turn)),
            ]);
        }
        let mut all = steps("wavelength from 0", &from_0, &ratio);
        all.extend(steps("wavelength from 1", &from_1, &ratio));
        let relations = [
            ("first wavelength from 0 and 2π", Relation::Equal(first_0, turn.clone())),
            ("last from 0 and 2π·base^((d−2)/d)", Relation::Equal(last_0.clone(), longest.clone() / ratio.clone())),
            ("last from 0 and base·2π", Relation::Less(last_0, longest.clone())),
            ("first from 1 and 2π·base^(2/d)", Relation::Equal(first_1.clone(), turn.clone() * ratio)),
            ("2π and first from 1", Relation::Less(turn, first_1)),
            ("last from 1 and base·2π", Relation::Equal(last_1, longest)),
        ];
        all.extend(relations.map(|(what, relation)| Comparison::new(what, relation)));
        Ok(all)
    }

    fn values() -> Vec<CertifiedValue> {
        let (system, size) = (Enclosing::default(), Size::dim(512));
        let named = [(["first_from_0", "last_from_0"], 0), (["first_from_1", "last_from_1"], 1)];
        let ends = named.into_iter().flat_map(|([first, last], from)| {
            let all = wavelengths(&system, from, &size);
            let ends = [(first, all.first().cloned()), (last, all.last().cloned())];
            ends.into_iter().filter_map(|(name, end)| Some(CertifiedValue { name, enclosure: end? }))
        });
        ends.collect()
    }
}
