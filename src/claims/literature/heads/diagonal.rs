//! `heads.diagonal`: a RoPE head can attend to the diagonal, at a price in norm.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Diagonal;

/// The weight of the diagonal in the last row over N tokens, q = k = ψ on the pair of frequency 1:
/// 1/Σ_{j<N} e^(‖ψ‖²·(cos j − 1)).
fn weight<S: System>(system: &S, tokens: usize, square: i64) -> S::Number {
    let (one, square) = (system.integer(1), system.integer(square));
    let unit = Frequency::Power { base: 10_000, dim: 2, index: 0 };
    let term = |distance: usize| {
        let cosine = system.cis(&(Position::integer(distance as i64) * unit.clone())).re;
        (square.clone() * (cosine - one.clone())).exp()
    };
    one.clone() / (1..tokens).fold(one.clone(), |sum, distance| sum + term(distance))
}

/// ln 9/(1 − cos 710): below this square of the norm the weight is below 0.9 as soon as position 710 away is in the row.
fn price() -> Interval {
    let unit = Frequency::Power { base: 10_000, dim: 2, index: 0 };
    let cosine = Enclosing::default().cis(&(Position::integer(710) * unit)).re;
    Interval::from(9).ln() / (Interval::from(1) - cosine)
}

impl Claim for Diagonal {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "heads.diagonal",
        statement: "Where one pair has frequency 1, as the first of RoPE has, there are for every ε > 0 and N vectors q = k = ψ with which each of N tokens gives its own position a weight above 1 − ε; with that pair alone the weight in row N = 45 is below 1/2 for ‖ψ‖² = 100 and above 0.99 for ‖ψ‖² = 100000, and for N = 711 it passes 0.9 between ‖ψ‖² = 1.209·10^9 and 1.5·10^9.",
        written: None,
        sources: &[Source { document: Document::RoundAndRound, place: "Definition 5.1 and Theorem 5.3" }],
        verdict: Verdict::Holds,
        sabotage: "the norm fixed at 10 while N grows to 45",
        remark: Some(
            "That some norm suffices for every ε and N follows from cos j < 1 for every integer j ≠ 0 (π is irrational). The paper's theorem leaves open how large: norms of at most 10, mentioned after it, give no diagonal at N = 45 with that pair alone; what more pairs do is not looked at. For the previous token the key is rotated by one position more; compared is the diagonal. Scores are not divided by √d: that would rescale ‖ψ‖² alone.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let rows = |tokens: &[usize]| tokens.iter().map(|tokens| Size { dim: 2, tokens: *tokens, base: 0 }).collect();
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            SystemKind::Rounded { precision: 24..53 } => rows(&[45]),
            _ => rows(&[45, 711]),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let share = |percent: i64| system.rational(&Rational::from((percent, 100)));
        let tokens = case.size.tokens;
        if form.is_sabotaged() {
            return Ok(vec![Comparison::new(
                "1/2 and the weight for norm 10",
                Relation::Less(share(50), weight(system, tokens, 100)),
            )]);
        }
        Ok(match tokens {
            45 => vec![
                Comparison::new("the weight for norm 10, and 1/2", Relation::Less(weight(system, 45, 100), share(50))),
                Comparison::new(
                    "0.99, and the weight for ‖ψ‖² = 100000",
                    Relation::Less(share(99), weight(system, 45, 100_000)),
                ),
            ],
            _ => vec![
                Comparison::new(
                    "the weight for ‖ψ‖² = 1.209·10^9, and 0.9",
                    Relation::Less(weight(system, 711, 1_209_000_000), share(90)),
                ),
                Comparison::new(
                    "0.9, and the weight for ‖ψ‖² = 1.5·10^9",
                    Relation::Less(share(90), weight(system, 711, 1_500_000_000)),
                ),
            ],
        })
    }

    fn work(size: &Size) -> usize {
        4 * size.tokens
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [
            ("weight_44", 44, 100),
            ("weight_45", 45, 100),
            ("weight_1000", 1000, 100),
            ("weight_711_norm_1000", 711, 1_000_000),
        ];
        let mut values: Vec<CertifiedValue> = named
            .map(|(name, tokens, square)| CertifiedValue { name, enclosure: weight(&system, tokens, square) })
            .into();
        values.push(CertifiedValue { name: "price", enclosure: price() });
        values
    }
}
