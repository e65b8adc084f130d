//! Random logits against their bounds: as many of each format as POSPROOF_LOGITS says, a few by default.
//!
//! `POSPROOF_LOGITS=1000000000 POSPROOF_WRITE_DOCS=1 cargo test --release -p posproof-bound --test random_logits -- --nocapture`
//!
//! RoPE of 128 components in bf16, f16 and f32, angles in f32, sums in f32, positions below 4096; POSPROOF_SEED is where the draws
//! begin. With POSPROOF_WRITE_DOCS and a number of logits the figures go into docs/logits.md.
//!
//! Queries and keys are drawn in blocks of 32, normally distributed, and each query of a block meets each key of it.

use posproof_bound::{Attention, Bound, Model, Program};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use rayon::prelude::*;
use std::f64::consts::TAU;

const DIM: usize = 128;
const PAIRS: usize = DIM / 2;
const POSITIONS: u64 = 4096;
const FORMATS: [Format; 3] = [Format::Bf16, Format::F16, Format::F32];
const BLOCK: usize = 32;

/// Error of the reference, by ‖q‖‖k‖: angles below 4096 with a frequency within 2⁻⁵² and a product within 2⁻⁵³, twice; sine and
/// cosine within 2⁻⁵³ and three roundings of each component, twice; 128 terms summed, each of two roundings. All of it doubled,
/// for what is of second order.
const REFERENCE: f64 = 2.0 * (2.0 * (POSITIONS as f64 * 1.5 + 8.0 * 0.5) + (DIM as f64 + 1.0) * 0.5) * f64::EPSILON;

/// SplitMix64: a seed for each block, so that no order of threads matters.
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In (0, 1).
    fn open(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Two of a normal distribution, as numbers of the format.
    fn normal(&mut self, format: Format) -> [f64; 2] {
        let (radius, turn) = ((-2.0 * core_math::log(self.open())).sqrt(), TAU * self.open());
        let (sin, cos) = core_math::sincos(turn);
        [format.round(radius * cos), format.round(radius * sin)]
    }
}

/// (cos, sin) of every pair at every position: as the program has them, and in binary64.
struct Tables {
    format: Format,
    program: Vec<[f64; 2]>,
    exact: Vec<[f64; 2]>,
}

impl Tables {
    fn new(model: &Model) -> Self {
        let format = model.program().storage;
        let rates: Vec<_> = (0..PAIRS).map(|pair| model.rate(pair).expect("a rate")).collect();
        let entries = (0..POSITIONS).flat_map(|t| rates.iter().map(move |rate| (t as f64, rate)));
        let tabulated = |(t, rate): (f64, &posproof_bound::Rate)| {
            let (sin, cos) = core_math::sincosf(t as f32 * rate.computed() as f32);
            let (exact_sin, exact_cos) = core_math::sincos(t * rate.exact().approximate());
            let [cos, sin] = [cos, sin].map(|x| format.round(f64::from(x)));
            ([cos, sin], [exact_cos, exact_sin])
        };
        let (program, exact) = entries.map(tabulated).unzip();
        Self { format, program, exact }
    }
}

/// A block of vectors: component by component, and what is known of each vector.
struct Vectors {
    computed: Vec<[f32; BLOCK]>,
    exact: Vec<[f64; BLOCK]>,
    /// ‖·‖² of each pair.
    squares: Vec<[f64; BLOCK]>,
    lengths: [f64; BLOCK],
    positions: [u64; BLOCK],
}

/// Where keys stand: the first token, and decades.
const CLASSES: [std::ops::Range<u64>; 5] = [0..1, 1..10, 10..100, 100..1000, 1000..POSITIONS];

fn vectors(draw: &mut Draw, tables: &Tables, keys: bool) -> Vectors {
    let mut made = Vectors {
        computed: vec![[0.0; BLOCK]; DIM],
        exact: vec![[0.0; BLOCK]; DIM],
        squares: vec![[0.0; BLOCK]; PAIRS],
        lengths: [0.0; BLOCK],
        positions: [0; BLOCK],
    };
    for v in 0..BLOCK {
        let range = if keys { CLASSES[v % CLASSES.len()].clone() } else { 0..POSITIONS };
        let t = range.start + draw.bits() % (range.end - range.start);
        made.positions[v] = t;
        for j in 0..PAIRS {
            let [x, y] = draw.normal(tables.format);
            let at = t as usize * PAIRS + j;
            let ([c, s], [ec, es]) = (tables.program[at], tables.exact[at]);
            let round = |x: f64| tables.format.round(x);
            made.computed[2 * j][v] = round(round(x * c) - round(y * s)) as f32;
            made.computed[2 * j + 1][v] = round(round(x * s) + round(y * c)) as f32;
            made.exact[2 * j][v] = x * ec - y * es;
            made.exact[2 * j + 1][v] = x * es + y * ec;
            made.squares[j][v] = x * x + y * y;
        }
        // More than the 65 roundings of the sum.
        let square: f64 = made.squares.iter().map(|pair| pair[v]).sum();
        made.lengths[v] = square.sqrt() * (1.0 + 64.0 * f64::EPSILON);
    }
    made
}

/// One logit, as far as it is a record.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// Error by bound.
    ratio: f64,
    error: f64,
    bound: f64,
    lengths: [f64; 2],
    /// √Σ‖q_j‖²‖k_j‖².
    mass: f64,
}

/// Sight of a block.
#[derive(Clone, Debug, Default)]
struct Seen {
    logits: u64,
    /// The largest error by the worst-case bound, and by √Σ‖q_j‖²‖k_j‖².
    worst: Record,
    unlikely: Record,
    /// By where the key stands: the sum of the squares of errors, how many, and the largest.
    classes: [(f64, u64, f64); CLASSES.len()],
}

impl Seen {
    fn with(mut self, other: Self) -> Self {
        self.logits += other.logits;
        if other.worst.ratio > self.worst.ratio {
            self.worst = other.worst;
        }
        if other.unlikely.error * self.unlikely.mass > self.unlikely.error * other.unlikely.mass
            || self.unlikely.mass == 0.0
        {
            self.unlikely = other.unlikely;
        }
        for (mine, theirs) in self.classes.iter_mut().zip(other.classes) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1, mine.2.max(theirs.2));
        }
        self
    }
}

fn attention(format: Format, lengths: [f64; 2]) -> Attention {
    let [query, key] = lengths;
    Attention { query, key, ..Attention::usual(format, DIM as u32, PAIRS as u32, 1) }
}

/// Every query of a block with every key of it.
fn block(seed: u64, tables: &Tables, table: Bound) -> Seen {
    let mut draw = Draw(seed);
    let (queries, keys) = (vectors(&mut draw, tables, false), vectors(&mut draw, tables, true));
    let shortest = |vectors: &Vectors| vectors.lengths.iter().copied().fold(f64::INFINITY, f64::min);
    // The bound grows with both lengths: what is below this is below its own.
    let least = attention(tables.format, [shortest(&queries), shortest(&keys)]).logit(table).value();
    let scale = 1.0 / (DIM as f64).sqrt();
    let mut seen = Seen::default();
    for q in 0..BLOCK {
        let (mut sums, mut exact, mut masses) = ([0f32; BLOCK], [0f64; BLOCK], [0f64; BLOCK]);
        for i in 0..DIM {
            let (x, y) = (queries.computed[i][q], queries.exact[i][q]);
            let (computed, reference) = (&keys.computed[i], &keys.exact[i]);
            for k in 0..BLOCK {
                sums[k] += x * computed[k];
                exact[k] += y * reference[k];
            }
        }
        for (query, key) in queries.squares.iter().zip(&keys.squares) {
            for k in 0..BLOCK {
                masses[k] += query[q] * key[k];
            }
        }
        for k in 0..BLOCK {
            let lengths = [queries.lengths[q], keys.lengths[k]];
            let logit = f64::from(scale as f32 * sums[k]);
            let error = (logit - scale * exact[k]).abs();
            let most = error + REFERENCE * scale * lengths[0] * lengths[1];
            let class = &mut seen.classes[k % CLASSES.len()];
            *class = (class.0 + error * error, class.1 + 1, class.2.max(error));
            let mass = masses[k].sqrt();
            if error * seen.unlikely.mass >= seen.unlikely.error * mass {
                seen.unlikely = Record { ratio: 0.0, error, bound: 0.0, lengths, mass };
            }
            if most > least || most > seen.worst.ratio * least {
                let bound = attention(tables.format, lengths).logit(table).value();
                assert!(most <= bound, "seed {seed}: query {q}, key {k}: error {error:e}, bound {bound:e}");
                if error > seen.worst.ratio * bound {
                    seen.worst = Record { ratio: error / bound, error, bound, lengths, mass };
                }
            }
        }
    }
    seen.logits = (BLOCK * BLOCK) as u64;
    seen
}

fn environment(name: &str, otherwise: u64) -> u64 {
    let read = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a whole number"));
    std::env::var(name).map_or(otherwise, read)
}

/// Puts the figures into the guide, where POSPROOF_WRITE_DOCS asks for it.
fn record(lines: &[String]) {
    println!("{}", lines.join("\n"));
    // A few say less than the many that stand there.
    if ["POSPROOF_WRITE_DOCS", "POSPROOF_LOGITS"].iter().any(|name| std::env::var_os(name).is_none()) {
        return;
    }
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/logits.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = ("<!-- random: begin -->\n", "<!-- random: end -->");
    let (before, rest) = page.split_once(begin).expect("the beginning of the figures");
    let (_, after) = rest.split_once(end).expect("the end of the figures");
    std::fs::write(&path, format!("{before}{begin}{}\n{end}{after}", lines.join("\n"))).expect("written");
}

#[test]
fn no_random_logit_is_above_its_bound() {
    let (logits, seed) = (environment("POSPROOF_LOGITS", 1 << 18), environment("POSPROOF_SEED", 1));
    let mut lines = vec![
        "| table | random logits, from seed | above the worst-case bound | worst-case bound ÷ largest error | bound at 1 − 10⁻⁹ ÷ least likely error |"
            .to_owned(),
        "| --- | --- | --- | --- | --- |".to_owned(),
    ];
    lines.extend(FORMATS.map(|format| compared(format, logits, seed)));
    record(&lines);
}

/// A format's logits, none of which may be above its bound, in a line.
fn compared(format: Format, logits: u64, seed: u64) -> String {
    let model = Model::new(&Convention::rope(DIM), &Program { storage: format, ..Program::rounded(Format::F32) });
    let model = model.expect("possible");
    let pairs = (0..PAIRS).map(|pair| model.pair(&model.rate(pair).expect("a rate"), 0..POSITIONS).expect("a bound"));
    let table = pairs.reduce(Bound::max).expect("pairs");
    let tables = Tables::new(&model);
    let blocks = logits.div_ceil((BLOCK * BLOCK) as u64);
    let blocks = (0..blocks).into_par_iter().map(|number| block(seed.wrapping_add(number << 20), &tables, table));
    let seen = blocks.reduce(Seen::default, Seen::with);
    let Seen { worst, unlikely, .. } = seen;
    println!("{format}: the reference within {REFERENCE:.1e}·‖q‖‖k‖/√dim");
    println!("largest error by its worst-case bound: {:.4e}, bound {:.4e}", worst.error, worst.bound);
    let of_these = attention(format, unlikely.lengths);
    let probable = model.probable_logit_of(&of_these, &(0..POSITIONS), unlikely.mass * (1.0 + 1e-12));
    let probable = probable.expect("a bound").bound.value();
    println!("least likely error: {:.4e}, bound at 1 - 1e-9 {probable:.4e}", unlikely.error);
    for (range, (squares, count, most)) in CLASSES.iter().zip(seen.classes) {
        let rms = (squares / count.max(1) as f64).sqrt();
        println!("keys at {range:?}: root mean square {rms:.4e}, largest {most:.4e} of {count}");
    }
    assert!(worst.ratio > 0.0 && worst.ratio < 1.0);
    // Of fewer than 10⁹ logits, one beyond what fails once in 10⁹ would speak against the assumption.
    assert!(logits > 1 << 27 || unlikely.error < probable, "{unlikely:?} {probable:e}");
    let (below, times) = (1.0 / worst.ratio, probable / unlikely.error);
    format!("| {format} | {}, {seed} | 0 | {below:.2} | {times:.2} |", seen.logits)
}
