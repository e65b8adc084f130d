//! The convention that is measured from the entries of a table at known positions.

use super::answer::{self, AxialIdentification};
use super::arrangement::{PairArrangement, SampledEntries};
use super::judged::{Aim, PlacedSubject};
use super::laws::{MeasuredSlots, laws};
use super::measure::{MeasuredSlot, Places};
use super::rows::{picked, shape};
use super::slow;
use crate::Invalid;
use crate::axes::symptoms::AxialSymptoms;
use crate::measure::candidates;
use crate::recognise::Confidence;
use crate::subject::Subject;
use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::axes::{AxialConvention, Axis, AxisLaw, AxisParameters, Coordinates, Ranges};
use posproof_numerics::format::Format;

/// The slots that each stated axis turns as the entries show it, where the pairs are those stated; none where these slots turn otherwise. Slots that
/// stand still, or that axes explain equally well, are left to the axis that is stated.
pub(in crate::axes) fn sections(case: &AxialSymptoms<'_>) -> Result<Option<Vec<Vec<usize>>>, Invalid> {
    let (law, coordinates) = (case.law, case.coordinates);
    let Some(arrangement) = PairArrangement::stated(case.subject, law)? else { return Ok(None) };
    let picked: Vec<usize> =
        picked(coordinates.rows()).into_iter().filter(|row| coordinates.place(*row, 0).is_some()).collect();
    let sample = SampledEntries::read(case.subject, case.slab(), &picked, case.storage)?;
    if picked.is_empty() || !sample.is_finite() {
        return Ok(None);
    }
    let Some((angles, _)) = sample.angles(&arrangement) else { return Ok(None) };
    let places = Places::new(coordinates, &picked);
    let mut sections = vec![Vec::new(); law.axes().len()];
    for (slot, angles) in angles.iter().enumerate() {
        let stated = law.claims(slot).first().map(|claim| claim.axis);
        let Some(found) = places.slot(angles) else { return Ok(None) };
        let axis = match (found.rates.as_slice(), stated) {
            ([], stated) => stated,
            ([(axis, _)], Some(stated)) if found.rivals.contains(&stated) || *axis == stated => Some(stated),
            ([(axis, _)], _) => Some(*axis),
            _ => return Ok(None),
        };
        if let Some(axis) = axis {
            sections[axis].push(slot);
        }
    }
    Ok(Some(sections))
}

/// Convention under which every entry of a table among the leading dimensions is within its bound.
pub(in crate::axes) fn identified_in(
    subject: Subject<'_>,
    coordinates: &Coordinates,
    names: &[String],
    slab: usize,
) -> Result<AxialIdentification, Invalid> {
    found_in(subject, (coordinates, names), (slab, Aim::Laws))
}

/// The identification of a table among the leading dimensions, as far as its aim goes.
pub(super) fn found_in(
    subject: Subject<'_>,
    (coordinates, names): (&Coordinates, &[String]),
    (slab, aim): (usize, Aim),
) -> Result<AxialIdentification, Invalid> {
    let (rows, about) = shape(subject)?;
    if coordinates.rows() != rows {
        let expected = format!("{} rows, one for each position", coordinates.rows());
        return Err(about.error("the rows", expected, rows.to_string(), "check the positions").into());
    }
    let placed = |row: &usize| coordinates.place(*row, 0).is_some();
    let mut picked: Vec<usize> = picked(rows).into_iter().filter(placed).collect();
    let mut sample = SampledEntries::read(subject, slab, &picked, subject.format())?;
    let odd = if sample.is_finite() { sample.odd_rows() } else { Vec::new() };
    if !odd.is_empty() {
        picked = (0..picked.len()).filter(|row| odd.binary_search(row).is_err()).map(|row| picked[row]).collect();
        sample = SampledEntries::read(subject, slab, &picked, subject.format())?;
    }
    let mut answer = nothing(subject);
    if picked.is_empty() || !sample.is_finite() {
        answer.undetermined.push("rows without a position, or with entries that are not finite, show nothing".into());
        return Ok(answer);
    }
    answer.storage = sample.narrowest(subject.format());
    let sample = sample.stored_in(answer.storage);
    let case = PlacedSubject { subject, slab, coordinates, names, storage: answer.storage, aim };
    let places = Places::new(coordinates, &picked);
    let arrangements = sample.arrangements(subject);
    let pairs = arrangements.iter().filter_map(|arrangement| {
        let (slots, gain) = sample.angles(arrangement)?;
        let measured: Option<Vec<MeasuredSlot>> = slots.iter().map(|slot| places.slot(slot)).collect();
        Some((arrangement.clone(), measured?, gain))
    });
    // Entries that turn by angles of their own form no pairs that keep a length.
    let entries = if arrangements.is_empty() && matches!(subject, Subject::Rotation { .. }) {
        sample.of_entries(&places)
    } else {
        Vec::new()
    };
    if arrangements.is_empty() && entries.is_empty() {
        answer.undetermined.push(NO_PAIRS.into());
    }
    for (arrangement, slots, gain) in pairs.chain(entries.into_iter().map(|(entries, slots)| (entries, slots, 1.0))) {
        let Some(found) = case.found(&places, &arrangement, slots, gain)? else { continue };
        if found.convention.is_some() {
            return Ok(AxialIdentification { confidence: Confidence::Established, ..found });
        }
        if answer.axes.is_empty() {
            answer = found;
        }
    }
    if answer.axes.is_empty() && answer.undetermined.is_empty() {
        let why =
            "the axes of slots that none turns alone: a sum of axes shows in rows that differ along one of them only";
        answer.undetermined.push(why.into());
    }
    if !answer.axes.is_empty() {
        let turns = "rates that differ by whole turns for every step of the coordinates: the smallest is shown";
        answer.undetermined.push(turns.into());
    }
    Ok(answer)
}

/// Why nothing is found where no entries form pairs.
const NO_PAIRS: &str = "any pair: none keeps its length, so that this is no rotation, and no entries turn by angles of their own along axes";

fn nothing(subject: Subject<'_>) -> AxialIdentification {
    AxialIdentification { still: Some(Vec::new()), ..AxialIdentification::nothing(subject, subject.format()) }
}

impl PlacedSubject<'_> {
    fn name(&self, axis: usize) -> String {
        self.names.get(axis).cloned().unwrap_or_else(|| format!("x{axis}"))
    }

    /// Convention of an arrangement of the entries; none where its slots turn by no axes.
    fn found(
        &self,
        places: &Places<'_>,
        arrangement: &PairArrangement,
        found: Vec<MeasuredSlot>,
        gain: f64,
    ) -> Result<Option<AxialIdentification>, Invalid> {
        let axes: Vec<(usize, MeasuredSlots)> = (0..self.coordinates.axes())
            .filter_map(|axis| Some((axis, of_axis(&found, axis, places.limit(axis))?)))
            .collect();
        if axes.is_empty() {
            return Ok(None);
        }
        let still: Vec<usize> = (0..found.len()).filter(|&slot| found[slot].rates.is_empty()).collect();
        let mut answer = AxialIdentification {
            columns: arrangement.columns,
            storage: self.storage,
            axes: axes.iter().map(|(axis, own)| answer::measured(self.name(*axis), own)).collect(),
            undetermined: self.undetermined(&found, &axes, arrangement, &still),
            still: Some(still),
            ..nothing(self.subject)
        };
        if matches!(self.aim, Aim::Rates) {
            return Ok(Some(answer));
        }
        let kept: Vec<usize> = axes.iter().map(|(axis, _)| *axis).collect();
        let Some(coordinates) = self.coordinates.with_columns(&kept) else { return Ok(Some(answer)) };
        if found.iter().any(|slot| slot.rates.len() > 1) {
            let several = "slots that several axes turn follow no law of one axis: their rates are what can be said";
            answer.undetermined.push(several.into());
            return Ok(Some(answer));
        }
        let width = arrangement.span.map_or(arrangement.dim, |[start, end]| end - start);
        let named: Vec<(String, MeasuredSlots)> = axes.into_iter().map(|(axis, own)| (self.name(axis), own)).collect();
        // Slots that stand still are claimed by no axis, or are too slow to show.
        let slow = slow::filled(&named, answer.still.as_deref().unwrap_or_default());
        let all = laws(&named, width).into_iter().chain(slow.iter().flat_map(|named| laws(named, width)));
        let all = all.flat_map(|axes| arrangement.conventions(&axes, gain, self.storage));
        let judged = self.first(all, &coordinates)?;
        if let Some((convention, findings)) = judged {
            answer.undetermined.extend(self.round(&convention, places, &kept));
            answer.columns_of_positions = if kept.len() < self.coordinates.axes() { kept } else { Vec::new() };
            (answer.convention, answer.findings) = (Some(convention), findings);
        }
        Ok(Some(answer))
    }

    /// Along which axes the convention turns slots by more than half a turn for a step of the coordinates.
    fn round(&self, convention: &AxialConvention, places: &Places<'_>, kept: &[usize]) -> Vec<String> {
        let Ok(law) = convention.law(|_| Err("none are stored".into())) else { return Vec::new() };
        let of = |(axis, &column): (&AxisLaw, &usize)| {
            let (limit, scale) = (places.limit(column), axis.scale().enclose(64).abs().approximate());
            let faster = |at: &usize| {
                axis.frequency(0, *at, 64).is_some_and(|omega| omega.abs().approximate() * scale > limit * (1.0 + 1e-6))
            };
            let slots: Vec<usize> = (0..axis.slots().len()).filter(faster).map(|at| axis.slots()[at]).collect();
            let slots = Ranges::of(&slots)?;
            Some(format!(
                "rates of slots {slots} but modulo {:.6}, a turn for a step of coordinate {}: those of the law are stated",
                2.0 * limit,
                self.name(column)
            ))
        };
        law.axes().iter().zip(kept).filter_map(of).collect()
    }

    /// Questions that these entries cannot tell.
    fn undetermined(
        &self,
        found: &[MeasuredSlot],
        axes: &[(usize, MeasuredSlots)],
        arrangement: &PairArrangement,
        still: &[usize],
    ) -> Vec<String> {
        let mut all = vec![
            "base and frequency_dim one by one: only base^(2/D) shows; scale and first index likewise".to_owned(),
            "a shift of the positions against the offset, and axes exchanged together with their coordinates"
                .to_owned(),
        ];
        if arrangement.columns.is_some() {
            all.push(
                "which entries of a vector form a pair, where a cache is used otherwise than its columns suggest"
                    .into(),
            );
        }
        if !still.is_empty() {
            all.push("whether slots that stand still are claimed by no axis or are too slow to show".into());
        }
        for axis in (0..self.coordinates.axes()).filter(|axis| axes.iter().all(|(known, _)| known != axis)) {
            let constant = self.coordinates.distinct(axis).len() < 2;
            let why = if constant { "all rows have one coordinate along it" } else { "no slot turns by it alone" };
            all.push(format!("the slots of axis {}: {why}", self.name(axis)));
        }
        for &(axis, _) in axes {
            let rivals = found.iter().filter(|slot| slot.rates.first().is_some_and(|(own, _)| *own == axis));
            let mut others: Vec<usize> = rivals.flat_map(|slot| slot.rivals.clone()).collect();
            others.sort_unstable();
            others.dedup();
            for other in others {
                all.push(format!(
                    "axis {} from axis {}: in these rows each explains slots of the other",
                    self.name(axis),
                    self.name(other)
                ));
            }
        }
        all
    }
}

/// The slots of an axis.
fn of_axis(found: &[MeasuredSlot], axis: usize, limit: f64) -> Option<MeasuredSlots> {
    let own = |(number, slot): (usize, &MeasuredSlot)| {
        slot.rates.iter().find(|(known, _)| *known == axis).map(|(_, rate)| (number, *rate, slot.origin))
    };
    let own: Vec<_> = found.iter().enumerate().filter_map(own).collect();
    (!own.is_empty()).then(|| MeasuredSlots {
        slots: own.iter().map(|(slot, _, _)| *slot).collect(),
        rates: own.iter().map(|(_, rate, _)| *rate).collect(),
        origins: own.iter().map(|(_, _, origin)| *origin).collect(),
        limit,
    })
}

impl PairArrangement {
    /// The conventions of these axes, one for each number that the measured amplitude may stand for.
    fn conventions(&self, axes: &[Axis], gain: f64, storage: Format) -> Vec<AxialConvention> {
        let unit = storage.unit_roundoff();
        if (gain - 1.0).abs() <= 4.0 * unit {
            return vec![self.convention(axes.to_vec(), None)];
        }
        // A rounding of each entry leaves no more than this of a mean.
        let numbers = candidates(gain, gain * (1.5 * unit).max(1e-9));
        numbers.into_iter().map(|number| self.convention(axes.to_vec(), Some(Amplitude::Rational(number)))).collect()
    }

    /// The convention of these axes; what all of them state is said once.
    fn convention(&self, mut axes: Vec<Axis>, amplitude: Option<Amplitude>) -> AxialConvention {
        let order = (self.order != Default::default()).then_some(self.order);
        let mut parameters = AxisParameters { order, amplitude, ..AxisParameters::default() };
        let first = axes[0].parameters.clone();
        if axes.iter().all(|axis| axis.parameters.base == first.base) {
            parameters.base = first.base;
            axes.iter_mut().for_each(|axis| axis.parameters.base = None);
        }
        if axes.iter().all(|axis| axis.parameters.direction == first.direction) {
            parameters.direction = first.direction;
            axes.iter_mut().for_each(|axis| axis.parameters.direction = None);
        }
        AxialConvention {
            encoding: self.encoding,
            dim: self.dim,
            span: self.span,
            layout: self.layout,
            slots: self.kind,
            parameters,
            axes,
        }
    }
}
