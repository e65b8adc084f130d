//! Inputs that tell hypotheses apart: positions and vectors for another implementation.

use posproof_numerics::format::Format;
use posproof_table::{InvalidPositions, Positions};

/// The position that probes reach unless told otherwise.
pub const LAST: u64 = 131_071;

/// Positions from 0 to `last`: the first 320, those around every power of two (where caches end and
/// where bf16, f16 and binary32 stop counting), those around three quarters of one, and 64 evenly spread.
///
/// ```
/// let positions = posproof_check::probe::positions(131_071)?;
/// assert!((400..500).contains(&positions.len()));
/// assert_eq!(positions.max(), 131_071);
/// # Ok::<(), posproof_table::InvalidPositions>(())
/// ```
pub fn positions(last: u64) -> Result<Positions, InvalidPositions> {
    let mut all: Vec<u64> = (0..320).collect();
    for power in (8..53).map(|i| 1u64 << i) {
        all.extend([power - 2, power - 1, power, power + 1, power + 2, power + 3]);
        all.extend([power + power / 2 - 1, power + power / 2, power + power / 2 + 1]);
    }
    all.extend((0..64u128).map(|i| (u128::from(last) * i / 64) as u64));
    all.extend(last.saturating_sub(3)..last);
    all.retain(|&position| position < last);
    all.push(last);
    all.sort_unstable();
    all.dedup();
    Positions::list(all)
}

/// Entries of vectors to be rotated, numbers of the format: of magnitude 1/2 to 3/2, so that every
/// pair has a length, in no pattern that a layout could share. The same for every call.
pub fn vectors(format: Format, count: usize) -> impl Iterator<Item = f64> {
    // Splitmix64 (Steele, Lea, Flood 2014).
    let mut state = 0u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        let magnitude = 0.5 + (mixed >> 11) as f64 / (1u64 << 53) as f64;
        format.round(if mixed & 1 == 0 { magnitude } else { -magnitude })
    })
    .take(count)
}
