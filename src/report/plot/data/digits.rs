//! Lengths of context before each decimal digit is lost.

use super::Unavailable;
use crate::bound::{Model, Program};
use crate::encoding::convention::{Component, Convention};
use crate::table::LIMIT;

/// Numbers of positions, from 0 on, that keep each number of decimals.
#[derive(Clone, Debug)]
pub struct DecimalLengths {
    /// The program.
    pub program: Program,
    /// For n = 1, 2, …: the number of positions 0, 1, … at which every entry is guaranteed to be within 10⁻ⁿ of its
    /// exact value. It ends with the first 0.
    pub kept: Vec<u64>,
}

/// 10⁻ⁿ, correctly rounded.
fn figure(decimals: i32) -> f64 {
    super::super::scale::power_of_ten(-decimals)
}

/// The answers for the positions that a program's format holds, up to `limit`.
pub fn lengths(convention: &Convention, program: Program, limit: u64) -> Result<DecimalLengths, Unavailable> {
    let model = Model::new(convention, &program)?;
    let rates: Result<Vec<_>, _> = (0..convention.pairs()).map(|pair| model.rate(pair)).collect();
    let rates = rates?;
    let mut bounded = super::errors::held(program.position, limit.min(LIMIT));
    let mut kept = Vec::new();
    for decimals in 1..=17 {
        // A pair that keeps the digits as long as those before it adds nothing, so that later ones are asked only so far.
        for rate in &rates {
            for component in [Component::Sin, Component::Cos] {
                if bounded > 0 {
                    bounded = bounded.min(model.reach(rate, component, figure(decimals), bounded)?);
                }
            }
        }
        kept.push(bounded);
        if bounded == 0 {
            break;
        }
    }
    Ok(DecimalLengths { program, kept })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::format::Format;

    #[test]
    fn each_digit_is_lost_where_its_bound_ends() {
        let convention = Convention::sinusoid(64);
        let program = Program::rounded(Format::F32);
        let kept = lengths(&convention, program, 1 << 20).unwrap().kept;
        assert!(kept.windows(2).all(|pair| pair[0] >= pair[1]), "{kept:?}");
        // Position 0, whose entries are exact, and no other.
        assert_eq!(kept.last(), Some(&1));
        let model = Model::new(&convention, &program).unwrap();
        let rates: Vec<_> = (0..convention.pairs()).map(|pair| model.rate(pair).unwrap()).collect();
        for (decimals, length) in (1..).zip(kept).filter(|(_, length)| (1..1 << 20).contains(length)) {
            for rate in &rates {
                let whole = 0..length;
                let worst = model.worst(rate, std::slice::from_ref(&whole)).unwrap().pop().unwrap();
                assert!(worst.sin.error.max(worst.cos.error) < figure(decimals), "{decimals}");
            }
            let next = |component| {
                rates.iter().any(|rate| {
                    let bound = model.instance(rate, component, length..length + 1).unwrap();
                    bound.value() >= figure(decimals)
                })
            };
            assert!(next(Component::Sin) || next(Component::Cos), "{decimals}");
        }
    }
}
