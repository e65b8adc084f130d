//! The `.npy` format, versions 1 to 3 (NumPy Enhancement Proposal 1; `numpy.lib.format`).

use super::{About, Array, InvalidInput, extent, words};
use posproof_table::Dtype;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// NumPy's own limit is 10000 bytes; structured types, which are not read here, need more.
const MAX_HEADER: usize = 1 << 16;
const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Opens the array that begins at `start` and has `length` bytes, its header included.
pub fn open(mut file: File, start: u64, length: u64, name: &str) -> Result<Array, InvalidInput> {
    file.seek(SeekFrom::Start(start)).map_err(|error| About(name).unreadable("the header", &error))?;
    let preamble = preamble(&mut (&file).take(length), length, name)?;
    let start = start + preamble.header;
    Ok(preamble.array(file, start, name))
}

/// Preamble of the entries.
pub struct Preamble {
    /// Bytes before the entries.
    pub header: u64,
    /// Bytes of the entries.
    pub entries: u64,
    dtype: Dtype,
    codes: bool,
    parts: usize,
    big_endian: bool,
    fortran: bool,
    shape: Vec<usize>,
}

impl Preamble {
    /// The array whose entries begin at byte `start` of a file.
    pub fn array(self, file: File, start: u64, name: &str) -> Array {
        let Self { dtype, codes, parts, big_endian, fortran, shape, .. } = self;
        Array { codes, parts, big_endian, fortran, ..Array::plain(name.to_owned(), (file, start), dtype, shape) }
    }
}

/// Reads what stands before the entries of an array of `length` bytes, header included.
pub fn preamble(reader: &mut impl Read, length: u64, name: &str) -> Result<Preamble, InvalidInput> {
    let about = About(name);
    let (text, header) = header(reader, about)?;
    let Header { descr, fortran, shape } = parse(&text)
        .map_err(|(expected, found)| about.error("the header", expected, found, "write the array with numpy.save"))?;
    let DescrKind { dtype, codes, parts, big_endian } = DescrKind::of(&descr).ok_or_else(|| {
        about.error(
            "the dtype",
            "f2, f4, f8, c8, c16, V2, which is bfloat16, or V1 with a stated format (integers for positions)",
            format!("'{descr}'"),
            "convert it, for instance with astype(numpy.float32)",
        )
    })?;
    let entries = extent(about, dtype.bytes() * parts, &shape, length.saturating_sub(header))?;
    Ok(Preamble { header, entries, dtype, codes, parts, big_endian, fortran, shape })
}

/// The header's text, and the bytes before the entries.
fn header(reader: &mut impl Read, about: About<'_>) -> Result<(String, u64), InvalidInput> {
    let truncated = |error: std::io::Error| {
        let found = match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "that the file ends before its header does".to_owned(),
            _ => words(&error),
        };
        about.error("the header", "the header of a .npy file", found, "write the array again")
    };
    let mut start = [0u8; 8];
    reader.read_exact(&mut start).map_err(truncated)?;
    if &start[..6] != MAGIC {
        let found = format!("{:02x?}", &start[..6]);
        return Err(about.error("byte 0", "the bytes \\x93NUMPY", found, "this is no .npy file: check its name"));
    }
    let (prefix, length) = match start[6] {
        1 => {
            let mut bytes = [0; 2];
            reader.read_exact(&mut bytes).map_err(truncated)?;
            (10, usize::from(u16::from_le_bytes(bytes)))
        }
        2 | 3 => {
            let mut bytes = [0; 4];
            reader.read_exact(&mut bytes).map_err(truncated)?;
            (12, u32::from_le_bytes(bytes) as usize)
        }
        other => {
            let found = format!("version {other}");
            return Err(about.error("byte 6", "version 1, 2 or 3", found, "write the array with numpy.save"));
        }
    };
    if length > MAX_HEADER {
        let expected = format!("at most {MAX_HEADER} bytes");
        let advice = "the file is corrupt: write the array again";
        return Err(about.error("the header's length", expected, format!("{length} bytes"), advice));
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).map_err(truncated)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| about.error("the header", "text", error.to_string(), "write the array again"))?;
    Ok((text, (prefix + length) as u64))
}

#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. The error is what was
/// expected and what was found.
fn parse(text: &str) -> Result<Header, (String, String)> {
    let failed = |expected: &str, rest: &str| (expected.to_owned(), excerpt(rest));
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    let mut rest = text.trim().strip_prefix('{').ok_or_else(|| failed("a dictionary", text))?.trim_start();
    while !rest.starts_with('}') {
        let (key, after) = quoted(rest).ok_or_else(|| failed("a key in quotes, or }", rest))?;
        let value = after.trim_start().strip_prefix(':').ok_or_else(|| failed("a colon", after))?.trim_start();
        rest = match key {
            "descr" => {
                let (text, after) = quoted(value).ok_or_else(|| failed("a plain dtype such as '<f4'", value))?;
                descr = Some(text.to_owned());
                after
            }
            "fortran_order" => {
                let (word, after) = value.split_at(value.find([',', '}', ' ']).unwrap_or(value.len()));
                fortran = Some(match word {
                    "True" => true,
                    "False" => false,
                    _ => return Err(failed("True or False for fortran_order", value)),
                });
                after
            }
            "shape" => {
                let inner = value.strip_prefix('(').and_then(|v| v.split_once(')'));
                let (list, after) = inner.ok_or_else(|| failed("a tuple for the shape", value))?;
                let numbers = list.split(',').map(str::trim).filter(|n| !n.is_empty());
                let numbers: Result<Vec<usize>, _> = numbers.map(|n| n.trim_end_matches('L').parse()).collect();
                shape = Some(numbers.map_err(|_| failed("whole numbers in the shape", list))?);
                after
            }
            _ => return Err(failed("the keys descr, fortran_order and shape", rest)),
        };
        rest = rest.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    match (descr, fortran, shape) {
        (Some(descr), Some(fortran), Some(shape)) if shape.len() <= 32 => Ok(Header { descr, fortran, shape }),
        _ => Err(failed("descr, fortran_order and a shape of at most 32 dimensions", text)),
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    format!("'{}'", start.escape_debug())
}

/// Meaning of a plain `descr`.
#[derive(Debug, PartialEq)]
struct DescrKind {
    dtype: Dtype,
    /// True of codes of 8 bits of a format without a name, as NumPy writes those of ml_dtypes.
    codes: bool,
    /// Numbers of an entry: 2 for complex ones.
    parts: usize,
    big_endian: bool,
}

impl DescrKind {
    fn of(descr: &str) -> Option<Self> {
        let (order, rest) = (descr.chars().next()?, descr.get(1..)?);
        let big_endian = match order {
            '<' | '|' => false,
            '>' => true,
            '=' => cfg!(target_endian = "big"),
            _ => return None,
        };
        let (name, parts) = match rest {
            "c8" => ("f4", 2),
            "c16" => ("f8", 2),
            _ => (rest, 1),
        };
        let codes = name == "V1";
        let name = if codes { "u1" } else { name };
        Dtype::named(name, Dtype::npy).map(|dtype| Self { dtype, codes, parts, big_endian })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posproof_numerics::format::Format;

    #[test]
    fn headers_are_read_and_refused() {
        let header = parse("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n").unwrap();
        assert_eq!(header, Header { descr: "<f4".into(), fortran: false, shape: vec![3, 4] });
        assert_eq!(parse("{\"shape\":(7,),\"fortran_order\":True,\"descr\":\">f8\"}").unwrap().shape, [7]);
        for text in ["", "{", "{}", "{'descr': [('a', '<f4')]}", "{'shape': (-1,)}", "{'x': 1}", "{'descr'", "{'é"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let half = DescrKind { dtype: Dtype::Float(Format::F16), codes: false, parts: 1, big_endian: true };
        assert_eq!(DescrKind::of(">f2"), Some(half));
        let complex = DescrKind { dtype: Dtype::Float(Format::F64), codes: false, parts: 2, big_endian: false };
        assert_eq!(DescrKind::of("<c16"), Some(complex));
        assert!(["|V1", "<V1"].iter().all(|name| DescrKind::of(name).is_some_and(|kind| kind.codes)));
        // binary128 in two parts, an object, and no ASCII at all.
        for unknown in ["<c32", "|O", "é"] {
            assert_eq!(DescrKind::of(unknown), None);
        }
    }
}
