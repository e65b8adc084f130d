//! Faults of the rotation itself: a vector x and a wrong rotation y of it.

use super::{BITS, Delivered, Fault, Point, at, power, real};
use posproof::encoding::convention::{Convention, Layout};
use rug::Float;

/// (cos, sin) of base 10000 and dim 8.
fn point(p: u64, k: usize) -> Point {
    at(power(10000.0, -2 * k as i64, 8) * p)
}

/// The pairs (x[first(k)], x[second(k)]) turned by the given points.
fn turn(x: &[f64], places: fn(usize) -> (usize, usize), point: impl Fn(usize) -> Point) -> Vec<Float> {
    let mut y = vec![Float::new(BITS); x.len()];
    for k in 0..x.len() / 2 {
        let ((i, j), (cos, sin)) = (places(k), point(k));
        y[i] = real(x[i]) * &cos - real(x[j]) * &sin;
        y[j] = real(x[i]) * sin + real(x[j]) * cos;
    }
    y
}

fn halves(k: usize) -> (usize, usize) {
    (k, k + 4)
}

pub fn rotations() -> Vec<Fault> {
    let promised = || Convention { layout: Layout::Halves, ..Convention::rope(8) };
    vec![
        Fault {
            flag: "layout",
            description: "Neighbouring entries rotated where the two halves form the pairs.",
            effect: "Scores no longer depend on distances alone, with weights made for the other layout.",
            links: &[
                "huggingface/transformers/issues/25199",
                "huggingface/nanotron/issues/427",
                "rasbt/LLMs-from-scratch/issues/747",
            ],
            promised: promised(),
            delivered: Delivered::Rotation(|p, x| turn(x, |k| (2 * k, 2 * k + 1), |k| point(p, k))),
        },
        Fault {
            flag: "direction",
            description: "Rotation in the other direction.",
            effect: "Self-consistent, and wrong with weights trained the right way round.",
            links: &["karpathy/nanochat/issues/489"],
            promised: promised(),
            delivered: Delivered::Rotation(|p, x| {
                turn(x, halves, |k| {
                    let (cos, sin) = point(p, k);
                    (cos, -sin)
                })
            }),
        },
        Fault {
            flag: "aliasing",
            description: "Rotation in place: the second entry is computed from the first one's new value.",
            effect: "Not a rotation.",
            links: &["flagos-ai/FlagGems/issues/5142"],
            promised: promised(),
            delivered: Delivered::Rotation(|p, x| {
                let mut y: Vec<Float> = x.iter().map(|&x| real(x)).collect();
                for k in 0..4 {
                    let (cos, sin) = point(p, k);
                    y[k] = y[k].clone() * &cos - y[k + 4].clone() * &sin;
                    y[k + 4] = y[k].clone() * sin + y[k + 4].clone() * cos;
                }
                y
            }),
        },
        Fault {
            flag: "applied-twice",
            description: "The rotation is applied twice.",
            effect: "Angles are doubled.",
            links: &["hpcaitech/ColossalAI/issues/6428", "flagos-ai/FlagGems/issues/5142"],
            promised: promised(),
            delivered: Delivered::Rotation(|p, x| turn(x, halves, |k| point(2 * p, k))),
        },
        Fault {
            flag: "unrotated-rows",
            description: "Rows past the end of a cache of 1024 rows are left as they are.",
            effect: "Late queries and keys carry no position.",
            links: &["microsoft/onnxruntime/issues/28205"],
            promised: promised(),
            delivered: Delivered::Rotation(|p, x| turn(x, halves, |k| point(if p < 1024 { p } else { 0 }, k))),
        },
    ]
}
