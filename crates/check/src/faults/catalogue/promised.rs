//! Conventions that faulty programs promise.

use super::alternatives::{fraction, with};
use posproof_encoding::convention::{Convention, Layout};
use posproof_encoding::scaling::Scaling;

/// Convention that most negative vectors promise: pairs (k, k + 32), base 10000.
pub fn rope() -> Convention {
    Convention { layout: Layout::Halves, ..Convention::rope(64) }
}

/// Convention that negative vectors of rotations promise: so small that every entry is shown.
pub fn rotation() -> Convention {
    Convention { layout: Layout::Halves, ..Convention::rope(8) }
}

/// The paper's table.
pub fn sinusoid() -> Convention {
    Convention::sinusoid(64)
}

/// The paper's table at four times the positions.
pub fn fourfold() -> Convention {
    Convention { position_scale: 4.into(), ..sinusoid() }
}

/// Base 10^10, which 32 bits do not hold.
pub fn ten_to_the_ten() -> Convention {
    Convention { base: 10_000_000_000.into(), ..rope() }
}

/// The rotation of Llama 3, without its rule.
pub fn unscaled() -> Convention {
    Convention { base: 500_000.into(), ..Convention::rope(128) }
}

pub fn linear() -> Convention {
    with(&unscaled(), Scaling::Linear { factor: 8.into() })
}

pub fn ntk() -> Convention {
    with(&unscaled(), Scaling::Ntk { factor: 4.into() })
}

/// Dynamic scaling for a sequence of this length.
fn of_length(convention: &Convention, length: u64) -> Convention {
    let (original_max_position_embeddings, sequence_length) = (4096, Some(length));
    with(convention, Scaling::Dynamic { factor: 2.into(), original_max_position_embeddings, sequence_length })
}

pub fn dynamic() -> Convention {
    of_length(&unscaled(), 40_001)
}

pub fn dynamic_vectors() -> Convention {
    of_length(&rope(), 131_072)
}

pub fn llama3() -> Convention {
    let rule = Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: 1.into(),
        high_freq_factor: 4.into(),
        original_max_position_embeddings: 8192,
    };
    with(&unscaled(), rule)
}

/// YaRN with the defaults of model configurations.
pub fn yarn(start: &Convention, factor: i64) -> Convention {
    yarn_between(start, factor, (32, 1))
}

/// YaRN with its ramp between these turns.
pub fn yarn_between(start: &Convention, factor: i64, (fast, slow): (i64, i64)) -> Convention {
    let rule = Scaling::Yarn {
        factor: factor.into(),
        original_max_position_embeddings: 4096,
        beta_fast: fast.into(),
        beta_slow: slow.into(),
        truncate: true,
        attention_factor: None,
        mscale: None,
        mscale_all_dim: None,
    };
    with(start, rule)
}

pub fn yarn_16() -> Convention {
    yarn(&unscaled(), 16)
}

/// LongRoPE with the long factors 1, 2, 3, … for a sequence of 8192.
pub fn long() -> Convention {
    let rule = Scaling::Longrope {
        short_factor: (0..64).map(|k| (1 + k / 32).into()).collect(),
        long_factor: (0..64).map(|k| (1 + k).into()).collect(),
        original_max_position_embeddings: 4096,
        factor: None,
        attention_factor: None,
        sequence_length: Some(8192),
    };
    with(&unscaled(), rule)
}

fn halves(convention: Convention) -> Convention {
    Convention { layout: Layout::Halves, ..convention }
}

pub fn linear_vectors() -> Convention {
    with(&rope(), Scaling::Linear { factor: 4.into() })
}

pub fn ntk_vectors() -> Convention {
    with(&rope(), Scaling::Ntk { factor: 4.into() })
}

pub fn yarn_vectors() -> Convention {
    yarn(&rope(), 40)
}

pub fn llama3_vectors() -> Convention {
    halves(llama3())
}

/// LongRoPE with factors of the kind that a model has, for a sequence of 131072.
pub fn long_vectors() -> Convention {
    let real = |(numerator, denominator)| fraction(numerator, denominator);
    let short = [(1, 1), (105, 100), (11, 10), (5, 4), (3, 2), (7, 4), (2, 1), (9, 4)];
    let long = [
        (10_800_000_429_153_442, 10_000_000_000_000_000),
        (3, 2),
        (11, 4),
        (17, 2),
        (85, 4),
        (73, 2),
        (195, 4),
        (64, 1),
    ];
    let rule = Scaling::Longrope {
        short_factor: short.map(real).to_vec(),
        long_factor: long.map(real).to_vec(),
        original_max_position_embeddings: 4096,
        factor: Some(32.into()),
        attention_factor: None,
        sequence_length: Some(131_072),
    };
    with(&halves(Convention::rope(16)), rule)
}

/// Rotation of half of 64 dimensions.
pub fn half_rotated() -> Convention {
    Convention { rotary_dim: Some(32), ..Convention::rope(64) }
}

/// The same in halves.
pub fn half_rotated_halves() -> Convention {
    halves(half_rotated())
}

/// A rotation of which a quarter of the pairs stays at rest.
pub fn proportional() -> Convention {
    let scaling = Scaling::Proportional { partial_rotary_factor: fraction(3, 4), factor: 1.into() };
    Convention { scaling: Some(scaling), ..rope() }
}
