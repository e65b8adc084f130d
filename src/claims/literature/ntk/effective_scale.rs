//! `ntk.effective-scale`: how far all slow pairs stay within the trained range.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source,
    SystemKind, Verdict,
};
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Phase, Position, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct EffectiveScale;

/// The trained length L, the base b, the dimension d, the scale s, and the first pair whose wavelength exceeds L.
struct Setting {
    length: i64,
    base: u32,
    dim: usize,
    scale: u32,
    critical: usize,
}

/// The setting of the statement, and four others that are in use.
const SETTINGS: [Setting; 5] = [
    Setting { length: 2048, base: 10_000, dim: 128, scale: 8, critical: 41 },
    Setting { length: 4096, base: 10_000, dim: 128, scale: 16, critical: 46 },
    Setting { length: 8192, base: 500_000, dim: 128, scale: 16, critical: 35 },
    Setting { length: 4096, base: 10_000, dim: 64, scale: 40, critical: 23 },
    Setting { length: 32_768, base: 1_000_000, dim: 128, scale: 4, critical: 40 },
];

/// The wavelength 2π/θ_i.
fn wavelength<S: System>(system: &S, setting: &Setting, index: usize) -> S::Number {
    let rate = Frequency::Power { base: setting.base, dim: setting.dim, index };
    system.angle(&Phase::turns(1, 1)) / system.angle(&(Position::integer(1) * rate))
}

/// scale^(2·critical/(d−2)): by so much the critical pair is slowed.
fn effective<S: System>(system: &S, setting: &Setting, scale: u32) -> S::Number {
    let power = Frequency::Power { base: scale, dim: setting.dim - 2, index: setting.critical };
    system.integer(1) / system.angle(&(Position::integer(1) * power))
}

impl Claim for EffectiveScale {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "ntk.effective-scale",
        statement: "With b′ = b·s^(d/(d−2)) pair i is slowed by s^(2i/(d−2)), so that all pairs of wavelength above L stay in the range of their trained angles at positions up to s^(2c/(d−2))·L only, c the first such pair; for L = 2048, b = 10000, d = 128 that is c = 41, s = 8 serves a scale of 3.870…, and a scale of 8 needs s between 24 and 25.",
        written: None,
        sources: &[Source {
            document: Document::Yarn,
            place: "section 3.1, some dimensions go out of bound and s has to be set higher than the expected scale",
        }],
        verdict: Verdict::Holds,
        sabotage: "the pair before the critical one",
        remark: Some(
            "Four further settings are compared: L = 4096 with s = 16, L = 8192 with b = 500000, L = 4096 with d = 64 and s = 40, L = 32768 with b = 1000000.",
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
        let length = system.integer(setting.length);
        let first = if form.is_sabotaged() { setting.critical - 1 } else { setting.critical };
        let mut all = vec![
            Comparison::new(
                "wavelength of the pair before and L",
                Relation::Less(wavelength(system, setting, first - 1), length.clone()),
            ),
            Comparison::new(
                "L and wavelength of the critical pair",
                Relation::Less(length, wavelength(system, setting, first)),
            ),
            Comparison::new(
                "effective scale and s",
                Relation::Less(effective(system, setting, setting.scale), system.integer(setting.scale.into())),
            ),
        ];
        if setting.length == SETTINGS[0].length {
            let wanted = system.integer(setting.scale.into());
            all.push(Comparison::new(
                "effective scale of 24, and 8",
                Relation::Less(effective(system, setting, 24), wanted.clone()),
            ));
            all.push(Comparison::new(
                "8, and effective scale of 25",
                Relation::Less(wanted, effective(system, setting, 25)),
            ));
        }
        Ok(all)
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let names = ["scale_2048", "scale_4096", "scale_8192", "scale_4096_d64", "scale_32768"];
        let scales = names.into_iter().zip(&SETTINGS);
        let mut values: Vec<CertifiedValue> = scales
            .map(|(name, setting)| CertifiedValue { name, enclosure: effective(&system, setting, setting.scale) })
            .collect();
        // 8^((d−2)/(2c)), the s whose effective scale is 8.
        let needed = Frequency::Power { base: 8, dim: 2 * SETTINGS[0].critical, index: 63 };
        let needed = Interval::from(1) / system.angle(&(Position::integer(1) * needed));
        values.push(CertifiedValue { name: "needed_for_8", enclosure: needed });
        values
    }
}
