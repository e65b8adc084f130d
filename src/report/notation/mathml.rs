//! Formulas as MathML.

use super::formula::{Node, Stretch, stretches};
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
fn term(out: &mut String, nodes: &[Node]) {
    match nodes {
        [Node::Sign(sign), Node::Gap, rest @ ..] => {
            *out += &format!("<mo form=\"infix\" lspace=\"0\">{}</mo>", escaped(sign));
            row(out, rest);
        }
        nodes => row(out, nodes),
    }
}

fn row(out: &mut String, nodes: &[Node]) {
    for (at, node) in nodes.iter().enumerate() {
        let sign = |at: usize| matches!(nodes.get(at), None | Some(Node::Sign(_)));
        // Operators and separators bring their own space.
        if *node != Node::Gap {
            part(out, node);
        } else if !sign(at.wrapping_sub(1)) && !sign(at + 1) {
            *out += "<mspace width=\"0.2em\"></mspace>";
        }
    }
}

fn part(out: &mut String, node: &Node) {
    match node {
        Node::Letter(letter) => variable(out, letter),
        Node::Name(name) => element(out, "mi", name),
        Node::Number(number) => element(out, "mn", number),
        // A quotient on the line is written without space.
        Node::Sign("/") => *out += "<mo lspace=\"0\" rspace=\"0\">/</mo>",
        Node::Sign(sign) => element(out, "mo", sign),
        Node::Big(sign) => element(out, "mo", if *sign == "Σ" { "∑" } else { "∏" }),
        Node::Words(words) => element(out, "mtext", words),
        Node::Gap => {}
        Node::Raised(raised) => raised_alone(out, raised),
        Node::Group(open, inner) => {
            *out += &format!("<mrow><mo stretchy=\"false\" form=\"prefix\">{open}</mo><mrow>");
            row(out, inner);
            *out += &format!("</mrow><mo stretchy=\"false\" form=\"postfix\">{}</mo></mrow>", closing(open));
        }
        Node::Matrix(rows) => matrix(out, rows),
        Node::Root(inner) => {
            *out += "<msqrt>";
            part(out, inner);
            *out += "</msqrt>";
        }
        Node::Script { base, below, above } => script(out, base, below, above),
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

fn script(out: &mut String, base: &Node, below: &[Node], above: &[Node]) {
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
            [Node::Raised(raised)] if raised.chars().count() == 1 => raised_alone(out, raised),
            nodes => {
                *out += "<mrow>";
                row(out, nodes);
                *out += "</mrow>";
            }
        }
    }
    *out += &format!("</{tag}>");
}

fn matrix(out: &mut String, rows: &[Vec<Vec<Node>>]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read: prose as it is, formulas as they are written.
    fn read(html: &str) -> String {
        let mut text = String::new();
        let mut rest = html;
        while let Some((prose, formula)) = rest.split_once("<math alttext=\"") {
            let (written, after) = formula.split_once("\">").unwrap();
            let (_, after) = after.split_once("</math>").unwrap();
            text += &(prose.to_owned() + written);
            rest = after;
        }
        let whole = text + rest;
        whole.replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")
    }

    /// What is seen: the characters without the markup.
    fn seen(html: &str) -> String {
        html.split('<').flat_map(|part| part.split_once('>').map(|(_, text)| text).or(Some(part))).collect()
    }

    fn formulas(text: &str) -> Vec<String> {
        html(text).split("alttext=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn scripts_are_set_as_scripts() {
        let markup = |text: &str| html(text).split_once("\">").unwrap().1.replace("</math>", "");
        assert_eq!(markup("ω_i"), "<msub><mi>ω</mi><mrow><mi>i</mi></mrow></msub>");
        assert_eq!(markup("D_0t"), "<msub><mi>D</mi><mrow><mn>0</mn><mi>t</mi></mrow></msub>");
        assert_eq!(markup("x*"), "<msup><mi>x</mi><mo>*</mo></msup>");
        assert_eq!(markup("Pᵀ"), "<msup><mi>P</mi><mo>⊤</mo></msup>");
        assert_eq!(markup("T⁻¹"), "<msup><mi>T</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>");
        assert_eq!(markup("√d"), "<msqrt><mi>d</mi></msqrt>");
        let sum = "<msubsup><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mrow><mi>d</mi></mrow></msubsup>";
        assert_eq!(markup("Σ_(k=1)^d"), sum);
        assert!(markup("e^(imθ)").ends_with("<mrow><mi>i</mi><mi>m</mi><mi>θ</mi></mrow></msup>"));
        assert!(markup("PE(t)_{2i}").contains("</mrow><mrow><mn>2</mn><mi>i</mi></mrow></msub>"));
        assert!(markup("[[a, b], [c, d]]").contains("<mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr>"));
        assert!(seen(&html("D_(s+k)(t+k)")).contains("D(s+k)(t+k)"), "several groups keep their brackets");
    }

    #[test]
    fn prose_stays_prose() {
        assert_eq!(formulas("A factor c with c·sin(ωt) = 0"), ["c", "c·sin(ωt)", "= 0"]);
        assert_eq!(formulas("for all a and b, and a vector x"), ["a", "b", "x"]);
        assert_eq!(formulas("counted from 1 (ω_m = 2, m = 1 … 3) gives"), ["ω_m", "= 2", "m", "= 1", "… 3"]);
        assert_eq!(formulas("has norm² d/2 there"), ["d/2"]);
        assert_eq!(formulas("in [0, 1], 50/100 = 500/1000, half-split, the document's"), [""; 0]);
    }

    #[test]
    fn statements_keep_their_words_and_lose_their_markup() {
        let texts = crate::claims::all().into_iter().flat_map(|entry| {
            let about = entry.about();
            [Some(about.statement), about.written, about.remark, Some(about.sabotage)].into_iter().flatten()
        });
        for text in texts {
            let page = html(text);
            assert_eq!(read(&page), text);
            assert!(!seen(&page).contains(['_', '^', '{', '}']), "{page}");
        }
    }

    #[test]
    fn nothing_is_lost_of_any_text() {
        fn holds(words: Vec<usize>) -> bool {
            const WORDS: [&str; 24] = [
                "a", "x", "sin", "word", " ", " ", "(", ")", "[", "]", "|", "‖", "_", "^", "{", "}", "√", "ᵀ", "²",
                "<", "&", "1", ",", "é",
            ];
            let text: String = words.iter().map(|word| WORDS[word % WORDS.len()]).collect();
            let page = html(&text);
            let opened = page.matches("<m").count() - page.matches("<mspace").count();
            read(&page) == text && page.matches("</m").count() - page.matches("</mspace").count() == opened
        }
        quickcheck::quickcheck(holds as fn(Vec<usize>) -> bool);
        assert_eq!(read(&html(&"(".repeat(10_000))), "(".repeat(10_000));
        assert_eq!(read(&html(&"|‖".repeat(1000))), "|‖".repeat(1000));
    }
}
