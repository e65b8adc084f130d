//! Figures of what is wrong with encodings of several axes.

use super::{Fault, Span};
use posproof_encoding::axes::Ranges;
use posproof_numerics::format::Format;
use serde_json::{Value, json};

/// Rows that a shift is tried by: class tokens and registers.
pub const MOST_ROWS: i64 = 8;

/// Fate of the rows at the end of a shift that is cyclic.
pub const AT_THE_END: &str = "starting again at the end";

/// The figures of a fault of axes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AxesCause {
    /// Each axis turns by the coordinates of another.
    Exchanged {
        /// The axes that do.
        axes: Vec<String>,
        /// Whose coordinates each of them follows.
        follow: Vec<String>,
    },
    /// Axes do not turn by coordinates of their own.
    Lost {
        /// Those axes.
        axes: Vec<String>,
        /// The one that they follow; none where they stand still.
        follows: Option<String>,
    },
    /// Axes turn by the number of the row, as those of text do.
    Numbered {
        /// Those axes.
        axes: Vec<String>,
        /// The number of the first row.
        first: u64,
    },
    /// Axes claim other slots.
    Arrangement {
        /// Each axis and the slots that it claims.
        found: Vec<(String, Ranges)>,
    },
    /// A field of the convention is another.
    Field {
        /// The field, by its name in the convention.
        field: &'static str,
        /// The axes of which it is; none for a field of the whole convention.
        axes: Vec<String>,
        /// As stated.
        expected: Value,
        /// As found.
        found: Value,
    },
    /// Several fields of the convention are others.
    Fields {
        /// Each of them.
        changes: Vec<AxesCause>,
    },
    /// Rows are at other coordinates.
    Coordinates {
        /// The axes.
        axes: Vec<String>,
        /// Stretches of rows, from a first to a last one, and by how much they are off along each axis: some, if there are many.
        runs: Vec<([usize; 2], Vec<String>)>,
        /// Number of stretches, those included that are right.
        count: usize,
    },
    /// Sequences of a batch are at the positions of others.
    Sequences {
        /// For each sequence the one whose positions it has.
        of: Vec<usize>,
    },
    /// Every sequence of a batch is at the numbers of its rows.
    SequencesCounted {
        /// The number of its first row.
        first: u64,
    },
    /// Every row is that of one row of coordinates.
    OneRow {
        /// These.
        coordinates: Vec<String>,
    },
    /// Rows are those of other rows.
    Shifted {
        /// Row i is what row i − rows should be.
        rows: i64,
        /// Fate of the rows at the end.
        ends: &'static str,
    },
    /// Rows from one on are those of other rows.
    ShiftedFrom {
        /// That row.
        from: usize,
        /// Row i is what row i − rows should be.
        rows: i64,
    },
    /// Rows without a position that should have one, or the reverse.
    Null {
        /// These rows.
        rows: Span,
        /// True if they are found without a position.
        unplaced: bool,
    },
    /// Results on the way to the angles are rounded to a narrower format.
    Rounded {
        /// Those results: coordinates, frequencies, angles.
        what: &'static str,
        /// The axes that they are of.
        axes: Vec<String>,
        /// The narrower format.
        format: Format,
        /// The one stated for the computation.
        stated: Format,
    },
    /// Coordinates end at a number.
    Clamped {
        /// The axes, and the least and the largest coordinate of each.
        ends: Vec<(String, [Option<f64>; 2])>,
    },
    /// Cosines and sines of some axes are multiplied by numbers.
    Products {
        /// Those axes.
        axes: Vec<String>,
        /// The factors of the first entry of a pair and of the second, of the cosine and of the sine; both entries have those of the first in a
        /// cache.
        factors: [[f64; 2]; 2],
    },
    /// Entries that are infinite or no numbers.
    NotFinite {
        /// Number of these.
        count: u64,
        /// The row of the first.
        row: usize,
    },
    /// None of the others.
    Unexplained {
        /// Number of entries that are beyond their bounds.
        entries: u64,
        /// Their rows.
        rows: Span,
        /// Their slots.
        slots: Option<Span>,
    },
}

/// `axis h`, `axes h and w`.
fn named(axes: &[String]) -> String {
    match axes {
        [] => "the convention".to_owned(),
        [one] => format!("axis {one}"),
        [first @ .., last] => format!("axes {} and {last}", first.join(", ")),
    }
}

/// The factors that are not 1, of both results where they have one in common.
fn products(axes: &[String], [first, second]: &[[f64; 2]; 2]) -> String {
    let is = |by: f64| match by {
        0.0 => "0".to_owned(),
        -1.0 => "of the wrong sign".to_owned(),
        by => format!("{by:.9} times what they should be"),
    };
    let mut all = Vec::new();
    for (component, name) in ["cosines", "sines"].into_iter().enumerate() {
        let (one, other) = (first[component], second[component]);
        if one == other {
            all.extend((one != 1.0).then(|| format!("the {name} of {} are {}", named(axes), is(one))));
            continue;
        }
        for (by, entry) in [(one, "first"), (other, "second")] {
            let of = || {
                format!("the products with {name} in the {entry} entry of each pair of {} are {}", named(axes), is(by))
            };
            all.extend((by != 1.0).then(of));
        }
    }
    all.join("; ")
}

fn entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// So many rows before or after.
fn shift_of(rows: i64) -> String {
    let (by, way) = (rows.unsigned_abs(), if rows > 0 { "before" } else { "after" });
    format!("{by} row{} {way}", if by == 1 { "" } else { "s" })
}

fn rows_of(rows: &Span) -> String {
    if rows.count == 1 { format!("row {rows}") } else { format!("rows {rows}") }
}

/// JSON without the quotation marks of a text.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl AxesCause {
    pub(super) fn sentence(&self, fault: &Fault) -> String {
        let what = fault.cause;
        match self {
            Self::Exchanged { axes, follow } => {
                let each: Vec<String> =
                    axes.iter().zip(follow).map(|(axis, by)| format!("axis {axis} turns by {by}")).collect();
                format!("{}: {what}", each.join(", "))
            }
            Self::Lost { axes, follows: Some(other) } => {
                format!(
                    "{} {} by the coordinates of {other}: {what}",
                    named(axes),
                    if axes.len() == 1 { "turns" } else { "turn" }
                )
            }
            Self::Lost { axes, follows: None } => format!("{} stands still, as at coordinate 0: {what}", named(axes)),
            Self::Numbered { axes, first } => {
                format!("{} turn by the number of the row, from {first} on, as in text: {what}", named(axes))
            }
            Self::Arrangement { found } => {
                let each: Vec<String> = found.iter().map(|(axis, slots)| format!("{axis} {slots}")).collect();
                format!("the axes claim the slots {}: {what}", each.join(" · "))
            }
            Self::Field { .. } => format!("{}: {what}", self.change()),
            Self::Fields { changes } => {
                format!("{}: {what}", changes.iter().map(Self::change).collect::<Vec<_>>().join("; "))
            }
            Self::Coordinates { axes, runs, count } => {
                let by = |off: &[String]| -> String {
                    let named = axes.iter().zip(off).filter(|(_, by)| *by != "0");
                    named.map(|(axis, by)| format!("{axis} {by}")).collect::<Vec<_>>().join(", ")
                };
                let rows = |[a, b]: [usize; 2]| if a == b { format!("row {a}") } else { format!("rows {a} to {b}") };
                let one = |(of, off): &([usize; 2], Vec<String>)| format!("{} by {}", rows(*of), by(off));
                let each: Vec<String> = runs.iter().take(3).map(one).collect();
                let more = if runs.len() > 3 { format!(" and others, in {count} stretches") } else { String::new() };
                format!("coordinates are off, in {}{more}: {what}", each.join("; "))
            }
            Self::Sequences { of } => match of.as_slice() {
                [first, others @ ..] if others.iter().all(|other| other == first) => {
                    format!("every sequence is at the positions of sequence {first}: {what}")
                }
                of => {
                    let others = of.iter().enumerate().filter(|(sequence, other)| sequence != *other);
                    let one =
                        |(sequence, other)| format!("sequence {sequence} is at the positions of sequence {other}");
                    let each: Vec<String> = others.clone().take(3).map(one).collect();
                    let more = others.count().saturating_sub(3);
                    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                    format!("{}{more}: {what}", each.join("; "))
                }
            },
            Self::SequencesCounted { first } => {
                format!("every sequence is at the numbers of its rows, from {first} on: {what}")
            }
            Self::OneRow { coordinates } => {
                format!("every row is that of the coordinates {}: {what}", coordinates.join(", "))
            }
            Self::Shifted { rows, ends } => format!("every row is that of {} it, {ends}: {what}", shift_of(*rows)),
            Self::ShiftedFrom { from, rows } => {
                format!("every row from row {from} on is that of {} it: {what}", shift_of(*rows))
            }
            Self::Null { rows, unplaced: true } => {
                let is = if rows.count == 1 { "is" } else { "are" };
                format!("{} {is} left without a position: {what}", rows_of(rows))
            }
            Self::Null { rows, unplaced: false } => {
                let are = if rows.count == 1 { "is that" } else { "are those" };
                format!("{}, which should have no position, {are} of coordinates 0: {what}", rows_of(rows))
            }
            Self::Rounded { what: results, axes, format, stated } => {
                format!("the {results} of {} are rounded to {format}, where {stated} is stated: {what}", named(axes))
            }
            Self::Clamped { ends } => {
                let end = |(axis, [least, most]): &(String, [Option<f64>; 2])| {
                    let least = least.map(|least| format!("below {least} are {least}"));
                    let most = most.map(|most| format!("above {most} are {most}"));
                    let both: Vec<String> = [least, most].into_iter().flatten().collect();
                    format!("coordinates of axis {axis} {}", both.join(" and "))
                };
                let each = ends.iter().map(end).collect::<Vec<_>>().join("; ");
                // The end of a cache is where coordinates are largest.
                if ends.iter().any(|(_, [_, most])| most.is_some()) { format!("{each}: {what}") } else { each }
            }
            Self::Products { axes, factors } => format!("{}: {what}", products(axes, factors)),
            Self::NotFinite { count, row } => {
                let are = if *count == 1 { "is" } else { "are" };
                format!("{} {are} infinite or not a number, the first in row {row}: {what}", entries(*count))
            }
            Self::Unexplained { entries: count, rows, slots } => {
                let slots = slots.as_ref().map_or(String::new(), |slots| format!(", {}", slots.numbered("slot")));
                let are = if *count == 1 { "is" } else { "are" };
                format!("{}, in {}{slots}, {are} {what}", entries(*count), rows_of(rows))
            }
        }
    }

    /// Cause of rows whose numbers are larger by so many.
    pub(super) fn after(self, by: usize) -> Self {
        match self {
            Self::Coordinates { axes, mut runs, count } => {
                runs.iter_mut().flat_map(|(rows, _)| rows).for_each(|row| *row += by);
                Self::Coordinates { axes, runs, count }
            }
            Self::ShiftedFrom { from, rows } => Self::ShiftedFrom { from: from + by, rows },
            Self::Null { rows, unplaced } => Self::Null { rows: rows.after(by), unplaced },
            Self::NotFinite { count, row } => Self::NotFinite { count, row: row + by },
            Self::Unexplained { entries, rows, slots } => Self::Unexplained { entries, rows: rows.after(by), slots },
            other => other,
        }
    }

    /// The field that differs, where one does.
    #[cfg(feature = "axes")]
    pub(crate) fn field(&self) -> Option<&'static str> {
        if let Self::Field { field, .. } = self { Some(field) } else { None }
    }

    /// Field of a convention, and its right value.
    fn change(&self) -> String {
        let Self::Field { field, axes, expected, found } = self else { return String::new() };
        let of = format!("{field} of {}", named(axes));
        match (expected, found) {
            (Value::Null, found) => format!("{of} is {}, and none was stated", told(found)),
            (expected, Value::Null) => format!("{of} is left out, and {} was stated", told(expected)),
            _ => format!("{of} is {}, not {}", told(found), told(expected)),
        }
    }

    pub(super) fn detail(&self) -> Value {
        match self {
            Self::Exchanged { axes, follow } => json!({ "axes": axes, "follow": follow }),
            Self::Lost { axes, follows } => json!({ "axes": axes, "follows": follows }),
            Self::Numbered { axes, first } => json!({ "axes": axes, "first": first, "kind": "row-numbers" }),
            Self::Arrangement { found } => {
                let axis = |(name, pairs): &(String, Ranges)| json!({ "name": name, "pairs": pairs });
                json!({ "axes": found.iter().map(axis).collect::<Vec<_>>() })
            }
            Self::Field { field, axes, expected, found } => {
                json!({ "field": field, "axes": axes, "expected": expected, "found": found })
            }
            Self::Fields { changes } => {
                json!({ "fields": changes.iter().map(Self::detail).collect::<Vec<_>>() })
            }
            Self::Coordinates { axes, runs, count } => {
                let run = |(rows, by): &([usize; 2], Vec<String>)| json!({ "rows": rows, "by": by });
                let from = runs.first().map(|(rows, _)| rows[0]);
                json!({ "axes": axes, "from": from, "runs": runs.iter().map(run).collect::<Vec<_>>(), "stretches": count })
            }
            Self::Sequences { of } => json!({ "kind": "sequences", "of": of }),
            Self::SequencesCounted { first } => json!({ "kind": "row-numbers", "first": first }),
            Self::OneRow { coordinates } => json!({ "coordinates": coordinates }),
            Self::Shifted { rows, ends } => json!({ "rows": rows, "ends": ends }),
            Self::ShiftedFrom { from, rows } => json!({ "from_row": from, "rows": rows }),
            Self::Null { rows, unplaced } => json!({ "rows": rows, "without_position": unplaced }),
            Self::Rounded { what, axes, format, stated } => {
                json!({ "rounded": what, "axes": axes, "format": format, "stated": stated })
            }
            Self::Clamped { ends } => {
                let end = |(axis, [least, most]): &(String, [Option<f64>; 2])| json!({ "axis": axis, "least": least, "most": most });
                json!({ "kind": "clamped", "axes": ends.iter().map(end).collect::<Vec<_>>() })
            }
            Self::Products { axes, factors: [first, second] } => {
                json!({ "axes": axes, "factors": { "first": first, "second": second } })
            }
            Self::NotFinite { count, row } => json!({ "count": count, "row": row }),
            Self::Unexplained { entries, rows, slots } => json!({ "entries": entries, "rows": rows, "slots": slots }),
        }
    }
}
