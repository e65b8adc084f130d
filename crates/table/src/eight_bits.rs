//! Entries of 8 bits, and their kernel: one binary64 product of three factors for an entry, and both ends of its bound.
//!
//! The bound is [`Plan::high_error`]'s. An entry is accepted where both ends round to one number of the format.

use super::Element;
use super::columns::Arrangement;
use super::double::Pairs;
use super::isa::Isa;
use super::kernel::{Kernel, Reject, Tile};
use super::plan::{Level, Plan};
use super::simd::Available;
use bytemuck::{Pod, Zeroable};
use posproof_encoding::convention::Component;
use posproof_numerics::narrow::Narrow;

/// The factors of an entry whose product is its value, as the plan has them.
#[derive(Clone, Copy)]
pub struct Factors<'a> {
    pub anchor: &'a [Pairs],
    pub coarse: &'a [Pairs],
    pub fine: &'a [Pairs],
}

impl<'a> Factors<'a> {
    /// Of a row, by its number among those under the anchor, or from the table's origin.
    pub fn new<K: Kernel>(plan: &'a Plan<K>, anchor: &'a [Pairs], n: u64) -> Self {
        Self { anchor, coarse: plan.coarse.row(n, plan.groups), fine: plan.fine.row(n, plan.groups) }
    }

    /// The value of an entry from the high parts of its factors, and a bound on its error.
    #[inline(always)]
    pub fn value<K: Kernel>(&self, plan: &Plan<K>, pair: usize, component: Component) -> (f64, f64) {
        let (eight, lane) = (pair / 8, pair % 8);
        let part = |row: &[Pairs]| (row[eight].c[lane], row[eight].s[lane]);
        let ((c1, s1), (c2, s2), (c3, s3)) = (part(self.anchor), part(self.fine), part(self.coarse));
        let (c, s) = (c1 * c3 - s1 * s3, s1 * c3 + c1 * s3);
        let sine = component == Component::Sin;
        let value = if sine { s * c2 + c * s2 } else { c * c2 - s * s2 };
        (value, plan.high_error(s1, s2.abs() + s3.abs(), sine))
    }
}

/// Fills the rows of a tile.
#[inline(always)]
fn fill<K: Element>(mut tile: Tile<'_, K>) {
    let (plan, arrangement) = (tile.plan, tile.columns.arrangement);
    for row in 0..tile.count {
        let factors = Factors::new(plan, tile.anchor, (tile.first + row) as u64);
        for section in 0..arrangement.sections() {
            let width = arrangement.width(plan.pairs);
            let entries = match arrangement {
                Arrangement::Interleaved { .. } => tile.target.rows(row..row + 1, width),
                _ => tile.target.segment(arrangement, section, row, width),
            };
            for (column, entry) in entries.iter_mut().enumerate() {
                let (pair, component) = arrangement.cell(section, column);
                let (value, error) = factors.value(plan, pair, component);
                match K::round_within(value, error) {
                    Some(rounded) if !plan.still[pair] => *entry = rounded,
                    _ => tile.rejects.push(Reject { row: row as u32, pair: pair as u32, component }),
                }
            }
        }
    }
}

macro_rules! eight_bits {
    ($(#[$says:meta] $format:ident, $narrow:expr;)*) => {$(
        #[$says]
        #[derive(Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $format(u8);

        impl $format {
            /// The number itself; the nearest one of another number, the largest beyond it.
            pub fn from_f64(value: f64) -> Self {
                let nearest = posproof_numerics::Element::Narrow($narrow).round(value);
                Self($narrow.encode(nearest).unwrap_or_default())
            }

            /// The code.
            pub fn to_bits(self) -> u8 {
                self.0
            }

            /// The number of a code.
            pub fn from_bits(code: u8) -> Self {
                Self(code)
            }

            pub(super) fn to_le_bytes(self) -> [u8; 1] {
                [self.0]
            }

            pub(super) fn from_le_bytes([code]: [u8; 1]) -> Self {
                Self(code)
            }
        }

        impl From<$format> for f64 {
            fn from(entry: $format) -> f64 {
                $narrow.decode(entry.0)
            }
        }

        impl std::fmt::Debug for $format {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", f64::from(*self))
            }
        }

        impl Kernel for $format {
            type Rows = ();
            type Workspace = ();
            const SKIPS_STILL: bool = false;

            fn digits(pairs: usize) -> (u32, u32) {
                <f32 as Kernel>::digits(pairs)
            }

            fn rows(_: Available, _: &Level, _: &Level, _: usize) {}

            fn fill<I: Isa>(_: I, tile: Tile<'_, Self>) {
                fill(tile);
            }

            fn fill_by(_: Available, tile: Tile<'_, Self>) {
                fill(tile);
            }
        }
    )*};
}

eight_bits! {
    /// A number of OCP E4M3 (E4M3FN): [`Narrow::E4m3`].
    E4m3, Narrow::E4m3;
    /// A number of OCP E5M2: [`Narrow::E5m2`].
    E5m2, Narrow::E5m2;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Positions, Table};
    use posproof_encoding::amplitude::Amplitude;
    use posproof_encoding::convention::{Convention, Layout, Order};

    /// Every entry of a table against its own enclosure, in every arrangement.
    fn agrees<K: Element>(convention: &Convention) {
        let positions = Positions::list([0, 1, 2, 3, 63, 64, 1000, 4097, 131_071, 1_000_003]).expect("positions");
        let table = Table::<K>::new(convention, &positions).expect("a table");
        let (width, pairs) = (table.width(), table.pairs());
        let mut joined = vec![K::default(); positions.len() * width];
        let (mut sin, mut cos) =
            (vec![K::default(); positions.len() * pairs], vec![K::default(); positions.len() * pairs]);
        table.fill(0..positions.len(), &mut joined).expect("entries");
        table.par_fill_each(0..positions.len(), &mut cos, &mut sin).expect("entries");
        for (row, position) in positions.iter().enumerate() {
            for pair in 0..pairs {
                for (component, apart) in [(Component::Sin, &sin), (Component::Cos, &cos)] {
                    let expected = table.entry(position, pair, component).expect("an entry").to_f64();
                    let found = joined[row * width + convention.column(pair, component)].to_f64();
                    assert_eq!(found.to_bits(), expected.to_bits(), "{convention:?} {position} {pair}");
                    assert_eq!(apart[row * pairs + pair].to_f64().to_bits(), expected.to_bits());
                }
            }
        }
    }

    #[test]
    fn entries_are_correct_roundings_in_every_arrangement() {
        for dim in [2, 10, 64, 128] {
            for layout in [Layout::Interleaved, Layout::Halves] {
                for order in [Order::SinCos, Order::CosSin] {
                    for amplitude in ["1", "-0.75", "17/10", "1/300", "448"] {
                        let amplitude = Amplitude::Rational(amplitude.parse().expect("a number"));
                        let convention = Convention { layout, order, amplitude, ..Convention::sinusoid(dim) };
                        agrees::<E4m3>(&convention);
                        agrees::<E5m2>(&convention);
                    }
                }
            }
        }
        agrees::<E4m3>(&Convention { base: 500_000.into(), ..Convention::rope(128) });
    }

    /// No entry is replaced by the largest number in silence.
    #[test]
    fn an_amplitude_beyond_the_largest_number_is_refused() {
        let positions = Positions::range(0..4).expect("positions");
        let of =
            |amplitude: i64| Convention { amplitude: Amplitude::Rational(amplitude.into()), ..Convention::sinusoid(8) };
        assert!(Table::<E4m3>::new(&of(449), &positions).is_err_and(|error| error.to_string().contains("448")));
        assert!(Table::<E5m2>::new(&of(449), &positions).is_ok());
        assert!(Table::<E5m2>::new(&of(57_345), &positions).is_err());
    }
}
