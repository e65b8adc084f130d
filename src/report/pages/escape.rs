//! Text that is to be read as it stands, in Markdown.

/// Punctuation that Markdown may take for markup. CommonMark reads a backslash before any of it as the
/// character itself.
const MARKUP: &str = "\\`*_[]<>|~&$#";

/// The text with every character of markup escaped.
///
/// ```
/// assert_eq!(posproof::report::pages::plain("PE(t)_{2i} < 1 | x*y"), r"PE(t)\_{2i} \< 1 \| x\*y");
/// ```
pub fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if MARKUP.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::plain;
    use pulldown_cmark::{Event, Options, Parser};

    fn read(markdown: &str) -> String {
        let mut text = String::new();
        for event in Parser::new_ext(markdown, Options::all()) {
            match event {
                Event::Text(part) => text += &part,
                Event::Start(_) | Event::End(_) => {}
                other => panic!("{markdown}: {other:?}"),
            }
        }
        text
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let texts = crate::claims::all().into_iter().flat_map(|entry| {
            let about = entry.about();
            [Some(about.statement), about.written, about.remark, Some(about.sabotage)].into_iter().flatten()
        });
        let hard = ["a*b* _c_ [d](e) <f> `g` h|i ~~j~~ &amp; \\ $k$ # l", "x^2 – <script>alert(1)</script>"];
        for text in texts.chain(hard) {
            assert_eq!(read(&format!("Text: {}", plain(text))), format!("Text: {text}"));
        }
    }
}
