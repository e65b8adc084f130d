//! The GGUF format, versions 2 and 3: metadata, and the tensors that it lists.
//!
//! Layout, as the format's specification has it (ggml-org/ggml, `docs/gguf.md`): magic, version, the numbers of tensors
//! and of metadata entries; each entry a key, a type and a value; each tensor a name, dimensions (the fastest first), a type and an
//! offset into the data, which begin at the next multiple of `general.alignment`.
//!
//! Crates that read GGUF were tried before this reader was written: they reserve memory for as many entries as a
//! header declares (ggus 0.5.1), for a gibibyte of text or for arrays without a limit (gguf-rs 0.1.8), or refuse keys
//! that llama.cpp writes, such as `gpt-oss.rope.freq_base`, and version 2 (gguf-rs-lib 0.3.3). Here memory is bounded by what is
//! kept: short values; a long one is skipped and counted.

mod cursor;
mod stored;

pub use stored::Stored;

use super::{About, InvalidInput, regular_file};
use cursor::Cursor;
use posproof_numerics::format::Format;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

/// More entries than any model has: some hundred.
const MAX_ENTRIES: u64 = 1 << 16;

/// Elements of a list that are kept, and bytes of a text: there are as many as layers or pairs in what describes a rotation.
const MAX_KEPT: u64 = 1 << 12;

/// Lists within lists.
const MAX_DEPTH: u32 = 4;

/// ggml's limit.
const MAX_DIMENSIONS: u32 = 4;

/// A value of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum MetadataValue {
    /// An integer of any width.
    Integer(i128),
    /// A floating-point number, and the format that it is stored in.
    Float(f64, Format),
    /// A truth value.
    Bool(bool),
    /// A short text.
    Text(String),
    /// A short list.
    List(Vec<Self>),
    /// A text or list that is too long to be of interest: how many bytes or elements it has.
    Long(u64),
}

/// A tensor as the header lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The dimensions, rows last: [width, rows] for a matrix.
    pub dimensions: Vec<u64>,
    /// ggml's number for how the entries are stored.
    pub kind: u32,
    /// Where the entries begin, counted from the beginning of the data.
    pub offset: u64,
}

/// A GGUF file: its metadata and its list of tensors in memory, its entries in the file.
#[derive(Debug)]
pub struct Gguf {
    name: String,
    file: File,
    length: u64,
    data: u64,
    metadata: BTreeMap<String, MetadataValue>,
    tensors: BTreeMap<String, Tensor>,
}

impl Gguf {
    /// Reads the header of a file.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the entry and the byte, for what is no GGUF file of version 2 or 3 in little-endian order, what
    /// ends before its header or a tensor does, and what declares more than a file can hold.
    pub fn open(path: &Path) -> Result<Self, InvalidInput> {
        let name = path.to_string_lossy().into_owned();
        let (file, length) = regular_file(path)?;
        let copy = file.try_clone().map_err(|error| About(&name).unreadable("the file", &error))?;
        let mut cursor = Cursor::new(copy, length, &name);
        let (tensors, entries) = counts(&mut cursor)?;
        let metadata = metadata(&mut cursor, entries)?;
        let tensors = list(&mut cursor, tensors)?;
        let alignment = alignment(&cursor, &metadata)?;
        let data = cursor.at().next_multiple_of(alignment);
        for (tensor, listed) in &tensors {
            let end = data.saturating_add(listed.offset).saturating_add(stored::bytes(listed));
            if end > length {
                let (place, expected) =
                    (format!("tensor '{tensor}'"), format!("entries that end by byte {length}, as the file does"));
                let advice = "the file is truncated or damaged: get it again";
                return Err(About(&name).error(place, expected, format!("byte {end}"), advice));
            }
        }
        Ok(Self { name, file, length, data, metadata, tensors })
    }

    /// The file's name, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A value of the metadata.
    pub fn get(&self, key: &str) -> Option<&MetadataValue> {
        self.metadata.get(key)
    }

    /// Which of how many files of one model this is, counted from 0: llama.cpp's `split.no` and `split.count`; none for a file
    /// that says nothing of others.
    pub fn shard(&self) -> Option<(u64, u64)> {
        let number = |key| match self.get(key) {
            Some(MetadataValue::Integer(number)) => u64::try_from(*number).ok(),
            _ => None,
        };
        number("split.no").zip(number("split.count"))
    }

    /// Every key and value, in the order of the keys.
    pub fn metadata(&self) -> impl Iterator<Item = (&str, &MetadataValue)> {
        self.metadata.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The tensors by name, in alphabetical order.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The rows of a tensor; `None` where the file has no such tensor.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] where the entries are stored in a way that is not read here, or lie beyond the end of the file.
    pub fn rows(&self, tensor: &str) -> Result<Option<Stored>, InvalidInput> {
        let Some(listed) = self.tensors.get(tensor) else { return Ok(None) };
        let name = format!("{}:{tensor}", self.name);
        let copy = self.file.try_clone().map_err(|error| About(&name).unreadable("the file", &error))?;
        Stored::new(copy, name, listed, self.data, self.length).map(Some)
    }
}

/// The numbers of tensors and of metadata entries.
fn counts(cursor: &mut Cursor<'_>) -> Result<(u64, u64), InvalidInput> {
    cursor.enter("the header");
    let magic = cursor.take::<4>()?;
    if &magic != b"GGUF" {
        let found = format!("'{}'", magic.escape_ascii());
        return Err(cursor.error("the magic 'GGUF'", found, "this is no GGUF file: check the path"));
    }
    let version = cursor.u32()?;
    if version & 0xffff == 0 && version != 0 {
        let advice = "convert it to little-endian order, for instance with gguf_convert_endian.py of llama.cpp";
        return Err(cursor.error("little-endian numbers", "big-endian ones", advice));
    }
    if !(2..=3).contains(&version) {
        return Err(cursor.error("version 2 or 3", format!("version {version}"), "convert the model again"));
    }
    let (tensors, entries) = (cursor.u64()?, cursor.u64()?);
    for (count, what) in [(tensors, "tensors"), (entries, "metadata entries")] {
        if count > MAX_ENTRIES {
            let advice = "the header is damaged: no model has as many";
            return Err(cursor.error(format!("at most {MAX_ENTRIES} {what}"), count.to_string(), advice));
        }
    }
    Ok((tensors, entries))
}

fn metadata(cursor: &mut Cursor<'_>, entries: u64) -> Result<BTreeMap<String, MetadataValue>, InvalidInput> {
    let mut metadata = BTreeMap::new();
    for entry in 0..entries {
        cursor.enter(format!("metadata entry {entry}"));
        let key = cursor.name()?;
        cursor.enter(format!("the value of '{key}'"));
        if metadata.contains_key(&key) {
            return Err(cursor.error("each key once", format!("'{key}' twice"), "convert the model again"));
        }
        let kind = cursor.u32()?;
        let value = value(cursor, kind, 0)?;
        metadata.insert(key, value);
    }
    Ok(metadata)
}

/// Bytes of an element of each type that has a fixed number of them.
fn width(kind: u32) -> Option<u64> {
    Some(match kind {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        10..=12 => 8,
        _ => return None,
    })
}

fn value(cursor: &mut Cursor<'_>, kind: u32, depth: u32) -> Result<MetadataValue, InvalidInput> {
    let integer = |x: i128| Ok(MetadataValue::Integer(x));
    match kind {
        0 => integer(u8::from_le_bytes(cursor.take()?).into()),
        1 => integer(i8::from_le_bytes(cursor.take()?).into()),
        2 => integer(u16::from_le_bytes(cursor.take()?).into()),
        3 => integer(i16::from_le_bytes(cursor.take()?).into()),
        4 => integer(cursor.u32()?.into()),
        5 => integer(i32::from_le_bytes(cursor.take()?).into()),
        6 => Ok(MetadataValue::Float(f32::from_le_bytes(cursor.take()?).into(), Format::F32)),
        7 => match cursor.take::<1>()? {
            [0] => Ok(MetadataValue::Bool(false)),
            [1] => Ok(MetadataValue::Bool(true)),
            [other] => Err(cursor.error("0 or 1 for a truth value", other.to_string(), "convert the model again")),
        },
        8 => match cursor.u64()? {
            bytes if bytes > MAX_KEPT => cursor.skip(bytes).map(|()| MetadataValue::Long(bytes)),
            bytes => cursor.text(bytes).map(MetadataValue::Text),
        },
        9 => elements(cursor, depth),
        10 => integer(cursor.u64()?.into()),
        11 => integer(i64::from_le_bytes(cursor.take()?).into()),
        12 => Ok(MetadataValue::Float(f64::from_le_bytes(cursor.take()?), Format::F64)),
        other => Err(cursor.error("a type from 0 to 12", other.to_string(), "convert the model again")),
    }
}

fn elements(cursor: &mut Cursor<'_>, depth: u32) -> Result<MetadataValue, InvalidInput> {
    if depth == MAX_DEPTH {
        let advice = "no model has lists as deep";
        return Err(cursor.error(format!("at most {MAX_DEPTH} lists within each other"), "more", advice));
    }
    let (kind, count) = (cursor.u32()?, cursor.u64()?);
    // The least that an element can take: a text has a length, a list a type and a length.
    let least = width(kind).unwrap_or(if kind == 9 { 12 } else { 8 });
    cursor.require(count.saturating_mul(least), count, "elements")?;
    if count > MAX_KEPT || !cursor.keep(count) {
        match width(kind) {
            Some(bytes) => cursor.skip(count * bytes)?,
            None => (0..count).try_for_each(|_| skip(cursor, kind, depth + 1))?,
        }
        return Ok(MetadataValue::Long(count));
    }
    (0..count).map(|_| value(cursor, kind, depth + 1)).collect::<Result<_, _>>().map(MetadataValue::List)
}

/// Passes over a text or a list without keeping it.
fn skip(cursor: &mut Cursor<'_>, kind: u32, depth: u32) -> Result<(), InvalidInput> {
    match kind {
        8 => {
            let bytes = cursor.u64()?;
            cursor.skip(bytes)
        }
        _ => value(cursor, kind, depth).map(drop),
    }
}

fn list(cursor: &mut Cursor<'_>, count: u64) -> Result<BTreeMap<String, Tensor>, InvalidInput> {
    let mut tensors = BTreeMap::new();
    for number in 0..count {
        cursor.enter(format!("tensor {number}"));
        let name = cursor.name()?;
        cursor.enter(format!("tensor '{name}'"));
        if tensors.contains_key(&name) {
            return Err(cursor.error("each tensor once", format!("'{name}' twice"), "convert the model again"));
        }
        let count = cursor.u32()?;
        if count > MAX_DIMENSIONS {
            let advice = "the header is damaged: convert the model again";
            return Err(cursor.error(format!("at most {MAX_DIMENSIONS} dimensions"), count.to_string(), advice));
        }
        let dimensions = (0..count).map(|_| cursor.u64()).collect::<Result<_, _>>()?;
        let (kind, offset) = (cursor.u32()?, cursor.u64()?);
        tensors.insert(name, Tensor { dimensions, kind, offset });
    }
    Ok(tensors)
}

/// `general.alignment`, 32 where it is not given.
fn alignment(cursor: &Cursor<'_>, metadata: &BTreeMap<String, MetadataValue>) -> Result<u64, InvalidInput> {
    match metadata.get("general.alignment") {
        None => Ok(32),
        Some(MetadataValue::Integer(n)) if (1..=1 << 20).contains(n) && n.count_ones() == 1 => Ok(*n as u64),
        Some(other) => {
            let place = "the value of 'general.alignment'";
            Err(About(cursor.file()).error(place, "a power of two", format!("{other:?}"), "convert the model again"))
        }
    }
}
