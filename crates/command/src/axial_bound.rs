//! `posproof bound` for encodings of several axes, and for one at positions of any kind.

use super::documents::JsonArguments;
use super::{Failure, Outcome, print};
use posproof_bound::AxialQuestion;
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::format::hex;
use std::fmt::Write;

/// Prints the bounds of every slot over all rows.
pub fn bound(
    question: &AxialQuestion,
    (law, coordinates): (&AxialLaw, &Coordinates),
    json: JsonArguments,
) -> Result<Outcome, Failure> {
    let rows = question.answer(law, coordinates)?;
    if json.is_asked() {
        json.print(&question.document((law, coordinates), &rows))?;
        return Ok(Outcome::Good);
    }
    let at = |row: usize| match coordinates.row(row) {
        Some(here) => format!("({})", here.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        None => "no position".to_owned(),
    };
    let axes = |slot: usize| law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name()).collect::<Vec<_>>();
    let mut text = format!(
        "Error of {} at {} rows: frequencies '{}', angles in {}, functions within {} ulp, stored as {}\n\n  slot axes        a priori   instance   at\n",
        if question.rotation { "each entry of a rotated unit pair" } else { "the entries" },
        coordinates.rows(),
        question.path.name(),
        question.compute.format,
        question.compute.libraries.largest(),
        question.storage,
    );
    for (bounds, worst) in &rows {
        let here = at(bounds.a_priori.row);
        let instance = bounds.instance.map_or("       –".to_owned(), |bound| format!("{:.3e}", bound.value));
        let axes = axes(bounds.slot).join("+");
        let _ = writeln!(text, "  {:4} {axes:10} {:.3e}  {instance}   {here}", bounds.slot, bounds.a_priori.value);
        for extreme in worst.iter().flatten() {
            let (name, here) = (if extreme.component == Component::Sin { "sin" } else { "cos" }, at(extreme.row));
            let _ = writeln!(text, "       worst {name}  {:.4e} at {here}: {}", extreme.error, hex(extreme.got));
        }
        if worst.as_ref().is_some_and(Vec::is_empty) {
            let why = "no worst case: a scale, or several axes, leave the program's operations open";
            let _ = writeln!(text, "       {why}");
        }
    }
    if let Some((first, _)) = rows.first() {
        let _ = writeln!(text, "\n  a priori: {}", first.a_priori.origin);
        if let Some(instance) = rows.iter().find_map(|(bounds, _)| bounds.instance) {
            let _ = writeln!(text, "  instance: {}", instance.origin);
        }
    }
    print(&text)?;
    Ok(Outcome::Good)
}
