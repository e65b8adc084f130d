//! Hill climbing on rows of attention, for the tests of outputs.

use posproof_bound::AttentionRow;

/// The largest share of a bound that a row and its changes reach, so many changes of the best so far, and how many of them were rows of the
/// kernel; a change is none where it is no such row.
pub fn climb(
    mut best: AttentionRow,
    changes: u32,
    mut change: impl FnMut(&AttentionRow) -> Option<AttentionRow>,
    share: impl Fn(&AttentionRow) -> f64,
) -> (f64, u64) {
    let (mut found, mut done) = (share(&best), 0);
    for _ in 0..changes {
        let Some(other) = change(&best) else { continue };
        done += 1;
        let share = share(&other);
        if share > found {
            (best, found) = (other, share);
        }
    }
    (found, done)
}
