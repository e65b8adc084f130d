//! Text of others, where it is printed.

use std::borrow::Cow;

/// A text of a file as it may be printed: characters that a terminal obeys, and those that reorder what follows them, by their numbers.
///
/// ```
/// use posproof_encoding::printable;
///
/// assert_eq!(printable("rope_theta"), "rope_theta");
/// assert_eq!(printable("\u{1b}[2J"), "\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if obeyed(c) { made.extend(c.escape_unicode()) } else { made.push(c) }
    }
    Cow::Owned(made)
}
