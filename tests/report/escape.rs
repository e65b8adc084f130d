//! Text that is escaped for Markdown reads as it was written.

use posproof::report::pages::plain;
use pulldown_cmark::{Event, Options, Parser};

fn read(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
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
    let texts = posproof::claims::all().into_iter().flat_map(|entry| {
        let about = entry.about();
        [Some(about.statement), about.written, about.remark, Some(about.sabotage)].into_iter().flatten()
    });
    let hard = ["a*b* _c_ [d](e) <f> `g` h|i ~~j~~ &amp; \\ $k$ # l", "x^2 – <script>alert(1)</script>"];
    for text in texts.chain(hard) {
        assert_eq!(read(&format!("Text: {}", plain(text))), format!("Text: {text}"));
    }
}
