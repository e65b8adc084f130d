//! Numbers that a kernel computes with: it can also be run in binary32, or on symbols that record what is done to them.

use crate::format::Format;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Numbers of binary64 or binary32, or symbols that stand for them (`trace`, with the feature of that name).
///
/// A kernel over this trait has no way to branch on a number: what it does to its symbols is what it does to any numbers.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// A number that the program holds.
    fn constant(value: f64) -> Self;
    /// [`Format::round`].
    fn rounded(self, format: Format) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The smaller of two numbers; the first of equal ones, and the other where one is none.
    fn min(self, other: Self) -> Self;
    /// The larger of two numbers; the first of equal ones, and the other where one is none.
    fn max(self, other: Self) -> Self;
}

impl Scalar for f64 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn rounded(self, format: Format) -> Self {
        format.round(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if other < self || self.is_nan() { other } else { self }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self < other || self.is_nan() { other } else { self }
    }
}

/// The processor's own operations of binary32: what a program in that format runs.
impl Scalar for f32 {
    fn constant(value: f64) -> Self {
        value as f32
    }
    fn rounded(self, format: Format) -> Self {
        format.round(f64::from(self)) as f32
    }
    fn abs(self) -> Self {
        self.abs()
    }
    fn min(self, other: Self) -> Self {
        if other < self || self.is_nan() { other } else { self }
    }
    fn max(self, other: Self) -> Self {
        if self < other || self.is_nan() { other } else { self }
    }
}
