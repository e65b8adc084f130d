//! Where a fault of an encoding of several axes is.

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
    /// What the subject has of each: its pairs are its slots.
    pub of: Shape,
}

impl AxialRegion {
    /// Whether rows, tables or slots are but a part of the subject's.
    pub fn is_part(&self) -> bool {
        !self.rows.is_all(self.of.rows)
            || !self.heads.is_all(self.of.heads)
            || self.pairs.is_none_or(|pairs| !pairs.is_all(self.of.pairs))
            || self.component.is_some()
    }
}

impl fmt::Display for AxialRegion {
    /// What is but a part, by its numbers; a single row by its coordinates too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, coordinates: [first, _], heads, pairs, axes, component, of } = self;
        let noun = |span: &Span, one: &str| if span.first == span.last { one.to_owned() } else { format!("{one}s") };
        let mut parts = Vec::new();
        if !heads.is_all(of.heads) {
            parts.push(format!("{} {heads} of {}", noun(heads, "head"), of.heads));
        }
        if !rows.is_all(of.rows) {
            let at = first.as_ref().filter(|_| rows.count == 1).map(|row| format!(" ({})", row.join(", ")));
            parts.push(format!("{} {rows}{}", noun(rows, "row"), at.unwrap_or_default()));
        }
        match pairs {
            Some(pairs) if pairs.is_all(of.pairs) => {}
            Some(pairs) if axes.is_empty() => parts.push(format!("{} {pairs}", noun(pairs, "slot"))),
            Some(pairs) => parts.push(format!("{} {pairs} of {}", noun(pairs, "slot"), axes.join(", "))),
            None => parts.push("entries that are not rotated".to_owned()),
        }
        match component {
            Some(Component::Cos) => parts.push("cos".to_owned()),
            Some(Component::Sin) => parts.push("sin".to_owned()),
            None => {}
        }
        let all = if parts.is_empty() { "everywhere".to_owned() } else { parts.join(", ") };
        f.write_str(&all)
    }
}
