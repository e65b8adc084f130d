//! The frequencies of a graph: along which path base^(−e) is computed, and by which rule it is scaled.

use super::scalars::{Function, Id, Operator, Scalar, Scalars};
use super::unread::Unread;
use crate::path::power;
use crate::program::Path;
use posproof_encoding::convention::{Convention, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use posproof_numerics::{Interval, Rational};

/// Path, base, rule and computed values of the frequencies of a graph.
pub(super) struct Rates {
    pub path: Path,
    pub format: Format,
    pub convention: Convention,
    pub computed: Vec<f64>,
}

/// Base and exponent of a frequency along a path, before it is scaled.
#[derive(Clone, Debug, PartialEq)]
struct Form {
    path: Path,
    /// The base, or the rate ln(base)/D of the path `exp` as a literal.
    base: GraphBase,
    /// The exponent as a number of its format; the factor m of the rate on the path `exp`.
    exponent: Exponent,
}

#[derive(Clone, Debug, PartialEq)]
enum GraphBase {
    Stated(f64),
    Rate(f64),
}

#[derive(Clone, Debug, PartialEq)]
enum Exponent {
    Rounded(f64),
    Fraction(i64, i64),
    Factor(i64),
}

const EXPECTED: &str = "1/pow(base, e) with e = 2i/dim, exp(−(m·(log(base)/dim))), each frequency the one before times the \
                        second, or the first of these in float64 and cast; and where they are scaled, one quotient by a literal";

/// The frequencies of the pairs.
pub(super) fn read(scalars: &Scalars, pairs: &[Id], format: Format) -> Result<Rates, Unread> {
    let refuse = |pair: usize, found: String| Unread::new(format!("frequency of pair {pair}"), found, EXPECTED);
    if let Some(pair) = pairs.iter().position(|id| matches!(scalars.get(*id), Scalar::Constant(_))) {
        let found = "a constant from outside of the function".to_owned();
        let expected = "frequencies that the function computes: build the module within it, so that their path is read";
        return Err(Unread::new(format!("frequency of pair {pair}"), found, expected));
    }
    let repeated = repeated(scalars, pairs, format);
    let mut divisor: Option<f64> = None;
    let mut forms: Vec<Form> = Vec::with_capacity(pairs.len());
    if let Some(ratio) = repeated {
        let form = scalars.form(format, ratio).filter(|form| form.path == Path::Pow);
        forms.push(form.ok_or_else(|| refuse(1, scalars.told(ratio, 4)))?);
    } else {
        for (pair, id) in pairs.iter().enumerate() {
            let (cast, inner) = scalars.widened(format, *id);
            let working = if cast { Format::F64 } else { format };
            let (own, inner) = scalars.scaled(working, inner);
            let form = scalars.form(working, inner).filter(|form| !cast || form.path == Path::Pow);
            let form = form.ok_or_else(|| refuse(pair, scalars.told(*id, 4)))?;
            forms.push(if cast { Form { path: Path::F64, ..form } } else { form });
            if *divisor.get_or_insert(own) != own {
                return Err(refuse(pair, format!("a divisor of {own}, and another elsewhere")));
            }
        }
    }
    let Some(first) = forms.first() else { return Err(Unread::new("frequencies", "none", "at least one pair")) };
    let alike = |form: &Form| form.path == first.path && form.base == first.base;
    if let Some(pair) = forms.iter().position(|form| !alike(form)) {
        return Err(refuse(pair, format!("{:?}, and {:?} of pair 0", forms[pair], first)));
    }
    let (path, working) = match (repeated, first.path) {
        (Some(_), _) => (Path::Repeated, format),
        (_, Path::F64) => (Path::F64, Format::F64),
        (_, path) => (path, format),
    };
    let mut convention = counted(&forms, pairs.len(), working, repeated.is_some()).ok_or_else(|| {
        refuse(0, format!("exponents {:?}, …", forms.iter().take(3).map(|form| &form.exponent).collect::<Vec<_>>()))
    })?;
    convention.base = base(&first.base, &convention).ok_or_else(|| refuse(0, format!("{:?}", first.base)))?;
    if let Some(factor) = divisor.filter(|factor| *factor != 1.0) {
        let factor = Rational::from_f64(factor).ok_or_else(|| refuse(0, format!("a divisor of {factor}")))?;
        convention.scaling = Some(Scaling::Linear { factor: Real::from(factor) });
    }
    let computed = pairs.iter().enumerate().map(|(pair, id)| {
        scalars.value(*id).filter(|omega| *omega > 0.0).ok_or_else(|| refuse(pair, scalars.told(*id, 4)))
    });
    let computed: Result<Vec<f64>, Unread> = computed.collect();
    Ok(Rates { path, format, convention, computed: computed? })
}

/// The ratio of the second frequency, where the first is 1 and each other is the one before times it.
fn repeated(scalars: &Scalars, pairs: &[Id], format: Format) -> Option<Id> {
    let [first, ratio, rest @ ..] = pairs else { return None };
    let is_one = |id: Id| matches!(scalars.get(id), Scalar::Whole(1));
    // 1 times the ratio, where the 1 is no literal of the product.
    let ratio = match scalars.get(*ratio) {
        Scalar::Operator(Operator::Mul, own, a, b) if own == format && is_one(a) => b,
        Scalar::Operator(Operator::Mul, own, a, b) if own == format && is_one(b) => a,
        _ => *ratio,
    };
    let mut before = pairs[1];
    let chained = rest.iter().all(|id| {
        let product = [(before, ratio), (ratio, before)]
            .iter()
            .any(|(a, b)| scalars.get(*id) == Scalar::Operator(Operator::Mul, format, *a, *b));
        before = *id;
        product
    });
    (is_one(*first) && chained).then_some(ratio)
}

/// The convention whose exponents these are.
fn counted(forms: &[Form], pairs: usize, format: Format, ratio: bool) -> Option<Convention> {
    let plain = Convention::rope(2 * pairs);
    let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..plain.clone() };
    let from_one = Convention { frequency_origin: 1, ..plain.clone() };
    let exponent = |convention: &Convention, pair: usize| -> Option<(i64, i64)> {
        let index = pair as i64 + i64::from(convention.frequency_origin) + i64::from(ratio);
        match convention.frequency_spacing {
            Spacing::Paper => Some((2 * index, 2 * pairs as i64)),
            Spacing::Endpoints => (pairs > 1).then_some((index, pairs as i64 - 1)),
        }
    };
    let agrees = |convention: &Convention| {
        forms.iter().enumerate().all(|(pair, form)| {
            let Some((m, whole)) = exponent(convention, pair) else { return false };
            let exact = Rational::from((m, whole));
            match form.exponent {
                Exponent::Rounded(found) => nearest_rational(format, &exact) == Some(found),
                // A rounded quotient is that of the fraction.
                Exponent::Fraction(m, whole) => whole != 0 && Rational::from((m, whole)) == exact,
                Exponent::Factor(found) => found == m,
            }
        })
    };
    [plain, from_one, endpoints].into_iter().find(agrees)
}

/// The base: as stated, or that of which a literal is the rate ln(base)/D.
fn base(found: &GraphBase, convention: &Convention) -> Option<Real> {
    let rate = match found {
        GraphBase::Stated(base) => return Rational::from_f64(*base).map(Real::from),
        GraphBase::Rate(rate) => *rate,
    };
    let whole = match convention.frequency_spacing {
        Spacing::Paper => convention.dim as f64,
        Spacing::Endpoints => convention.dim as f64 / 2.0 - 1.0,
    };
    let base = (rate * whole).exp().round();
    // Within twice the roundoff of binary32, which the theorem of the path allows the rate (RoundingFrequency.v).
    let exact =
        Interval::ln_rational(&Rational::from_f64(base)?, 128) / Interval::rational(&Rational::from_f64(whole)?, 128);
    let (low, high) = (exact.lower_f64(), exact.upper_f64());
    let close = base > 1.0 && rate > low * (1.0 - 1e-7) && rate < high * (1.0 + 1e-7);
    close.then(|| Rational::from_f64(base).map(Real::from)).flatten()
}

impl Scalars {
    /// True if a frequency is cast from binary64, and the frequency before the cast.
    fn widened(&self, format: Format, id: Id) -> (bool, Id) {
        match self.get(id) {
            Scalar::Cast(own, inner) if own == format && self.format(inner) == Some(Format::F64) => (true, inner),
            _ => (false, id),
        }
    }

    /// The literal that a frequency is divided by, and the frequency before.
    fn scaled(&self, format: Format, id: Id) -> (f64, Id) {
        match self.get(id) {
            Scalar::Operator(Operator::Div, own, a, b) if own == format && self.literal(a).is_none() => {
                self.literal(b).map_or((1.0, id), |divisor| (divisor, a))
            }
            _ => (1.0, id),
        }
    }

    /// The path of a frequency that is computed in a format.
    fn form(&self, format: Format, id: Id) -> Option<Form> {
        match self.get(id) {
            Scalar::Operator(Operator::Div, own, one, power) if own == format => {
                let Scalar::Operator(Operator::Pow, own, base, exponent) = self.get(power) else { return None };
                let plain = self.get(one) == Scalar::Whole(1) && own == format;
                let base = GraphBase::Stated(self.literal(base).filter(|_| plain)?);
                Some(Form { path: Path::Pow, base, exponent: self.exponent(format, exponent)? })
            }
            Scalar::Function(Function::Exp, own, inner) if own == format => {
                let Scalar::Negative(product) = self.get(inner) else { return None };
                let Scalar::Operator(Operator::Mul, own, a, b) = self.get(product) else { return None };
                let factor = |id: Id| match self.get(id) {
                    Scalar::Whole(m) => Some(m),
                    _ => None,
                };
                let (m, rate) = factor(a).map(|m| (m, b)).or_else(|| factor(b).map(|m| (m, a)))?;
                let base = self.rate(rate).filter(|_| own == format)?;
                Some(Form { path: Path::Exp, base, exponent: Exponent::Factor(m) })
            }
            _ => None,
        }
    }

    fn exponent(&self, format: Format, id: Id) -> Option<Exponent> {
        match self.get(id) {
            Scalar::Operator(Operator::Div, own, m, whole) if own == format => match (self.get(m), self.get(whole)) {
                (Scalar::Whole(m), Scalar::Whole(whole)) => Some(Exponent::Fraction(m, whole)),
                _ => None,
            },
            _ => self.literal(id).map(Exponent::Rounded),
        }
    }

    /// log(base)/D as operations, or as a literal.
    fn rate(&self, id: Id) -> Option<GraphBase> {
        match self.get(id) {
            Scalar::Literal(bits) => Some(GraphBase::Rate(f64::from_bits(bits))),
            _ => {
                let value = self.value(id)?;
                let Scalar::Operator(Operator::Div, _, log, _) = self.get(id) else { return None };
                matches!(self.get(log), Scalar::Function(Function::Log, ..)).then_some(GraphBase::Rate(value))
            }
        }
    }

    /// The number that an expression is with correctly rounded functions.
    fn value(&self, id: Id) -> Option<f64> {
        let of = |id: Id| self.value(id).and_then(Rational::from_f64);
        match self.get(id) {
            Scalar::Cast(own, inner) => Some(own.round(self.value(inner)?)),
            Scalar::Negative(inner) => Some(-self.value(inner)?),
            Scalar::Operator(operator, own, a, b) => match operator {
                Operator::Pow => power(&of(a)?, self.value(b)?, own),
                Operator::Mul => nearest_rational(own, &(of(a)? * of(b)?)),
                Operator::Div => of(b).filter(|b| !b.is_zero()).and_then(|b| nearest_rational(own, &(of(a)? / b))),
                Operator::Add => nearest_rational(own, &(of(a)? + of(b)?)),
                Operator::Sub => nearest_rational(own, &(of(a)? - of(b)?)),
            },
            Scalar::Function(Function::Exp, own, inner) => match self.value(inner)? {
                0.0 => Some(1.0),
                x => {
                    let x = Rational::from_f64(x)?;
                    nearest(own, |bits| Some(Interval::rational(&x, bits).exp()))
                }
            },
            Scalar::Function(Function::Log, own, inner) => {
                let x = of(inner).filter(|x| *x > 1)?;
                nearest(own, |bits| Some(Interval::ln_rational(&x, bits)))
            }
            _ => self.literal(id),
        }
    }
}
