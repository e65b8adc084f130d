//! Which convention of several axes a table, a cache or a rotation follows, with no expectation given.
//!
//! The entries show which of them form a pair ([`arrangement`]), rows of equal coordinates along which axis each slot turns, differences of
//! coordinates how fast ([`measure`]), and the rates the laws that may be behind them ([`laws`]). A convention is *established* if the
//! judgement of the subject under it explains every entry ([`judged`]). An encoding of one axis is identified as that.
//! Questions that the entries cannot tell are listed.

mod answer;
mod arrangement;
mod entries;
mod found;
mod groups;
mod judged;
mod laws;
mod measure;
mod placed;
mod proportion;
mod rows;
mod slow;
mod unplaced;

pub use answer::AxialIdentification;
pub(super) use found::{identified_in, sections};
pub use groups::{AxialGroups, Different, Group, GroupBase, OpenSlots};
pub use placed::identify_axes;
pub use unplaced::identify_axes_unplaced;
