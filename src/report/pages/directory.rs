//! Which directories a report may be written to; it is then put there [whole, or not at all](NewDirectory).

use super::{File, SCHEMA};
use crate::table::arrays::atomic::NewDirectory;
use posproof_numerics::decimal::counted;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file by which a former report is known.
pub const MARKER: &str = "report.json";

/// A directory that may be written.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    parent: PathBuf,
}

/// Why a directory is not written.
#[derive(Debug, thiserror::Error)]
pub enum Unwritable {
    /// It holds something that would be lost.
    #[error(
        "--out {path}: {found}; expected no directory, an empty one or a former report with nothing else in it. \
Choose another --out, or replace all that it holds with --force"
    )]
    Occupied {
        /// The directory.
        path: String,
        /// The file that is there.
        found: String,
    },
    /// It can never be replaced.
    #[error("--out {path}: {found}; expected a directory of its own")]
    Unsuitable {
        /// The path.
        path: String,
        /// Value found.
        found: &'static str,
    },
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The path.
        path: String,
        /// The system's words.
        error: io::Error,
    },
}

fn at(path: &Path) -> impl Fn(io::Error) -> Unwritable {
    let path = path.display().to_string();
    move |error| Unwritable::Io { path: path.clone(), error }
}

impl Destination {
    /// A directory, if it may be written: looked at before hours of work, and again when they are done.
    pub fn new(path: &Path, force: bool) -> Result<Self, Unwritable> {
        let unsuitable = |found| Unwritable::Unsuitable { path: path.display().to_string(), found };
        let absolute = std::path::absolute(path).map_err(at(path))?;
        let parent = match (absolute.parent(), absolute.file_name()) {
            (Some(parent), Some(_)) => parent.to_owned(),
            _ => return Err(unsuitable("it is not the name of a directory")),
        };
        match fs::symlink_metadata(&absolute) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(at(path)(error)),
            Ok(found) if found.is_symlink() => return Err(unsuitable("it is a symbolic link")),
            Ok(found) if !found.is_dir() => return Err(unsuitable("it is a file")),
            Ok(_) => {
                let canonical = fs::canonicalize(&absolute).map_err(at(path))?;
                let here = std::env::current_dir().and_then(fs::canonicalize);
                if here.is_ok_and(|here| here.starts_with(&canonical)) {
                    return Err(unsuitable("it is, or holds, the current directory"));
                }
                if !force && let Some(found) = occupied(&absolute).map_err(at(path))? {
                    return Err(Unwritable::Occupied { path: path.display().to_string(), found });
                }
            }
        }
        writable(&parent)?;
        Ok(Self { path: absolute, parent })
    }

    /// Writes the files and puts them in place.
    pub fn write(&self, files: &[File]) -> Result<(), Unwritable> {
        fs::create_dir_all(&self.parent).map_err(at(&self.parent))?;
        let name = self.path.file_name().unwrap_or_default();
        let fresh = NewDirectory::create(&self.parent, name).map_err(at(&self.parent))?;
        for (name, text) in files {
            let path = fresh.content().join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(at(folder))?;
            }
            fs::write(&path, text).map_err(at(&path))?;
        }
        fresh.finish().map_err(at(&self.path))
    }
}

/// True if a directory can be made in this one, or in the nearest above it that exists: one is made, and removed again.
fn writable(parent: &Path) -> Result<(), Unwritable> {
    let there = parent.ancestors().find(|folder| folder.exists()).unwrap_or(parent);
    NewDirectory::create(there, "report".as_ref()).map(drop).map_err(at(there))
}

/// Contents of a directory besides a former report, if there are any.
fn occupied(path: &Path) -> io::Result<Option<String>> {
    let found = list(path, path)?;
    if found.is_empty() {
        return Ok(None);
    }
    let Some(written) = former(path) else {
        return Ok(Some(format!("it is not empty ({}) and not a former report", counted(found.len() as u64, "file"))));
    };
    let strange = found.iter().find(|name| !written.contains(*name));
    Ok(strange.map(|name| format!("besides a former report it holds {name}")))
}

/// The files that a former report lists; none if there is no such report.
fn former(path: &Path) -> Option<BTreeSet<String>> {
    let text = fs::read_to_string(path.join(MARKER)).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    if document.get("schema")?.as_str()? != SCHEMA {
        return None;
    }
    Some(document.get("files")?.as_array()?.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect())
}

/// All files below a directory, by their paths from `root` with slashes.
fn list(root: &Path, folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let inner = list(root, &entry.path())?;
            // An empty folder is somebody's too, unless it is the report's own.
            names.extend(inner);
        } else {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap_or(&path);
            let parts: Vec<String> = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            names.push(parts.join("/"));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(extra: &str) -> Vec<File> {
        let files = r#"{"schema": "posproof.report/1", "files": ["report.json", "claims/a.md"]}"#;
        vec![("claims/a.md".into(), extra.into()), (MARKER.into(), files.into())]
    }

    #[test]
    fn a_report_replaces_a_former_one_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("deep/er/report");
        let write = |text: &str, force| Destination::new(&out, force)?.write(&report(text));
        let read = || fs::read_to_string(out.join("claims/a.md")).unwrap();
        write("first", false).unwrap();
        write("second", false).unwrap();
        assert_eq!(read(), "second");
        fs::write(out.join("mine.txt"), "precious").unwrap();
        let refused = write("third", false).unwrap_err().to_string();
        assert!(refused.contains("mine.txt") && refused.contains("--force"), "{refused}");
        assert_eq!(read(), "second");
        write("fourth", true).unwrap();
        assert_eq!(read(), "fourth");
        assert!(!out.join("mine.txt").exists());
        let left: Vec<_> =
            fs::read_dir(out.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["report"], "nothing is left beside it");
    }

    #[test]
    fn what_is_no_report_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Destination::new(path, false).unwrap_err().to_string();
        let folder = place.path().join("folder");
        fs::create_dir(&folder).unwrap();
        assert!(Destination::new(&folder, false).is_ok(), "an empty directory may be written");
        fs::write(folder.join("report.json"), "{}").unwrap();
        assert!(refused(&folder).contains("it is not empty (1 file) and not a former report"));
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(refused(&file).contains("it is a file"));
        assert!(refused(Path::new(".")).contains("current directory"));
        assert!(Destination::new(Path::new("/"), true).is_err());
        assert!(Destination::new(Path::new(".."), true).is_err());
    }
}
