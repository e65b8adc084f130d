//! Conventions that mistakes make of others, and the parameters that they are made of.

use posproof_encoding::amplitude::Amplitude;
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;

pub fn square(x: &Real) -> Real {
    Real::from(x.value().square())
}

pub fn reciprocal(x: &Real) -> Real {
    Real::from(x.value().clone().recip())
}

pub fn fraction(numerator: i64, denominator: i64) -> Real {
    Real::from(Rational::from((numerator, denominator)))
}

pub fn is_one(x: &Real) -> bool {
    *x.value() == 1
}

/// The same with another rule, or none.
pub fn with(convention: &Convention, scaling: impl Into<Option<Scaling>>) -> Convention {
    Convention { scaling: scaling.into(), ..convention.clone() }
}

/// The same without a rule.
pub fn plain(convention: &Convention) -> Convention {
    with(convention, None)
}

/// The name of the rule.
pub fn rule(convention: &Convention) -> &'static str {
    convention.scaling.as_ref().map_or("no", Scaling::name)
}

/// The convention without its rule, if that has this name.
pub fn missing(convention: &Convention, name: &str) -> Option<Convention> {
    (rule(convention) == name).then(|| plain(convention))
}

pub fn is_missing(convention: &Convention, _: &Convention) -> String {
    format!("the {} scaling of the frequencies is missing", rule(convention))
}

/// The factor of the rule, where it has one for all pairs.
pub fn factor(convention: &Convention) -> Option<Real> {
    match convention.scaling.as_ref()? {
        Scaling::Linear { factor }
        | Scaling::Ntk { factor }
        | Scaling::Dynamic { factor, .. }
        | Scaling::Yarn { factor, .. }
        | Scaling::Llama3 { factor, .. } => Some(factor.clone()),
        Scaling::Longrope { .. } | Scaling::Proportional { .. } => None,
    }
}

/// The factor of a linear rule.
pub fn linear_factor(convention: &Convention) -> Option<Real> {
    matches!(convention.scaling, Some(Scaling::Linear { .. })).then(|| factor(convention))?
}

/// The factor of another rule, where it stretches.
pub fn stretching_factor(convention: &Convention) -> Option<Real> {
    factor(convention).filter(|factor| linear_factor(convention).is_none() && *factor.value() > 1)
}

/// The factor, for a sentence.
pub fn factor_text(convention: &Convention) -> String {
    factor(convention).map_or_else(|| "1".to_owned(), |factor| factor.to_string())
}

/// Linear scaling by this factor.
pub fn linearly(convention: &Convention, factor: Real) -> Convention {
    with(convention, Scaling::Linear { factor })
}

/// Linear scaling by the factor of the rule.
pub fn uniform(convention: &Convention) -> Convention {
    factor(convention).map_or_else(|| convention.clone(), |factor| linearly(convention, factor))
}

/// True if LongRoPE's long factors belong to the sequence.
pub fn is_long(convention: &Convention) -> bool {
    match &convention.scaling {
        Some(Scaling::Longrope { sequence_length, original_max_position_embeddings, .. }) => {
            sequence_length.is_some_and(|length| length > *original_max_position_embeddings)
        }
        _ => false,
    }
}

/// LongRoPE with the factors of a sequence of the other kind.
pub fn switched(convention: &Convention) -> Option<Convention> {
    let long = is_long(convention);
    let mut other = convention.clone();
    let Some(Scaling::Longrope { sequence_length, original_max_position_embeddings: original, .. }) =
        &mut other.scaling
    else {
        return None;
    };
    *sequence_length = Some(if long { *original } else { *original + 1 });
    Some(other)
}

/// YaRN with the ends of its ramp rounded where they were not, and the reverse.
pub fn other_ends(convention: &Convention) -> Option<Convention> {
    let mut other = convention.clone();
    let Some(Scaling::Yarn { truncate, .. }) = &mut other.scaling else { return None };
    *truncate = !*truncate;
    Some(other)
}

/// True if the ends of YaRN's ramp are rounded.
pub fn is_truncated(convention: &Convention) -> bool {
    matches!(convention.scaling, Some(Scaling::Yarn { truncate: true, .. }))
}

/// The rule's original length.
pub fn original_length(convention: &Convention) -> Option<u64> {
    match convention.scaling.as_ref()? {
        Scaling::Yarn { original_max_position_embeddings, .. }
        | Scaling::Llama3 { original_max_position_embeddings, .. }
        | Scaling::Dynamic { original_max_position_embeddings, .. } => Some(*original_max_position_embeddings),
        _ => None,
    }
}

/// The same with another original length.
pub fn with_original_length(convention: &Convention, original: u64) -> Option<Convention> {
    let mut other = convention.clone();
    match &mut other.scaling {
        Some(
            Scaling::Yarn { original_max_position_embeddings, .. }
            | Scaling::Llama3 { original_max_position_embeddings, .. }
            | Scaling::Dynamic { original_max_position_embeddings, .. },
        ) => *original_max_position_embeddings = original,
        _ => return None,
    }
    Some(other)
}

/// YaRN with this attention factor.
pub fn with_attention_factor(convention: &Convention, factor: Real) -> Convention {
    let mut other = convention.clone();
    if let Some(Scaling::Yarn { attention_factor, .. }) = &mut other.scaling {
        *attention_factor = Some(factor);
    }
    other
}

/// The same with this amplitude.
pub fn with_amplitude(convention: &Convention, amplitude: Real) -> Convention {
    Convention { amplitude: Amplitude::Rational(amplitude), ..convention.clone() }
}

/// The amplitude 1/√dim.
pub fn with_softmax_scale(convention: &Convention) -> Convention {
    Convention { amplitude: Amplitude::Root(fraction(1, convention.dim as i64)), ..convention.clone() }
}
