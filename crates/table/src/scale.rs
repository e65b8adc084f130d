//! Terms that the error bounds of all kernels have in common.

/// Terms of the error bounds of a table.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// X, rounded up.
    pub gain: f64,
    /// P, the least power of two ≥ X.
    pub power: f64,
    /// E·X, with an allowance for underflow in binary64.
    pub factors: f64,
    /// True if a lane's frequency is 0: its sine is 0 and its cosine X at every position.
    pub still: &'a [bool],
    /// True if X is a binary64 number.
    pub exact: bool,
}

/// 10.8u of binary64.
pub const DOUBLE: f64 = 10.8 / (1u64 << 53) as f64;
