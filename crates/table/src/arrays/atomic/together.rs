//! Files that belong together: all in place, or none.

use super::{NewFile, NotWritten, unfinished, unnamed};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempPath};

/// Puts files in place together: at no moment is a new one beside an old one, whatever ends the program then. Those that they replace are
/// set aside first, under hidden names; if a file cannot be put in place, all is as it was.
///
/// # Errors
/// Two names of one file, a file that came into being since, and what the file system refuses.
pub fn finish_all(files: Vec<NewFile>) -> Result<(), NotWritten> {
    for (at, file) in files.iter().enumerate() {
        file.file.as_file().sync_data().map_err(NotWritten::io(&file.path))?;
        if let Some(other) = files[..at].iter().find(|other| target(&other.path) == target(&file.path)) {
            return Err(NotWritten::OneFile(other.name.clone(), file.name.clone()));
        }
    }
    // A signal waits until all are in place, or none.
    let list = unfinished();
    let mut former = Former(Vec::new());
    if files.len() > 1 {
        for file in files.iter().filter(|file| file.replace) {
            former.set_aside(&file.path).map_err(NotWritten::io(&file.path))?;
        }
    }
    let mut placed = Vec::new();
    let mut listed = Vec::new();
    for NewFile { file, listed: name, path, replace, .. } in files {
        listed.push(name);
        let put = if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
        if let Err(error) = put {
            // What cannot be removed stays beside the former files.
            placed.iter().for_each(|path: &PathBuf| drop(fs::remove_file(path)));
            drop(former);
            drop(list);
            return Err(NotWritten::io(&path)(error.error));
        }
        placed.push(path);
    }
    former.remove();
    drop(list);
    Ok(())
}

/// The file that a path names, by the real path of its directory.
fn target(path: &Path) -> PathBuf {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    path.file_name().map_or_else(|| directory.clone(), |name| directory.join(name))
}

/// Files that were set aside, and their names: put back when dropped.
struct Former(Vec<(PathBuf, TempPath)>);

impl Former {
    fn set_aside(&mut self, path: &Path) -> io::Result<()> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let aside = Builder::new().prefix(".posproof-").tempfile_in(directory).map_err(unnamed)?.into_temp_path();
        match fs::rename(path, &aside) {
            Ok(()) => self.0.push((path.to_owned(), aside)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Removes them: the new files are in place.
    fn remove(mut self) {
        self.0.clear();
    }
}

impl Drop for Former {
    fn drop(&mut self) {
        for (path, mut aside) in self.0.drain(..) {
            // Nothing may be lost: what cannot be put back stays where it was set aside.
            if fs::rename(&aside, &path).is_err() {
                aside.disable_cleanup(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn begun(path: &Path, replace: bool) -> NewFile {
        let mut file = NewFile::create(path, replace).unwrap();
        file.file().write_all(b"new").unwrap();
        file
    }

    /// The names in a folder, with what the files hold.
    fn content(folder: &Path) -> Vec<(String, Option<String>)> {
        let entry = |path: PathBuf| (path.file_name().unwrap().display().to_string(), fs::read_to_string(path).ok());
        let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|found| entry(found.unwrap().path())).collect();
        all.sort();
        all
    }

    #[test]
    fn none_of_several_files_is_written_where_one_is_refused() {
        for at in 0..3 {
            for replace in [false, true] {
                let folder = tempfile::tempdir().unwrap();
                let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
                if replace {
                    paths.iter().for_each(|path| fs::write(path, "old").unwrap());
                }
                let files: Vec<NewFile> = paths.iter().map(|path| begun(path, replace)).collect();
                // Since it was begun, another program has made a folder of that name.
                let _ = fs::remove_file(&paths[at]);
                fs::create_dir(&paths[at]).unwrap();
                fs::write(paths[at].join("inside"), "").unwrap();
                let unlisted = |all: Vec<(String, Option<String>)>| -> Vec<_> {
                    all.into_iter().filter(|(name, _)| !name.starts_with('.')).collect()
                };
                let before = unlisted(content(folder.path()));
                finish_all(files).unwrap_err();
                assert_eq!(content(folder.path()), before, "{at} {replace}");
            }
        }
    }

    #[test]
    fn all_of_several_files_are_replaced_and_nothing_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&paths[1], "old").unwrap();
        finish_all(paths.iter().map(|path| begun(path, true)).collect()).unwrap();
        let new = |name: &str| (name.to_owned(), Some("new".to_owned()));
        assert_eq!(content(folder.path()), [new("a"), new("b"), new("c")]);
    }

    #[cfg(unix)]
    #[test]
    fn two_names_of_one_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        fs::write(&a, "old").unwrap();
        std::os::unix::fs::symlink("a", &b).unwrap();
        let message = finish_all(vec![begun(&a, true), begun(&b, true)]).unwrap_err().to_string();
        assert!(message.contains("are one file") && message.contains("/b"), "{message}");
        assert_eq!(fs::read_to_string(&a).unwrap(), "old");
        assert_eq!(content(folder.path()).len(), 2);
    }
}
