//! Formulas in HTML: set as mathematics, read as they are written.

use posproof::report::notation::html;

/// Text as it is read: prose as it is, formulas as they are written.
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

/// Text as it is seen: the characters without the markup.
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
    let texts = posproof::claims::all().into_iter().flat_map(|entry| {
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
            "a", "x", "sin", "word", " ", " ", "(", ")", "[", "]", "|", "‖", "_", "^", "{", "}", "√", "ᵀ", "²", "<",
            "&", "1", ",", "é",
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
