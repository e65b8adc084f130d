//! Reading configurations: published ones, those that the real modules were measured with, and hostile ones.

mod axes;
mod hostile;
mod layers;
mod measured;
mod published;
mod read;
mod unrotated;
