//! Arrays as users have them, and what is said of them: formats, duplication, axes, frequencies, rounding, information, paths.

mod axes;
mod cache;
mod digits;
mod duplication;
mod frequencies;
mod grades;
mod information;
mod integers;
mod levels;
mod libraries;
mod paths;
mod quantised;
