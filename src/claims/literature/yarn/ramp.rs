//! `yarn.ramp`: the ramp of the paper and that of the released code are two functions.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source,
    SystemKind, Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Phase, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Ramp;

/// L, the base, the dimension, s, the crossing indices that the code rounds to, and the pair with the largest difference.
struct Setting {
    length: i64,
    base: u32,
    dim: usize,
    scale: i64,
    low: usize,
    high: usize,
    pair: usize,
    /// Between so many hundredths of the paper's frequency is the code's.
    hundredths: [i64; 2],
}

/// The setting of the statement first.
const SETTINGS: [Setting; 5] = [
    Setting { length: 4096, base: 10_000, dim: 128, scale: 16, low: 20, high: 46, pair: 38, hundredths: [304, 305] },
    Setting { length: 2048, base: 10_000, dim: 128, scale: 8, low: 16, high: 41, pair: 31, hundredths: [233, 234] },
    Setting { length: 8192, base: 500_000, dim: 128, scale: 16, low: 18, high: 35, pair: 30, hundredths: [290, 291] },
    Setting { length: 4096, base: 10_000, dim: 64, scale: 40, low: 10, high: 23, pair: 20, hundredths: [428, 429] },
    Setting {
        length: 32_768,
        base: 1_000_000,
        dim: 128,
        scale: 4,
        low: 23,
        high: 40,
        pair: 32,
        hundredths: [171, 172],
    },
];

/// The ratios at which the ramp begins and ends.
const ALPHA: i64 = 1;
const BETA: i64 = 32;

impl Setting {
    fn rate(&self, pair: usize) -> Frequency {
        Frequency::Power { base: self.base, dim: self.dim, index: pair }
    }

    /// r = L/λ_i.
    fn ratio<S: System>(&self, system: &S, pair: usize) -> S::Number {
        system.angle(&(Position::integer(self.length) * self.rate(pair))) / system.angle(&Phase::turns(1, 1))
    }

    /// γ·θ + (1 − γ)·θ/s, relative to θ.
    fn blended<S: System>(&self, system: &S, share: S::Number) -> S::Number {
        share.clone() + (system.integer(1) - share) / system.integer(self.scale)
    }

    /// The paper's frequency over θ, for a pair on the ramp: γ linear in r.
    fn paper<S: System>(&self, system: &S, pair: usize) -> S::Number {
        let share = (self.ratio(system, pair) - system.integer(ALPHA)) / system.integer(BETA - ALPHA);
        self.blended(system, share)
    }

    /// The code's: γ linear in the index between the rounded crossings.
    fn code<S: System>(&self, system: &S, pair: usize) -> S::Number {
        let (above, width) = (self.high as i64 - pair as i64, (self.high - self.low) as i64);
        self.blended(system, system.rational(&Rational::from((above, width))))
    }
}

impl Claim for Ramp {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "yarn.ramp",
        statement: "The released code makes the ramp linear in the index of the pair, between the crossings of β = 32 and α = 1 rounded down and up to whole indices; the paper's is linear in r = L/λ. They are two functions: at D = 128, b = 10000, L = 4096, s = 16 the code's frequency of pair 38 is between 3.04 and 3.05 times the paper's.",
        written: Some("The released code computes equations (18) and (20), whose ramp is linear in r."),
        sources: &[Source {
            document: Document::Yarn,
            place: "equations (18) and (20), against the code released with it",
        }],
        verdict: Verdict::Corrected,
        sabotage: "a code whose ramp is linear in r",
        remark: Some(
            "Of consequence to those who implement the paper's formula and load weights trained with the code's. Five settings are compared; the code was read as several public models carry it.",
        ),
    };

    /// The number of tokens of a size is L.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        let size = |setting: &Setting| Size { dim: setting.dim, tokens: setting.length as usize, base: setting.base };
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..11 } => Vec::new(),
            _ => SETTINGS.iter().map(size).collect(),
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let of_case = |setting: &&Setting| (setting.dim, setting.length as usize) == (case.size.dim, case.size.tokens);
        let setting = SETTINGS.iter().find(of_case).ok_or(Refusal::NotFound("the setting"))?;
        let paper = setting.paper(system, setting.pair);
        let code = if form.is_sabotaged() { paper.clone() } else { setting.code(system, setting.pair) };
        if form == Form::AsWritten {
            let what = "share of a frequency that is kept, by the code and by the paper";
            return Ok(vec![Comparison { what, index: [setting.pair, 0], relation: Relation::Equal(code, paper) }]);
        }
        let times = |hundredths: i64| system.rational(&Rational::from((hundredths, 100))) * paper.clone();
        let [least, most] = setting.hundredths;
        let (alpha, beta) = (system.integer(ALPHA), system.integer(BETA));
        let ratio = |pair| setting.ratio(system, pair);
        Ok(vec![
            Comparison::new(
                "multiple of the paper's frequency, and the code's",
                Relation::Less(times(least), code.clone()),
            ),
            Comparison::new("the code's frequency, and a multiple of the paper's", Relation::Less(code, times(most))),
            Comparison::new("β and ratio at the rounded crossing", Relation::Less(beta.clone(), ratio(setting.low))),
            Comparison::new("ratio after it and β", Relation::Less(ratio(setting.low + 1), beta)),
            Comparison::new("α and ratio before the other", Relation::Less(alpha.clone(), ratio(setting.high - 1))),
            Comparison::new("ratio at the other and α", Relation::Less(ratio(setting.high), alpha)),
        ])
    }

    fn work(_: &Size) -> usize {
        32
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let names = [
            "code_over_paper",
            "code_over_paper_2048",
            "code_over_paper_8192",
            "code_over_paper_d64",
            "code_over_paper_32768",
        ];
        let quotient = |setting: &Setting| setting.code(&system, setting.pair) / setting.paper(&system, setting.pair);
        let mut values: Vec<CertifiedValue> = names
            .into_iter()
            .zip(&SETTINGS)
            .map(|(name, setting)| CertifiedValue { name, enclosure: quotient(setting) })
            .collect();
        let first = &SETTINGS[0];
        let rate = system.angle(&(Position::integer(1) * first.rate(first.pair)));
        values.push(CertifiedValue { name: "paper_38", enclosure: first.paper(&system, 38) * rate.clone() });
        values.push(CertifiedValue { name: "code_38", enclosure: first.code(&system, 38) * rate });
        values
    }
}
