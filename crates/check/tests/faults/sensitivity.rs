//! The smallest faults that are noticed: the least relative error of the base, and the least that any judge could
//! notice.
//!
//! The limit. Let ρ_k be the relative error that the bound admits in the angles of pair k: of its frequency and of its
//! products. A table whose base is off by δ has angles that are off by 1 − (1 + δ)^(−2k/dim) relative to the right ones. Where
//! this is at most ρ_k for every pair, the table is one that an honest program for the right base may write, entry by
//! entry; a judge that notices it accuses an honest program. So nobody notices less than the smallest of
//! (1 − ρ_k)^(−dim/2k) − 1 over all pairs but the first, whose frequency is 1 whatever the base.

use crate::corpus::frequencies;
use posproof_bound::Allowance;
use posproof_check::{Computed, Expectation, Path, Subject, check};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use std::path::PathBuf;

const DIM: usize = 128;
const ROWS: u64 = 131_072;
const BASES: [i64; 2] = [10_000, 500_000];

/// Statement on the program: the precision of its angles and the path of its frequencies.
type Stated = (Format, Option<Path>);

fn stated() -> Vec<Stated> {
    let paths = [None, Some(Path::Repeated), Some(Path::Exp), Some(Path::Pow), Some(Path::F64), Some(Path::Rounded)];
    let single = paths.map(|path| (Format::F32, path));
    // A narrower path than any is beyond what a cache that is computed in binary64 can tell.
    single.into_iter().chain([(Format::F64, None)]).collect()
}

fn convention(base: i64) -> Convention {
    Convention { base: base.into(), ..Convention::rope(DIM) }
}

/// The least δ of the module's documentation.
fn limit(base: i64, stated: Stated) -> f64 {
    let convention = convention(base);
    let omega = frequencies(&convention);
    let allowance = Allowance::new(&convention, &omega, ROWS - 1, stated, Format::F32);
    let least = |k: usize| {
        let admitted = allowance.slope(k) / omega[k];
        ((-admitted).ln_1p() * -(DIM as f64) / (2 * k) as f64).exp_m1()
    };
    (1..DIM / 2).map(least).fold(f64::INFINITY, f64::min)
}

/// A cache at some of the positions.
fn cache(base: f64, rows: &Positions) -> [Computed<f32>; 2] {
    let omega: Vec<f64> = (0..DIM / 2).map(|k| base.powf(-((2 * k) as f64) / DIM as f64)).collect();
    let part = |name, of: fn(f64) -> f64| {
        Computed::new(name, rows, DIM / 2, |position, row: &mut [f32]| {
            row.iter_mut().zip(&omega).for_each(|(entry, omega)| *entry = of(position as f64 * omega) as f32);
        })
    };
    [part("cos", f64::cos), part("sin", f64::sin)]
}

/// True if a cache of the base times 1 + δ, every entry rounded once, is noticed.
fn notices(base: i64, (compute, path): Stated, delta: f64, rows: &Positions) -> bool {
    let [cos, sin] = cache(base as f64 * (1.0 + delta), rows);
    let expectation = Expectation { path, ..Expectation::new(convention(base)).computed_in(compute) };
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    !check(subject, &expectation.at(rows.clone())).expect("a cache").conforms
}

/// The least δ that is noticed, to a hundredth, from the limit up.
fn measured(base: i64, stated: Stated, rows: &Positions) -> f64 {
    let limit = limit(base, stated);
    let (mut hidden, mut seen) = (limit * 0.999, limit * 2.0);
    assert!(!notices(base, stated, hidden, rows), "an honest table is accused");
    while !notices(base, stated, seen, rows) {
        (hidden, seen) = (seen, 2.0 * seen);
    }
    while seen / hidden > 1.01 {
        let middle = (hidden * seen).sqrt();
        if notices(base, stated, middle, rows) { seen = middle } else { hidden = middle }
    }
    seen
}

fn all_rows() -> Positions {
    Positions::range(0..ROWS).expect("not empty")
}

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/sensitivity.md")
}

/// Where the table stands in the page.
const MARKS: (&str, &str) = ("<!-- sensitivity: begin -->\n", "\n<!-- sensitivity: end -->");

/// The table's cells as they stand in the page.
fn shown(page: &str) -> Vec<Vec<String>> {
    let (_, rest) = page.split_once(MARKS.0).expect("the beginning of the table");
    let (table, _) = rest.split_once(MARKS.1).expect("the end of the table");
    let cells = |line: &str| line.trim_matches(['|', ' ']).split(" | ").map(str::to_owned).collect();
    table.lines().skip(2).map(cells).collect()
}

fn label((compute, path): Stated) -> [String; 2] {
    [compute.to_string(), path.map_or("any", Path::name).to_owned()]
}

/// Statement, the least δ measured, the limit, and their ratio.
fn row(base: i64, stated: Stated, measured: f64) -> Vec<String> {
    let limit = limit(base, stated);
    let [compute, path] = label(stated);
    vec![
        base.to_string(),
        format!("`--compute {compute}`"),
        format!("`{path}`"),
        format!("{measured:.2e}"),
        format!("{limit:.2e}"),
        format!("{:.2}", format!("{measured:.2e}").parse::<f64>().expect("a number") / limit),
    ]
}

#[test]
#[ignore = "a minute: writes docs/sensitivity.md"]
fn measure() {
    let rows = all_rows();
    let mut lines = vec![
        "| base | stated | path | least δ noticed | least δ that any judge could notice | ratio |".to_owned(),
        "| --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    for base in BASES {
        for stated in stated() {
            lines.push(format!("| {} |", row(base, stated, measured(base, stated, &rows)).join(" | ")));
        }
    }
    let text = std::fs::read_to_string(page()).expect("the page");
    let (before, rest) = text.split_once(MARKS.0).expect("the beginning of the table");
    let (_, after) = rest.split_once(MARKS.1).expect("the end of the table");
    std::fs::write(page(), format!("{before}{}{}{}{after}", MARKS.0, lines.join("\n"), MARKS.1)).expect("written");
}

/// The page's limits are those of the bound, and what it says is noticed is noticed, though not by much.
#[test]
fn the_page_shows_what_is_measured() {
    let shown = shown(&std::fs::read_to_string(page()).expect("the page"));
    let expected = BASES.iter().flat_map(|base| stated().into_iter().map(move |stated| (*base, stated)));
    let expected: Vec<(i64, Stated)> = expected.collect();
    assert_eq!(
        shown.len(),
        expected.len(),
        "measure again: cargo test -p posproof-check --test faults -- --ignored measure"
    );
    // Every 16th row: angles of slow pairs change little in between, and there are many rows for fast ones.
    let some = Positions::list((0..ROWS).step_by(16).chain([ROWS - 1])).expect("increasing");
    for (cells, (base, stated)) in shown.iter().zip(expected) {
        let figure: f64 = cells[3].parse().expect("a figure");
        assert_eq!(*cells, row(base, stated, figure), "the bound has changed: measure again");
        // Three digits are shown, a hundredth is what is measured to, and some rows show a little less than all.
        let found = [0.95, 1.05].map(|times| notices(base, stated, figure * times, &some));
        assert_eq!(found, [false, true], "base {base}, {stated:?}: {figure} is not the least that is noticed");
    }
}
