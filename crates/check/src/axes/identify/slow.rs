//! Slots that are too slow to show: those that follow the slots of an axis go on with its frequencies.

use super::laws::{MeasuredSlots, fall};
use super::measure::MeasuredNumber;

/// The slots of each axis with those that stand still behind them, as far as these follow each other, at the rates that its progression
/// goes on with; none where no axis has any.
pub(super) fn filled(axes: &[(String, MeasuredSlots)], still: &[usize]) -> Option<Vec<(String, MeasuredSlots)>> {
    let mut filled = false;
    let one = |(name, own): &(String, MeasuredSlots)| {
        let (mut own, fall) = (own.clone(), fall(own)?.value);
        let (&(mut last), &rate, &origin) = (own.slots.last()?, own.rates.last()?, own.origins.last()?);
        let mut value = rate.value;
        while still.contains(&(last + 1)) {
            (last, value, filled) = (last + 1, value * (-fall).exp(), true);
            own.slots.push(last);
            // Every entry is compared with the law that it is taken for.
            own.rates.push(MeasuredNumber { value, error: value.abs() });
            own.origins.push(origin);
        }
        Some((name.clone(), own))
    };
    let all: Option<Vec<_>> = axes.iter().map(one).collect();
    all.filter(|_| filled)
}
