//! A place in a header, which knows what is read there and how much there is left.

use super::super::{About, InvalidInput, words};
use std::fs::File;
use std::io::{BufReader, Read};

/// Bytes of names and short texts that are kept of one file. Models have some thousand names of 30 bytes.
const MAX_TEXT: u64 = 1 << 24;

/// The longest name; the format allows 64 bytes for tensors, and metadata have sentences at most.
const MAX_NAME: u64 = 1 << 10;

/// Elements of lists that are kept of one file.
const MAX_ELEMENTS: u64 = 1 << 18;

/// Reads a header from the beginning of a file.
pub struct Cursor<'a> {
    reader: BufReader<File>,
    at: u64,
    length: u64,
    file: &'a str,
    place: String,
    text: u64,
    elements: u64,
}

impl<'a> Cursor<'a> {
    pub fn new(file: File, length: u64, name: &'a str) -> Self {
        Self {
            reader: BufReader::new(file),
            at: 0,
            length,
            file: name,
            place: String::new(),
            text: MAX_TEXT,
            elements: MAX_ELEMENTS,
        }
    }

    /// The byte that is read next.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The name of the file.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// Says what is read from here on.
    pub fn enter(&mut self, place: impl Into<String>) {
        self.place = place.into();
    }

    /// An error about this place.
    pub fn error(&self, expected: impl Into<String>, found: impl Into<String>, advice: &str) -> InvalidInput {
        About(self.file).error(format!("{}, before byte {}", self.place, self.at), expected, found, advice)
    }

    /// An error unless so many bytes are left, which `count` things take.
    pub fn require(&self, bytes: u64, count: u64, what: &str) -> Result<(), InvalidInput> {
        let left = self.length - self.at;
        if bytes <= left {
            return Ok(());
        }
        let plural = if left == 1 { "byte" } else { "bytes" };
        let found = format!("{left} {plural} to the end of the file");
        Err(self.error(format!("{count} {what}"), found, "the file is truncated or damaged: get it again"))
    }

    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], InvalidInput> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), InvalidInput> {
        let count = bytes.len() as u64;
        self.require(count, count, if count == 1 { "byte" } else { "bytes" })?;
        self.reader.read_exact(bytes).map_err(|error| {
            self.error(format!("{count} bytes"), words(&error), "the file changed while it was read: try again")
        })?;
        self.at += count;
        Ok(())
    }

    pub fn u32(&mut self) -> Result<u32, InvalidInput> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, InvalidInput> {
        self.take().map(u64::from_le_bytes)
    }

    /// Passes over bytes.
    pub fn skip(&mut self, bytes: u64) -> Result<(), InvalidInput> {
        self.require(bytes, bytes, "bytes")?;
        // What is left of a file fits in i64, as the system has it.
        let distance =
            i64::try_from(bytes).map_err(|_| self.error("bytes", bytes.to_string(), "get the file again"))?;
        self.reader.seek_relative(distance).map_err(|error| {
            self.error(format!("{bytes} bytes"), words(&error), "the file changed while it was read: try again")
        })?;
        self.at += bytes;
        Ok(())
    }

    /// The name of a key or a tensor.
    pub fn name(&mut self) -> Result<String, InvalidInput> {
        let bytes = self.u64()?;
        if bytes > MAX_NAME {
            let advice = "the header is damaged: get the file again";
            return Err(self.error(format!("a name of at most {MAX_NAME} bytes"), format!("{bytes} bytes"), advice));
        }
        self.text(bytes)
    }

    /// A text of so many bytes.
    pub fn text(&mut self, bytes: u64) -> Result<String, InvalidInput> {
        self.require(bytes, bytes, "bytes of text")?;
        self.text = self.text.checked_sub(bytes).ok_or_else(|| {
            let expected = format!("at most {MAX_TEXT} bytes of names and short texts in all");
            self.error(expected, "more", "no model has as many: convert it again")
        })?;
        let mut text = vec![0; bytes as usize];
        self.fill(&mut text)?;
        String::from_utf8(text)
            .map_err(|error| self.error("text in UTF-8", error.to_string(), "convert the model again"))
    }

    /// True if so many more elements of lists may be kept; if so they are counted.
    pub fn keep(&mut self, elements: u64) -> bool {
        let left = self.elements.checked_sub(elements);
        self.elements = left.unwrap_or(self.elements);
        left.is_some()
    }
}
