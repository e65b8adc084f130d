//! Reading configurations: published ones, those that the real modules were measured with, and hostile ones.

mod axes;
mod by_layer;
mod codes;
mod hostile;
mod layers;
mod measured;
mod published;
mod read;
mod saved;
mod unrotated;
