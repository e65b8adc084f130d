//! Storage of an array's entries, and the names that file formats have for it.

use posproof_numerics::format::Format;

/// Storage of an entry. Integers are for positions only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// A floating-point number.
    Float(Format),
    /// An integer of 8 bits.
    I8,
    /// An integer of 16 bits.
    I16,
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// An integer ≥ 0 of 8 bits.
    U8,
    /// An integer ≥ 0 of 16 bits.
    U16,
    /// An integer ≥ 0 of 32 bits.
    U32,
    /// An integer ≥ 0 of 64 bits.
    U64,
}

impl Dtype {
    const ALL: [Self; 14] = [
        Self::Float(Format::E5m2),
        Self::Float(Format::E4m3),
        Self::Float(Format::F16),
        Self::Float(Format::Bf16),
        Self::Float(Format::F32),
        Self::Float(Format::F64),
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];

    /// True if the entries may be below 0.
    pub fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// Bytes of an entry.
    pub fn bytes(self) -> usize {
        match self {
            Self::Float(format) => format.bytes(),
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 => 4,
            Self::I64 | Self::U64 => 8,
        }
    }

    /// The type as NumPy describes it after the byte order. bfloat16 is what the package ml_dtypes writes for it: two
    /// bytes without a meaning, which `.view(ml_dtypes.bfloat16)` gives back; likewise one byte for the formats of 8 bits.
    pub fn npy(self) -> &'static str {
        match self {
            Self::Float(Format::E5m2 | Format::E4m3) => "V1",
            Self::Float(Format::F16) => "f2",
            Self::Float(Format::Bf16) => "V2",
            Self::Float(Format::F32) => "f4",
            Self::Float(Format::F64) => "f8",
            Self::I8 => "i1",
            Self::I16 => "i2",
            Self::I32 => "i4",
            Self::I64 => "i8",
            Self::U8 => "u1",
            Self::U16 => "u2",
            Self::U32 => "u4",
            Self::U64 => "u8",
        }
    }

    /// The name in safetensors.
    pub fn safetensors(self) -> &'static str {
        match self {
            Self::Float(Format::E5m2) => "F8_E5M2",
            Self::Float(Format::E4m3) => "F8_E4M3",
            Self::Float(Format::F16) => "F16",
            Self::Float(Format::Bf16) => "BF16",
            Self::Float(Format::F32) => "F32",
            Self::Float(Format::F64) => "F64",
            Self::I8 => "I8",
            Self::I16 => "I16",
            Self::I32 => "I32",
            Self::I64 => "I64",
            Self::U8 => "U8",
            Self::U16 => "U16",
            Self::U32 => "U32",
            Self::U64 => "U64",
        }
    }

    /// The type of which a name, [`npy`](Self::npy) or [`safetensors`](Self::safetensors), is this.
    pub fn named(name: &str, in_format: fn(Self) -> &'static str) -> Option<Self> {
        let mut named = Self::ALL.into_iter().filter(|dtype| in_format(*dtype) == name);
        // A byte without a meaning, as NumPy has it, is of no one format.
        named.next().filter(|_| named.next().is_none())
    }
}
