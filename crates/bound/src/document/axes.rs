//! The bounds of several axes, slot by slot, over the rows of their coordinates.

use super::cases::Case;
use super::{Document, printed};
use crate::axes::{AxialBound, AxialExtreme, SlotBounds};
use crate::first::FirstVersion;
use crate::libraries::{Compute, Libraries};
use crate::program::Path;
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::{Format, hex};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Digits of an enclosure.
const DIGITS: usize = 20;

/// The bounds of a slot.
pub struct SlotCase {
    slot: usize,
    a_priori: BoundAtRow,
    instance: Option<BoundAtRow>,
    /// The largest errors, where they were asked for.
    worst: Option<Vec<Value>>,
    path: Path,
    compute: Compute,
    storage: Format,
    rows: usize,
}

/// A bound, with the coordinates of its row; none of a row without a position.
struct BoundAtRow(AxialBound, Option<Vec<String>>);

impl BoundAtRow {
    fn json(&self) -> Value {
        let Self(AxialBound { value, row, origin }, coordinates) = self;
        json!({ "bound": value, "row": row, "coordinates": coordinates, "origin": origin })
    }
}

impl SlotCase {
    /// With its largest errors, where they were asked for.
    fn with_worst(&self, mut case: Value) -> Value {
        if let Some(worst) = &self.worst {
            case["worst"] = json!(worst);
        }
        case
    }
}

/// One number where all functions are alike.
fn accuracy(libraries: &Libraries) -> Value {
    let one = libraries.largest();
    if *libraries == Libraries::alike(one) { json!(one) } else { json!(libraries) }
}

impl Serialize for SlotCase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { slot, a_priori: BoundAtRow(a_priori, coordinates), instance, path, compute, storage, rows, .. } =
            self;
        let instance = instance.as_ref().map(|BoundAtRow(instance, _)| instance);
        let case = json!({
            "pair": slot, "a_priori": printed(a_priori.value), "instance": instance.map(|instance| printed(instance.value)),
            "origin": { "a_priori": a_priori.origin, "instance": instance.map(|instance| instance.origin) },
            "row": a_priori.row, "coordinates": coordinates, "rows": rows,
            // A bound is that of both.
            "component": null, "path": path, "angle_format": compute.format, "ulp": accuracy(&compute.libraries),
            "format": storage,
        });
        self.with_worst(case).serialize(serializer)
    }
}

impl Document<AxialConvention, SlotCase> {
    /// The document of slots of tables (`table`) or of rotated pairs (`rotation`), computed along a path in the first format and stored in the
    /// other: the bounds of each and, where they were asked for, its largest errors.
    pub(crate) fn of_axes(
        subject: &'static str,
        (law, coordinates): (&AxialLaw, &Coordinates),
        (path, compute, storage): (Path, Compute, Format),
        slots: &[(SlotBounds, Option<Vec<AxialExtreme>>)],
    ) -> Self {
        let at =
            |row: usize| coordinates.row(row).map(|row| row.iter().map(ToString::to_string).collect::<Vec<String>>());
        let placed = |bound: AxialBound| BoundAtRow(bound, at(bound.row));
        let extreme = |extreme: &AxialExtreme| {
            let (lower, upper) = extreme.exact.decimal_with(DIGITS);
            json!({
                "component": extreme.component, "error": extreme.error, "row": extreme.row, "coordinates": at(extreme.row),
                "got": hex(extreme.got), "exact": { "lower": lower, "upper": upper },
            })
        };
        let case = |(bounds, worst): &(SlotBounds, Option<Vec<AxialExtreme>>)| {
            let of = SlotCase {
                slot: bounds.slot,
                a_priori: placed(bounds.a_priori),
                instance: bounds.instance.map(placed),
                worst: worst.as_ref().map(|worst| worst.iter().map(extreme).collect()),
                path,
                compute,
                storage,
                rows: coordinates.rows(),
            };
            let claims = law.claims(bounds.slot);
            Case { axes: claims.iter().map(|claim| law.axes()[claim.axis].name().to_owned()).collect(), of }
        };
        Self { cases: slots.iter().map(case).collect(), ..Self::empty(Some(subject), law.convention().clone()) }
    }
}

impl FirstVersion for Document<AxialConvention, SlotCase> {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let case = |Case { axes, of }: &Case<SlotCase>| {
            let instance = of.instance.as_ref().map(BoundAtRow::json);
            of.with_worst(
                json!({ "slot": of.slot, "axes": axes, "a_priori": of.a_priori.json(), "instance": instance }),
            )
        };
        // Slots are of one program.
        let first = self.cases.first().map(|case| &case.of);
        let document = json!({
            "schema": "posproof.bound-axes/1", "subject": self.subject, "convention": self.convention,
            "path": first.map(|slot| slot.path), "compute": first.map(|slot| slot.compute.format),
            "storage": first.map(|slot| slot.storage), "rows": first.map(|slot| slot.rows),
            "cases": self.cases.iter().map(case).collect::<Vec<_>>(),
        });
        document.serialize(serializer)
    }
}
