//! The number systems, and the one trait that they share.
//!
//! A claim is written once, over an arbitrary [`System`]. The system is the context: it makes the
//! leaves (cosine and sine of a [`Phase`], named real variables, rational constants). What it
//! computes with is its [`Number`]; the arithmetic is ordinary operators, so that nalgebra
//! matrices and num-complex numbers work over every system.
//!
//! | system | number | what a comparison of two numbers establishes |
//! | --- | --- | --- |
//! | [`exact`] | [`Exact`](exact::Exact) | equality for all reals and all positions |
//! | [`interval`] | [`Interval`](interval::Interval) | separation; an overlap is consistent with equality, not a proof of it |
//! | [`mp`] | [`Mp`](mp::Mp) | the error law across precisions |
//! | [`float`] | [`Float`](float::Float) | what software computes in binary64, binary32, binary16, bfloat16 |
//! | [`linear`] | [`Linear`](linear::Linear) | a bound on the difference that holds for all positions and reals of a domain |
//! | [`running`] | [`Running<A>`](running::Running) | the same values with a rigorous bound on their error |

#[macro_use]
mod operators;
pub mod exact;
pub mod float;
pub mod inputs;
pub mod interval;
pub mod linear;
pub mod matrix;
pub mod mp;
pub mod mpfr;
pub mod multiples;
pub mod phase;
pub mod running;
pub mod system;

pub use phase::{Frequency, Phase, Position};
pub use posproof_numerics::{cache, format};
pub use system::{Relation, System};

use nalgebra::{DMatrix, Scalar};
use num_traits::Num;
use std::ops::{AddAssign, DivAssign, MulAssign, Neg, SubAssign};

/// Numbers of a number system: a field with `exp` and square root.
///
/// The supertraits are what nalgebra and num-complex ask for. `Rem` comes with [`Num`]; every
/// division here is exact division, whose remainder is zero, and every system returns that.
///
/// A number may be *undefined* (a quotient by zero, the square root of a negative number): it then
/// stays undefined through every operation and each comparison with it is *unable*, never *held*.
pub trait Number:
    Scalar + Num + Neg<Output = Self> + AddAssign + SubAssign + MulAssign + DivAssign + Send + Sync
{
    /// e^x. In the exact system the result is a formal atom, with e^a·e^b = e^(a+b).
    fn exp(&self) -> Self;

    /// The non-negative square root; undefined for negative numbers, and in the exact system for
    /// everything that is not the square of a rational.
    fn sqrt(&self) -> Self;

    /// Adds a·b, the product rounded and then the sum.
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a.clone() * b.clone();
    }

    /// The entries of [`matrix::product`], where the system has a faster way to them.
    fn matrix_product(_: &DMatrix<Self>, _: &DMatrix<Self>) -> Option<DMatrix<Self>> {
        None
    }
}
