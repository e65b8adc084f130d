//! Slots that turn in proportion to each other, whatever the positions of the rows are.
//!
//! Slots of one axis turn by θ_j = w_j·x with the same x in a row. Where one of them, the *unit*, moves by less than half a turn from the reference
//! row on, its angle is x in units of its own, and another slot is of the same axis only if one ratio ρ = w_j/w_unit has θ_j = ρ·θ_unit, modulo
//! turns, in every row. All such ratios below a limit are enclosed: a row leaves of an interval of ratios those for which its angles agree within
//! their errors, for each possible number of turns. No ratio left refutes; one interval left, that predicts the angle to a small part of its range in every
//! row, is what is shown of a slot. Slots that hardly move keep many ratios or agree with anything, and are not shown to be of any group.
//!
//! In a few rows the unit may have moved farther. They are those in which the slots that agree with it elsewhere do not, and they are left out only if one angle of
//! the unit beyond half a turn has all of them agree again.

use super::arrangement::Angles;
use super::measure::wrap;
use std::f64::consts::{PI, TAU};

/// Angles of binary32 are off by so many units of roundoff of the largest angle of their axis: normalised grids need 8 (measured), and a proportion has
/// four of them, of two slots at two rows.
const ROUNDINGS: f64 = 32.0;

/// 2^−24, the unit roundoff of binary32.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// The part of its range to within which a slot has to be predicted in every row: five bits in each.
const PART: f64 = 1.0 / 32.0;

/// Rows besides the reference in which it has to be, so that it is no chance: one of them decides the ratio, and five bits in each of the others make
/// one in 2^25 of sequences of angles that have nothing to do with each other.
pub(super) const FEWEST: usize = 6;

/// Intervals of ratios that are kept at most.
const MOST: usize = 256;

/// Rows at most that propose the ratio of most rows, and turns in each that are tried.
const VOTING: usize = 24;
const CANDIDATES: i32 = 4;

/// Turns of a unit that are tried in rows that are left out: as many as a slot of one radian makes up to a coordinate of 50000.
const FARTHEST: i32 = 8192;

/// Whole turns of a unit in a row that its slots have to exclude.
const MOST_TURNS: u32 = 8;

/// By how much a slot has turned from the reference row on, in each of some rows, and how far off that may be.
#[derive(Clone, Debug)]
pub(super) struct SlotTurn {
    angle: Vec<f64>,
    error: Vec<f64>,
    range: f64,
}

/// The rows that differ from each other and show all angles, each with all that are the same, and which of them it is from which angles are counted.
pub(super) fn distinct(slots: &[Angles]) -> (Vec<Vec<usize>>, usize) {
    let count = slots.first().map_or(0, |slot| slot.angle.len());
    let mut rows: Vec<Vec<usize>> = Vec::new();
    // Entries of length 0 show no angle: the row of a table without a position.
    let known = |row: &usize| slots.iter().all(|slot| slot.noise[*row] < 1.0);
    for row in (0..count).filter(known) {
        let same = |rows: &&mut Vec<usize>| slots.iter().all(|slot| slot.angle[row] == slot.angle[rows[0]]);
        match rows.iter_mut().find(same) {
            Some(rows) => rows.push(row),
            None => rows.push(vec![row]),
        }
    }
    let noise = |rows: &[usize]| slots.iter().map(|slot| slot.noise[rows[0]]).sum::<f64>();
    let reference = (0..rows.len()).min_by(|&a, &b| noise(&rows[a]).total_cmp(&noise(&rows[b])));
    (rows, reference.unwrap_or(0))
}

impl SlotTurn {
    /// Of a slot, in these rows.
    pub fn new(slot: &Angles, rows: &[usize], reference: usize) -> Self {
        let angle: Vec<f64> = rows.iter().map(|&row| wrap(slot.angle[row] - slot.angle[reference])).collect();
        let error = rows.iter().map(|&row| slot.noise[row] + slot.noise[reference]).collect();
        let range = angle.iter().fold(0.0, |most: f64, angle| most.max(angle.abs()));
        Self { angle, error, range }
    }

    /// The largest angle.
    pub fn range(&self) -> f64 {
        self.range
    }

    /// The largest angle in some rows.
    fn range_in(&self, rows: &[usize]) -> f64 {
        rows.iter().fold(0.0, |most: f64, &row| most.max(self.angle[row].abs()))
    }

    /// True if nothing shows that it moves.
    pub fn is_still(&self) -> bool {
        self.angle.iter().zip(&self.error).all(|(angle, error)| angle.abs() <= *error)
    }
}

/// A ratio: the ends of an interval.
type Interval = [f64; 2];

/// A slot whose angle is taken for the coordinate of its axis: it moves by less than half a turn.
#[derive(Clone)]
pub(super) struct Unit {
    pub slot: usize,
    angle: Vec<f64>,
    error: Vec<f64>,
    /// Rows in which it moves by less than half a turn, the smallest angle first.
    order: Vec<usize>,
    /// The other ones.
    pub beyond: Vec<usize>,
    /// Ratios of this magnitude are not told from smaller ones: half a turn for the smallest step.
    pub limit: f64,
}

impl Unit {
    /// A slot as a unit in all rows but some; none where it may have moved by half a turn in another, or where every angle is as small as its error.
    pub fn new(slot: usize, turned: &SlotTurn, beyond: Vec<usize>) -> Option<Self> {
        let angle = turned.angle.clone();
        let mut order: Vec<usize> = (0..angle.len()).filter(|row| !beyond.contains(row)).collect();
        let range = turned.range_in(&order);
        let computed = |angle: &f64| ROUNDINGS * UNIT * (angle.abs() + range);
        let error: Vec<f64> = angle.iter().zip(&turned.error).map(|(angle, error)| error + computed(angle)).collect();
        if order.iter().any(|&row| angle[row].abs() + error[row] >= PI) {
            return None;
        }
        order.sort_by(|&a, &b| angle[a].abs().total_cmp(&angle[b].abs()));
        let clear = |row: &&usize| error[**row] <= angle[**row].abs() / 8.0;
        let limit = PI / order.iter().find(clear).map(|&row| angle[row].abs())?;
        Some(Self { slot, angle, error, order, beyond, limit })
    }

    /// The rows in which most slots that agree with this one in most rows do not: none, or few.
    pub fn outliers(&self, all: &[SlotTurn]) -> Option<Vec<usize>> {
        let (mut voters, mut against) = (0usize, vec![0usize; self.angle.len()]);
        for other in all {
            let Some(missed) = self.consensus(other) else { continue };
            voters += 1;
            missed.into_iter().for_each(|row| against[row] += 1);
        }
        (voters > 2).then(|| (0..against.len()).filter(|&row| 2 * against[row] > voters).collect())
    }

    /// The rows that do not agree with the ratio that most rows agree with; none where too few do.
    fn consensus(&self, other: &SlotTurn) -> Option<Vec<usize>> {
        let off = |row: usize, rate: f64| other.error[row] + rate.abs() * self.error[row];
        let mut best: Option<Vec<usize>> = None;
        let voting = || self.order.iter().step_by(1 + self.order.len() / VOTING);
        for &row in voting() {
            for turns in -CANDIDATES..=CANDIDATES {
                let rate = (other.angle[row] + TAU * f64::from(turns)) / self.angle[row];
                if !rate.is_finite() || rate.abs() > self.limit {
                    continue;
                }
                let own = off(row, rate) / self.angle[row].abs();
                let agrees = |row: usize| {
                    let off = off(row, rate) + own * self.angle[row].abs();
                    let left = wrap(other.angle[row] - rate * self.angle[row]).abs();
                    left <= off && off <= PART * other.range
                };
                let missed: Vec<usize> = voting().copied().filter(|&row| !agrees(row)).collect();
                if best.as_ref().is_none_or(|best| missed.len() < best.len()) {
                    best = Some((0..self.angle.len()).filter(|&row| !agrees(row)).collect());
                }
            }
        }
        best.filter(|missed| self.is_few(missed.len()))
    }

    /// True if rows that are left out are few enough: a quarter, and the others enough to show something.
    fn is_few(&self, rows: usize) -> bool {
        4 * rows <= self.angle.len() && self.angle.len() - rows >= FEWEST
    }

    /// True if in each row that is left out one angle of this unit has all of these slots agree.
    pub fn returns(&self, members: &[(&SlotTurn, Together)]) -> bool {
        let agrees = |row: usize, turns: i32| {
            let angle = self.angle[row] + TAU * f64::from(turns);
            let error = self.error[row] + ROUNDINGS * UNIT * angle.abs();
            members.iter().all(|(slot, one)| {
                let off = slot.error[row] + one.rate.abs() * error + one.error * angle.abs();
                wrap(slot.angle[row] - one.rate * angle).abs() <= off
            })
        };
        self.beyond.iter().all(|&row| (-FARTHEST..=FARTHEST).any(|turns| agrees(row, turns)))
    }

    /// The ratios, up to the limit, at which a slot turns in proportion to this one in all rows; none where there are more intervals of them than
    /// are kept.
    fn ratios(&self, other: &SlotTurn) -> Option<Vec<Interval>> {
        let mut all: Vec<Interval> = vec![[-self.limit * 1.125, self.limit * 1.125]];
        // Once more with the errors of what the first time has left.
        for &row in self.order.iter().chain(&self.order) {
            let (unit, error) = (self.angle[row], self.error[row]);
            let mut left: Vec<Interval> = Vec::new();
            for &[low, high] in &all {
                let off = other.error[row] + low.abs().max(high.abs()) * error;
                let (a, b) = (low * unit, high * unit);
                let (from, to) = (a.min(b) - off, a.max(b) + off);
                let first = ((from - other.angle[row]) / TAU).ceil();
                let last = ((to - other.angle[row]) / TAU).floor();
                if last - first >= MOST as f64 {
                    return None;
                }
                let mut turns = first;
                while turns <= last {
                    let angle = other.angle[row] + TAU * turns;
                    let (a, b) = ((angle - off) / unit, (angle + off) / unit);
                    let kept = if unit == 0.0 { [low, high] } else { [low.max(a.min(b)), high.min(a.max(b))] };
                    if kept[0] <= kept[1] {
                        left.push(kept);
                    }
                    turns += 1.0;
                }
            }
            all = merged(left);
            match all.len() {
                0 => return Some(all),
                count if count > MOST => return None,
                _ => {}
            }
        }
        Some(all)
    }

    /// Evidence of the rows on a slot.
    pub fn shows(&self, other: &SlotTurn) -> Shown {
        let Some(ratios) = self.ratios(other) else { return Shown::Open };
        let [[low, high]] = ratios[..] else {
            return if ratios.is_empty() { Shown::Apart } else { Shown::Open };
        };
        let (rate, error) = ((low + high) / 2.0, (high - low) / 2.0);
        let off =
            |row: usize| other.error[row] + low.abs().max(high.abs()) * self.error[row] + error * self.angle[row].abs();
        let range = other.range_in(&self.order);
        let agreement = self.order.iter().map(|&row| off(row) / range).fold(0.0, f64::max);
        let shown = self.order.len() >= FEWEST && agreement <= PART && (low > 0.0 || high < 0.0);
        if shown { Shown::Together(Together { rate, error, agreement }) } else { Shown::Open }
    }

    /// True if slots at these rates show that this one has not turned by whole turns that do not show: such turns would turn each of them by a multiple
    /// of its rate.
    pub fn is_whole(&self, members: &[Together]) -> bool {
        let shows = |turns: u32| {
            let turned = |member: &Together| {
                let (angle, error) = (f64::from(turns) * TAU * member.rate, f64::from(turns) * TAU * member.error);
                wrap(angle).abs() > error + 2.0 * PART * PI
            };
            members.iter().any(turned)
        };
        (1..=MOST_TURNS).all(shows)
    }

    /// Two rows in which the angles of two units are in no proportion, those that show it best; none where all rows admit one.
    pub fn differs(&self, other: &Self) -> Option<[usize; 2]> {
        // The directions, modulo half a turn, in which the two angles of a row may lie.
        let direction = |row: usize| {
            let [(a, da), (b, db)] = [(self.angle[row], self.error[row]), (other.angle[row], other.error[row])];
            let middle = b.atan2(a);
            let corners = [(a - da, b - db), (a - da, b + db), (a + da, b - db), (a + da, b + db)];
            let off = corners.map(|(a, b)| wrap(b.atan2(a) - middle).abs()).into_iter().fold(0.0, f64::max);
            (a.abs() > da || b.abs() > db).then_some((row, middle, off))
        };
        let both = self.order.iter().copied().filter(|row| other.order.contains(row));
        let directions: Vec<(usize, f64, f64)> = both.filter_map(direction).collect();
        let mut best: Option<(f64, [usize; 2])> = None;
        for (at, &(i, left, off)) in directions.iter().enumerate() {
            for &(j, right, other) in &directions[at + 1..] {
                let apart = left - right - PI * ((left - right) / PI).round();
                let clear = apart.abs() - off - other;
                if clear > 0.0 && best.is_none_or(|(known, _)| clear > known) {
                    best = Some((clear, [i, j]));
                }
            }
        }
        best.map(|(_, rows)| rows)
    }
}

/// Evidence of rows on a slot beside a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown {
    /// It turns in proportion.
    Together(Together),
    /// It may.
    Open,
    /// It does not, at any rate below the limit.
    Apart,
}

/// A slot that turns in proportion to a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    pub rate: f64,
    pub error: f64,
    /// The largest part of its range by which its angle may miss the proportion.
    pub agreement: f64,
}

/// Intervals that touch as one.
fn merged(mut all: Vec<Interval>) -> Vec<Interval> {
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut merged: Vec<Interval> = Vec::new();
    for one in all {
        match merged.last_mut() {
            Some(last) if one[0] <= last[1] => last[1] = last[1].max(one[1]),
            _ => merged.push(one),
        }
    }
    merged
}
