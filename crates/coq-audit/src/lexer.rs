//! Coq sources taken apart: comments, strings, sentences, words.

/// A source without its comments.
pub struct Lexed {
    /// The text with comments and the insides of strings blanked, line by line as it was.
    pub code: String,
    /// Doc comments, white space collapsed, each with the place in `code` where it ends.
    pub docs: Vec<(usize, String)>,
    /// True if the text ends inside a comment or a string.
    pub open: bool,
}

/// Tells comments and strings apart from code, as Coq does.
pub fn lex(text: &str) -> Lexed {
    let mut code = String::with_capacity(text.len());
    let mut docs = Vec::new();
    let mut comment = String::new();
    let (mut depth, mut in_string) = (0_usize, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let opens = !in_string && rest.starts_with("(*");
        let closes = !in_string && depth > 0 && rest.starts_with("*)");
        let token = if opens || closes { &rest[..2] } else { &rest[..next.len_utf8()] };
        rest = &rest[token.len()..];
        if opens {
            depth += 1;
        }
        // Coq reads strings inside comments too.
        if next == '"' {
            in_string = !in_string;
        }
        if depth > 0 {
            comment.push_str(token);
        }
        let blank = depth > 0 || (in_string && next != '"');
        code.extend(token.chars().map(|c| if blank && c != '\n' { ' ' } else { c }));
        if closes {
            depth -= 1;
            if depth == 0 {
                if let Some(doc) = comment.strip_prefix("(** ").and_then(|doc| doc.strip_suffix("*)")) {
                    docs.push((code.len(), collapsed(doc)));
                }
                comment.clear();
            }
        }
    }
    Lexed { code, docs, open: depth > 0 || in_string }
}

/// The text with every run of white space as one space.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sentences and where they start. A sentence ends with a full stop before white space; two full
/// stops belong to a notation, three end a sentence.
pub fn sentences(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut stops = 0;
    let mut push = |begin: usize, end: usize| {
        let sentence = &code[begin..end];
        let start = begin + sentence.len() - sentence.trim_start().len();
        if start < end {
            found.push((start, code[start..end].trim_end()));
        }
    };
    for (place, c) in code.char_indices() {
        if c.is_whitespace() && (stops == 1 || stops == 3) {
            push(begin, place);
            begin = place;
        }
        stops = if c == '.' { stops + 1 } else { 0 };
    }
    push(begin, code.len());
    found
}

/// Identifiers and numbers, dots inside them kept.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '.';
    text.split(move |c| !part(c)).map(|word| word.trim_matches('.')).filter(|word| !word.is_empty())
}
