//! Arrays of real modules, with the positions withheld: whatever is said is true, and the sections are recovered of most.

use crate::dump::{Dump, angles, families, index, shown};
use crate::truth::{COMPUTED, truth};
use posproof_check::axes::{AxialGroups, identify_axes_unplaced};
use posproof_check::{Grid, Subject};
use posproof_encoding::axes::{AxialLayout, Ranges};

/// Where the table stands in the page.
const MARKS: (&str, &str) = ("<!-- withheld: begin -->\n", "\n<!-- withheld: end -->");

fn said(slots: &[usize]) -> String {
    Ranges::of(slots).map_or("–".to_owned(), |ranges| ranges.to_string())
}

/// The angles that the entries of a slot show, from the arrays themselves.
fn read(dump: &Dump, subject: Subject<'_>, found: &AxialGroups, slot: usize) -> Vec<Option<f64>> {
    let (first, second) = found.entries[slot];
    let column = |grid: &dyn Grid, column: usize| {
        let mut all = Vec::new();
        grid.read(0, 0..grid.rows(), &mut all).expect(&dump.name);
        all.into_iter().skip(column).step_by(grid.width()).collect::<Vec<f64>>()
    };
    let angle = |(sin, cos): (f64, f64)| (sin != 0.0 || cos != 0.0).then(|| sin.atan2(cos));
    match subject {
        Subject::Rope { cos: Some(cos), sin: Some(sin) } => {
            column(sin, first).into_iter().zip(column(cos, first)).map(angle).collect()
        }
        Subject::Rotation { x, y } => {
            // Pairs that are read elsewhere than they are written.
            let crossed = found.layout == Some(AxialLayout::InterleavedToHalves);
            let from = if crossed { (2 * slot, 2 * slot + 1) } else { (first, second) };
            let before = column(x, from.0).into_iter().zip(column(x, from.1));
            let after = column(y, first).into_iter().zip(column(y, second));
            let turned = |((a, b), (c, d)): ((f64, f64), (f64, f64))| angle((a * d - b * c, a * c + b * d));
            before.zip(after).map(turned).collect()
        }
        Subject::Sinusoid(table) => column(table, first).into_iter().zip(column(table, second)).map(angle).collect(),
        _ => panic!("{}: half a cache", dump.name),
    }
}

#[test]
fn what_is_said_without_positions_is_true_of_every_module() {
    let (families, index) = (families(), index());
    let mut lines = Vec::new();
    let (mut recovered, mut aliased, mut rates) = (0, Vec::new(), 0);
    for (name, about) in &index {
        let dump = Dump::new(name, about, &families);
        let arrays = dump.arrays();
        let subject = dump.subject(&arrays);
        let found = identify_axes_unplaced(subject).unwrap();
        let exact = angles(&dump.law, &dump.coordinates);
        let named = |slot: usize| {
            let entries = found.entries[slot];
            let all = shown(&dump.law, &exact, subject, entries);
            // Of slots that look the same in these rows the one that the layout puts there.
            let own =
                |&&slot: &&usize| dump.law.turns().iter().any(|turn| turn.slots.0 == slot && turn.write.0 == entries.0);
            all.iter().find(own).or(all.first()).copied()
        };
        let truth = truth(&dump.law, &dump.coordinates, (&exact, COMPUTED), &found, &named, &|slot| {
            read(&dump, subject, &found, slot)
        });
        if truth.aliased > 0 {
            aliased.push(name.as_str());
        }
        recovered += usize::from(truth.sections);
        rates += truth.rates;
        if !truth.sections {
            let groups: Vec<String> = found.groups.iter().map(|group| said(&group.slots)).collect();
            let open: usize = found.open.iter().map(|open| open.slots.len()).sum();
            let groups = if groups.is_empty() { "–".to_owned() } else { groups.join(" · ") };
            lines.push(format!("| `{name}` | {groups} | {open} | {} | {} |", found.apart.len(), said(&found.still)));
        }
    }
    println!("{recovered} of {} recovered, {rates} rates, aliased: {aliased:?}", index.len());
    let heads = ["| dump | groups | open slots | slots of no group | still |", "| --- | --- | --- | --- | --- |"];
    let table = format!(
        "With positions withheld the sections of {recovered} of {} dumps are recovered, and {rates} ratios of frequencies. Units turn by more than half a turn \
         in {}. Of the other dumps:\n\n{}\n{}",
        index.len(),
        if aliased.is_empty() { "none".to_owned() } else { aliased.join(", ") },
        heads.join("\n"),
        lines.join("\n")
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/axes.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (before, rest) = page.split_once(MARKS.0).expect("the beginning of the table");
    let (shown, after) = rest.split_once(MARKS.1).expect("the end of the table");
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{}{table}{}{after}", MARKS.0, MARKS.1)).expect("written");
        return;
    }
    assert!(shown == table, "docs/axes.md differs; accept it with POSPROOF_WRITE_DOCS=1:\n{table}");
}
