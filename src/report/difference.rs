//! Two values side by side, with the digits in which they differ.

/// A stretch of a value, and whether the other value differs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The characters.
    pub text: String,
    /// True if they differ.
    pub differs: bool,
}

/// Both values in pieces: in each number, the digits from the first that differs on.
///
/// ```
/// use posproof::report::difference::pieces;
/// let [left, right] = pieces("-0.6714443771250274", "-0.6714443771301497");
/// assert_eq!([left[0].text.as_str(), left[1].text.as_str(), right[1].text.as_str()], ["-0.6714443771", "250274", "301497"]);
/// ```
///
/// Numbers are compared in the order in which they stand; where there are not as many on both sides, or other words
/// between them, as in formal expressions, nothing is said to differ. Numbers with other exponents or with other counts of
/// digits before the point differ as a whole.
pub fn pieces(left: &str, right: &str) -> [Vec<Piece>; 2] {
    let (parts, others) = (parts(left), parts(right));
    let alike = parts.len() == others.len()
        && parts.iter().zip(&others).all(|(one, other)| is_number(one) && is_number(other) || one == other);
    if !alike {
        return [left, right].map(|text| vec![Piece { text: text.to_owned(), differs: false }]);
    }
    let mut both = [Vec::new(), Vec::new()];
    for (one, other) in parts.iter().zip(&others) {
        let same = if is_number(one) { common(one, other) } else { one.len() };
        for (pieces, text) in both.iter_mut().zip([one, other]) {
            let (same, rest) = text.split_at(same);
            push(pieces, same, false);
            push(pieces, rest, true);
        }
    }
    both
}

fn push(pieces: &mut Vec<Piece>, text: &str, differs: bool) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.differs == differs => last.text += text,
        _ => pieces.push(Piece { text: text.to_owned(), differs }),
    }
}

fn numeric(c: char) -> bool {
    c.is_ascii_digit() || "+-.e".contains(c)
}

fn is_number(part: &str) -> bool {
    part.starts_with(numeric)
}

/// The numbers, and what is between them.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| numeric(c) != numeric(first)).unwrap_or(rest.len());
        parts.push(&rest[..length]);
        rest = &rest[length..];
    }
    parts
}

/// Number of bytes at the start of two numbers that mean the same digits.
fn common(one: &str, other: &str) -> usize {
    let shape = |number: &str| {
        let (digits, exponent) = number.split_once('e').unwrap_or((number, "0"));
        (digits.find('.').unwrap_or(digits.len()), exponent.to_owned())
    };
    if one == other {
        return one.len();
    }
    if shape(one) != shape(other) {
        return 0;
    }
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(left: &str, right: &str) -> [String; 2] {
        pieces(left, right).map(|pieces| {
            let show = |piece: Piece| if piece.differs { format!("<{}>", piece.text) } else { piece.text };
            pieces.into_iter().map(show).collect()
        })
    }

    #[test]
    fn digits_from_the_first_that_differs_are_marked() {
        assert_eq!(marked("249.102", "249.561"), ["249.<102>", "249.<561>"]);
        assert_eq!(marked("-3.265e-1", "-3.268e-1"), ["-3.26<5e-1>", "-3.26<8e-1>"]);
        assert_eq!(marked("[0.123, 0.124]", "[0.125, 0.126]"), ["[0.12<3>, 0.12<4>]", "[0.12<5>, 0.12<6>]"]);
        assert_eq!(marked("1.5", "1.5"), ["1.5", "1.5"]);
    }

    #[test]
    fn numbers_of_other_magnitudes_differ_as_a_whole() {
        assert_eq!(marked("0.0", "512.6"), ["<0.0>", "<512.6>"]);
        assert_eq!(marked("1.5e-3", "1.5e-4"), ["<1.5e-3>", "<1.5e-4>"]);
        assert_eq!(marked("0.98828125", "-0.9560546875"), ["<0.98828125>", "<-0.9560546875>"]);
    }

    #[test]
    fn expressions_are_left_alone() {
        assert_eq!(marked("2*cos(a) + 1", "2*sin(a) + 1"), ["2*cos(a) + 1", "2*sin(a) + 1"]);
        assert_eq!(marked("é 1", "é 2"), ["é <1>", "é <2>"]);
        assert_eq!(marked("", "1"), ["", "1"]);
    }
}
