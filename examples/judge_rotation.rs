//! Judges a rotation three times: as it should be, with the base ignored, and with positions in bf16.
//!
//! ```text
//! cargo run --example judge_rotation
//! ```

use half::bf16;
use posproof::conformance::{Expectation, Rotated, check, probe};
use posproof::encoding::convention::{Convention, Layout};

const DIM: usize = 64;

/// The implementation: pairs (k, k + DIM/2), everything in f32.
fn rotate(base: f32, position: f32, vector: &mut [f32]) {
    let (first, second) = vector.split_at_mut(DIM / 2);
    for (k, (x, y)) in first.iter_mut().zip(second).enumerate() {
        let (sin, cos) = (position * base.powf(-2.0 * k as f32 / DIM as f32)).sin_cos();
        (*x, *y) = (*x * cos - *y * sin, *x * sin + *y * cos);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let positions = probe::positions(131_071)?;
    let convention = Convention { base: 500_000.into(), layout: Layout::Halves, ..Convention::rope(DIM) };
    let expectation = Expectation::new(convention).at(positions.clone());
    let judge = |title: &str, rotate: &dyn Fn(u64, &mut [f32])| {
        let rotated = Rotated::new(&positions, DIM, rotate);
        check(rotated.subject(), &expectation).map(|report| println!("{title}: {report}"))
    };
    judge("as it should be", &|position, vector| rotate(500_000.0, position as f32, vector))?;
    judge("the base ignored", &|position, vector| rotate(10_000.0, position as f32, vector))?;
    judge("positions in bf16", &|position, vector| {
        rotate(500_000.0, bf16::from_f32(position as f32).to_f32(), vector);
    })?;
    Ok(())
}
