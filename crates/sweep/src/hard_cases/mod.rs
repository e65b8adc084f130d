//! The entries of a rotary table that are hardest to round: those nearest to a tie between two numbers of the format.
//!
//! The distance of an entry v is |frac(|v|/q) − ½| where q is the unit in the last place of v's binade, or the least positive number
//! of the format: how far, in units in the last place, v is from the nearest midpoint between neighbours in its own binade. A program
//! that computes v with a smaller error rounds it correctly. Entries with θ = 0 are exact and have none.

mod search;

use crate::circle::{point, product};
use crate::{InvalidSweep, Sweep};
use posproof_encoding::Positions;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_encoding::real::Real;
use posproof_numerics::format::Format;
use posproof_numerics::format::hex;
use posproof_numerics::rounding::nearest;
use rayon::prelude::*;
use search::{Candidate, Candidates, PART, Waves, distance, enclosed_distance};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt::Write;
use std::ops::Range;

/// The hardest entries of a table of cosines and sines.
///
/// ```
/// use posproof_sweep::{Shard, Sweep, hard_cases::HardCases};
/// let sweep: HardCases = serde_json::from_str(
///     r#"{"dim": 64, "base": 10000, "positions": [0, 1000], "dtype": "f32", "keep": 3}"#,
/// ).unwrap();
/// let found = sweep.run(Shard::WHOLE.tasks(sweep.tasks()).unwrap(), &|| ()).unwrap();
/// assert_eq!((found.entries, found.exact, found.hardest.len()), (64_000, 64, 3));
/// assert!(found.hardest[0].distance[1].parse::<f64>().unwrap() < 1e-4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardCases {
    /// The dimension of a head, even.
    pub dim: usize,
    /// The base of the frequencies.
    pub base: Real,
    /// The first position, and one beyond the last.
    pub positions: [u64; 2],
    /// The format of the entries.
    pub dtype: Format,
    /// Number of entries that are kept.
    pub keep: usize,
}

/// An entry near a tie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardCase {
    /// Its position.
    pub position: u64,
    /// Its pair.
    pub pair: usize,
    /// Which of the pair's two entries it is.
    pub component: Component,
    /// Its correct rounding, as a hexadecimal literal.
    pub rounded: String,
    /// Decimals below and above its distance from the nearest tie in units in the last place.
    pub distance: [String; 2],
}

/// The hardest entries that a shard has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardest {
    /// All entries.
    pub entries: u64,
    /// Those that are exact.
    pub exact: u64,
    /// The nearest to a tie, nearest first.
    pub hardest: Vec<HardCase>,
}

/// Positions of a task.
const TASK: u64 = (PART * PART) as u64;

const MAX_DIM: usize = 1 << 12;
const MAX_KEEP: usize = 1 << 12;
const MAX_POSITION: u64 = 1 << 40;

/// Decimal digits of a distance.
const DIGITS: usize = 9;

impl HardCases {
    fn entries(&self) -> Entries {
        Entries::new(&Convention { base: self.base.clone(), ..Convention::rope(self.dim) })
    }

    /// The positions of a task.
    fn rows(&self, task: usize) -> Range<u64> {
        let [start, end] = self.positions;
        let start = start + TASK * task as u64;
        start..(start + TASK).min(end)
    }

    /// The hardest entries of a task.
    fn search(&self, entries: &Entries, waves: &Waves, rows: Range<u64>) -> Option<Hardest> {
        let pairs = self.dim / 2;
        let mut found = Hardest { entries: 0, exact: 0, hardest: Vec::new() };
        let mut candidates = Candidates::new(self.keep);
        for pair in 0..pairs {
            let start = point(entries, rows.start, pair)?;
            for (part, first) in rows.clone().step_by(PART).enumerate() {
                let high = product(start, waves.high[pair * PART + part]);
                for (position, low) in (first..rows.end.min(first + PART as u64)).zip(&waves.low[pair * PART..]) {
                    found.entries += 2;
                    if position == 0 {
                        found.exact += 2;
                        continue;
                    }
                    let [cos, sin] = product(high, *low);
                    for (component, value) in [(Component::Cos, cos), (Component::Sin, sin)] {
                        let (distance, error) = distance(self.dtype, value);
                        candidates.offer(Candidate { position, pair, component, distance, error });
                    }
                }
            }
        }
        for candidate in candidates.nearest() {
            let Candidate { position, pair, component, .. } = candidate;
            found.hardest.push(self.certify(entries, position, pair, component)?);
        }
        self.shorten(&mut found.hardest);
        Some(found)
    }

    /// The exact distance of an entry, enclosed.
    fn certify(&self, entries: &Entries, position: u64, pair: usize, component: Component) -> Option<HardCase> {
        let enclose = |bits| entries.enclose(position, pair, component, bits);
        let precisions = std::iter::successors(Some(128u32), |bits| (*bits < 1 << 17).then_some(bits * 2));
        let distance = precisions.map_while(enclose).find_map(|value| enclosed_distance(self.dtype, &value))?;
        let rounded = nearest(self.dtype, enclose)?;
        let (below, above) = distance.decimal_with(DIGITS);
        Some(HardCase { position, pair, component, rounded: hex(rounded), distance: [below, above] })
    }

    /// Leaves as many of the entries as are kept.
    fn shorten(&self, hardest: &mut Vec<HardCase>) {
        hardest.sort_by(HardCase::cmp);
        hardest.truncate(self.keep);
    }
}

impl HardCase {
    fn key(&self) -> (f64, u64, usize, bool) {
        let distance = self.distance[0].parse().unwrap_or(f64::INFINITY);
        (distance, self.position, self.pair, self.component == Component::Sin)
    }

    fn cmp(&self, other: &Self) -> Ordering {
        self.key().partial_cmp(&other.key()).unwrap_or(Ordering::Equal)
    }
}

fn name(component: Component) -> &'static str {
    match component {
        Component::Cos => "cos",
        Component::Sin => "sin",
    }
}

impl Sweep for HardCases {
    const NAME: &'static str = "hard-cases";
    type Findings = Hardest;

    fn validate(&self) -> Result<(), InvalidSweep> {
        let Self { dim, base, positions: [start, end], dtype, keep } = self;
        if *dim < 2 || dim % 2 == 1 || *dim > MAX_DIM {
            return Err(InvalidSweep::new("dim", dim, format!("an even number from 2 to {MAX_DIM}")));
        }
        let largest = 1_000_000_000;
        if *base.value() <= 1 || *base.value() > largest {
            return Err(InvalidSweep::new("base", base, format!("a number above 1, of at most {largest}")));
        }
        if start >= end || *end > MAX_POSITION || Positions::range(*start..*end).is_err() {
            return Err(InvalidSweep::new(
                "positions",
                format!("{start}..{end}"),
                format!("A..B with A < B <= {MAX_POSITION}"),
            ));
        }
        if *dtype == Format::F64 {
            return Err(InvalidSweep::new(
                "dtype",
                dtype,
                "f32, f16 or bf16: ties of f64 are beyond the search's arithmetic".to_owned(),
            ));
        }
        if !(1..=MAX_KEEP).contains(keep) {
            return Err(InvalidSweep::new("keep", keep, format!("1 to {MAX_KEEP}")));
        }
        Ok(())
    }

    fn tasks(&self) -> usize {
        self.positions[1].saturating_sub(self.positions[0]).div_ceil(TASK) as usize
    }

    fn run(&self, tasks: Range<usize>, done: &(dyn Fn() + Sync)) -> Result<Hardest, InvalidSweep> {
        self.validate()?;
        let entries = self.entries();
        let unknown = || InvalidSweep::new("base", &self.base, "frequencies that can be enclosed".to_owned());
        let waves = Waves::new(&entries, self.dim / 2).ok_or_else(unknown)?;
        let parts = tasks.into_par_iter().with_max_len(1).map(|task| {
            let found = self.search(&entries, &waves, self.rows(task));
            done();
            found
        });
        let none = || Some(Hardest { entries: 0, exact: 0, hardest: Vec::new() });
        // No more is kept than of one task, however many there are.
        let whole = parts.reduce(none, |a, b| Some(self.merge(vec![a?, b?])));
        whole.ok_or_else(unknown)
    }

    fn verify(&self, tasks: Range<usize>, found: &Hardest) -> Result<(), String> {
        let rows = self.rows(tasks.start).start..self.rows(tasks.end - 1).end;
        let entries = (rows.end - rows.start) * self.dim as u64;
        if found.entries != entries {
            return Err(format!("{} entries: expected {entries}", found.entries));
        }
        let exact = if rows.start == 0 { self.dim as u64 } else { 0 };
        if found.exact != exact {
            return Err(format!("{} exact entries: expected {exact}", found.exact));
        }
        let count = (self.keep as u64).min(entries - exact);
        if found.hardest.len() as u64 != count {
            return Err(format!("{} hardest entries: expected {count}", found.hardest.len()));
        }
        let table = self.entries();
        // Entries at position 0 are exact: no case.
        let inexact = rows.start.max(1)..rows.end;
        found.hardest.par_iter().try_for_each(|case| {
            let &HardCase { position, pair, component, .. } = case;
            if !inexact.contains(&position) || pair >= self.dim / 2 {
                let Range { start, end } = inexact;
                let pairs = self.dim / 2;
                return Err(format!(
                    "an entry at position {position}, pair {pair}: expected one of positions {start} to {end}, pairs below {pairs}"
                ));
            }
            match self.certify(&table, position, pair, component) {
                Some(expected) if expected != *case => Err(format!(
                    "position {position}, pair {pair}, {}: rounded to {:?}, {:?} from a tie: expected {:?}, {:?}",
                    name(component), case.rounded, case.distance, expected.rounded, expected.distance
                )),
                _ => Ok(()),
            }
        })?;
        match found.hardest.is_sorted_by(|a, b| a.cmp(b) == Ordering::Less) {
            true => Ok(()),
            false => {
                Err("the hardest entries are not in order: expected the nearest to a tie first, each once".to_owned())
            }
        }
    }

    fn merge(&self, parts: Vec<Hardest>) -> Hardest {
        let mut whole = Hardest { entries: 0, exact: 0, hardest: Vec::new() };
        for part in parts {
            whole.entries += part.entries;
            whole.exact += part.exact;
            whole.hardest.extend(part.hardest);
            self.shorten(&mut whole.hardest);
        }
        whole
    }

    fn slug(&self) -> String {
        format!("{}-{}-{}", Self::NAME, self.dim, self.dtype)
    }

    fn arguments(&self) -> Vec<String> {
        let [start, end] = self.positions;
        let values = [
            ("--dim", self.dim.to_string()),
            ("--base", self.base.to_string()),
            ("--positions", format!("{start}..{end}")),
            ("--dtype", self.dtype.to_string()),
            ("--keep", self.keep.to_string()),
        ];
        values.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    fn summary(&self, found: &Hardest) -> String {
        let Self { dim, base, positions: [start, end], dtype, .. } = self;
        let mut text = format!(
            "cosines and sines of rope, dim {dim}, base {base}, positions {start}..{end}: nearest to a tie in {dtype}\n"
        );
        for case in &found.hardest {
            let HardCase { position, pair, component, rounded, distance: [below, above] } = case;
            let component = name(*component);
            let _ = writeln!(
                text,
                "  {below} .. {above} ulp  position {position}, pair {pair}, {component}, rounded to {rounded}"
            );
        }
        let _ = write!(text, "{} entries, {} exact", found.entries, found.exact);
        let rest =
            found.hardest.last().map(|last| format!("; no other is nearer to a tie than {} ulp", last.distance[0]));
        text + &rest.unwrap_or_default() + "\n"
    }
}
