//! Which faults of several axes are told before those of each.

use crate::faults::{
    AXES_EXCHANGED, AXIS_ARRANGEMENT, AXIS_LOST, AXIS_SECTIONS, CHUNKS_EXCHANGED, COORDINATES_EXCHANGED, CROSS_WIRED,
    DELTA_LOST, EARLIER_POSITIONS, FREQUENCY_DIM, FREQUENCY_INDEX, Fault, LAYOUT, LEFT_PADDED, NOT_RESTARTED,
    ONE_MATRIX, OTHER_AXES, OTHER_COORDINATES, PADDED_ROWS, PADDING_COUNTED, RESTARTED, ROW_SHIFT, SCALED_PART,
};

/// Faults that one axis does not show.
pub(super) const OF_SEVERAL: [&Fault; 8] = [
    &AXES_EXCHANGED,
    &COORDINATES_EXCHANGED,
    &AXIS_LOST,
    &AXIS_ARRANGEMENT,
    &AXIS_SECTIONS,
    &OTHER_AXES,
    &SCALED_PART,
    &LAYOUT,
];

/// Faults that are seen better of several axes than of each.
pub(super) const SEEN_TOGETHER: [&Fault; 12] = [
    &FREQUENCY_INDEX,
    &FREQUENCY_DIM,
    &ROW_SHIFT,
    &DELTA_LOST,
    &NOT_RESTARTED,
    &RESTARTED,
    &LEFT_PADDED,
    &PADDED_ROWS,
    &PADDING_COUNTED,
    &CHUNKS_EXCHANGED,
    &CROSS_WIRED,
    &ONE_MATRIX,
];

/// True if rows at other coordinates follow no pattern that is known.
pub(super) fn patternless(fault: &Fault) -> bool {
    [&OTHER_COORDINATES, &EARLIER_POSITIONS].contains(&fault)
}
