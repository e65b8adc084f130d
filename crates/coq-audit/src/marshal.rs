//! Values as OCaml writes them, in which compiled Coq files are.
//!
//! The format is that of OCaml's `Marshal` (`runtime/caml/intext.h`): a header, then the value, each block before its
//! fields; what was written before is referred to by how many blocks ago it began.

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer, or a constructor without arguments.
    Int(i64),
    /// A block, a text or a float, by its place in the heap.
    At(usize),
    /// A block without fields, as an empty array is.
    Empty,
}

/// Object at a place of the heap.
#[derive(Clone, Copy, Debug)]
enum Object {
    Block {
        tag: u8,
        start: usize,
        len: usize,
    },
    Text {
        start: usize,
        len: usize,
    },
    /// A float or a boxed integer.
    Number,
}

/// A value that was read, with all that it refers to.
#[derive(Debug)]
pub struct Heap<'a> {
    bytes: &'a [u8],
    objects: Vec<Object>,
    slots: Vec<Value>,
    /// The value itself.
    pub root: Value,
}

/// Bytes that are no such value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {place}: {what}")]
pub struct Malformed {
    place: usize,
    what: &'static str,
}

impl<'a> Heap<'a> {
    /// Reads a value.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut reader = Reader { bytes, place: 0, owed: 0, whole: Vec::new() };
        let header = match reader.number(4)? {
            0x8495_A6BE => 20,
            0x8495_A6BF => 32,
            _ => return Err(reader.malformed("it is not the beginning of a value of OCaml")),
        };
        reader.skip(header - 4)?;
        let mut heap = Self { bytes, objects: Vec::new(), slots: Vec::new(), root: Value::Empty };
        // Blocks whose fields are still to be read.
        let mut open: Vec<Open> = Vec::new();
        heap.root = heap.value(&mut reader, &mut open)?;
        while let Some(block) = open.last_mut() {
            if block.left == 0 {
                reader.whole[block.object] = true;
                open.pop();
                continue;
            }
            let place = block.slot;
            (block.slot, block.left) = (place + 1, block.left - 1);
            reader.owed -= 1;
            heap.slots[place] = heap.value(&mut reader, &mut open)?;
        }
        Ok(heap)
    }

    /// The next value; the fields of a block are read after it.
    fn value(&mut self, reader: &mut Reader<'_>, open: &mut Vec<Open>) -> Result<Value, Malformed> {
        let code = reader.byte()?;
        let (tag, len) = match code {
            0x80.. => (code & 0xF, usize::from((code >> 4) & 7)),
            0x08 => block(reader.number(4)?),
            0x13 => block(reader.number(8)?),
            0x40..=0x7F => return Ok(Value::Int(i64::from(code & 0x3F))),
            0x00..=0x03 => {
                let width = 1 << code;
                let shift = 64 - 8 * width as u32;
                return Ok(Value::Int((reader.number(width)? << shift).cast_signed() >> shift));
            }
            0x04..=0x06 | 0x14 => {
                let width = if code == 0x14 { 8 } else { 1 << (code - 4) };
                let back = usize::try_from(reader.number(width)?).unwrap_or(usize::MAX);
                let place = self.objects.len().checked_sub(back).filter(|place| *place < self.objects.len());
                // One that is not whole yet would be in itself, which no term is.
                let place = place.filter(|place| reader.whole[*place]);
                return place.map(Value::At).ok_or_else(|| reader.malformed("it refers to what is not there"));
            }
            _ => return self.leaf(code, reader),
        };
        if len == 0 {
            return Ok(Value::Empty);
        }
        // Each field takes a byte at least.
        reader.owed = reader.owed.saturating_add(len);
        if reader.owed > reader.left() {
            return Err(reader.malformed("a block is longer than the file"));
        }
        let start = self.slots.len();
        self.slots.resize(start + len, Value::Empty);
        open.push(Open { object: self.objects.len(), slot: start, left: len });
        Ok(self.push(reader, Object::Block { tag, start, len }))
    }

    fn leaf(&mut self, code: u8, reader: &mut Reader<'_>) -> Result<Value, Malformed> {
        let text = match code {
            0x20..=0x3F => Some(u64::from(code & 0x1F)),
            0x09 => Some(reader.number(1)?),
            0x0A => Some(reader.number(4)?),
            0x15 => Some(reader.number(8)?),
            _ => None,
        };
        if let Some(len) = text {
            let (start, len) = (reader.place, usize::try_from(len).unwrap_or(usize::MAX));
            reader.skip(len)?;
            return Ok(self.push(reader, Object::Text { start, len }));
        }
        let skipped = match code {
            0x0B | 0x0C => 8,
            0x0D | 0x0E => 8 * reader.number(1)?,
            0x07 | 0x0F => 8 * reader.number(4)?,
            // Boxed integers: their kind, then their digits.
            0x19 => match [reader.byte()?, reader.byte()?, reader.byte()?] {
                [b'_', b'j', 0] => 8,
                [b'_', b'i', 0] => 4,
                _ => return Err(reader.malformed("a value of a kind that compiled files do not have")),
            },
            _ => return Err(reader.malformed("a value of a kind that compiled files do not have")),
        };
        reader.skip(usize::try_from(skipped).unwrap_or(usize::MAX))?;
        Ok(self.push(reader, Object::Number))
    }

    fn push(&mut self, reader: &mut Reader<'_>, object: Object) -> Value {
        reader.whole.push(!matches!(object, Object::Block { .. }));
        self.objects.push(object);
        Value::At(self.objects.len() - 1)
    }

    /// Number of blocks, texts and floats.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// True for an integer.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The tag and the fields of a block.
    pub fn block(&self, value: Value) -> Option<(u8, &[Value])> {
        let Value::At(place) = value else { return None };
        match *self.objects.get(place)? {
            Object::Block { tag, start, len } => Some((tag, self.slots.get(start..start + len)?)),
            _ => None,
        }
    }

    /// The fields of a block with that tag and that many fields.
    pub fn fields<const N: usize>(&self, value: Value, tag: u8) -> Option<[Value; N]> {
        let (found, fields) = self.block(value)?;
        if found == tag { fields.try_into().ok() } else { None }
    }

    /// The fields of an array, which may be empty.
    pub fn array(&self, value: Value) -> Option<&[Value]> {
        match value {
            Value::Empty => Some(&[]),
            _ => self.block(value).filter(|(tag, _)| *tag == 0).map(|(_, fields)| fields),
        }
    }

    /// The elements of a list.
    pub fn list(&self, mut value: Value) -> Option<Vec<Value>> {
        let mut elements = Vec::new();
        while value != Value::Int(0) {
            let [first, rest] = self.fields(value, 0)?;
            elements.push(first);
            // A list that goes round is none.
            if elements.len() > self.objects.len() {
                return None;
            }
            value = rest;
        }
        Some(elements)
    }

    /// The bytes of a text.
    pub fn bytes(&self, value: Value) -> Option<&'a [u8]> {
        let Value::At(place) = value else { return None };
        match *self.objects.get(place)? {
            Object::Text { start, len } => self.bytes.get(start..start + len),
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self, value: Value) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(value)?).ok()
    }
}

/// Tag and length of a block, from its header.
fn block(header: u64) -> (u8, usize) {
    ((header & 0xFF) as u8, usize::try_from(header >> 10).unwrap_or(usize::MAX))
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
    /// Number of fields of blocks that are still to be read.
    owed: usize,
    /// For each object, true once it has been read to its end.
    whole: Vec<bool>,
}

/// A block whose fields are being read: the next slot, and how many are left.
struct Open {
    object: usize,
    slot: usize,
    left: usize,
}

impl Reader<'_> {
    fn malformed(&self, what: &'static str) -> Malformed {
        Malformed { place: self.place, what }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.place
    }

    fn skip(&mut self, bytes: usize) -> Result<(), Malformed> {
        if bytes > self.left() {
            return Err(self.malformed("the file ends within a value"));
        }
        self.place += bytes;
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        self.number(1).map(|byte| byte as u8)
    }

    /// An unsigned number, its most significant byte first.
    fn number(&mut self, width: usize) -> Result<u64, Malformed> {
        let start = self.place;
        self.skip(width)?;
        Ok(self.bytes[start..self.place].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[("ab", -1); ("ab", 300)]` with one text, as `Marshal.to_string` of OCaml 4.13 writes it.
    const LIST: &[u8] = &[
        0x84, 0x95, 0xA6, 0xBE, 0, 0, 0, 0x0F, 0, 0, 0, 5, 0, 0, 0, 0x0E, 0, 0, 0, 0x0E, 0xA0, 0xA0, 0x22, b'a', b'b',
        0x00, 0xFF, 0xA0, 0xA0, 0x04, 3, 0x01, 0x01, 0x2C, 0x40,
    ];

    #[test]
    fn a_value_is_read_with_what_it_shares() {
        let heap = Heap::read(LIST).expect("a value");
        let pairs = heap.list(heap.root).expect("a list");
        let pair = |value| heap.fields::<2>(value, 0).map(|[text, number]| (heap.text(text), number));
        let read: Vec<_> = pairs.into_iter().map(pair).collect();
        assert_eq!(read, [Some((Some("ab"), Value::Int(-1))), Some((Some("ab"), Value::Int(300)))]);
    }

    #[test]
    fn bytes_that_end_early_or_refer_to_nothing_are_refused() {
        for end in 0..LIST.len() {
            assert!(Heap::read(&LIST[..end]).is_err(), "{end}");
        }
        for (place, byte) in [(0, 0), (20, 0x11), (30, 9), (30, 0), (30, 1), (22, 0x3F), (20, 0x08)] {
            let mut bytes = LIST.to_vec();
            bytes[place] = byte;
            assert!(Heap::read(&bytes).is_err(), "{place}: {byte}");
        }
    }
}
