//! Tables of docs/attention.md and docs/kernels.md that tests write.

/// The lines between the marks of a name, in the guide of attention or in that of two kernels; POSPROOF_WRITE_DOCS puts them there.
pub fn documented(name: &str, lines: &[String]) {
    let guide = if name == "pairs" { "kernels" } else { "attention" };
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{guide}.md"));
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = page.split_once(&begin).expect("the beginning of the table");
    let (shown, after) = rest.split_once(&end).expect("the end of the table");
    let found = format!("\n{}\n\n", lines.join("\n"));
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{found}{end}{after}")).expect("written");
    } else {
        assert!(shown == found, "docs/{guide}.md differs; accept this with POSPROOF_WRITE_DOCS=1:\n{found}");
    }
}
