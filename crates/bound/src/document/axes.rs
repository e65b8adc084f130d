//! The bounds of several axes, slot by slot, over the rows of their coordinates.

use super::Document;
use super::cases::{BoundFigures, Case, Ends, Figure};
use crate::axes::{AxialBound, AxialExtreme, SlotBounds};
use crate::first::FirstVersion;
use crate::program::Path;
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, WithAxes};
use posproof_encoding::convention::Component;
use posproof_numerics::format::{Format, hex};
use serde::{Serialize, Serializer};

/// Digits of an enclosure.
const DIGITS: usize = 20;

/// The bounds of a slot.
#[derive(Serialize)]
pub struct SlotCase {
    angle_format: Format,
    /// None: a bound is that of both.
    component: Option<Component>,
    #[serde(flatten)]
    figures: BoundFigures,
    format: Format,
    pair: usize,
    path: Path,
    rows: usize,
    /// The largest errors, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Vec<AxialWitness>>,
}

#[derive(Serialize)]
struct AxialWitness {
    component: Component,
    coordinates: Option<Vec<String>>,
    error: f64,
    exact: Ends,
    got: String,
    row: usize,
}

/// A row's coordinates in words; none of a row without a position.
fn words(coordinates: &Coordinates, row: usize) -> Option<Vec<String>> {
    coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect())
}

impl Document<AxialConvention, SlotCase> {
    /// The document of slots of tables (`table`) or of rotated pairs (`rotation`), computed along a path in the first format and stored in the
    /// other: the bounds of each and, where they were asked for, its largest errors.
    pub fn of_axes(
        subject: &'static str,
        (law, coordinates): (&AxialLaw, &Coordinates),
        (path, compute, storage): (Path, Format, Format),
        slots: &[(SlotBounds, Option<Vec<AxialExtreme>>)],
    ) -> Self {
        let figure = |&AxialBound { value, row, origin }: &AxialBound| Figure {
            bound: value,
            coordinates: words(coordinates, row),
            origin,
            row: Some(row),
        };
        let witness = |extreme: &AxialExtreme| {
            let (lower, upper) = extreme.exact.decimal_with(DIGITS);
            AxialWitness {
                component: extreme.component,
                coordinates: words(coordinates, extreme.row),
                error: extreme.error,
                exact: Ends { lower, upper },
                got: hex(extreme.got),
                row: extreme.row,
            }
        };
        let case = |(bounds, worst): &(SlotBounds, Option<Vec<AxialExtreme>>)| {
            let claims = law.claims(bounds.slot);
            let of = SlotCase {
                angle_format: compute,
                component: None,
                figures: BoundFigures {
                    a_priori: figure(&bounds.a_priori),
                    instance: bounds.instance.as_ref().map(figure),
                },
                format: storage,
                pair: bounds.slot,
                path,
                rows: coordinates.rows(),
                worst: worst.as_ref().map(|worst| worst.iter().map(witness).collect()),
            };
            Case { axes: claims.iter().map(|claim| law.axes()[claim.axis].name().to_owned()).collect(), of }
        };
        Self { cases: slots.iter().map(case).collect(), ..Self::empty(Some(subject), law.convention().clone()) }
    }
}

/// The first version, whose keys are sorted. Slots are of one program.
#[derive(Serialize)]
struct DocumentOfAxes<'a> {
    cases: Vec<CaseOfSlot<'a>>,
    compute: Option<Format>,
    convention: WithAxes<'a, AxialConvention>,
    path: Option<Path>,
    rows: Option<usize>,
    schema: &'static str,
    storage: Option<Format>,
    subject: Option<&'static str>,
}

#[derive(Serialize)]
struct CaseOfSlot<'a> {
    a_priori: &'a Figure,
    axes: &'a [String],
    instance: &'a Option<Figure>,
    slot: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: &'a Option<Vec<AxialWitness>>,
}

impl<'a> From<&'a Case<SlotCase>> for CaseOfSlot<'a> {
    fn from(Case { axes, of }: &'a Case<SlotCase>) -> Self {
        let BoundFigures { a_priori, instance } = &of.figures;
        Self { a_priori, axes, instance, slot: of.pair, worst: &of.worst }
    }
}

impl FirstVersion for Document<AxialConvention, SlotCase> {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let first = self.cases.first().map(|case| &case.of);
        let document = DocumentOfAxes {
            cases: self.cases.iter().map(CaseOfSlot::from).collect(),
            compute: first.map(|slot| slot.angle_format),
            convention: WithAxes(&self.convention),
            path: first.map(|slot| slot.path),
            rows: first.map(|slot| slot.rows),
            schema: "posproof.bound-axes/1",
            storage: first.map(|slot| slot.format),
            subject: self.subject,
        };
        document.serialize(serializer)
    }
}
