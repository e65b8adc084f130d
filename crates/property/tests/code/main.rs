//! Right and broken code, put to every claim of its roles.

mod attention;
mod encode;
mod matrix;
mod rotate;
mod run;

use posproof_numerics::format::Format;
use posproof_property::{Functions, Setup};

/// Somebody's code.
pub struct Code {
    /// Its name, which is its mistake where it has one.
    pub name: &'static str,
    /// Its setup.
    pub setup: Setup,
    /// Its functions.
    pub functions: Box<dyn Fn() -> Functions<'static>>,
    /// The claims that refuse it.
    pub refused_by: &'static [&'static str],
}

/// The number rounded to a format.
pub fn rounded(format: Format) -> impl Fn(f64) -> f64 + Copy + 'static {
    move |x| format.round(x)
}
