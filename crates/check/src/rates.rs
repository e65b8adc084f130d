//! The frequencies of a convention in binary64.

use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::{Convention, Direction, Layout, Order};
use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

/// Frequencies that are remembered, 16 MiB: identification asks for those of some thousand conventions again and again, in all threads.
const REMEMBERED: usize = 1 << 21;

/// As how many frequencies a convention is counted: about its memory, where its rule has no factor for each pair.
const CONVENTION: usize = 64;

#[derive(Default)]
struct KnownRates {
    omega: HashMap<Convention, Option<Vec<f64>>>,
    /// Number of frequencies, with what their conventions take.
    number: usize,
}

static KNOWN: LazyLock<RwLock<KnownRates>> = LazyLock::new(RwLock::default);

/// Each rounded to nearest; zero for pairs at rest. `None` for a convention that defines none.
pub fn omega(convention: &Convention) -> Option<Vec<f64>> {
    convention.validate().ok()?;
    // Arrangement, positions and amplitude do not change frequencies.
    let key = Convention {
        layout: Layout::default(),
        order: Order::default(),
        direction: Direction::default(),
        amplitude: Amplitude::default(),
        position_offset: 0.into(),
        position_scale: 1.into(),
        ..convention.clone()
    };
    if let Some(omega) = KNOWN.read().ok().and_then(|known| known.omega.get(&key).cloned()) {
        return omega;
    }
    let omega = key.frequencies(64).map(|all| all.iter().map(|omega| omega.approximate()).collect::<Vec<f64>>());
    if let Ok(mut known) = KNOWN.write() {
        if known.number >= REMEMBERED {
            *known = KnownRates::default();
        }
        known.number += key.pairs() + CONVENTION;
        known.omega.insert(key, omega.clone());
    }
    omega
}

/// (2k/dim)^(1/base): base and exponent exchanged.
pub fn exchanged_power(convention: &Convention) -> Vec<f64> {
    let (base, dim) = (convention.base.value().to_f64(), convention.frequency_dim() as f64);
    let power = |k: usize| if k == 0 { 0.0 } else { core_math::exp(core_math::log(2.0 * k as f64 / dim) / base) };
    (0..convention.pairs()).map(|k| power(convention.pair_of_all(k))).collect()
}

/// The frequencies of all D/2 pairs, of which a section has some.
pub fn of_all_pairs(section: &Convention) -> Option<Vec<f64>> {
    let dim = section.frequency_dim();
    let all = Convention { dim, frequency_dim: None, frequency_origin: 0, frequency_step: 1, ..section.clone() };
    omega(&Convention { rotary_dim: None, ..all })
}

/// Bases in use.
pub const BASES: [i64; 16] = [
    10_000,
    500_000,
    1_000_000,
    1_000,
    100,
    100_000,
    5_000,
    25_000,
    50_000,
    150_000,
    160_000,
    200_000,
    5_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
];

/// Factors of scaling rules in use.
pub const FACTORS: [i64; 8] = [2, 4, 8, 16, 32, 40, 64, 128];

/// Lengths in use that models were trained with.
pub const LENGTHS: [u64; 8] = [2048, 4096, 8192, 16384, 32768, 65536, 131072, 1024];
