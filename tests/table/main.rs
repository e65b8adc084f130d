//! Tables are correctly rounded: against MPFR, on every instruction set, in every arrangement.

mod entries;
mod reference;
