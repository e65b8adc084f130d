//! Tables are correctly rounded: against MPFR, on every instruction set, in every arrangement; and the
//! command line writes them as it should.

mod command;
mod conventions;
mod entries;
mod exhaustive;
mod reference;
mod teeth;
