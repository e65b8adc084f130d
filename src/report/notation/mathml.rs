//! Formulas as MathML.

use super::formula::{Markup, Stretch, stretches};
use super::lexeme::{closing, lowered};

/// The text as HTML with MathML, escaped. Each formula keeps how it is written as its `alttext`, and is cut before the
/// operators that have spaces around them, where a line may break.
///
/// ```
/// use posproof::report::notation::html;
/// assert_eq!(html("at every x < 2"), "at every <math alttext=\"x\"><mi>x</mi></math> \
/// <math alttext=\"&lt; 2\"><mo form=\"infix\" lspace=\"0\">&lt;</mo><mn>2</mn></math>");
/// assert_eq!(html("base^(2/d)"), "<math alttext=\"base^(2/d)\"><msup><mi>base</mi><mrow><mn>2</mn><mo lspace=\"0\" rspace=\"0\">/</mo><mi>d</mi></mrow></msup></math>");
/// ```
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(4 * text.len());
    for stretch in stretches(text) {
        match stretch {
            Stretch::Prose(prose) => out += &escaped(prose),
            Stretch::Formula(written, nodes) => {
                out += &format!("<math alttext=\"{}\">", escaped(written));
                term(&mut out, &nodes);
                out += "</math>";
            }
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn element(out: &mut String, tag: &str, text: &str) {
    *out += &format!("<{tag}>{}</{tag}>", escaped(text));
}

/// A part that begins a formula, or with an operator that has an operand before it.
fn term(out: &mut String, nodes: &[Markup]) {
    match nodes {
        [Markup::Sign(sign), Markup::Gap, rest @ ..] => {
            *out += &format!("<mo form=\"infix\" lspace=\"0\">{}</mo>", escaped(sign));
            row(out, rest);
        }
        nodes => row(out, nodes),
    }
}

fn row(out: &mut String, nodes: &[Markup]) {
    for (at, node) in nodes.iter().enumerate() {
        let sign = |at: usize| matches!(nodes.get(at), None | Some(Markup::Sign(_)));
        // Operators and separators bring their own space.
        if *node != Markup::Gap {
            part(out, node);
        } else if !sign(at.wrapping_sub(1)) && !sign(at + 1) {
            *out += "<mspace width=\"0.2em\"></mspace>";
        }
    }
}

fn part(out: &mut String, node: &Markup) {
    match node {
        Markup::Letter(letter) => variable(out, letter),
        Markup::Name(name) => element(out, "mi", name),
        Markup::Number(number) => element(out, "mn", number),
        // A quotient on the line is written without space.
        Markup::Sign("/") => *out += "<mo lspace=\"0\" rspace=\"0\">/</mo>",
        Markup::Sign(sign) => element(out, "mo", sign),
        Markup::Big(sign) => element(out, "mo", if *sign == "Σ" { "∑" } else { "∏" }),
        Markup::Words(words) => element(out, "mtext", words),
        Markup::Gap => {}
        Markup::Raised(raised) => raised_alone(out, raised),
        Markup::Group(open, inner) => {
            *out += &format!("<mrow><mo stretchy=\"false\" form=\"prefix\">{open}</mo><mrow>");
            row(out, inner);
            *out += &format!("</mrow><mo stretchy=\"false\" form=\"postfix\">{}</mo></mrow>", closing(open));
        }
        Markup::Matrix(rows) => matrix(out, rows),
        Markup::Root(inner) => {
            *out += "<msqrt>";
            part(out, inner);
            *out += "</msqrt>";
        }
        Markup::Script { base, below, above } => script(out, base, below, above),
    }
}

/// A letter, with its primes, which are raised as they are.
fn variable(out: &mut String, letter: &str) {
    let plain = letter.trim_end_matches('′');
    let primes = &letter[plain.len()..];
    if primes.is_empty() {
        return element(out, "mi", plain);
    }
    *out += "<mrow>";
    element(out, "mi", plain);
    element(out, "mo", primes);
    *out += "</mrow>";
}

/// Raised characters on the line, lowered: the scripts that hold them raise them.
fn raised_alone(out: &mut String, raised: &str) {
    let lowered = lowered(raised);
    let digits = lowered.trim_start_matches(['−', '+']);
    let sign = &lowered[..lowered.len() - digits.len()];
    if !sign.is_empty() {
        element(out, "mo", sign);
    }
    if !digits.is_empty() {
        element(out, if digits.bytes().all(|b| b.is_ascii_digit()) { "mn" } else { "mo" }, digits);
    }
}

fn script(out: &mut String, base: &Markup, below: &[Markup], above: &[Markup]) {
    let tag = match (below.is_empty(), above.is_empty()) {
        (false, true) => "msub",
        (true, _) => "msup",
        (false, false) => "msubsup",
    };
    *out += &format!("<{tag}>");
    part(out, base);
    for script in [below, above] {
        match script {
            [] => {}
            [Markup::Raised(raised)] if raised.chars().count() == 1 => raised_alone(out, raised),
            nodes => {
                *out += "<mrow>";
                row(out, nodes);
                *out += "</mrow>";
            }
        }
    }
    *out += &format!("</{tag}>");
}

fn matrix(out: &mut String, rows: &[Vec<Vec<Markup>>]) {
    *out += "<mrow><mo>[</mo><mtable>";
    for cells in rows {
        *out += "<mtr>";
        for cell in cells {
            *out += "<mtd>";
            row(out, cell);
            *out += "</mtd>";
        }
        *out += "</mtr>";
    }
    *out += "</mtable><mo>]</mo></mrow>";
}
