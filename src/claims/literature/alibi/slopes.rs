//! `alibi.slopes`: averaging the slopes of 8 heads gives 15, not 16.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source, SystemKind, Verdict,
};
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Slopes;

const HEADS: usize = 16;

/// 2^(−halves/2).
fn slope<S: System>(system: &S, halves: usize) -> S::Number {
    let square = (0..halves).fold(system.integer(1), |power, _| power / system.integer(2));
    square.sqrt()
}

/// The slopes of 8 heads and the geometric means of neighbours, from the largest.
fn averaged<S: System>(system: &S) -> Vec<S::Number> {
    let eight: Vec<S::Number> = (1..=HEADS / 2).map(|head| slope(system, 2 * head)).collect();
    let mut all = Vec::new();
    for (place, own) in eight.iter().enumerate() {
        all.push(own.clone());
        all.extend(eight.get(place + 1).map(|next| (own.clone() * next.clone()).sqrt()));
    }
    all
}

impl Claim for Slopes {
    const ABOUT: About = About {
        id: "alibi.slopes",
        statement: "For 16 heads the slopes are 2^(−i/2), i = 1 … 16; those of 8 heads, 2^(−i), with the geometric means of neighbours are 15, the same but for the largest, 2^(−1/2).",
        written: Some(
            "The slopes of 16 heads are those of 8 heads interpolated by geometrically averaging neighbours: the first is the first of these.",
        ),
        sources: &[Source { document: Document::Alibi, place: "section 3" }],
        verdict: Verdict::Corrected,
        sabotage: "16 slopes by averaging",
        remark: Some("The general rule, slopes that start at 2^(−8/n) with that ratio, gives both sequences."),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size { dim: 0, tokens: HEADS, base: 0 }]
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let averaged = averaged(system);
        let (largest, count) = (slope(system, 1), system.integer(averaged.len() as i64));
        let first = averaged.first().cloned().ok_or(Refusal::NotFound("a slope"))?;
        Ok(match form {
            Form::AsWritten => {
                vec![Comparison::new("first of 16 slopes and first of the averaged", Relation::Equal(largest, first))]
            }
            Form::Sabotaged => vec![Comparison::new(
                "number of averaged slopes and 16",
                Relation::Equal(count, system.integer(HEADS as i64)),
            )],
            Form::Settled => {
                let rest = averaged.into_iter().enumerate().map(|(place, own)| Comparison {
                    what: "averaged slope and 2^(−i/2)",
                    index: [place + 2, 0],
                    relation: Relation::Equal(own, slope(system, place + 2)),
                });
                let mut all: Vec<Comparison<S::Number>> = rest.collect();
                all.push(Comparison::new(
                    "number of averaged slopes and 15",
                    Relation::Equal(count, system.integer(15)),
                ));
                all.push(Comparison::new(
                    "first of 16 slopes and first of the averaged",
                    Relation::Distinct(largest, first),
                ));
                all
            }
        })
    }

    fn work(_: &Size) -> usize {
        400
    }
}
