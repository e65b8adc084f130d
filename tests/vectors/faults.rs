//! Negative vectors: what implementations with a fault of the catalogue compute. The faulty program is run in 200
//! bits and its results are rounded to f32, so that the fault is all that is wrong.

use crate::format::{Bits, Group, Note, Test, Verdict};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;
use posproof::number::mpfr;
use posproof_check::faults::{Arithmetic, EncodingProgram, Fault, Vectors, catalogue, turn};
use rug::Float;
use std::collections::BTreeMap;

const BITS: u32 = 200;
const POSITIONS: [u64; 7] = [0, 1, 257, 2049, 4097, 65537, 131071];

/// A number of 200 bits.
#[derive(Clone)]
struct Long(Float);

fn long(x: f64) -> Float {
    Float::with_val(BITS, x)
}

impl Arithmetic for Long {
    fn frequencies(convention: &Convention) -> Vec<Self> {
        let frequencies = convention.frequencies(BITS).expect("a valid convention");
        frequencies.iter().map(|omega| Self(mpfr::exactly(&omega.midpoint()))).collect()
    }
    fn gain(convention: &Convention) -> Self {
        Self(mpfr::exactly(&convention.gain().enclose(BITS).midpoint()))
    }
    fn of(x: f64) -> Self {
        Self(long(x))
    }
    fn to_f64(&self) -> f64 {
        self.0.to_f64()
    }
    fn round(&self, format: Format) -> Self {
        Self(long(mpfr::round(format, &self.0)))
    }
    fn plus(&self, other: &Self) -> Self {
        Self(Float::with_val(BITS, &self.0 + &other.0))
    }
    fn times(&self, other: &Self) -> Self {
        Self(Float::with_val(BITS, &self.0 * &other.0))
    }
    fn inverse(&self) -> Self {
        Self(Float::with_val(BITS, self.0.recip_ref()))
    }
    fn sin_cos(&self) -> (Self, Self) {
        let (sin, cos) = self.0.clone().sin_cos(Float::new(BITS));
        (Self(sin), Self(cos))
    }
}

fn bits(x: f64) -> String {
    Format::F32.bits(x)
}

fn rounded(x: &Long) -> String {
    bits(mpfr::round(Format::F32, &x.0))
}

/// Wrong cosines and sines of some pairs.
fn entries(_: &Vectors, promised: &Convention, program: &EncodingProgram<'_, Long>) -> Vec<Test> {
    let pairs = promised.pairs();
    let mut chosen = vec![0, 1, pairs / 2, pairs - 1];
    chosen.dedup();
    let computed = program.run(pairs, &POSITIONS);
    let rows = POSITIONS.iter().zip(computed.entries.chunks_exact(pairs));
    let test = |position: u64, pair: usize, (cos, sin): &(Long, Long)| Test::Wrong {
        id: 0,
        position,
        pair,
        cos: Bits { f32: rounded(cos) },
        sin: Bits { f32: rounded(sin) },
    };
    let all = rows.flat_map(|(&position, row)| chosen.iter().map(move |&pair| test(position, pair, &row[pair])));
    all.collect()
}

/// A vector x and wrong rotations y of it.
fn rotations(vectors: &Vectors, promised: &Convention, program: &EncodingProgram<'_, Long>) -> Vec<Test> {
    let x: Vec<f64> = (1..=promised.dim as u32).map(f64::from).collect();
    let how = vectors.injection.turn(promised);
    let test = |&position: &u64| Test::Rotation {
        id: 0,
        position,
        x: x.iter().map(|&x| bits(x)).collect(),
        y: turn(&program.run(how.read.len(), &[position]), &x, promised.dim, &how).iter().map(rounded).collect(),
    };
    POSITIONS.iter().map(test).collect()
}

fn group((fault, vectors): &(&Fault, &Vectors)) -> Group {
    let promised = (vectors.promised)();
    let program = vectors.injection.program(&promised, EncodingProgram::<Long>::exact);
    // Small vectors are shown whole.
    let tests = if promised.dim == ROTATED { rotations } else { entries }(vectors, &promised, &program);
    Group {
        name: fault.name.replace('-', " "),
        convention: promised,
        flags: vec![fault.name.into()],
        result: Verdict::Invalid,
        tests,
    }
}

/// The dimension of the vectors of faults that only a rotation shows.
const ROTATED: usize = 8;

/// The groups, in the order of their places, and the notes on their flags.
pub fn all() -> (Vec<Group>, BTreeMap<String, Note>) {
    let note = |(fault, vectors): &(&Fault, &Vectors)| Note {
        bug_type: "implementation".into(),
        description: vectors.description.into(),
        effect: vectors.effect.into(),
        links: fault.threads.iter().map(|thread| thread.address()).collect(),
    };
    let mut all: Vec<(&Fault, &Vectors)> =
        catalogue().filter_map(|fault| Some((fault, fault.vectors.as_ref()?))).collect();
    all.sort_by_key(|(_, vectors)| vectors.place);
    let notes = all.iter().map(|shown| (shown.0.name.to_owned(), note(shown))).collect();
    (all.iter().map(group).collect(), notes)
}
