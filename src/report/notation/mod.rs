//! The notation of statements, as MathML.
//!
//! Statements are written so that a terminal shows them: `PE(t)_{2i} = sin(t·ω_i)`, `base^(−2i/d)`, `e^(imθ)`,
//! `R(θ)ᵀ`, `[[cos α, sin α], [−sin α, cos α]]`. A page sets what is a formula in them as one and leaves the prose as it is.
//!
//! - `_` and `^` take one group in brackets, or the letters and digits that follow. Several groups below, as in
//!   `D_(s+k)(t+k)`, keep their brackets.
//! - A single letter is a variable, but for the article; two letters and more are prose, but for names of functions.
//! - What is not understood stays as it is written: nothing is lost, and nothing can fail.

mod formula;
mod lexeme;
mod mathml;

pub use mathml::html;
