//! Judging encodings of several axes at rows of coordinates: caches, tables and rotations against a convention of axes, entry by entry.
//!
//! The reference of caches and tables is correctly rounded ([`AxialTable`](posproof_table::AxialTable)); that of rotations is computed from
//! it in binary64, so that those in binary64 are judged within-bound at best. What is beyond the bound is explained by altering the convention or the
//! coordinates and predicting every entry again: a finding is *confirmed* if all entries are within their bounds then, and there is no other
//! kind but *unexplained*.
//!
//! ```
//! use posproof_check::axes::{AxialExpectation, check_axes};
//! use posproof_check::{Slice, Subject};
//! use posproof_encoding::axes::{AxialConvention, Coordinates};
//!
//! let vision: AxialConvention = serde_json::from_str(
//!     r#"{"encoding": "rope", "dim": 8, "axes": [{"name": "h", "pairs": "0..2"}, {"name": "w", "pairs": "2..4"}]}"#,
//! )?;
//! let law = vision.law(|_| Err("no frequencies are stored".to_owned()))?;
//! let rows: Coordinates = "0 0\n0 1\n1 0\n7 3".parse()?;
//! // The implementation under test takes the width for the height.
//! let angles = |h: f32, w: f32| [w, w / 100.0, h, h / 100.0];
//! let cos: Vec<f32> = [(0., 0.), (0., 1.), (1., 0.), (7., 3.)].iter().flat_map(|&(h, w)| angles(h, w).map(f32::cos)).collect();
//! let cos = Slice::new("cos", &cos, 4)?;
//! let report = check_axes(Subject::Rope { cos: Some(&cos), sin: None }, &AxialExpectation::new(&law, &rows))?;
//! assert_eq!(report.findings[0].code().to_string(), "axes-exchanged");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alone;
mod alterations;
mod cells;
mod changes;
mod check;
mod comparison;
mod decoded;
mod decoded_coordinate;
mod diagnosis;
mod expectation;
mod extent;
mod findings;
mod gains;
mod gathered;
mod grouped;
mod identified;
mod identify;
mod judgement;
mod mend;
mod moved;
mod narrower;
mod pairs;
mod paths;
mod precedence;
mod probe;
mod products;
mod programs;
mod report;
mod row_coordinates;
mod rows;
mod sequences;
mod slot_angles;
mod symptoms;
mod vectors;
mod votes;

#[cfg(feature = "requests")]
pub(crate) use cells::repeats_by_axis;
#[cfg(feature = "positions")]
pub(crate) use cells::{Cell, cells};
pub use check::check_axes;
pub(crate) use comparison::AxialComparison;
pub use expectation::AxialExpectation;
pub use identify::{
    AxialGroups, AxialIdentification, Different, Group, GroupBase, OpenSlots, identify_axes, identify_axes_unplaced,
};
pub use mend::AxialMend;
pub use probe::probe_coordinates;
pub use report::AxialReport;
