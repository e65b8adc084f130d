//! Conventions that entries follow where nothing near the stated one explains them: the sections that they show by themselves, or another
//! convention that is identified with no expectation. Each is a hypothesis like any other, which has to predict every entry.

use super::alterations::Alteration;
use super::changes::{Changes, stated, unstated};
use super::identify::{identified_in, sections};
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::faults::is_most;
use crate::faults::*;
use posproof_encoding::axes::{AxialConvention, Index, Ranges};

/// Entries that are identified though few of them are wrong, at most: whatever departs alone is no convention, and found to be none slowly.
const MOST_ENTRIES: u64 = 1 << 24;

/// Rows that depart, of more, at most: those of another convention depart in nearly all rows.
const FEW_ROWS: usize = 2;

/// Other conventions of the stated axes, at the stated coordinates, the one nearest to what is stated first. `wrong` are the entries beyond their
/// bounds, and of how many.
pub(super) fn identified(
    case: &AxialSymptoms<'_>,
    (wrong, of): (u64, u64),
) -> Result<Vec<Alteration<'static>>, Invalid> {
    let stated = case.law.convention();
    let unsuited = case.subject.is_half() || stated.axes.is_empty() || !case.law.is_rotation();
    let few = case.beyond.len() <= FEW_ROWS && !is_most(case.beyond.len() as u64, case.coordinates.rows() as u64);
    if unsuited || few || (of > MOST_ENTRIES && 8 * wrong < of) {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for sections in sections(case)?.iter() {
        all.extend(sized(stated, sections));
    }
    let names: Vec<String> = stated.axes.iter().map(|axis| axis.name.clone()).collect();
    let found = identified_in(case.subject, case.coordinates, &names, case.slab())?;
    let whole = found.columns_of_positions.is_empty();
    if let Some(found) = found.convention.filter(|found| whole && found.axes.len() == names.len()) {
        let AxialConvention { parameters, axes, .. } = found.clone();
        // A cache does not show which entries are rotated: what it leaves open stays as it was stated.
        all.push(AxialConvention { parameters, axes, ..stated.clone() });
        all.push(found);
    }
    let told = |convention: AxialConvention| {
        let (fault, cause) = difference(stated, &convention)?;
        Some(Alteration::of_law(fault, cause, convention, case.coordinates))
    };
    Ok(all.into_iter().filter_map(told).collect())
}

/// The stated axes on these slots, with frequencies counted as stated, anew in each axis, or on through the row.
fn sized(stated: &AxialConvention, sections: &[Vec<usize>]) -> Vec<AxialConvention> {
    let ranges: Option<Vec<Ranges>> = sections.iter().map(|slots| Ranges::of(slots)).collect();
    let Some(ranges) = ranges else { return Vec::new() };
    let made = |index: Option<Option<Index>>| {
        let mut convention = stated.clone();
        for (axis, pairs) in convention.axes.iter_mut().zip(&ranges) {
            axis.pairs = pairs.clone();
            if let Some(index) = &index {
                (axis.index, axis.frequency_dim) = (index.clone(), None);
            }
        }
        convention
    };
    [None, Some(None), Some(Some(Index::Pairs))].map(made).into()
}

/// Fields of axes that conventions may differ in, and what such a difference is called.
const FIELDS: [(&str, &Fault); 10] = [
    ("pairs", &AXIS_SECTIONS),
    ("base", &OTHER_BASE),
    ("index", &FREQUENCY_INDEX),
    ("frequency_dim", &FREQUENCY_DIM),
    ("frequency_spacing", &AXIS_SPACING),
    ("position_offset", &FIRST_POSITION),
    ("position_scale", &AXIS_SCALE),
    ("direction", &DIRECTION),
    ("scaling", &OTHER_RULE),
    ("amplitude", &AMPLITUDE),
];

/// Fields of whole conventions.
const WHOLE: [(&str, &Fault); 4] =
    [("layout", &LAYOUT), ("order", &ORDER), ("dim", &OTHER_AXES), ("span", &OTHER_AXES)];

/// Fields of a convention that the stated one has not; none where nothing differs, or nothing that has a name.
fn difference(before: &AxialConvention, after: &AxialConvention) -> Option<(&'static Fault, AxesCause)> {
    let mut changes = Changes::default();
    let (was, is) = (serde_json::to_value(before).ok()?, serde_json::to_value(after).ok()?);
    let meant = |convention: &serde_json::Value, field: &str| match convention[field].clone() {
        serde_json::Value::Null => unstated(field),
        stated => stated,
    };
    for (field, _) in WHOLE {
        changes.add(field, None, meant(&was, field), meant(&is, field));
    }
    for (field, _) in FIELDS {
        for (was, is) in before.axes.iter().zip(&after.axes) {
            changes.add(field, Some(&was.name), stated(before, was, field), stated(after, is, field));
        }
    }
    let cause = changes.cause()?;
    let fields: Vec<&str> = match &cause {
        AxesCause::Fields { changes } => changes.iter().filter_map(AxesCause::field).collect(),
        one => one.field().into_iter().collect(),
    };
    let sizes = |convention: &AxialConvention| convention.axes.iter().map(|axis| axis.pairs.len()).collect::<Vec<_>>();
    let arranged = |field: &&str| *field == "pairs";
    if fields.iter().all(arranged) {
        let fault = if sizes(before) == sizes(after) { &AXIS_ARRANGEMENT } else { &AXIS_SECTIONS };
        let slots = after.axes.iter().map(|axis| (axis.name.clone(), axis.pairs.clone())).collect();
        return Some((fault, AxesCause::Arrangement { found: slots }));
    }
    // Other indices may go with another law: it is what is said.
    let counted = |field: &&str| ["index", "frequency_dim"].contains(field);
    let told = fields.iter().find(|field| !counted(field)).or(fields.first());
    let &(_, first) = WHOLE.iter().chain(&FIELDS).find(|(field, _)| told == Some(field))?;
    let ruled = after.axes.iter().any(|axis| !stated(after, axis, "scaling").is_null());
    let fault = match first {
        _ if fields.len() > 1 && fields.iter().any(arranged) => &OTHER_AXES,
        first if *first == OTHER_RULE && !ruled => &RULE_MISSING,
        first => first,
    };
    Some((fault, cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_encoding::axes::AxisParameters;
    use posproof_encoding::convention::Order;
    use serde_json::{Value, json};

    fn convention(axes: Value) -> AxialConvention {
        serde_json::from_value(json!({ "encoding": "rope", "dim": 16, "base": 10000, "axes": axes })).unwrap()
    }

    #[test]
    fn what_differs_is_named() {
        let stated = convention(json!([{ "name": "h", "pairs": "0..4" }, { "name": "w", "pairs": "4..8" }]));
        let named = |axes: Value| difference(&stated, &convention(axes)).map(|(fault, cause)| (fault.name, cause));
        assert_eq!(named(json!([{ "name": "h", "pairs": "0..4" }, { "name": "w", "pairs": "4..8" }])), None);
        let (name, _) = named(json!([{ "name": "h", "pairs": "0..3" }, { "name": "w", "pairs": "3..8" }])).unwrap();
        assert_eq!(name, "axis-sections");
        let (name, _) = named(json!([{ "name": "h", "pairs": "4..8" }, { "name": "w", "pairs": "0..4" }])).unwrap();
        assert_eq!(name, "axis-arrangement");
        let (name, cause) = named(json!([
            { "name": "h", "pairs": "0..4", "base": 70 }, { "name": "w", "pairs": "4..8", "base": 70 }]))
        .unwrap();
        assert!(
            name == "other-base" && matches!(cause, AxesCause::Field { ref axes, .. } if axes == &["h", "w"]),
            "{cause:?}"
        );
        let stated = AxialConvention {
            parameters: AxisParameters { order: Some(Order::SinCos), ..stated.parameters.clone() },
            ..stated.clone()
        };
        assert_eq!(
            difference(
                &stated,
                &convention(json!([{ "name": "h", "pairs": "0..4" }, { "name": "w", "pairs": "4..8" }]))
            ),
            None
        );
        let louder = json!([{ "name": "h", "pairs": "0..4", "amplitude": 2 }, { "name": "w", "pairs": "4..8", "amplitude": 2, "base": 70 }]);
        let (name, cause) = named(louder).unwrap();
        assert!(
            name == "other-base" && matches!(cause, AxesCause::Fields { ref changes } if changes.len() == 2),
            "{cause:?}"
        );
        let (name, cause) = named(json!([
            { "name": "h", "pairs": "0..5", "base": 70 }, { "name": "w", "pairs": "5..8" }]))
        .unwrap();
        assert!(
            name == "other-axes" && matches!(cause, AxesCause::Fields { ref changes } if changes.len() == 3),
            "{cause:?}"
        );
    }
}
