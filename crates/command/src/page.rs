//! A judgement as a page of HTML, or as a part of one: the report, its pictures and the numbers in them.

use super::picture::{by_pair, by_position};
use posproof_check::{Profile, RowError};
use posproof_encoding::convention::Component;

/// Style of the part: it asks for nothing, and touches nothing beside itself.
const STYLE: &str = include_str!("page.css");

/// Style of a page around parts.
const FRAME: &str = include_str!("frame.css");

/// Rows in the table of those that are furthest by their bounds.
const LISTED: usize = 10;

/// The text as HTML shows it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A picture between its title and its caption.
fn figure(svg: Option<String>, title: &str, caption: &str) -> String {
    let around = |svg| format!("<figure><p><b>{title}</b></p>{svg}<figcaption>{caption}</figcaption></figure>\n");
    svg.map_or_else(String::new, around)
}

/// Where the rows of a picture come from.
fn rows(profile: &Profile) -> String {
    let shown = match profile.rows.len() {
        all if all == profile.of_rows => format!("All {all} rows"),
        some => format!(
            "{some} of {} rows, the worst entry and the ends of what findings explain among them",
            profile.of_rows
        ),
    };
    let (tables, of) = (profile.slabs.len(), profile.of_slabs);
    let tables = match of {
        0 | 1 => String::new(),
        of if of == tables => format!(", in all {of} tables"),
        of => format!(", in {tables} of {of} tables"),
    };
    format!(
        "{shown}{tables}: of each the entry whose error is the largest part of its bound. The report compares all rows."
    )
}

/// The rows that are furthest by their bounds, as a table.
fn table(profile: &Profile) -> String {
    let mut rows: Vec<&RowError> = profile.rows.iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    // An entry that is not finite is further than any number.
    let share = |row: &RowError| row.share.unwrap_or(f64::INFINITY);
    rows.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let cell = |text: String| format!("<td>{text}</td>");
    let number = |x: Option<f64>| cell(x.map_or_else(|| "not finite".to_owned(), |x| format!("{x:.3e}")));
    let by_position = profile.increasing().is_some();
    let heading = if by_position { "position" } else { "row, position" };
    let place = |row: &RowError| {
        let position: Vec<String> = row.position.iter().map(f64::to_string).collect();
        match (by_position, &position[..]) {
            (true, [position]) => position.clone(),
            (_, []) => format!("{}, none", row.row),
            (_, [position]) => format!("{}, {position}", row.row),
            _ => format!("{}, ({})", row.row, position.join(", ")),
        }
    };
    let mut html = format!(
        "<details><summary>The rows that are furthest by their bounds</summary>\n<table><thead><tr><th scope=\"col\">{heading}</th>\
        <th scope=\"col\">error ÷ bound</th><th scope=\"col\">pair</th><th scope=\"col\">error</th><th scope=\"col\">bound</th></tr></thead>\n<tbody>\n"
    );
    for row in rows.into_iter().take(LISTED) {
        let component = match row.component {
            Some(Component::Cos) => " cos",
            Some(Component::Sin) => " sin",
            None => "",
        };
        let pair = row.pair.map_or_else(|| "not rotated".to_owned(), |pair| format!("{pair}{component}"));
        let [error, bound, share] = [row.error, Some(row.bound), row.share].map(number);
        html += &format!("<tr><th scope=\"row\">{}</th>{share}{}{error}{bound}</tr>\n", place(row), cell(pair));
    }
    html + "</tbody></table></details>\n"
}

/// A judgement as a part of a page, such as a notebook: its text, and the pictures of it.
pub fn part(text: &str, profile: &Profile) -> String {
    let pairs = "All rows: of each pair, the entry with the largest quotient of error and bound.";
    format!(
        "<div class=\"posproof\">\n<style>\n{STYLE}</style>\n<pre>{}</pre>\n{}{}{}</div>\n",
        escaped(text),
        figure(
            by_position(profile),
            if profile.increasing().is_some() { "Error by position" } else { "Error by row" },
            &rows(profile)
        ),
        figure(by_pair(profile), "Error by pair", pairs),
        table(profile)
    )
}

/// A page around parts of HTML, which asks nothing of the network and runs nothing.
pub fn frame(title: &str, parts: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"generator\" content=\"posproof {version}\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{FRAME}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{parts}</main>\n\
         <footer><p>posproof {version}</p></footer>\n</body>\n</html>\n",
        title = escaped(title),
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// A judgement as a page of its own.
pub fn page(title: &str, text: &str, profile: &Profile) -> String {
    frame(title, &part(text, profile))
}
