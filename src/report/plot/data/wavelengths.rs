//! Wavelengths of the pairs: after how many positions each repeats.

use super::Unavailable;
use crate::encoding::convention::Convention;
use posproof_numerics::Interval;

/// 2π/ω_k for each pair, in positions: the midpoint of an enclosure, rounded to binary64.
pub fn wavelengths(convention: &Convention) -> Result<Vec<f64>, Unavailable> {
    let frequencies = convention.frequencies(128);
    let frequencies = frequencies.ok_or_else(|| Unavailable::Enclosure("a frequency".to_owned()))?;
    let turn = Interval::pi(192) * Interval::from(2).at(192);
    Ok(frequencies.into_iter().map(|omega| (turn.clone() / omega).approximate()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_run_from_2_pi_to_what_the_ledger_certifies() {
        let lengths = wavelengths(&Convention::sinusoid(512)).unwrap();
        assert_eq!(lengths.len(), 256);
        assert_eq!(lengths[0], std::f64::consts::TAU);
        // sinusoid.wavelengths: 60611.477… for d = 512.
        assert!((lengths[255] - 60611.477).abs() < 1e-3, "{}", lengths[255]);
    }
}
