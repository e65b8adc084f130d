//! The reading and the comparison for people.

use super::against::Against;
use super::layers::layers;
use super::{Kind, Lint, meaning};
use posproof_encoding::model::{Note, NoteKind};
use posproof_encoding::printable;
use std::fmt;

/// "1 contradiction", "2 contradictions".
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = &self.model;
        let family = model.model_type.as_deref().unwrap_or("no family is named");
        let part = model.part.as_ref().map_or(String::new(), |part| format!(", {part}"));
        // A file that contradicts itself means nothing, and its family was not asked for.
        let about = if self.kinds.is_empty() { String::new() } else { format!(" ({family}{part})") };
        let differences: usize = self.against.iter().map(|against| against.differences.len()).sum();
        let contradictions = self.contradictions().count();
        let unrotated =
            model.notes.iter().find(|note| note.kind == NoteKind::Unrotated).map(|note| note.message.as_str());
        let verdict = match (contradictions, differences) {
            (0, 0) if unrotated.is_some() => unrotated.unwrap_or_default().to_owned(),
            (0, 0) if self.against.is_empty() => "nothing contradicts itself".to_owned(),
            (0, 0) => "nothing that was compared contradicts it".to_owned(),
            (own, 0) => counted(own, "contradiction"),
            (0, others) => counted(others, "difference"),
            (own, others) => format!("{}, {}", counted(own, "contradiction"), counted(others, "difference")),
        };
        line(f, format_args!("{}{about}: {verdict}", self.file))?;
        for against in &self.against {
            for difference in &against.differences {
                let (code, kind) = (difference.what.name(), &difference.kind);
                let kind = if self.kinds.len() > 1 { format!(" ({kind})") } else { String::new() };
                line(f, format_args!("  {code}{kind}: {}: {}", against.file, difference.message))?;
            }
        }
        for note in self.contradictions() {
            line(f, format_args!("  contradiction: {}: {}", note.key, note.message))?;
        }
        writeln!(f)?;
        for kind in &self.kinds {
            kind.write(f)?;
        }
        for note in model.notes.iter().filter(|note| !in_the_verdict(note)) {
            line(f, format_args!("  {}: {}: {}", kind_of(note), note.key, note.message))?;
        }
        if let Some(measured) = &model.measured_on {
            line(f, format_args!("  what the file leaves out is as measured on {measured}"))?;
        }
        self.against.iter().try_for_each(|against| against.write(f))
    }
}

/// A line, in which whatever a file has for a name may be printed.
fn line(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    writeln!(f, "{}", printable(&text.to_string()))
}

/// True if the first lines say it.
fn in_the_verdict(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Contradiction | NoteKind::Unrotated)
}

/// Name of a note's kind.
pub fn kind_of(note: &Note) -> &'static str {
    match note.kind {
        NoteKind::Ignored => "ignored",
        NoteKind::Defaulted => "defaulted",
        NoteKind::Contradiction => "contradiction",
        NoteKind::Axes => "axes",
        NoteKind::Depends => "depends",
        NoteKind::Unrotated => "unrotated",
    }
}

impl Kind {
    /// One line about these layers: `layers 0–31 (all): 128 of 128 entries, halves, base 500000, llama3 scaling by 8`.
    pub fn line(&self) -> String {
        let layers = layers(&self.layers);
        let Some(rotation) = &self.layers.rotation else {
            return printable(&format!("{layers}: not rotated")).into_owned();
        };
        let convention = &rotation.convention;
        let said =
            |field: &str| rotation.values.iter().find(|value| value.field == field).map(|value| value.value.as_str());
        let by = said("scaling.factor").map_or(String::new(), |factor| format!(" by {factor}"));
        let rule = said("scaling").map_or(String::new(), |rule| format!(", {rule} scaling{by}"));
        let (rotated, layout) = (convention.rotated_dim(), said("layout").unwrap_or_default());
        let line =
            format!("{layers}: {rotated} of {} entries, {layout}, base {}{rule}", convention.dim, convention.base);
        printable(&line).into_owned()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layers = layers(&self.layers);
        match &self.layers.rotation {
            Some(_) => line(f, format_args!("{layers}:"))?,
            None => line(f, format_args!("{layers}: not rotated"))?,
        }
        let rotation = self.layers.rotation.as_ref();
        for meaning in &self.meanings {
            if let Some(length) = meaning.length {
                line(f, format_args!("  sequences of {length}:"))?;
            }
            for sentence in meaning.sentences(rotation.map_or(&[], |rotation| &rotation.sections)) {
                line(f, format_args!("  {sentence}"))?;
            }
        }
        if let Some(sentence) = meaning::softmax(&self.layers) {
            line(f, format_args!("  {sentence}"))?;
        }
        for value in rotation.iter().flat_map(|rotation| &rotation.values) {
            line(f, format_args!("    {} = {} ({})", value.field, value.value, value.origin))?;
        }
        Ok(())
    }
}

impl Against {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        line(f, format_args!("{}:", self.file))?;
        for compared in &self.compared {
            line(f, format_args!("  compared: {compared}"))?;
        }
        for skipped in &self.skipped {
            line(f, format_args!("  not compared: {skipped}"))?;
        }
        Ok(())
    }
}
