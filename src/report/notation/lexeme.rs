//! Text as lexemes.

/// A piece of text with a role in formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of prose.
    Word,
    /// A variable of one letter, with its primes.
    Letter,
    /// A function or constant whose name is a word: `sin`, `PE`.
    Name,
    /// Digits, with a decimal point or without.
    Number,
    /// An operator or relation.
    Sign,
    /// Σ or Π.
    Big,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// `|` or `‖`, which opens and closes.
    Bar,
    /// `_` or `^`.
    Script,
    /// Characters that stand raised as they are written: `ᵀ`, `⁻¹`, `²`, and `*` after an operand.
    Raised,
    /// Spaces.
    Space,
    /// Everything else: punctuation.
    Mark,
}

/// A lexeme: its kind, and where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub start: usize,
}

impl Lexeme<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

const NAMES: [&str; 12] = ["sin", "cos", "ln", "exp", "log", "det", "Re", "PE", "Attn", "softmax", "base", "lcm"];
const SIGNS: &str = "=≠<>≤≥+−±·×/…∘√∈°";
const RAISED: [(char, char); 14] = [
    ('ᵀ', '⊤'),
    ('⁰', '0'),
    ('¹', '1'),
    ('²', '2'),
    ('³', '3'),
    ('⁴', '4'),
    ('⁵', '5'),
    ('⁶', '6'),
    ('⁷', '7'),
    ('⁸', '8'),
    ('⁹', '9'),
    ('⁻', '−'),
    ('⁺', '+'),
    ('*', '*'),
];

/// The bracket that closes what an opening one opens.
pub(super) fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        "⟨" => "⟩",
        "⌊" => "⌋",
        "⌈" => "⌉",
        "|" => "|",
        "‖" => "‖",
        _ => "",
    }
}

/// Meaning of raised characters: `⁻¹` for `−1`.
pub(super) fn lowered(raised: &str) -> String {
    raised.chars().map(|c| RAISED.iter().find(|(high, _)| *high == c).map_or(c, |(_, low)| *low)).collect()
}

fn is_greek(c: char) -> bool {
    ('\u{370}'..='\u{3ff}').contains(&c)
}

fn is_raised(c: char) -> bool {
    RAISED.iter().any(|(high, _)| *high == c)
}

/// The lexemes, which together are the text.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let mut found: Vec<Lexeme> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let (kind, length) = match first {
            ' ' => (Kind::Space, prefix(rest, |c| c == ' ')),
            'Σ' | 'Π' => (Kind::Big, first.len_utf8()),
            '(' | '[' | '{' | '⟨' | '⌊' | '⌈' => (Kind::Open, first.len_utf8()),
            ')' | ']' | '}' | '⟩' | '⌋' | '⌉' => (Kind::Close, first.len_utf8()),
            '|' | '‖' => (Kind::Bar, first.len_utf8()),
            '_' | '^' => (Kind::Script, 1),
            _ if SIGNS.contains(first) => (Kind::Sign, first.len_utf8()),
            _ if is_raised(first) => (Kind::Raised, prefix(rest, is_raised)),
            _ if first.is_ascii_digit() => {
                counted(rest).map_or((Kind::Number, number(rest)), |word| (Kind::Word, word))
            }
            _ if is_greek(first) => (Kind::Letter, first.len_utf8() + primes(&rest[first.len_utf8()..])),
            _ if first.is_alphabetic() => letters(rest, found.last()),
            _ => (Kind::Mark, first.len_utf8()),
        };
        found.push(Lexeme { kind, text: &rest[..length], start });
        rest = &rest[length..];
    }
    found
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn primes(text: &str) -> usize {
    prefix(text, |c| c == '′')
}

/// Digits, and a point with further digits.
fn number(text: &str) -> usize {
    let whole = prefix(text, |c| c.is_ascii_digit());
    let decimals = text[whole..].strip_prefix('.').map_or(0, |rest| prefix(rest, |c| c.is_ascii_digit()));
    if decimals == 0 { whole } else { whole + 1 + decimals }
}

/// A count in the name of a model, such as the `1M` of Qwen 1M: digits and a capital letter that ends the word.
fn counted(text: &str) -> Option<usize> {
    let digits = number(text);
    let rest = text[digits..].strip_prefix(['B', 'M'])?;
    let ends = rest.chars().next().is_none_or(|c| !(c.is_alphanumeric() || "(_^[·ᵀ′".contains(c) || is_raised(c)));
    ends.then_some(digits + 1)
}

/// A variable, a name, a product of variables (of which the first is taken) or a word of prose.
fn letters(text: &str, before: Option<&Lexeme>) -> (Kind, usize) {
    let belongs = |c: char| (c.is_alphanumeric() && !is_greek(c) && !is_raised(c)) || c == '-' || c == '\'' || c == '’';
    let word = text[..prefix(text, belongs)].trim_end_matches(['-', '\'', '’']);
    let mut characters = word.chars();
    let first = characters.next().map_or(1, char::len_utf8);
    if characters.next().is_none() {
        return (Kind::Letter, first + primes(&text[first..]));
    }
    if NAMES.contains(&word) {
        return (Kind::Name, word.len());
    }
    let next = text[word.len()..].chars().next();
    let product = next.is_some_and(|c| "(_^".contains(c) || is_greek(c) || is_raised(c))
        || before.is_some_and(|lexeme| lexeme.kind == Kind::Raised || lexeme.text.starts_with(is_greek));
    if product && word.len() <= LONGEST_PRODUCT && word.bytes().all(|b| b.is_ascii_alphabetic()) {
        return (Kind::Letter, first);
    }
    (Kind::Word, word.len())
}

/// Letters in a product of variables without a sign between them, such as the `im` of `e^(imθ)`.
const LONGEST_PRODUCT: usize = 3;
