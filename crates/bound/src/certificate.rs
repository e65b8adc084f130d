//! Certificates: files in which Coq proves an instance bound of one program.
//!
//! A certificate states, for a pair, a component and a range of positions, that no entry is wrong by more than a
//! figure; its proof is `rounding_certificate` of the development, applied to a list of parts of the range. What this
//! program has computed on the way (the frequency, the parts, in which of them sine and cosine are monotone) is only a
//! hint: Coq checks it, and refuses the file where it is wrong.

use super::entry::{Model, Rate};
use super::parts::{BITS, Method, Piece, RangePart, SCALE, around, scaled};
use super::program::{Impossible, Path};
use posproof_encoding::convention::{Component, Convention, Spacing};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_numerics::{Interval, Rational};
use std::fmt::Write;
use std::ops::Range;

/// One bound that a certificate states.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The pair.
    pub pair: usize,
    /// The component.
    pub component: Component,
    /// The positions.
    pub positions: Range<u64>,
    /// The figure: an upper bound, as it is printed.
    pub figure: Rational,
}

const HEADER: &str = "From Coq Require Import Reals ZArith Lia List.
From Flocq Require Import Core.
From Posproof Require Import RoundingFormat RoundingModel RoundingTable RoundingEnclosure RoundingPart RoundingCertificate.

Import ListNotations.
Open Scope R_scope.
";

/// A real number on the way to a program's frequency, rounded to a format.
struct Step {
    name: &'static str,
    format: Format,
    /// In Coq: with the steps before it by name, and as a term of `RoundingEnclosure.v`, with their values.
    real: String,
    term: String,
    /// The step that it is computed from.
    from: Option<&'static str>,
    exact: Interval,
    rounded: f64,
}

impl Model {
    /// The text of a file for Coq 8.16, which has the compiled development on its path (`-Q FOLDER Posproof`), with one
    /// theorem for each of these bounds.
    ///
    /// # Errors
    ///
    /// Where no certificate is defined: for paths other than `rounded` and `f64`, scaling rules other than linear,
    /// amplitudes, κ of 2 and more, positions that their format does not hold; and where a figure is not reached by the
    /// theorems that Coq has.
    pub fn certificate(&self, bounds: &[Certified]) -> Result<String, Impossible> {
        self.certifiable()?;
        let mut text = String::from(HEADER);
        let kappa = dyadic(self.program.kappa)?;
        let _ = writeln!(text, "\n(** Sine and cosine are within {} units in the last place. *)", self.program.kappa);
        let _ = writeln!(text, "Definition kappa : R := {} * bpow radix2 ({}).", kappa.0, kappa.1);
        let mut pairs: Vec<usize> = bounds.iter().map(|bound| bound.pair).collect();
        pairs.dedup();
        for pair in pairs {
            let rate = self.rate(pair)?;
            let ends = self.write_frequency(&mut text, &rate)?;
            for bound in bounds.iter().filter(|bound| bound.pair == pair) {
                self.write_bound(&mut text, &rate, &ends, bound)?;
            }
        }
        Ok(text)
    }

    fn certifiable(&self) -> Result<(), Impossible> {
        let program = &self.program;
        let refuse = |found: String, expected: &str| Err(Impossible::new("certificate", found, expected));
        if !matches!(program.path, Path::Rounded | Path::F64) {
            return refuse(format!("path {}", program.path), "path rounded or f64");
        }
        match &self.convention.scaling {
            None | Some(Scaling::Linear { .. }) => {}
            Some(scaling) => return refuse(format!("scaling {}", scaling.name()), "no scaling, or linear scaling"),
        }
        if !self.is_plain() {
            return refuse("an amplitude".into(), "a table without one");
        }
        if program.kappa >= 2.0 {
            return refuse(format!("{} ulp", program.kappa), "sine and cosine within less than 2 ulp");
        }
        Ok(())
    }

    /// The exact frequency and the computed one, each with what Coq is to find out about it. Returns the integers
    /// around the exact one and that of the computed one.
    fn write_frequency(&self, text: &mut String, rate: &Rate) -> Result<[String; 3], Impossible> {
        let pair = rate.pair;
        let (real, term) = self.exact_frequency(pair);
        let exact = self.enclose_rate(pair, BITS)?;
        let [low, high] = around(&exact).ok_or_else(beyond)?.map(|end| end.to_string());
        let _ = write!(
            text,
            "\n(** The frequency of pair {pair}: exact, and as computed. *)\nDefinition frequency_{pair} : R := {real}.\n
Lemma frequency_{pair}_enclosed :
  IZR {low} * bpow radix2 (- {SCALE}) <= frequency_{pair} <= IZR {high} * bpow radix2 (- {SCALE}).
Proof.
  exact (conj
    (at_most_sound (Scaled {low} (- {SCALE}))
      {term} {COMPUTED})
    (at_most_sound {term}
      (Scaled {high} (- {SCALE})) {COMPUTED})).
Qed.\n"
        );
        let mut computed = String::new();
        for step in self.steps(rate, term, exact)? {
            let Step { name, format, real, term, from, exact, rounded } = step;
            let [low, high] = around(&exact).ok_or_else(beyond)?;
            let value = scaled(rounded).ok_or_else(beyond)?.to_string();
            let before = from.map_or(String::new(), |from| format!(" rewrite {from}_{pair}_value."));
            let format = coq_format(format)?;
            let _ = write!(
                text,
                "\nDefinition {name}_{pair} : R := fl {format} ({real}).\n
Lemma {name}_{pair}_value : {name}_{pair} = IZR {value} * bpow radix2 (- {SCALE}).
Proof.
  unfold {name}_{pair}.{before}
  exact (proj2 (rounding_certificate_frequency {format} {SCALE} {low} {high} {value}
    {term} {COMPUTED})).
Qed.\n"
            );
            computed = value;
        }
        Ok([low, high, computed])
    }

    /// The exact frequency in Coq, as a real number and as a term.
    fn exact_frequency(&self, pair: usize) -> (String, String) {
        let Convention { base, position_scale, scaling, .. } = &self.convention;
        let (m, whole) = self.fraction(pair);
        let (base, base_term) = number(base.value());
        let sign = if m == 0 { "" } else { "-" };
        let mut real = format!("Rpower {base} ({sign}{m} / {whole})");
        let mut term =
            format!("(Exponential (Product (Quotient (Whole ({sign}{m})) (Whole {whole})) (Logarithm {base_term})))");
        if let Some(Scaling::Linear { factor }) = scaling {
            let (factor, factor_term) = number(factor.value());
            (real, term) = (format!("{real} / {factor}"), format!("(Quotient {term} {factor_term})"));
        }
        let scale = position_scale.value().abs();
        if scale != Rational::ONE {
            let (scale, scale_term) = number(&scale);
            (real, term) = (format!("{scale} * ({real})"), format!("(Product {scale_term} {term})"));
        }
        (real, term)
    }

    /// m and D: the frequency is base^(−m/D).
    fn fraction(&self, pair: usize) -> (u64, u64) {
        let index = self.convention.frequency_index(pair) as u64;
        let dim = self.convention.frequency_dim() as u64;
        match self.convention.frequency_spacing {
            Spacing::Paper => (2 * index, dim),
            Spacing::Endpoints => (index, dim / 2 - 1),
        }
    }

    /// The roundings of the program's path.
    fn steps(&self, rate: &Rate, term: String, exact: Interval) -> Result<Vec<Step>, Impossible> {
        let (pair, format) = (rate.pair, self.program.frequency);
        let cast = |real: String, term, from, exact| Step {
            name: "computed",
            format,
            real,
            term,
            from,
            exact,
            rounded: rate.computed.value,
        };
        if self.program.path == Path::Rounded {
            return Ok(vec![cast(format!("frequency_{pair}"), term, None, exact)]);
        }
        let double = |name, real, term, from, exact: Interval| -> Result<Step, Impossible> {
            let rounded = [exact.lower(), exact.upper()].map(|end| Format::F64.round_float(end));
            let rounded = (rounded[0] == rounded[1]).then_some(rounded[0]).ok_or_else(beyond)?;
            Ok(Step { name, format: Format::F64, real, term, from, exact, rounded })
        };
        let value = |step: &Step| -> Result<(Rational, String), Impossible> {
            let scaled = scaled(step.rounded).ok_or_else(beyond)?;
            Ok((Rational::from_f64(step.rounded).ok_or_else(beyond)?, format!("(Scaled {scaled} (- {SCALE}))")))
        };
        let (m, whole) = self.fraction(pair);
        let ratio = Interval::rational(&Rational::from((m, whole)), BITS);
        let term = format!("(Quotient (Whole {m}) (Whole {whole}))");
        let exponent = double("exponent", format!("{m} / {whole}"), term, None, ratio)?;
        let (base, base_term) = number(self.convention.base.value());
        let (e, e_term) = value(&exponent)?;
        let ln = Interval::rational(self.convention.base.value(), BITS).ln();
        let term = format!("(Exponential (Product {e_term} (Logarithm {base_term})))");
        let real = format!("Rpower {base} exponent_{pair}");
        let power = double("power", real, term, Some("exponent"), (Interval::rational(&e, BITS) * ln).exp())?;
        let (p, p_term) = value(&power)?;
        let term = format!("(Quotient (Whole 1) {p_term})");
        let inverse = Interval::rational(&p.recip(), BITS);
        let mut steps = vec![exponent, power];
        steps.push(double("reciprocal", format!("1 / power_{pair}"), term, Some("power"), inverse)?);
        if let Some(Scaling::Linear { factor }) = &self.convention.scaling {
            let (r, r_term) = value(&steps[2])?;
            let (divisor, divisor_term) = number(factor.value());
            let term = format!("(Quotient {r_term} {divisor_term})");
            let quotient = Interval::rational(&(r / factor.value()), BITS);
            let real = format!("reciprocal_{pair} / {divisor}");
            steps.push(double("divided", real, term, Some("reciprocal"), quotient)?);
        }
        if let Some(last) = steps.last() {
            let (x, x_term) = value(last)?;
            let name = last.name;
            steps.push(cast(format!("{name}_{pair}"), x_term, Some(name), Interval::rational(&x, BITS)));
        }
        Ok(steps)
    }

    fn write_bound(
        &self,
        text: &mut String,
        rate: &Rate,
        [low, high, computed]: &[String; 3],
        bound: &Certified,
    ) -> Result<(), Impossible> {
        let Certified { pair, component, positions, figure } = bound;
        let (program, range) = (&self.program, self.effective(positions, rate)?);
        let held = 1u64 << program.position.precision();
        if range.end - 1 > held {
            let found = format!("{}..{}", positions.start, positions.end);
            let expected = format!("positions up to {held}, which {} holds", program.position);
            return Err(Impossible::new("certificate of positions", found, expected));
        }
        let parts = self.parts_below(rate, *component, &range, figure)?;
        let (name, even) = match component {
            Component::Sin => ("sin", true),
            Component::Cos => ("cos", false),
        };
        let written: Result<Vec<String>, Impossible> = parts.iter().map(|part| part_text(part, *component)).collect();
        let _ = writeln!(text, "\nDefinition parts_{name}_{pair} : list part := [\n  {}].", written?.join(";\n  "));
        let [p, a, s] = [coq_format(program.position)?, coq_format(program.angle)?, coq_format(program.storage)?];
        let (figure, figure_term) = decimal(figure);
        let kappa = dyadic(program.kappa)?;
        let shifted = match self.offset {
            0 => "n".to_owned(),
            offset => format!("(n + {})", bracketed(offset)),
        };
        let _ = write!(
            text,
            "\n(** No {name} of pair {pair} is wrong by more, at positions {} to {}. *)
Theorem {name}_{pair} (n : Z) (T : R) : ({} <= n < {})%Z ->
  entry {p} {a} {s} kappa {even} {shifted} computed_{pair} T ->
  Rabs (T - {name} (IZR {shifted} * frequency_{pair})) <= {figure}.
Proof.
  intros range entries. assert ({} <= {shifted} < {})%Z as shifted by lia.
  exact (rounding_certificate
    (Problem {p} {a} {s} {even} (Scaled {} ({})) {} {SCALE} {computed} (- {SCALE})
      {low} {high} {figure_term})
    {} {} parts_{name}_{pair} frequency_{pair} computed_{pair} {shifted} T {COMPUTED}
    frequency_{pair}_enclosed computed_{pair}_value shifted entries).
Qed.
",
            positions.start,
            positions.end - 1,
            positions.start,
            positions.end,
            range.start,
            range.end,
            kappa.0,
            kappa.1,
            program.kappa == 0.5,
            range.start,
            range.end,
        );
        Ok(())
    }
}

/// The proof of what Coq computes to be true.
const COMPUTED: &str = "ltac:(vm_cast_no_check (eq_refl true))";

fn beyond() -> Impossible {
    Impossible::new(
        "certificate",
        format!("a number that is no multiple of 2^-{SCALE}"),
        "larger frequencies and angles",
    )
}

fn coq_format(format: Format) -> Result<&'static str, Impossible> {
    match format {
        Format::F16 => Ok("binary16"),
        Format::Bf16 => Ok("bfloat16"),
        Format::F32 => Ok("binary32"),
        Format::F64 => Ok("binary64"),
        Format::E4m3 | Format::E5m2 => {
            Err(Impossible::new("certificate of entries", format, "entries of f16, bf16, f32 or f64"))
        }
    }
}

/// m and e with x = m·2^e.
fn dyadic(x: f64) -> Result<(String, i32), Impossible> {
    let value = Rational::from_f64(x).ok_or_else(beyond)?;
    let exponent = (0..=1074).find(|e| (value.clone() * Rational::power_of_two(*e)).is_integer()).ok_or_else(beyond)?;
    Ok(((value * Rational::power_of_two(exponent)).to_string(), -(exponent as i32)))
}

/// A non-negative rational number in Coq, as a real number and as a term.
fn number(x: &Rational) -> (String, String) {
    let text = x.to_string();
    match text.split_once('/') {
        Some((n, d)) => (format!("({n} / {d})"), format!("(Quotient (Whole {n}) (Whole {d}))")),
        None => (text.clone(), format!("(Whole {text})")),
    }
}

/// The same of a finite decimal, whose digits stay as they are printed.
fn decimal(x: &Rational) -> (String, String) {
    let Some((digits, places)) = x.finite_decimal() else { return number(x) };
    let power = format!("1{}", "0".repeat(places as usize));
    (format!("({digits} / {power})"), format!("(Quotient (Whole {digits}) (Whole {power}))"))
}

fn bracketed(x: impl Into<i64>) -> String {
    format!("({})", x.into())
}

fn piece_text(piece: &Piece) -> String {
    format!("(Piece {} {})", piece.rising, piece.turn)
}

fn part_text(part: &RangePart, component: Component) -> Result<String, Impossible> {
    let RangePart { stretch, method } = part;
    let option =
        |piece: &Option<Piece>| piece.as_ref().map_or("None".into(), |piece| format!("(Some {})", piece_text(piece)));
    let method = match method {
        Method::Slope { slope, value, magnitude, library } => {
            format!("Slope {} {} ({magnitude}) ({library})", option(slope), option(value))
        }
        Method::Monotone { computed, exact, angles } => {
            let wave = |angle: f64| {
                let (cos, sin) = Interval::exactly(angle).at(BITS).cos_sin();
                around(if component == Component::Sin { &sin } else { &cos }).ok_or_else(beyond)
            };
            let [first, last] = [wave(angles[0])?, wave(angles[1])?];
            let ([low, _], [_, high]) = if computed.rising { (first, last) } else { (last, first) };
            format!("Monotone {} {} ({low}) ({high})", piece_text(computed), piece_text(exact))
        }
    };
    Ok(format!("Part {} {} ({}) ({method})", stretch.first, stretch.last, stretch.exponent))
}
