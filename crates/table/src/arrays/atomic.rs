//! Files and directories that come into being whole or not at all.
//!
//! An unfinished file lies under a hidden name beside its target and is put in place by a rename. It is removed when
//! writing fails, and by [`remove_unfinished`] when a signal ends the program.

mod together;

pub use together::finish_all;

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// Why something was not written. Nothing is then left behind.
#[derive(Debug, thiserror::Error)]
pub enum NotWritten {
    /// Something of that name is there.
    #[error("{} exists: expected a new name, or --force to replace the file", .0.display())]
    Exists(PathBuf),
    /// Two names of one file, through a symbolic link.
    #[error("{} and {} are one file: expected two, or neither a link", .0.display(), .1.display())]
    OneFile(PathBuf, PathBuf),
    /// The file system refuses.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The target.
        path: PathBuf,
        /// Words of the system.
        error: io::Error,
    },
}

impl NotWritten {
    /// The file system's refusal, about a target.
    pub fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists(path.to_owned()),
            _ => Self::Io { path: path.to_owned(), error },
        }
    }
}

/// The temporary names that are in use.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes everything that is not finished, for a program that is about to end: from then on, whoever begins or
/// finishes something waits for that end.
pub fn remove_unfinished() {
    let list = unfinished();
    for path in list.iter() {
        // What cannot be removed stays: there is nobody left to tell.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    std::mem::forget(list);
}

/// A temporary name, listed until it is dropped.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    /// Makes something and lists its name, with no moment between the two.
    fn new<T>(make: impl FnOnce() -> io::Result<T>, path: impl Fn(&T) -> &Path) -> io::Result<(T, Self)> {
        let mut list = unfinished();
        let made = make()?;
        let path = std::path::absolute(path(&made))?;
        list.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// A file on its way to its name.
#[derive(Debug)]
pub struct NewFile {
    file: NamedTempFile,
    listed: Listed,
    path: PathBuf,
    /// The path before links were followed.
    name: PathBuf,
    replace: bool,
}

impl NewFile {
    /// Begins a file. One that exists is replaced only with `replace`: then the new one has its mode and, where the
    /// system allows it, its owner, and where `path` is a symbolic link the file that it points to is replaced.
    pub fn create(path: &Path, replace: bool) -> Result<Self, NotWritten> {
        Self::begin(path, replace).map_err(NotWritten::io(path))
    }

    fn begin(name: &Path, replace: bool) -> io::Result<Self> {
        let path = if replace { followed(name)? } else { name.to_owned() };
        let former = match path.symlink_metadata() {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match &former {
            Some(_) if !replace => return Err(io::ErrorKind::AlreadyExists.into()),
            Some(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
            }
            Some(found) if !found.is_file() => return Err(io::Error::other("it is not a regular file")),
            _ => {}
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".posproof-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let made = Listed::new(|| builder.tempfile_in(directory), NamedTempFile::path);
        let (file, listed) = made.map_err(unnamed)?;
        if let Some(former) = former {
            keep_mode(file.as_file(), &former)?;
        }
        Ok(Self { file, listed, path, name: name.to_owned(), replace })
    }

    /// The file, for writing.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Puts the file in place once its data are on the disk, so that the name never stands for less; returns its
    /// size in bytes.
    pub fn finish(self) -> Result<u64, NotWritten> {
        let Self { file, listed, path, replace, .. } = self;
        let failed = NotWritten::io(&path);
        file.as_file().sync_data().map_err(&failed)?;
        let bytes = file.as_file().metadata().map_err(&failed)?.len();
        let list = unfinished();
        let put = if replace { file.persist(&path) } else { file.persist_noclobber(&path) };
        drop(list);
        drop(listed);
        put.map(|_| bytes).map_err(|error| failed(error.error))
    }
}

/// Refuses at once what would only fail when the disk is full.
pub fn require_space(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::fstatvfs(file) {
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if bytes > free {
            let message = format!("it takes {bytes} bytes, and {free} are free on its disk");
            return Err(io::Error::new(io::ErrorKind::StorageFull, message));
        }
    }
    let _ = (file, bytes);
    Ok(())
}

/// Words of the system, without the temporary name that `tempfile` adds and nobody has asked for.
fn unnamed(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

/// Where a chain of symbolic links ends.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match path.read_link() {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("more than {LINKS} symbolic links, one to another")))
}

/// Gives a file the mode of another, and its owner where the system allows it.
fn keep_mode(file: &File, former: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away; everybody else keeps their own.
        let _ = fchown(file, Some(former.uid()), Some(former.gid()));
    }
    file.set_permissions(former.permissions())
}

/// A directory on its way to its name.
#[derive(Debug)]
pub struct NewDirectory {
    /// Holds the content; removed, and only then no longer listed.
    holder: (TempDir, Listed),
    parent: PathBuf,
    path: PathBuf,
}

impl NewDirectory {
    /// Begins a directory that will be `parent`/`name`; `parent` must exist.
    pub fn create(parent: &Path, name: &std::ffi::OsStr) -> io::Result<Self> {
        let new = Self { holder: beside(parent)?, parent: parent.to_owned(), path: parent.join(name) };
        // Temporary directories are private; what lies in them is not.
        fs::create_dir(new.content())?;
        Ok(new)
    }

    /// The directory, for writing.
    pub fn content(&self) -> PathBuf {
        self.holder.0.path().join("content")
    }

    /// Puts the directory in place. What had its name is set aside first and removed last, so that at every moment one
    /// of the two has the name, but for the instant between two renames; if the second fails, the first is undone.
    pub fn finish(self) -> io::Result<()> {
        let (former, former_listed) = beside(&self.parent)?;
        let aside = former.path().join("content");
        let mut list = unfinished();
        let replaced = match fs::rename(&self.path, &aside) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        let put = fs::rename(self.content(), &self.path);
        if let (Err(error), true) = (&put, replaced)
            && let Err(kept) = fs::rename(&aside, &self.path)
        {
            // Nothing may be lost: what was there stays where it was set aside.
            list.remove(&former_listed.0);
            let place = former.keep();
            let words = format!("{error}; what was there is in {}: {kept}", place.display());
            return Err(io::Error::new(error.kind(), words));
        }
        drop(list);
        // Removed, and only then no longer listed.
        drop(former);
        drop(former_listed);
        put
    }
}

fn beside(parent: &Path) -> io::Result<(TempDir, Listed)> {
    Listed::new(|| Builder::new().prefix(".posproof-").tempdir_in(parent), TempDir::path).map_err(unnamed)
}
