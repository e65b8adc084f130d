//! The catalogue of faults and the corpora made from it: what is printed of the catalogue is what it says, and every
//! fault is noticed, named, located and mended but for a list of exceptions.

mod agreement;
mod array;
mod batch;
mod beside;
mod catalogue;
#[allow(dead_code, reason = "other tests, which rotate vectors, share it")]
mod corpus;
mod eight_bits;
mod everywhere;
mod formats;
mod heads;
mod honest;
mod independent;
#[path = "../reading/integers.rs"]
mod integers;
mod kept;
mod local;
mod lone;
mod mapped;
mod mends;
mod mistaken;
mod narrow;
mod not_finite;
mod omitted;
mod origins;
mod overflow;
mod packed;
mod page;
mod passes;
mod region;
mod restated;
mod rounded;
mod rows;
mod ruled;
mod score;
mod sensitivity;
mod sentences;
mod sequences;
mod several;
mod specimen;
mod together;
mod told;
mod unlisted;
