//! Which bases serve a length: certified sets, and the bases that papers print and models use.
//!
//! `admissible-bases.json` is written by `scripts/sweep/admissible_bases.py`, from `posproof sweep admissible-bases` and from published
//! configurations. Nothing in it is typed.

use super::Unavailable;
use crate::sweep::bases::{AdmissibleBases, Base, Intervals};
use serde::Deserialize;

/// The sets, and the models beside them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bases {
    /// The dimension of a head.
    pub dim: usize,
    /// The lower and the upper end of the range that was swept.
    pub bases: [Base; 2],
    /// One set for each length, by increasing length.
    pub sets: Vec<Served>,
    /// Released models.
    pub models: Vec<Released>,
}

/// The bases that serve a length.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Served {
    /// The largest distance m with B(m; b) ≥ 0.
    pub length: u32,
    /// Closed intervals, ascending.
    pub admissible: Vec<[Decimal; 2]>,
    /// Intervals that nothing was proved of, ascending.
    pub undecided: Vec<[Base; 2]>,
}

impl Bases {
    /// The share of the range that is undecided for a length, rounded up.
    pub fn undecided_share(&self, set: &Served) -> f64 {
        let sweep = AdmissibleBases { dim: self.dim, length: set.length, bases: self.bases };
        sweep.undecided_share(&Intervals { undecided: set.undecided.clone(), ..Intervals::default() })
    }
}

/// A released model: a head that turns as the dimension says, by unscaled frequencies.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Released {
    /// Its name on its maker's page.
    pub model: String,
    /// The longest context by its configuration.
    pub context: u32,
    /// The base by the same.
    pub base: Decimal,
}

/// A number as the file has it, and rounded to binary64 for a drawing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Decimal {
    /// Its digits.
    pub text: String,
    /// The nearest binary64 number.
    pub value: f64,
}

impl TryFrom<String> for Decimal {
    type Error = std::num::ParseFloatError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Ok(Self { value: text.parse()?, text })
    }
}

/// Least bases that *Base of RoPE Bounds Context Length* prints for L = 1k, 2k, 4k … 1M, with k read as 1024.
pub const PRINTED: [(u32, f64); 11] = [
    (1 << 10, 4.3e3),
    (1 << 11, 1.6e4),
    (1 << 12, 2.7e4),
    (1 << 13, 8.4e4),
    (1 << 14, 3.1e5),
    (1 << 15, 6.4e5),
    (1 << 16, 2.1e6),
    (1 << 17, 7.8e6),
    (1 << 18, 3.6e7),
    (1 << 19, 6.4e7),
    (1 << 20, 5.1e8),
];

/// The file.
///
/// # Errors
///
/// It is not what it should be.
pub fn bases() -> Result<Bases, Unavailable> {
    serde_json::from_str(include_str!("admissible-bases.json")).map_err(Unavailable::Data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Sweep;

    /// The sets of the shorter lengths are computed again; that those of the others are what the script writes is seen by running it.
    #[test]
    fn the_sets_are_those_of_the_sweep() {
        let Bases { dim, bases: ends, sets, .. } = bases().unwrap();
        assert!(sets.iter().map(|set| set.length).eq((10..15).map(|power| 1 << power)));
        for set in &sets[..3] {
            let sweep = AdmissibleBases { dim, length: set.length, bases: ends };
            let found = sweep.run(0..sweep.tasks(), &|| ()).unwrap();
            assert_eq!(found.undecided, set.undecided, "L = {}", set.length);
            let found = found.admissible.iter().map(|ends| ends.map(|end| end.to_string()));
            let kept = set.admissible.iter().map(|ends| ends.each_ref().map(|end| end.text.clone()));
            assert!(found.eq(kept), "L = {}", set.length);
        }
    }

    #[test]
    fn models_are_those_of_the_published_configurations() {
        let published: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../../../../crates/encoding/tests/models/published.json")).unwrap();
        let models = bases().unwrap().models;
        assert!(models.len() > 10, "{}", models.len());
        for Released { model, context, base } in models {
            let found = published.iter().find(|known| known["model"] == model.as_str()).expect("a published one");
            assert_eq!(found["config"]["max_position_embeddings"], context, "{model}");
            assert_eq!(found["expect"][0]["base"], base.text.as_str(), "{model}");
            assert_eq!(found["expect"][0]["rotary"], 128, "{model}");
        }
    }
}
