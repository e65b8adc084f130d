//! What the comparisons of this suite would notice: the kernel's own arithmetic without its rounding
//! test does produce wrong entries, and the comparison finds them.

use crate::entries::Random;
use crate::reference::{Reference, round};
use half::bf16;
use posproof::encoding::convention::Convention;
use posproof::table::{Positions, Table};

const ROWS: u64 = 16384;
const DIM: usize = 32;

/// One complex product in binary32 of correctly rounded factors, rounded to bfloat16.
fn unproven(reference: &Reference, pair: usize) -> Vec<bf16> {
    let factors = |step: u64, count: u64| -> Vec<(f32, f32)> {
        (0..count).map(|n| reference.sin_cos(n * step, pair)).map(|(sin, cos)| (sin.to_f32(), cos.to_f32())).collect()
    };
    let (anchors, low) = (factors(128, ROWS / 128), factors(1, 128));
    anchors.iter().flat_map(|(s1, c1)| low.iter().map(move |(s2, c2)| bf16::from_f32(s1 * c2 + c1 * s2))).collect()
}

#[test]
fn without_the_rounding_test_entries_are_wrong() {
    let reference = Reference::new("10000", DIM as u32, 120);
    let table = Table::<bf16>::new(&Convention::sinusoid(DIM), &Positions::range(0..ROWS).unwrap()).unwrap();
    let mut entries = vec![bf16::ZERO; ROWS as usize * DIM];
    let statistics = table.par_fill(0..ROWS as usize, &mut entries).unwrap();
    assert!(statistics.refined > 100, "the test rejects nothing");
    let (mut wrong, mut wrong_here) = (0, 0);
    for pair in 0..DIM / 2 {
        for (t, unproven) in unproven(&reference, pair).into_iter().enumerate().filter(|(t, _)| *t > 0) {
            let certified = entries[t * DIM + 2 * pair];
            if unproven == certified {
                continue;
            }
            let exact = round(&reference.sin_cos(t as u64, pair).0, 8, -126);
            wrong += usize::from(f64::from(unproven) != exact);
            wrong_here += usize::from(f64::from(certified) != exact);
        }
    }
    assert!(wrong > 0, "binary32 arithmetic was right everywhere: the comparison has no teeth");
    assert_eq!(wrong_here, 0, "certified entries are wrong");
}

/// A single wrong bit in a table is found by the comparison with the reference.
#[test]
fn one_wrong_bit_is_found() {
    let reference = Reference::new("10000", 8, 120);
    let table = Table::<f32>::new(&Convention::sinusoid(8), &Positions::range(0..100).unwrap()).unwrap();
    let mut entries = vec![0.0f32; 800];
    table.fill(0..100, &mut entries).unwrap();
    let mut random = Random(7);
    let at = 8 + random.below(792) as usize;
    entries[at] = f32::from_bits(entries[at].to_bits() ^ 1);
    let differs = |i: &usize| {
        let (sin, cos) = reference.sin_cos((i / 8) as u64, i % 8 / 2);
        f64::from(entries[*i]) != round(if i.is_multiple_of(2) { &sin } else { &cos }, 24, -126)
    };
    assert_eq!((0..800).filter(differs).collect::<Vec<_>>(), [at]);
}
