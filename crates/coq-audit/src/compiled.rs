//! Compiled Coq files, read by this program itself: which constants they hold, with all of their terms, proofs included.
//!
//! The form of these files is Coq's (`lib/objFile.ml`, `checker/values.ml`): segments, in each a value of OCaml. Read are
//! the segment of the compiled library, in which types and transparent bodies are, that of the opaque proofs, and from the
//! summary the libraries that were loaded.

use super::marshal::{Heap, Malformed, Value};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// First bytes of such a file.
const MAGIC: u64 = 0x436F_7121;

/// Form of a compiled file, which differs from version to version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Of Coq 8.16.
    V8_16,
    /// Of Coq 8.20 (`checker/values.ml`): the type of a match's result has its relevance beside it, and modules may have rewrite rules.
    V8_20,
}

impl Form {
    /// That of a version's number, none where it is not read.
    fn of(version: u64) -> Option<Self> {
        match version {
            81600..81700 => Some(Self::V8_16),
            82000..82100 => Some(Self::V8_20),
            _ => None,
        }
    }
}

/// Why a compiled file is not read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The system does not give it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is of no version whose form is known.
    #[error("compiled by a Coq whose files have the version {0}; read are those of Coq 8.16 and 8.20")]
    Version(u64),
    /// It is no compiled file of Coq, or a broken one.
    #[error("not a compiled file of Coq as expected: {0}")]
    Form(&'static str),
    /// A segment of it is not a value of OCaml.
    #[error("not a compiled file of Coq as expected: segment {0}, {1}")]
    Segment(&'static str, Malformed),
}

/// The segments of a compiled file, by name: where each begins, how long it is, and its digest.
struct Segments(Form, BTreeMap<String, (u64, u64, [u8; 16])>);

impl Segments {
    fn read(file: &mut (impl Read + Seek)) -> Result<Self, Unread> {
        if number::<4>(file)? != MAGIC {
            return Err(Unread::Form("it begins otherwise"));
        }
        let version = number::<4>(file)?;
        let form = Form::of(version).ok_or(Unread::Version(version))?;
        let summary = number::<8>(file)?;
        file.seek(SeekFrom::Start(summary))?;
        let mut segments = BTreeMap::new();
        for _ in 0..number::<4>(file)? {
            let mut name = vec![0; number::<4>(file)?.min(1000) as usize];
            file.read_exact(&mut name)?;
            let (place, length) = (number::<8>(file)?, number::<8>(file)?);
            let mut digest = [0; 16];
            file.read_exact(&mut digest)?;
            segments.insert(String::from_utf8_lossy(&name).into_owned(), (place, length, digest));
        }
        Ok(Self(form, segments))
    }

    fn of<'a>(&self, bytes: &'a [u8], name: &str) -> Result<&'a [u8], Unread> {
        let (place, length, _) = self.1.get(name).ok_or(Unread::Form("it lacks a segment"))?;
        let start = usize::try_from(*place).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(*length).unwrap_or(usize::MAX));
        bytes.get(start..end).ok_or(Unread::Form("a segment ends beyond it"))
    }
}

/// An unsigned number of so many bytes, its most significant byte first.
fn number<const N: usize>(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// The digest that Coq knows a compiled file by: the one that is compared when another file requires it.
pub fn digest(path: &Path) -> Result<String, Unread> {
    let mut file = io::BufReader::with_capacity(512, std::fs::File::open(path)?);
    let segments = Segments::read(&mut file)?;
    let (_, _, digest) = segments.1.get("library").ok_or(Unread::Form("it lacks a segment"))?;
    Ok(super::hexadecimal(digest))
}

/// The values of a compiled file.
pub struct Compiled<'a> {
    /// Its form.
    pub form: Form,
    /// The compiled library.
    pub library: Heap<'a>,
    /// Its opaque proofs.
    pub opaque: Heap<'a>,
}

/// A constant or an inductive type.
#[derive(Debug)]
pub struct Declared {
    /// Its name within the file, with the modules that it stands in.
    pub name: String,
    /// Its type, its body and what else the file holds of it.
    pub value: Value,
    /// The place of its proof among the opaque ones.
    pub proof: Option<usize>,
    /// True for a module that a functor of a library makes.
    pub instance: bool,
}

impl<'a> Compiled<'a> {
    /// Reads a compiled file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Unread> {
        let segments = Segments::read(&mut io::Cursor::new(bytes))?;
        let value = |name: &'static str| {
            let segment = segments.of(bytes, name)?;
            Heap::read(segment).map_err(|malformed| Unread::Segment(name, malformed))
        };
        Ok(Self { form: segments.0, library: value("library")?, opaque: value("opaques")? })
    }

    /// The compiled library itself, in which all terms are that the kernel knows, proofs aside. Beside it stand notations, hints and
    /// the like, of which the kernel knows nothing.
    fn whole(&self) -> Option<Value> {
        let root = self.library.root;
        match self.form {
            Form::V8_16 => self.library.fields(root, 0).map(|[compiled, _]: [Value; 2]| compiled),
            Form::V8_20 => self.library.fields(root, 0).map(|[compiled, ..]: [Value; 3]| compiled),
        }
    }

    /// Its parts: name, module, universes, what it requires.
    fn compiled(&self) -> Option<[Value; 4]> {
        match self.form {
            Form::V8_16 => self.library.fields(self.whole()?, 0),
            Form::V8_20 => {
                let [name, module, universes, required, _flags] = self.library.fields(self.whole()?, 0)?;
                Some([name, module, universes, required])
            }
        }
    }

    /// Its declarations, modules after their contents; those made by a library's functor last.
    pub fn declared(&self) -> Result<Vec<Declared>, Unread> {
        const UNKNOWN: Unread = Unread::Form("its declarations are of another form");
        let [library, module, ..] = self.compiled().ok_or(Unread::Form("its library is of another form"))?;
        let own = self.path(library).ok_or(UNKNOWN)?;
        let mut declared = Vec::new();
        let mut unread = vec![(String::new(), module)];
        while let Some((path, module)) = unread.pop() {
            for entry in self.structure(module).ok_or(UNKNOWN)? {
                let (label, tag, value) = self.entry(entry).ok_or(UNKNOWN)?;
                let mut found = Declared { name: format!("{path}{label}"), value, proof: None, instance: false };
                // Rewrite rules, which 8.20 has before modules, are not read.
                let kind = match (self.form, tag) {
                    (Form::V8_20, 3 | 4) => tag - 1,
                    (Form::V8_20, 2) => return Err(UNKNOWN),
                    _ => tag,
                };
                match kind {
                    0 => found.proof = self.proof(&own, value),
                    1 => {}
                    2 | 3 if self.is_instance(&own, value) => found.instance = true,
                    2 | 3 => unread.push((format!("{}.", found.name), value)),
                    _ => return Err(UNKNOWN),
                }
                declared.push(found);
                // Modules in one another without end.
                if declared.len() > self.library.len() {
                    return Err(UNKNOWN);
                }
            }
        }
        declared.sort_by_key(|found| (found.instance, std::cmp::Reverse(found.name.matches('.').count())));
        Ok(declared)
    }

    /// The name of an entry of a module, what kind of entry it is, and what is entered.
    fn entry(&self, entry: Value) -> Option<(&'a str, u8, Value)> {
        let [label, body] = self.library.fields(entry, 0)?;
        let (tag, fields) = self.library.block(body)?;
        Some((self.library.text(label)?, tag, *fields.first()?))
    }

    /// The parts of a library's name, the last first.
    fn path(&self, library: Value) -> Option<Vec<&'a str>> {
        self.library.list(library)?.into_iter().map(|part| self.library.text(part)).collect()
    }

    /// True where a functor or a module of a library makes a module: its terms are that library's.
    fn is_instance(&self, own: &[&str], module: Value) -> bool {
        let of = || {
            let [_, body, ..]: [Value; 6] = self.library.fields(module, 0)?;
            let [expression] = self.library.fields(body, 0)?;
            let [applied] = self.library.fields(expression, 0)?;
            let functor = self.last(applied, |value| match self.library.block(value)? {
                (1 | 2, [functor, _]) => Some(*functor),
                _ => None,
            })?;
            let [place] = self.library.fields(functor, 0)?;
            let file = self.last(place, |value| self.library.fields::<2>(value, 2).map(|[outer, _]| outer))?;
            self.path(self.library.fields::<1>(file, 0)?[0])
        };
        of().is_some_and(|library| library.last() != own.last())
    }

    /// The entries of a module or a module type, behind the parameters of a functor. Two that differ are in the
    /// module twice: as it is, and as others see it; both are its own.
    fn structure(&self, module: Value) -> Option<Vec<Value>> {
        let [_, body, seen, ..]: [Value; 6] = self.library.fields(module, 0)?;
        let mut entries = self.entries(seen)?;
        if let Some([own]) = self.library.fields(body, 1) {
            entries.extend(self.entries(own)?);
        }
        Some(entries)
    }

    fn entries(&self, signature: Value) -> Option<Vec<Value>> {
        let result = |value| self.library.fields::<3>(value, 1).map(|[_, _, result]| result);
        let [entries] = self.library.fields(self.last(signature, result)?, 0)?;
        self.library.list(entries)
    }

    /// The value from which there is no next; none where there is one without end.
    fn last(&self, mut value: Value, next: impl Fn(Value) -> Option<Value>) -> Option<Value> {
        for _ in 0..=self.library.len() {
            match next(value) {
                Some(inner) => value = inner,
                None => return Some(value),
            }
        }
        None
    }

    /// Where the proof of a constant of this file is among the opaque ones; none where it has none, or a library's.
    fn proof(&self, own: &[&str], constant: Value) -> Option<usize> {
        let [_, _, definition, ..]: [Value; 9] = self.library.fields(constant, 0)?;
        let [opaque] = self.library.fields(definition, 2)?;
        let [_, _, library, place] = self.library.fields(opaque, 0)?;
        match place {
            Value::Int(place) if self.path(library)? == own => usize::try_from(place).ok(),
            _ => None,
        }
    }

    /// The files that it had loaded, by their full names, each with its digest.
    pub fn loaded(&self) -> Result<BTreeMap<String, String>, Unread> {
        let read = |entry| {
            let [name, digest] = self.library.fields(entry, 0)?;
            let mut name = self.path(name)?;
            name.reverse();
            let [digest] = self.library.fields(digest, 0)?;
            Some((name.join("."), super::hexadecimal(self.library.bytes(digest)?)))
        };
        let of = || -> Option<BTreeMap<_, _>> {
            let [.., loaded] = self.compiled()?;
            self.library.array(loaded)?.iter().copied().map(read).collect()
        };
        of().ok_or(Unread::Form("what it had loaded is of another form"))
    }

    /// The compiled library, in which all terms are that the kernel knows, proofs aside.
    pub fn kernel(&self) -> Result<Value, Unread> {
        self.whole().ok_or(Unread::Form("its library is of another form"))
    }

    /// The opaque proofs.
    pub fn proofs(&self) -> Result<&[Value], Unread> {
        self.opaque.array(self.opaque.root).ok_or(Unread::Form("its proofs are of another form"))
    }
}
