//! Axes at unknown positions: which slots turn together, and what of their law needs no positions.
//!
//! An answer is a fact of the entries: that angles are in proportion ([`proportion`](super::proportion)), and by which ratio. Positions and rates are known up
//! to one factor for each group, and axes have no names and no order but that of their slots.

use super::arrangement::{Angles, PairArrangement, SampledEntries};
use super::groups::{AxialGroups, Different, Group, GroupBase, OpenSlots};
use super::laws::{MeasuredSlots, fall};
use super::measure::MeasuredNumber;
use super::proportion::{FEWEST, Shown, SlotTurn, Together, Unit, distinct};
use super::rows::{picked, shape};
use crate::Invalid;
use crate::levels::{Quantised, Statement};
use crate::subject::Subject;

/// Slots of a group, at least, at rates that differ: one in which angles are counted, one that the others confirm, and one besides.
const SLOTS: usize = 3;

/// Why nothing is said where no entries form pairs.
const NO_PAIRS: &str =
    "any pair: none keeps its length, so that this is no rotation, or one whose entries turn by angles of their own";

/// Why nothing is said where no row shows the angles of all slots.
const NO_ROWS: &str = "anything: no row shows the angles of all slots";

/// Questions that no entries tell at unknown positions.
const NEVER: [&str; 6] = [
    "the names of the axes, and which column of the positions each has",
    "positions and rates but for one factor in each group, and the positions' origin",
    "axes whose coordinates are in proportion in all rows: they turn as one group",
    "rates but modulo a turn for the smallest step of these rows: those below half a turn are stated",
    "what a program's own errors are: angles are taken to be right to 2^-18 of the largest that the unit shows, at their rates",
    "whether the slot that rates are counted in moves by less than half a turn in these rows, which they suppose: where coordinates are multiples of \
     a step, whole turns for each step do not show",
];

/// Says which slots turn together in rows of unknown positions, and what that tells of their axes: whatever is said follows from the entries, if
/// the unit of each group moves by less than half a turn from the reference row on. Its slots show that it makes no whole turns besides, up to eight.
///
/// # Errors
///
/// For half a cache, which shows no angle, and for arrays that do not go with each other.
pub fn identify_axes_unplaced(subject: Subject<'_>) -> Result<AxialGroups, Invalid> {
    let quantised = Quantised::new(subject, Statement::default())?;
    let subject = quantised.as_ref().map_or(subject, Quantised::subject);
    let (rows, _) = shape(subject)?;
    let mut picked = picked(rows);
    let mut sample = SampledEntries::read(subject, 0, &picked, subject.format())?;
    let placed: Vec<bool> = (0..picked.len()).map(|row| sample.is_placed(row)).collect();
    if matches!(subject, Subject::Sinusoid(_)) && placed.contains(&false) {
        picked = picked.into_iter().zip(placed).filter_map(|(row, placed)| placed.then_some(row)).collect();
        sample = SampledEntries::read(subject, 0, &picked, subject.format())?;
    }
    let mut answer = nothing(subject);
    if picked.is_empty() || !sample.is_finite() {
        answer.undetermined.push("rows with entries that are not finite show nothing".into());
        return Ok(answer);
    }
    answer.storage = sample.narrowest(subject.format());
    let sample = sample.stored_in(answer.storage);
    let mut first = None;
    for arrangement in sample.arrangements(subject) {
        let Some((slots, _)) = sample.angles(&arrangement) else { continue };
        let found = grouped(&answer, &arrangement, &slots, &picked);
        if !found.groups.is_empty() {
            return Ok(found);
        }
        first.get_or_insert(found);
    }
    Ok(first.unwrap_or_else(|| {
        answer.undetermined.push(NO_PAIRS.into());
        answer
    }))
}

fn nothing(subject: Subject<'_>) -> AxialGroups {
    AxialGroups {
        schema: "posproof.identify-groups/1",
        subject: subject.name(),
        rows: 0,
        reference: 0,
        layout: None,
        columns: None,
        entries: Vec::new(),
        storage: subject.format(),
        groups: Vec::new(),
        different: Vec::new(),
        still: Vec::new(),
        open: Vec::new(),
        apart: Vec::new(),
        undetermined: Vec::new(),
    }
}

/// Groups of an arrangement's slots; `picked` are the rows of the sample.
fn grouped(empty: &AxialGroups, arrangement: &PairArrangement, slots: &[Angles], picked: &[usize]) -> AxialGroups {
    let (mut rows, reference) = distinct(slots);
    let count = rows.len();
    if rows.is_empty() {
        return AxialGroups { undetermined: vec![NO_ROWS.into()], ..empty.clone() };
    }
    let reference = rows.remove(reference);
    let first: Vec<usize> = rows.iter().map(|rows| rows[0]).collect();
    let turned: Vec<SlotTurn> = slots.iter().map(|slot| SlotTurn::new(slot, &first, reference[0])).collect();
    let still: Vec<usize> = (0..turned.len()).filter(|&slot| turned[slot].is_still()).collect();
    let mut answer = AxialGroups {
        rows: count,
        reference: picked[reference[0]],
        layout: Some(arrangement.layout),
        columns: arrangement.columns,
        entries: arrangement.entries(),
        still,
        ..empty.clone()
    };
    if count <= FEWEST {
        let few = format!("which slots turn together: {count} rows that differ; more than {FEWEST} would show it");
        answer.undetermined.push(few);
        return answer;
    }
    let moving: Vec<usize> = (0..turned.len()).filter(|slot| !answer.still.contains(slot)).collect();
    let groups = units(&turned, &moving);
    // Of each slot that moves what each group shows.
    let shown: Vec<Vec<Shown>> =
        moving.iter().map(|&slot| groups.iter().map(|unit| unit.shows(&turned[slot])).collect()).collect();
    let mut own: Vec<Vec<(usize, Together)>> = vec![Vec::new(); groups.len()];
    let mut open: Vec<OpenSlots> = Vec::new();
    for (&slot, shown) in moving.iter().zip(&shown) {
        let possible: Vec<usize> = (0..groups.len()).filter(|&group| !matches!(shown[group], Shown::Apart)).collect();
        match possible[..] {
            [] if groups.is_empty() => {}
            [] => answer.apart.push(slot),
            [group] if let Shown::Together(together) = shown[group] => own[group].push((slot, together)),
            _ => match open.iter_mut().find(|open| open.groups == possible) {
                Some(open) => open.slots.push(slot),
                None => open.push(OpenSlots { slots: vec![slot], groups: possible }),
            },
        }
    }
    answer.open = open;
    for (number, unit) in groups.iter().enumerate() {
        let mut beyond: Vec<usize> = unit.beyond.iter().flat_map(|&row| &rows[row]).map(|&row| picked[row]).collect();
        beyond.sort_unstable();
        answer.groups.push(Group { beyond, ..group(unit, &own[number], slots.len()) });
        for (other, second) in groups.iter().enumerate().skip(number + 1) {
            match unit.differs(second) {
                Some(both) => {
                    let rows = both.map(|row| picked[first[row]]);
                    answer.different.push(Different { groups: [number, other], rows });
                }
                None => answer.undetermined.push(format!("whether groups {number} and {other} turn in proportion")),
            }
        }
    }
    if answer.groups.is_empty() {
        answer
            .undetermined
            .push("which slots turn together: no three do by less than half a turn, beyond doubt".into());
    } else {
        answer.undetermined.extend(NEVER.map(str::to_owned));
    }
    answer
}

/// A unit, the slots that turn with it, and whether their rates are in geometric progression.
type Candidate = (Unit, Vec<(usize, Together)>, bool);

/// The units of groups, in the order of the groups' first slots: of those that most slots turn with, each that differs from all before it.
fn units(turned: &[SlotTurn], moving: &[usize]) -> Vec<Unit> {
    let together = |unit: Unit| -> Option<Candidate> {
        let shown = |&slot: &usize| match unit.shows(&turned[slot]) {
            Shown::Together(together) => Some((slot, together)),
            _ => None,
        };
        let members: Vec<(usize, Together)> = moving.iter().filter_map(shown).collect();
        let all: Vec<Together> = members.iter().map(|(_, together)| *together).collect();
        let slots: Vec<(&SlotTurn, Together)> = members.iter().map(|(slot, one)| (&turned[*slot], *one)).collect();
        let whole = different(&all) >= SLOTS && unit.is_whole(&all) && unit.returns(&slots);
        let progression = whole && progression(&unit, &members).is_some();
        whole.then_some((unit, members, progression))
    };
    // In all rows, or else in those that are left by the slots that agree with it.
    let found = |&slot: &usize| {
        let unit = Unit::new(slot, &turned[slot], Vec::new())?;
        together(unit.clone()).or_else(|| {
            let beyond = unit.outliers(turned).filter(|rows| !rows.is_empty())?;
            together(Unit::new(slot, &turned[slot], beyond)?)
        })
    };
    let mut all: Vec<Candidate> = moving.iter().filter_map(found).collect();
    // Of those with equally many one that leaves a progression, and of these the slowest: it is the farthest from half a turn.
    all.sort_by(|(a, left, first), (b, right, second)| {
        let slower = turned[a.slot].range().total_cmp(&turned[b.slot].range());
        right.len().cmp(&left.len()).then(second.cmp(first)).then(slower)
    });
    let mut kept: Vec<Candidate> = Vec::new();
    for (unit, members, progression) in all {
        let new = |(known, theirs, _): &Candidate| {
            theirs.iter().all(|(slot, _)| members.iter().all(|(other, _)| slot != other))
                && unit.differs(known).is_some()
        };
        if kept.iter().all(new) {
            kept.push((unit, members, progression));
        }
    }
    kept.sort_by_key(|(_, members, _)| members[0].0);
    kept.into_iter().map(|(unit, ..)| unit).collect()
}

/// The logarithm of the ratio of neighbouring slots' rates, where they are in geometric progression.
fn progression(unit: &Unit, own: &[(usize, Together)]) -> Option<MeasuredNumber> {
    let slots = own.iter().map(|(slot, _)| *slot).collect();
    let rates: Vec<MeasuredNumber> =
        own.iter().map(|(_, one)| MeasuredNumber { value: one.rate, error: one.error }).collect();
    let origins = vec![MeasuredNumber { value: 0.0, error: 0.0 }; rates.len()];
    fall(&MeasuredSlots { slots, rates, origins, limit: unit.limit }).filter(|_| own.len() >= SLOTS)
}

/// Number of rates that differ beyond their errors.
fn different(members: &[Together]) -> usize {
    let mut ends: Vec<(f64, f64)> =
        members.iter().map(|one| (one.rate.abs() - one.error, one.rate.abs() + one.error)).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut count, mut reached) = (0, f64::NEG_INFINITY);
    for (low, high) in ends {
        if low > reached {
            count += 1;
            reached = high;
        } else {
            reached = reached.max(high);
        }
    }
    count
}

/// Answer on a group; `all` are the slots of a row.
fn group(unit: &Unit, own: &[(usize, Together)], all: usize) -> Group {
    let slots: Vec<usize> = own.iter().map(|(slot, _)| *slot).collect();
    let fall = progression(unit, own);
    let base = |frequency_dim: usize, fall: MeasuredNumber| {
        let half = frequency_dim as f64 / 2.0;
        let base = (fall.value * half).exp();
        GroupBase { frequency_dim, base, error: base * (fall.error * half).exp_m1() }
    };
    let mut bases: Vec<GroupBase> = fall.iter().map(|&fall| base(2 * slots.len(), fall)).collect();
    let step = slots.get(1).map_or(1, |second| second - slots[0]);
    if let Some(fall) = fall.filter(|_| slots.len() < all && slots.windows(2).all(|pair| pair[1] - pair[0] == step)) {
        let each = MeasuredNumber { value: fall.value / step as f64, error: fall.error / step as f64 };
        bases.push(base(2 * all, each));
    }
    Group {
        unit: unit.slot,
        beyond: Vec::new(),
        rates: own.iter().map(|(_, one)| one.rate).collect(),
        errors: own.iter().map(|(_, one)| one.error).collect(),
        limit: unit.limit,
        agreement: own.iter().map(|(_, one)| one.agreement).fold(0.0, f64::max),
        ratio: fall.map(|fall| fall.value.exp()),
        ratio_error: fall.map(|fall| fall.value.exp() * fall.error.exp_m1()),
        bases,
        slots,
    }
}
