//! Encodings of several axes (axial, multimodal and mixed rotary encodings, sinusoids of grids), and positions with coordinates.
//!
//! A row has one real coordinate for each axis, x_a. A **slot** k is one angle of the row, in general that of one pair:
//!
//! θ_k = Σ over the axes a that claim slot k of ±(x_a + offset_a)·scale_a·ω_(a,i), with i the index of slot k on axis a.
//!
//! In axial encodings at most one axis claims a slot; in mixed ones several do. A slot that no axis claims has θ = 0. The layout says
//! which two entries of the row a slot turns. One axis that claims every slot is a [`Convention`](crate::convention::Convention).
//!
//! [`AxialConvention`] is what is written; [`AxialLaw`] is what it means, validated; [`Coordinates`] are the positions.
//!
//! ```
//! use posproof_encoding::axes::{AxialConvention, Coordinates};
//! use posproof_encoding::convention::Component;
//! let flux: AxialConvention = serde_json::from_str(
//!     r#"{"encoding": "rope", "dim": 16, "base": 10000, "axes": [
//!         {"name": "t", "pairs": "0..2"}, {"name": "h", "pairs": "2..5"}, {"name": "w", "pairs": "5..8"}]}"#,
//! )?;
//! let law = flux.law(|_: &str| Err("no frequencies are stored".to_owned()))?;
//! let rows: Coordinates = "0 0 0\n0 3 7/2".parse()?;
//! // cos((7/2)·10000^(−2/6)): slot 6 is the second of axis w.
//! let cos = law.enclose(0, 6, &rows.row(1).ok_or("no position")?, Component::Cos, 100).ok_or("no enclosure")?;
//! assert!((cos.approximate() - (3.5 * 10000f64.powf(-1.0 / 3.0)).cos()).abs() < 1e-15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod along;
mod angle;
mod axis;
mod coefficient;
mod commensurable;
mod convention;
mod coordinates;
mod document;
mod frequencies;
mod invalid;
mod json;
mod law;
mod layout;
mod parameters;
mod radical;
mod ranges;
mod run;
mod text;
mod whole;

pub use axis::{AxisLaw, Claim};
pub use coefficient::Coefficient;
pub use convention::{AxialConvention, Axis, Index, SlotKind};
pub use coordinates::{Coordinates, InvalidCoordinates, PositionAxes};
pub use document::{POSITION, WithAxes, with_axes};
pub use frequencies::{FrequencyLaw, StoredFrequencies};
pub use invalid::InvalidAxes;
pub use law::AxialLaw;
pub use layout::{AxialLayout, Turn};
pub use parameters::{AxialSpacing, AxisParameters};
pub use ranges::Ranges;
pub use text::{SectionsOrder, sections};
