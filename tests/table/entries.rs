//! Entries against the reference.

use crate::reference::{Reference, round};
use half::{bf16, f16};
use posproof::encoding::convention::{Component, Convention, Layout, Order};
use posproof::table::{Element, Instructions, Positions, Statistics, Table};
use std::ops::Range;

/// A linear congruential generator: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((u128::from(self.0) * u128::from(bound)) >> 64) as u64
    }
}

fn correct<T: Element>(reference: &Reference, position: u64, pair: usize) -> (f64, f64) {
    let (sin, cos) = reference.sin_cos(position, pair);
    let (precision, exponent) = (T::FORMAT.precision() as i32, T::FORMAT.min_exponent());
    (round(&sin, precision, exponent), round(&cos, precision, exponent))
}

/// Fills the table with each instruction set, compares the bytes, and `samples` entries with the reference.
pub fn check<T: Element>(base: &str, dim: usize, positions: &str, samples: usize) -> Statistics {
    let convention = Convention { base: base.parse().unwrap(), ..Convention::sinusoid(dim) };
    let positions: Positions = positions.parse().unwrap();
    let mut tables = Instructions::ALL.into_iter().filter(|level| level.is_available()).map(|level| {
        let table = Table::<T>::with_instructions(&convention, &positions, level).unwrap();
        let mut entries = vec![T::default(); positions.len() * dim];
        let statistics = table.fill(0..positions.len(), &mut entries).unwrap();
        (level, entries, statistics)
    });
    let (_, entries, mut statistics) = tables.next().unwrap();
    for (level, others, other_statistics) in tables {
        let differing = entries.iter().zip(&others).position(|(a, b)| a != b);
        assert_eq!(differing, None, "{level:?} differs from portable");
        statistics = other_statistics;
    }
    let reference = Reference::new(base, dim as u32, 200);
    let mut random = Random(samples as u64 + dim as u64);
    for _ in 0..samples {
        let (row, pair) = (random.below(positions.len() as u64) as usize, random.below(dim as u64 / 2) as usize);
        let position = positions.get(row).unwrap();
        let (sin, cos) = correct::<T>(&reference, position, pair);
        let found = (entries[row * dim + 2 * pair].to_f64(), entries[row * dim + 2 * pair + 1].to_f64());
        assert_eq!(found, (sin, cos), "position {position}, pair {pair}, base {base}, dim {dim}, {}", T::FORMAT);
    }
    statistics
}

#[test]
fn common_tables_are_correct_in_every_format() {
    for base in ["10000", "500000", "1000000", "123.456", "1.0001"] {
        check::<f32>(base, 64, "0..3000", 1500);
        check::<f64>(base, 64, "0..3000", 1500);
        check::<bf16>(base, 64, "0..3000", 1500);
        check::<f16>(base, 64, "0..3000", 1500);
    }
}

#[test]
fn every_row_of_a_small_table_is_correct() {
    for dim in [2, 4, 6, 14, 16, 18, 34] {
        check::<f32>("10000", dim, "0..300", 4000);
        check::<f64>("10000", dim, "0..300", 4000);
        check::<bf16>("10000", dim, "0..300", 4000);
        check::<f16>("10000", dim, "0..300", 4000);
    }
}

#[test]
fn large_positions_are_correct() {
    for positions in [
        "16777000..16777400",
        "2147483000..2147484000",
        "9007199254740000..9007199254740992",
        "0..3,255..259,16777215..16777218,2147483647,4294967296,9007199254740991",
    ] {
        check::<f32>("10000", 32, positions, 1000);
        check::<f64>("500000.5", 32, positions, 1000);
        check::<bf16>("10000", 32, positions, 1000);
        check::<f16>("1000000", 32, positions, 1000);
    }
}

#[test]
fn tiny_sines_are_correct() {
    // Frequencies down to 1e-300 and beyond: subnormal entries, and entries that vanish.
    for base in ["1e30", "1e45", "1e300", "1e320", "1e400"] {
        check::<f32>(base, 32, "0..70", 300);
        check::<bf16>(base, 32, "0..70", 300);
        check::<f16>(base, 32, "0..70", 300);
        check::<f64>(base, 32, "0..70", 300);
    }
}

fn arrangements<T: Element>(dim: usize) {
    let (positions, half) = (Positions::range(5..1005).unwrap(), dim / 2);
    let plain = Convention::sinusoid(dim);
    let table = Table::<T>::new(&plain, &positions).unwrap();
    let mut reference = vec![T::default(); 1000 * dim];
    table.fill(0..1000, &mut reference).unwrap();
    let (mut cos, mut sin) = (vec![T::default(); 1000 * half], vec![T::default(); 1000 * half]);
    table.fill_apart(0..1000, &mut cos, &mut sin).unwrap();
    for layout in [Layout::Interleaved, Layout::Halves] {
        for order in [Order::SinCos, Order::CosSin] {
            let convention = Convention { layout, order, ..plain.clone() };
            let table = Table::<T>::new(&convention, &positions).unwrap();
            let mut parallel = vec![T::default(); 1000 * dim];
            table.par_fill(0..1000, &mut parallel).unwrap();
            let mut blocks = table.blocks(77);
            while let Some(block) = blocks.next().unwrap() {
                assert_eq!(block.entries, &parallel[block.row * dim..][..block.entries.len()]);
            }
            for row in 0..1000 {
                for pair in 0..half {
                    let at = |component| parallel[row * dim + convention.column(pair, component)];
                    assert_eq!(at(Component::Sin), reference[row * dim + 2 * pair]);
                    assert_eq!(at(Component::Cos), reference[row * dim + 2 * pair + 1]);
                    assert_eq!(at(Component::Sin), sin[row * half + pair]);
                    assert_eq!(at(Component::Cos), cos[row * half + pair]);
                }
            }
        }
    }
    assert_eq!(table.entry(5 + 999, half - 1, Component::Cos).unwrap(), reference[1000 * dim - 1]);
}

#[test]
fn arrangements_hold_the_same_entries() {
    // Whole groups of the kernel, and a part of one.
    for dim in [64, 24, 44] {
        arrangements::<f32>(dim);
        arrangements::<f64>(dim);
        arrangements::<bf16>(dim);
        arrangements::<f16>(dim);
    }
}

/// Storing past the caches changes no byte, with any instructions, in any arrangement: rows of one panel of the stage and of several,
/// an aligned buffer and another.
fn streamed<T: Element>(dim: usize) {
    let (rows, half) = (130, dim / 2);
    let positions = Positions::range(7..7 + rows as u64).unwrap();
    let mut buffer = vec![T::default(); rows * dim + 2 * 64];
    let aligned = buffer.as_ptr().align_offset(64);
    for level in Instructions::ALL {
        for (layout, order) in
            [(Layout::Interleaved, Order::CosSin), (Layout::Halves, Order::SinCos), (Layout::Halves, Order::CosSin)]
        {
            let convention = Convention { layout, order, ..Convention::sinusoid(dim) };
            let table = |stream| Table::<T>::with_instructions(&convention, &positions, level).unwrap().stream(stream);
            let mut plain = vec![T::default(); rows * dim];
            table(false).fill(0..rows, &mut plain).unwrap();
            for start in [aligned, aligned + 1] {
                let to = &mut buffer[start..][..rows * dim];
                to.fill(T::default());
                table(true).fill(0..rows, to).unwrap();
                assert!(to == plain, "{level:?}, {layout:?}, {order:?}, dim {dim}, from entry {start}");
                to.fill(T::default());
                let (cos, sin) = to.split_at_mut(rows * half);
                table(true).fill_apart(0..rows, cos, sin).unwrap();
                for (at, (cos, sin)) in cos.iter().zip(sin).enumerate() {
                    let column = |component| at / half * dim + convention.column(at % half, component);
                    assert!(*cos == plain[column(Component::Cos)] && *sin == plain[column(Component::Sin)]);
                }
            }
        }
    }
}

#[test]
fn storing_past_the_caches_changes_nothing() {
    for dim in [64, 128, 192, 1088] {
        streamed::<f32>(dim);
        streamed::<f64>(dim);
        streamed::<bf16>(dim);
        streamed::<f16>(dim);
    }
}

/// Any rows of a table, however they lie in the strips of the kernel.
fn parts<T: Element>() {
    let dim = 36;
    let fill = |positions: Range<u64>| {
        let table = Table::<T>::new(&Convention::sinusoid(dim), &Positions::range(positions).unwrap()).unwrap();
        let mut entries = vec![T::default(); table.rows() * dim];
        table.fill(0..table.rows(), &mut entries).unwrap();
        (table, entries)
    };
    let (table, all) = fill(0..160);
    for start in 0..70 {
        for count in [1, 2, 3, 15, 16, 17, 31, 32, 33, 64, 90] {
            let expected = &all[start * dim..][..count * dim];
            let mut found = vec![T::default(); count * dim];
            table.fill(start..start + count, &mut found).unwrap();
            assert!(found == expected, "rows {start}, {count}");
            if start % 9 == 0 {
                assert!(fill(start as u64..(start + count) as u64).1 == expected, "positions {start}, {count}");
            }
        }
    }
}

#[test]
fn any_rows_are_those_of_the_whole_table() {
    parts::<f32>();
    parts::<f64>();
    parts::<bf16>();
    parts::<f16>();
}

/// Zeros that a table has where every entry is too small for its format: with the signs of the cosines and sines, as those of a table
/// a little larger have.
#[test]
fn what_underflows_keeps_its_sign() {
    fn entries<T: Element>(amplitude: &str) -> Vec<T> {
        let convention = Convention { amplitude: amplitude.parse().unwrap(), ..Convention::sinusoid(8) };
        let mut entries = vec![T::default(); 64 * 8];
        Table::<T>::new(&convention, &"0..64".parse().unwrap()).unwrap().fill(0..64, &mut entries).unwrap();
        entries
    }
    fn same_signs<T: Element>(amplitude: &str) {
        let (zeros, others) = (entries::<T>(amplitude), entries::<T>("1"));
        assert!(others.iter().any(|entry| entry.to_f64() < 0.0));
        for (zero, other) in zeros.into_iter().zip(others) {
            let (zero, other) = (zero.to_f64(), other.to_f64());
            assert!(
                zero == 0.0 && zero.is_sign_negative() == other.is_sign_negative(),
                "{zero:?} {other} {}",
                T::FORMAT
            );
        }
    }
    for amplitude in ["1e-60", "1e-300"] {
        same_signs::<f32>(amplitude);
        same_signs::<bf16>(amplitude);
        same_signs::<f16>(amplitude);
    }
    same_signs::<f64>("1e-330");
}
