//! Ring laws and normal forms of the exact system, and its agreement with enclosures.

use super::check;
use super::expression::{Expression, values};
use num_traits::{One, Zero};
use posproof::number::exact::{Exact, Formal};
use posproof::number::interval::Enclosing;
use posproof::number::{Number, System};
use std::sync::Arc;

fn exact(expression: &Expression) -> Exact {
    expression.evaluate(&Formal)
}

#[test]
fn ring_laws() {
    fn laws(a: Expression, b: Expression, c: Expression) -> bool {
        let (a, b, c) = (exact(&a), exact(&b), exact(&c));
        let sum = |x: &Exact, y: &Exact| x.clone() + y.clone();
        let product = |x: &Exact, y: &Exact| x.clone() * y.clone();
        sum(&a, &b) == sum(&b, &a)
            && sum(&sum(&a, &b), &c) == sum(&a, &sum(&b, &c))
            && product(&a, &b) == product(&b, &a)
            && product(&product(&a, &b), &c) == product(&a, &product(&b, &c))
            && product(&a, &sum(&b, &c)) == sum(&product(&a, &b), &product(&a, &c))
            && sum(&a, &Exact::zero()) == a
            && product(&a, &Exact::one()) == a
            && (a.clone() - a.clone()).is_zero()
            && sum(&a, &-a.clone()).is_zero()
    }
    check(300).quickcheck(laws as fn(_, _, _) -> _);
}

#[test]
fn field_laws() {
    fn laws(a: Expression, b: Expression) -> bool {
        let (a, b) = (exact(&a), exact(&b));
        if b.is_zero() {
            return !(a / b).is_defined();
        }
        let quotient = a.clone() / b.clone();
        quotient.clone() * b.clone() == a
            && (quotient.clone() - quotient.clone()).is_zero()
            && b.clone() / b == Exact::one()
    }
    check(300).quickcheck(laws as fn(_, _) -> _);
}

#[test]
fn equal_numbers_have_one_normal_form() {
    fn law(a: Expression, b: Expression) -> bool {
        let (a, b) = (exact(&a), exact(&b));
        let square = (a.clone() + b.clone()) * (a.clone() + b.clone());
        let expanded = a.clone() * a.clone() + Exact::from(2) * a * b.clone() + b.clone() * b;
        square.to_string() == expanded.to_string()
    }
    check(300).quickcheck(law as fn(_, _) -> _);
}

/// Numbers that the exact system calls equal, enclosures cannot separate; what it calls different, they do separate at
/// some of a few points.
#[test]
fn agrees_with_enclosures() {
    fn law(a: Expression, b: Expression, places: Vec<(i16, i16, i16)>) -> bool {
        let mut places: Vec<[i16; 3]> = places.into_iter().take(4).map(|(t, k, x)| [t, k, x]).collect();
        places.extend([[1, 2, 3], [-77, 1009, 12345], [4096, -513, -9999]]);
        let separated = |place: &[i16; 3]| {
            let system = Enclosing::default().at(&Arc::new(values(*place)));
            a.evaluate(&system).is_separate_from(&b.evaluate(&system))
        };
        let apart = places.iter().filter(|place| separated(place)).count();
        if exact(&a) == exact(&b) { apart == 0 } else { apart > 0 }
    }
    check(400).quickcheck(law as fn(_, _, _) -> _);
}

#[test]
fn addition_theorem_and_quarter_turns() {
    use posproof::number::Phase;
    let (alpha, beta) = (Formal.cis(&Phase::angle("α")), Formal.cis(&Phase::angle("β")));
    let sum = Formal.cis(&(Phase::angle("α") + Phase::angle("β")));
    assert_eq!(sum.im, alpha.im.clone() * beta.re.clone() + alpha.re.clone() * beta.im);
    let quarter = Formal.cis(&(Phase::angle("α") + Phase::turns(1, 4)));
    assert_eq!(quarter.re, -alpha.im.clone());
    assert_eq!(quarter.im, alpha.re);
    let whole = Formal.cis(&(Phase::angle("α") + Phase::turns(-3, 1)));
    assert_eq!(whole.im, alpha.im);
}

#[test]
fn roots_of_rationals() {
    let root = |n: i32, d: i32| (Exact::from(n) / Exact::from(d)).sqrt();
    assert_eq!(root(9, 4), Exact::from(3) / Exact::from(2));
    assert_eq!(root(12, 1), Exact::from(2) * root(3, 1));
    assert_eq!(root(2, 1) * root(3, 1), root(6, 1));
    assert_eq!(root(1, 2) * root(1, 2), Exact::from(1) / Exact::from(2));
    assert_eq!(Exact::from(1) / root(3, 1), root(1, 3));
    assert_ne!(root(2, 1), root(3, 1));
    assert!(!Exact::from(-1).sqrt().is_defined());
}
