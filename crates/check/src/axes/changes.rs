//! Fields in which one convention differs from another, as a finding names them.

use crate::faults::AxesCause;
use posproof_encoding::axes::{AxialConvention, AxialSpacing, Axis};
use posproof_encoding::convention::{Direction, Order};
use serde_json::{Value, json};

/// Fields that differ. Axes in which a field differs alike are named together.
#[derive(Default)]
pub(super) struct Changes(Vec<AxesCause>);

impl Changes {
    /// A field that differs: of one axis, or of the whole convention; nothing where it does not differ.
    pub fn add(&mut self, name: &'static str, axis: Option<&str>, before: Value, after: Value) {
        if before == after {
            return;
        }
        for change in &mut self.0 {
            if let (AxesCause::Field { field, axes, expected, found }, Some(axis)) = (change, axis)
                && *field == name
                && !axes.is_empty()
                && (&*expected, &*found) == (&before, &after)
            {
                axes.push(axis.to_owned());
                return;
            }
        }
        let axes = axis.map(str::to_owned).into_iter().collect();
        self.0.push(AxesCause::Field { field: name, axes, expected: before, found: after });
    }

    /// Cause of the difference, if there is one.
    pub fn cause(mut self) -> Option<AxesCause> {
        if self.0.len() > 1 { Some(AxesCause::Fields { changes: self.0 }) } else { self.0.pop() }
    }
}

/// Value of a field of an axis: the axis states it, or else the whole convention, or else it is the one meant where nothing is stated.
pub(super) fn stated(convention: &AxialConvention, axis: &Axis, field: &str) -> Value {
    let whole = || serde_json::to_value(&convention.parameters).unwrap_or_default();
    match serde_json::to_value(axis).unwrap_or_default()[field].take() {
        Value::Null => match whole()[field].take() {
            Value::Null => unstated(field),
            whole => whole,
        },
        own => own,
    }
}

/// Value meant where a field is not stated; null for fields whose absence says something.
pub(super) fn unstated(field: &str) -> Value {
    match field {
        "base" => json!(10_000),
        "amplitude" | "position_scale" => json!(1),
        "position_offset" | "frequency_origin" => json!(0),
        "frequency_spacing" => json!(AxialSpacing::default()),
        "order" => json!(Order::default()),
        "direction" => json!(Direction::default()),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_that_differ_alike_are_named_together_and_others_apart() {
        let mut changes = Changes::default();
        for (axis, before, after) in [("t", 1, 2), ("h", 3, 4), ("w", 1, 2), ("z", 5, 5)] {
            changes.add("position_scale", Some(axis), json!(before), json!(after));
        }
        let Some(AxesCause::Fields { changes }) = changes.cause() else { panic!("one change") };
        let each: Vec<_> = changes
            .iter()
            .map(|change| match change {
                AxesCause::Field { axes, expected, found, .. } => (axes.join(" "), expected.clone(), found.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(each, [("t w".to_owned(), json!(1), json!(2)), ("h".to_owned(), json!(3), json!(4))]);
        assert_eq!(Changes::default().cause(), None);
    }
}
