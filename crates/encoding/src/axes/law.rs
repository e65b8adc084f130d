//! Law of a convention of axes: the angle of a slot, the entries that it occupies, and the gain.

use super::angle::ExactAngle;
use super::axis::{AxisLaw, Claim};
use super::commensurable::{exact_angle, representatives};
use super::convention::{AxialConvention, Axis, SlotKind};
use super::frequencies::{FrequencyLaw, StoredFrequencies};
use super::invalid::InvalidAxes;
use super::layout::{AxialLayout, Turn};
use super::ranges::{MOST, Ranges};
use crate::amplitude::Gain;
use crate::convention::{Component, Direction, Encoding, Order};
use posproof_numerics::{Interval, Rational};
use std::collections::BTreeMap;
use std::ops::Range;

/// Law of a convention of axes.
#[derive(Debug)]
pub struct AxialLaw {
    convention: AxialConvention,
    span: [usize; 2],
    axes: Vec<AxisLaw>,
    claims: Vec<Vec<Claim>>,
    /// Slots that several axes claim, with [`representatives`].
    classes: BTreeMap<usize, Vec<(usize, Rational)>>,
    turns: Vec<Turn>,
    heads: usize,
}

impl AxialConvention {
    /// Its law; `load` gives the frequencies that an axis names.
    ///
    /// # Errors
    ///
    /// [`InvalidAxes`] where it defines no encoding, or the frequencies cannot be loaded.
    pub fn law(&self, load: impl Fn(&str) -> Result<StoredFrequencies, String>) -> Result<AxialLaw, InvalidAxes> {
        AxialLaw::new(self, &load)
    }
}

impl AxialLaw {
    fn new(
        convention: &AxialConvention,
        load: &dyn Fn(&str) -> Result<StoredFrequencies, String>,
    ) -> Result<Self, InvalidAxes> {
        let whole =
            |holds, field, found: String, expected: &str| InvalidAxes::unless(holds, (None, field), found, expected);
        let AxialConvention { encoding, dim, layout, slots: kind, .. } = *convention;
        let sinusoid = encoding == Encoding::Sinusoid;
        whole((2..=MOST).contains(&dim), "dim", dim.to_string(), &format!("2 to {MOST}"))?;
        let span @ [start, end] = convention.span.unwrap_or([0, dim]);
        let said = format!("[{start}, {end}]");
        whole(start < end && end <= dim, "span", said.clone(), &format!("[a, b] with a < b ≤ dim = {dim}"))?;
        let width = end - start;
        whole(
            width.is_multiple_of(2),
            "span",
            format!("{said}, an odd number of entries"),
            "an even number of entries",
        )?;
        whole(!sinusoid || width == dim, "span", said, "none: only rope leaves entries alone")?;
        let entries = kind == SlotKind::Entries;
        whole(
            !sinusoid || !entries,
            "slots",
            "entries for a sinusoid".into(),
            "pairs: a sinusoid's angle has a sine and a cosine",
        )?;
        let crossing = layout == AxialLayout::InterleavedToHalves;
        let plain = !matches!(layout, AxialLayout::AxisHalves) && !crossing;
        whole(
            !entries || plain,
            "layout",
            format!("{layout} with slots: entries"),
            "interleaved, halves or blocks of halves",
        )?;
        whole(
            !sinusoid || !crossing,
            "layout",
            format!("{layout} for a sinusoid"),
            "another: only a rotation reads entries and writes others",
        )?;
        if let AxialLayout::BlockHalves(block) = layout {
            let fits = block >= 2 && block.is_multiple_of(2) && width.is_multiple_of(block);
            whole(
                fits,
                "layout",
                format!("halves of blocks of {block}"),
                &format!("an even number that divides {width}"),
            )?;
        }
        let slots = if entries { width } else { width / 2 };

        let only;
        let stated = if convention.axes.is_empty() {
            let all = Ranges::of(&(0..slots).collect::<Vec<_>>()).into_iter();
            only = all.map(|pairs| Axis::new(super::POSITION, pairs)).collect::<Vec<_>>();
            &only
        } else {
            &convention.axes
        };
        let mut claims: Vec<Vec<Claim>> = vec![Vec::new(); slots];
        let mut axes: Vec<AxisLaw> = Vec::new();
        for (number, axis) in stated.iter().enumerate() {
            let name = axis.name.as_str();
            let other = stated[..number].iter().all(|before| before.name != name);
            whole(
                other && !name.is_empty(),
                "axes",
                format!("an axis named '{name}'"),
                "a name of its own for every axis",
            )?;
            let law = AxisLaw::new(axis, convention, (slots, width), load)?;
            let sums = |axis: &Axis| axis.shared || axis.frequencies.is_some();
            for (at, &slot) in law.slots.iter().enumerate() {
                if let Some(&Claim { axis: before, .. }) = claims[slot].first() {
                    let about = (Some(name), "pairs");
                    let found = format!("slot {slot}, which axis {} claims", stated[before].name);
                    let add = sums(axis) && claims[slot].iter().all(|claim| sums(&stated[claim.axis]));
                    InvalidAxes::unless(add, about, &found, "a slot of its own, or \"shared\": true in each axis")?;
                    let alike = axes[before].amplitude == law.amplitude
                        && axes[before].order == law.order
                        && plain_gain(&axes[before], &law);
                    InvalidAxes::unless(
                        alike,
                        about,
                        found,
                        "axes of one amplitude and order, without attention factors, where they share slots",
                    )?;
                }
                claims[slot].push(Claim { axis: number, at });
            }
            axes.push(law);
        }
        let heads = common_heads(&axes)?;
        let blocks = if layout == AxialLayout::AxisHalves { blocks(&axes, slots)? } else { Vec::new() };
        let direction = axes.first().map(AxisLaw::direction).unwrap_or_default();
        whole(
            !entries || axes.iter().all(|axis| axis.direction() == direction),
            "direction",
            "axes of both directions, with slots: entries".into(),
            "one direction for all axes: the transpose is that of the whole row",
        )?;
        let turns = turns(layout, entries.then_some(direction), (start, width), &blocks);
        let shared = claims.iter().enumerate().filter(|(_, claims)| claims.len() > 1);
        let classes = shared.map(|(slot, claims)| (slot, representatives(&axes, claims))).collect();
        Ok(Self { convention: convention.clone(), span, axes, claims, classes, turns, heads })
    }

    /// Law of another convention that names no other stored frequencies than this one.
    ///
    /// # Errors
    ///
    /// As [`AxialConvention::law`], and for frequencies of another name.
    pub fn altered(&self, convention: &AxialConvention) -> Result<Self, InvalidAxes> {
        convention.law(|source| {
            let named = self
                .convention
                .axes
                .iter()
                .zip(&self.axes)
                .find(|(axis, _)| axis.frequencies.as_deref() == Some(source));
            match named.map(|(_, axis)| axis.frequency_law()) {
                Some(FrequencyLaw::Stored { heads, omega }) => {
                    Ok(StoredFrequencies { heads: *heads, omega: omega.iter().map(Rational::to_f64).collect() })
                }
                _ => Err(format!("'{source}' was not loaded")),
            }
        })
    }

    /// The convention, as it is written.
    pub fn convention(&self) -> &AxialConvention {
        &self.convention
    }

    /// The axes, in the order of the columns of the positions.
    pub fn axes(&self) -> &[AxisLaw] {
        &self.axes
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        self.claims.len()
    }

    /// The first entry that is rotated, and one beyond the last.
    pub fn span(&self) -> [usize; 2] {
        self.span
    }

    /// Number of heads that have frequencies of their own; 1 where all have the same.
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// The axes that claim a slot.
    pub fn claims(&self, slot: usize) -> &[Claim] {
        self.claims.get(slot).map_or(&[], Vec::as_slice)
    }

    /// Turns of the entries of the span, two by two.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// True if every pair of entries turns by one angle.
    pub fn is_rotation(&self) -> bool {
        self.convention.slots == SlotKind::Pairs
    }

    /// Which component of a slot comes first in a sinusoid's row.
    pub fn order(&self, slot: usize) -> Order {
        let whole = self.convention.parameters.order.unwrap_or_default();
        self.claims(slot).first().map_or(whole, |claim| self.axes[claim.axis].order)
    }

    /// The factor of a slot's entries.
    pub fn gain(&self, slot: usize) -> Gain {
        let whole = || self.convention.parameters.amplitude.clone().unwrap_or_default().gain();
        self.claims(slot).first().map_or_else(whole, |claim| self.axes[claim.axis].gain.clone())
    }

    /// An enclosure of the angle of a slot in a row with these coordinates; `None` beyond 2^18 bits.
    pub fn angle(&self, head: usize, slot: usize, row: &[Rational], bits: u32) -> Option<Interval> {
        self.claims(slot).iter().try_fold(Interval::from(0).at(bits), |sum, &Claim { axis, at }| {
            Some(sum + self.axes[axis].angle(head, at, row.get(axis)?, bits)?)
        })
    }

    /// The angle of a slot, where it is known exactly.
    fn exact_angle(&self, head: usize, slot: usize, row: &[Rational]) -> Option<ExactAngle> {
        exact_angle(&self.axes, self.claims(slot), self.classes.get(&slot).map_or(&[], Vec::as_slice), head, row)
    }

    /// The value of gain·cos θ or gain·sin θ of a slot where it is known to be rational.
    pub fn exact(&self, head: usize, slot: usize, row: &[Rational], component: Component) -> Option<Rational> {
        let gain = self.gain(slot).exact()?;
        if gain.is_zero() {
            return Some(gain);
        }
        let angle = self.exact_angle(head, slot, row)?;
        Some(gain * if component == Component::Cos { angle.cos() } else { angle.sin() }?)
    }

    /// An enclosure of gain·cos θ or gain·sin θ of a slot in a row with these coordinates, of width about gain·2^−bits; a point where
    /// the value is known to be rational.
    pub fn enclose(
        &self,
        head: usize,
        slot: usize,
        row: &[Rational],
        component: Component,
        bits: u32,
    ) -> Option<Interval> {
        let cosine = component == Component::Cos;
        let exact = self.exact_angle(head, slot, row).and_then(|angle| if cosine { angle.cos() } else { angle.sin() });
        let gain = self.gain(slot);
        if let Some(value) = exact {
            let value = Interval::rational(&value, bits);
            return Some(if value.is_zero() { value } else { gain.enclose(bits + 8) * value });
        }
        let rough = self.angle(head, slot, row, 16)?;
        let magnitude = rough.upper().exponent().max(rough.lower().exponent()).unwrap_or(0).max(0);
        let working = bits + 16 + u32::try_from(magnitude).ok()?;
        let (cos, sin) = self.angle(head, slot, row, working)?.cos_sin();
        Some(gain.enclose(working) * if cosine { cos } else { sin })
    }
}

/// True if neither axis has an attention factor.
fn plain_gain(one: &AxisLaw, other: &AxisLaw) -> bool {
    let plain = |axis: &AxisLaw| match &axis.frequencies.law {
        FrequencyLaw::Indexed { scaling: Some(scaling), .. } => {
            scaling.attention_factor().exact().is_some_and(|factor| factor == 1)
        }
        _ => true,
    };
    plain(one) && plain(other)
}

/// The number of heads of all axes that have lists for heads.
fn common_heads(axes: &[AxisLaw]) -> Result<usize, InvalidAxes> {
    let mut heads = 1;
    for axis in axes {
        let own = axis.frequencies.heads();
        let agrees = own == 1 || heads == 1 || own == heads;
        let about = (Some(axis.name.as_str()), "frequencies");
        InvalidAxes::unless(
            agrees,
            about,
            format!("{own} heads"),
            format!("{heads} heads, as another axis has, or one list"),
        )?;
        heads = heads.max(own);
    }
    Ok(heads)
}

/// The slots of the axes in the order of their slots, each a range, together all of them.
fn blocks(axes: &[AxisLaw], slots: usize) -> Result<Vec<Range<usize>>, InvalidAxes> {
    let mut blocks = Vec::new();
    for axis in axes {
        let first = axis.slots[0];
        let contiguous = axis.slots.iter().enumerate().all(|(i, &slot)| slot == first + i);
        let about = (Some(axis.name.as_str()), "pairs");
        let found = Ranges::of(&axis.slots).map_or(String::new(), |slots| slots.to_string());
        InvalidAxes::unless(contiguous, about, found, "one range a..b in each axis, with the layout axis-halves")?;
        blocks.push(first..first + axis.slots.len());
    }
    blocks.sort_by_key(|block| block.start);
    let covered = blocks.iter().try_fold(0, |end, block| (block.start == end).then_some(block.end));
    let found = "slots that no axis claims, or several".to_owned();
    InvalidAxes::unless(
        covered == Some(slots),
        (None, "layout"),
        found,
        "axes that together claim every slot once, with the layout axis-halves",
    )?;
    Ok(blocks)
}

/// Turns of the entries of the span.
fn turns(
    layout: AxialLayout,
    entries: Option<Direction>,
    (start, width): (usize, usize),
    blocks: &[Range<usize>],
) -> Vec<Turn> {
    let turn = |(slot, [read, write]): (usize, [(usize, usize); 2])| {
        let moved = |(a, b): (usize, usize)| (start + a, start + b);
        let slots = if entries.is_some() { write } else { (slot, slot) };
        let sines = if entries == Some(Direction::Clockwise) { (slots.1, slots.0) } else { slots };
        Turn { read: moved(read), write: moved(write), slots, sines }
    };
    layout.entries(width / 2, blocks).into_iter().enumerate().map(turn).collect()
}
