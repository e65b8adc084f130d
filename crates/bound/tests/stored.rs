//! Attention from positions on: logits of vectors that are rotated in bf16, cast to 8 bits with a scale, and multiplied by a
//! matrix unit.

use posproof_bound::{Accumulator, Adder, Arithmetic, Kernel, Model, Program, Term};
use posproof_encoding::convention::Convention;
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};

const DIM: usize = 64;
const POSITIONS: u64 = 4096;
const E4M3: Element = Element::Narrow(Narrow::E4m3);

struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn vector(&mut self) -> Vec<f64> {
        (0..DIM).map(|_| Format::Bf16.round(self.next() as f64 / f64::from(1u32 << 30) - 1.0)).collect()
    }
}

/// The vector turned to a position, exactly to some units of binary64, and in bf16 by a table in bf16.
fn turned(x: &[f64], position: u64) -> [Vec<f64>; 2] {
    let round = |x: f64| Format::Bf16.round(x);
    let (mut exact, mut computed) = (Vec::new(), Vec::new());
    for (pair, x) in x.chunks(2).enumerate() {
        let frequency = 10000f64.powf(-2.0 * pair as f64 / DIM as f64);
        let (sin, cos) = (position as f64 * frequency).sin_cos();
        exact.extend([x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos]);
        let (s, c) = (round(sin), round(cos));
        computed.extend([round(round(x[0] * c) - round(x[1] * s)), round(round(x[0] * s) + round(x[1] * c))]);
    }
    [exact, computed]
}

/// The vector over its scale, cast, and the scale.
fn stored(x: &[f64]) -> (Vec<f64>, f64) {
    let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let scale = Format::F32.round(largest / 448.0);
    (x.iter().map(|x| E4M3.round(Format::F32.round(x / scale))).collect(), scale)
}

#[test]
fn logits_of_rotated_and_stored_vectors_are_within_their_bound() {
    let table = Program { storage: Format::Bf16, ..Program::rounded(Format::F32) };
    let model = Model::new(&Convention::rope(DIM), &table).expect("possible");
    let hopper = Accumulator::named("hopper-fp8").expect("a row");
    let kernel = Kernel {
        query: (DIM as f64).sqrt(),
        key: (DIM as f64).sqrt(),
        ..Kernel::usual(E4M3, Adder::Truncated(hopper.clone()), DIM as u32, 4096)
    };
    let bf16 = Arithmetic { format: Format::Bf16, fused: false };
    let bound = model.kernel_outputs(&kernel, bf16, &(0..POSITIONS)).expect("a bound");
    assert!(bound.output.value() > kernel.bound().expect("a bound").output.value());
    assert!(bound.output.origin().to_string().contains("rounding_stored_values"));
    let (mut draw, mut worst) = (Draw(5), 0.0f64);
    for _ in 0..20_000 {
        let [query, key] = [0; 2].map(|_| turned(&draw.vector(), draw.next() % POSITIONS));
        let exact = query[0].iter().zip(&key[0]).map(|(q, k)| q * k).sum::<f64>() / (DIM as f64).sqrt();
        let [(q, q_scale), (k, k_scale)] = [stored(&query[1]), stored(&key[1])];
        let products: Vec<Term> = q.iter().zip(&k).map(|(q, k)| Term::product([*q, *k], [E4M3; 2])).collect();
        let f32 = |x: f64| Format::F32.round(x);
        let scaled = f32(f32(hopper.sum(&products, None) * q_scale) * k_scale);
        worst = worst.max((f32(scaled / (DIM as f64).sqrt()) - exact).abs());
    }
    println!("{worst:e} of {:e}", bound.logit.value());
    assert!(worst <= bound.logit.value() && worst > 0.001 * bound.logit.value());
    let other = Kernel { dim: 32, ..kernel };
    assert!(model.kernel_outputs(&other, bf16, &(0..POSITIONS)).is_err_and(|error| error.to_string().contains("dim")));
}
