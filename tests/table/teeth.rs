//! Errors that the comparisons of this suite would notice: the kernel's own roundings without its test do produce wrong
//! entries, and the comparison finds them.

use crate::entries::Random;
use crate::reference::{Reference, round};
use half::f16;
use posproof::encoding::convention::Convention;
use posproof::table::{Positions, Table};

const ROWS: u64 = 16384;
const DIM: usize = 32;

/// Correctly rounded to binary32, and that to binary16: wrong where the first rounding ends on a tie of the second.
#[test]
fn without_the_test_for_ties_entries_are_wrong() {
    let reference = Reference::new("10000", DIM as u32, 120);
    let table = Table::<f16>::new(&Convention::sinusoid(DIM), &Positions::range(0..ROWS).unwrap()).unwrap();
    let mut entries = vec![f16::ZERO; ROWS as usize * DIM];
    let statistics = table.par_fill(0..ROWS as usize, &mut entries).unwrap();
    assert!(statistics.refined > 0, "the test rejects nothing");
    let (mut wrong, mut wrong_here) = (0, 0);
    for t in 1..ROWS {
        for pair in 0..DIM / 2 {
            let sin = reference.sin_cos(t, pair).0;
            let certified = entries[t as usize * DIM + 2 * pair];
            let exact = round(&sin, 11, -14);
            wrong += usize::from(f64::from(f16::from_f32(sin.to_f32())) != exact);
            wrong_here += usize::from(f64::from(certified) != exact);
        }
    }
    assert!(wrong > 0, "rounding twice was right everywhere: the comparison has no teeth");
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
