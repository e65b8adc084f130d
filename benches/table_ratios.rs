//! Tables against `memset` of the same bytes, one after the other in every round, so that all of them see
//! the machine in the same state.
//!
//! ```text
//! cargo bench --bench table_ratios                 medians and their ratios
//! cargo bench --bench table_ratios -- grids        grids of two and three axes against one axis
//! … table_ratios serve ROWS DIM                    one JSON line of seconds for each line on standard
//!                                                  input, for benches/side_by_side.py
//! ```

use half::{bf16, f16};
use posproof::encoding::convention::{Convention, Encoding};
use posproof::table::{AxialTable, Element, Instructions, Positions, Table};
use posproof_encoding::axes::{AxialConvention, AxialLayout, Axis, Coordinates, SectionsOrder, sections};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

const ROUNDS: usize = 15;

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A touched buffer, and another of the same bytes to be set to zero.
struct Subject<T> {
    rows: usize,
    dim: usize,
    entries: Vec<T>,
    bytes: Vec<u8>,
}

impl<T: Element> Subject<T> {
    fn new(rows: usize, dim: usize) -> Self {
        let len = rows * dim;
        Self { rows, dim, entries: vec![T::from_exact(1.0); len + 64], bytes: vec![1; len * size_of::<T>()] }
    }

    fn memset(&mut self) -> f64 {
        seconds(|| black_box(&mut self.bytes[..]).fill(0))
    }

    /// The entries, from the beginning of a cache line on.
    fn aligned(&mut self) -> &mut [T] {
        let skip = self.entries.as_ptr().align_offset(64);
        &mut self.entries[skip..skip + self.rows * self.dim]
    }

    /// All-in: from positions, dimension and base to the last entry.
    fn table(&mut self, instructions: Instructions, parallel: bool) -> f64 {
        let (all, dim) = (self.rows, self.dim);
        let out = self.aligned();
        seconds(|| {
            let positions = Positions::range(0..all as u64).expect("not empty");
            let convention = Convention::sinusoid(dim);
            let table = Table::<T>::with_instructions(&convention, &positions, instructions).expect("valid");
            let rows = 0..all;
            black_box(if parallel { table.par_fill(rows, out) } else { table.fill(rows, out) }).expect("its size");
        })
    }

    fn plan(&self) -> f64 {
        let positions = Positions::range(0..self.rows as u64).expect("not empty");
        seconds(|| drop(black_box(Table::<T>::new(&Convention::sinusoid(self.dim), &positions))))
    }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::MAX, f64::min)
}

fn compare<T: Element>(rows: usize, dim: usize) {
    let mut subject = Subject::<T>::new(rows, dim);
    let levels: Vec<Instructions> = Instructions::ALL.into_iter().filter(|level| level.is_available()).collect();
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut add = |name: String, seconds| times.entry(name).or_default().push(seconds);
        add("memset".into(), subject.memset());
        add("plan".into(), subject.plan());
        for &level in &levels {
            add(format!("{level:?}"), subject.table(level, false));
        }
        add(format!("{} threads", rayon::current_num_threads()), subject.table(Instructions::detect(), true));
    }
    let each = 1e9 / (rows * dim) as f64;
    println!(
        "{} {rows} × {dim}, ns per entry: median (least), ratio of medians to memset (of least to least)",
        T::FORMAT
    );
    let memset = times["memset"].clone();
    for (name, times) in &times {
        let (middle, shortest) = (median(times), least(times));
        let ratios = (middle / median(&memset), shortest / least(&memset));
        let absolute = if name == "plan" { format!("   {:.3} ms", middle * 1e3) } else { String::new() };
        println!(
            "  {name:<10} {:.3} ({:.3})   {:.2} ({:.2}){absolute}",
            middle * each,
            shortest * each,
            ratios.0,
            ratios.1
        );
    }
}

/// One round for each line that arrives.
fn serve(rows: usize, dim: usize) {
    let level = Instructions::detect();
    let (mut f32s, mut f64s) = (Subject::<f32>::new(rows, dim), Subject::<f64>::new(rows, dim));
    let (mut bf16s, mut f16s) = (Subject::<bf16>::new(rows, dim), Subject::<f16>::new(rows, dim));
    for line in std::io::stdin().lock().lines() {
        if line.is_err() {
            return;
        }
        let seconds = BTreeMap::from([
            ("posproof f32", f32s.table(level, false)),
            ("posproof f64", f64s.table(level, false)),
            ("posproof bf16", bf16s.table(level, false)),
            ("posproof f16", f16s.table(level, false)),
            ("portable f32", f32s.table(Instructions::Portable, false)),
            ("memset f32", f32s.memset()),
            ("memset f64", f64s.memset()),
            ("memset bf16", bf16s.memset()),
        ]);
        println!("{}", serde_json::to_string(&seconds).expect("numbers"));
        if std::io::stdout().flush().is_err() {
            return;
        }
    }
}

/// Grids of two and three axes, one after the other and in turn, against one axis of as many rows and entries in the same memory.
fn grids() {
    let three = (vec![16, 96, 96], 128);
    let two = (vec![384, 384], 96);
    // Rows of cosines that are no whole cache lines.
    let uneven = (vec![384, 384], 80);
    let order = |order| sections(&[24, 20, 20], order).expect("sections");
    let named = |name: &str, pairs: &str| Axis::new(name, pairs.parse().expect("ranges"));
    let sincos = |layout| AxialConvention {
        encoding: Encoding::Sinusoid,
        layout,
        axes: vec![named("h", "24..48"), named("w", "0..24")],
        ..AxialConvention::from(&Convention::rope(96))
    };
    let rope = |dim, axes| AxialConvention { axes, ..AxialConvention::from(&Convention::rope(dim)) };
    let cases = [
        ("t, h, w in blocks", &three, rope(128, order(SectionsOrder::Blocked))),
        ("t, h, w in turn", &three, rope(128, order(SectionsOrder::Interleaved))),
        ("h, w in blocks", &two, rope(96, vec![named("h", "0..24"), named("w", "24..48")])),
        ("h, w in turn", &two, rope(96, vec![named("h", "0..48:2"), named("w", "1..48:2")])),
        ("h, w in turn", &uneven, rope(80, vec![named("h", "0..40:2"), named("w", "1..40:2")])),
        ("h, w added, sin | cos of each", &two, sincos(AxialLayout::AxisHalves)),
        ("h, w added, sin and cos in turn", &two, sincos(AxialLayout::Interleaved)),
    ];
    println!(
        "f32, {GRID_ROUNDS} rounds, one thread: ns per entry of one axis and of the grid, least; ratio of the least"
    );
    println!("(of the medians)");
    for (name, (sides, dim), convention) in cases {
        grid(name, sides, *dim, &convention);
    }
}

/// Rounds of a grid: the machine may be busy with something else in many of them.
const GRID_ROUNDS: usize = 41;

fn grid(name: &str, sides: &[usize], dim: usize, convention: &AxialConvention) {
    let rows: usize = sides.iter().product();
    let along = |row: usize, axis: usize| row / sides[axis + 1..].iter().product::<usize>() % sides[axis];
    let numbers: Vec<f64> = (0..rows * sides.len()).map(|i| along(i / sides.len(), i % sides.len()) as f64).collect();
    let coordinates = Coordinates::from_floats(&numbers, sides.len()).expect("rows");
    let law = convention.law(|_| Err("none are stored".into())).expect("a convention");
    let mut subject = Subject::<f32>::new(rows, dim);
    let (mut one, mut several) = (Vec::new(), Vec::new());
    for _ in 0..GRID_ROUNDS {
        one.push(subject.table(Instructions::detect(), false));
        let out = subject.aligned();
        several.push(seconds(|| {
            let table = AxialTable::<f32>::new(&law, &coordinates).expect("valid");
            let filled = if convention.encoding == Encoding::Sinusoid {
                table.fill_joined(0, 0..rows, out)
            } else {
                let (cos, sin) = out.split_at_mut(rows * dim / 2);
                table.fill(0, 0..rows, cos, sin)
            };
            black_box(filled).expect("its size");
        }));
    }
    let each = 1e9 / (rows * dim) as f64;
    let sides: Vec<String> = sides.iter().map(usize::to_string).collect();
    println!(
        "  {name:<32} {:>13} × {dim:<3}  {:.3}  {:.3}   {:.2} ({:.2})",
        sides.join(" × "),
        least(&one) * each,
        least(&several) * each,
        least(&several) / least(&one),
        median(&several) / median(&one)
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, verb, rows, dim] = arguments.as_slice()
        && verb == "serve"
    {
        return serve(rows.parse().expect("rows"), dim.parse().expect("dim"));
    }
    if arguments.iter().any(|argument| argument == "grids") {
        return grids();
    }
    for (rows, dim) in [(131072, 128), (4096, 512)] {
        compare::<f32>(rows, dim);
        compare::<f64>(rows, dim);
        compare::<bf16>(rows, dim);
        compare::<f16>(rows, dim);
    }
}
