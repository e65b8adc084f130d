//! Where a fault of an encoding of several axes is.

use super::region::joined;
use super::{Shape, Span};
use posproof_encoding::convention::Component;
use serde::Serialize;
use std::fmt;

/// The smallest box around entries of an encoding of several axes: rows, tables of the leading dimensions (batch, heads), slots and components.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AxialRegion {
    /// Rows, counted from 0.
    pub rows: Span,
    /// The coordinates of the first of these rows, and of the last; none for a row without a position.
    pub coordinates: [Option<Vec<String>>; 2],
    /// Tables among the leading dimensions: heads, examples of a batch.
    pub heads: Span,
    /// Slots; none where entries that are not rotated are among them.
    pub pairs: Option<Span>,
    /// The axes that claim these slots, as stated.
    pub axes: Vec<String>,
    /// The component, where it is one of two.
    pub component: Option<Component>,
    /// Shape of the subject: its pairs are its slots.
    pub of: Shape,
}

impl AxialRegion {
    /// True if rows, tables or slots are but a part of the subject's.
    pub fn is_part(&self) -> bool {
        !self.rows.is_all(self.of.rows)
            || !self.heads.is_all(self.of.heads)
            || self.pairs.is_none_or(|pairs| !pairs.is_all(self.of.pairs))
            || self.component.is_some()
    }
}

impl fmt::Display for AxialRegion {
    /// Parts by their numbers; a single row by its coordinates too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, coordinates: [first, _], heads, pairs, axes, component, of } = self;
        let mut parts: Vec<String> = heads.among(of.heads).into_iter().collect();
        if !rows.is_all(of.rows) {
            let at = first.as_ref().filter(|_| rows.count == 1).map(|row| format!(" ({})", row.join(", ")));
            parts.push(rows.numbered("row") + &at.unwrap_or_default());
        }
        match pairs {
            Some(pairs) if pairs.is_all(of.pairs) => {}
            Some(pairs) if axes.is_empty() => parts.push(pairs.numbered("slot")),
            Some(pairs) => parts.push(format!("{} of {}", pairs.numbered("slot"), axes.join(", "))),
            None => parts.push("entries that are not rotated".to_owned()),
        }
        f.write_str(&joined(parts, *component))
    }
}
