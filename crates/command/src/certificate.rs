//! Files with which Coq proves the bounds that are printed.

use super::Failure;
use super::text::bounds::description;
use posproof_bound::document::printed;
use posproof_bound::{Certified, Model, Row, Study};
use posproof_encoding::real::Real;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use std::io::Write;
use std::path::Path as FilePath;

/// Refuses a certificate whose name Coq cannot compile.
pub fn nameable(path: &FilePath) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let stem = name.strip_suffix(".v").unwrap_or_default();
    if stem.starts_with(letter) && stem.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '\'') {
        return Ok(());
    }
    let expected =
        "expected letters, digits and underscores, no digit first, then .v: Coq compiles no file of another name";
    Err(Failure::Usage(format!("--certificate {}: found the name '{name}'; {expected}", path.display())))
}

/// Writes the certificate of the bounds as they are printed.
pub fn certify(model: &Model, study: &Study, path: &FilePath, force: bool) -> Result<(), Failure> {
    let certified = |row: &Row| -> Result<Certified, Failure> {
        let printed = printed(row.instance.value());
        let figure: Real =
            printed.parse().map_err(|_| Failure::Internal(format!("the figure {printed} is no number")))?;
        let positions = study.question.positions.clone();
        Ok(Certified { pair: row.pair, component: row.component, positions, figure: figure.value().clone() })
    };
    let bounds: Result<Vec<Certified>, Failure> = study.rows.iter().map(certified).collect();
    let text = format!("(** {}. *)\n\n{}", description(model), model.certificate(&bounds?)?);
    let mut file = NewFile::create(path, force)?;
    file.file().write_all(text.as_bytes()).map_err(NotWritten::io(path))?;
    file.finish()?;
    Ok(())
}
