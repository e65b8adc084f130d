//! The memory of other libraries' arrays, read where it lies; and memory that is handed to them. The only unsafe code of
//! this package.
//!
//! Promises of a producer that cannot be verified from here, because neither DLPack nor the buffer protocol says how large
//! an allocation is: that the shape, the strides and the offset of a producer stay inside its memory; that nobody writes
//! there meanwhile, or, with DLPack, gives the memory back, while the interpreter runs other threads. Everything else is,
//! and the documentation asks for these.
#![allow(unsafe_code)]

use dlpark::allocation::dynamic::Allocation;
use dlpark::ffi::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::python::{DlpackExporter, ExportRequest, ImportedDlpack};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use half::{bf16, f16};
use posproof_numerics::format::Format;
use posproof_numerics::narrow::Narrow;
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::exceptions::PyBufferError;
use pyo3::{PyErr, PyResult, Python};
use std::cell::UnsafeCell;
use std::sync::Arc;

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A floating-point number.
    Float(Format),
    /// Two of them: real and imaginary part.
    Complex(Format),
    /// An integer of so many bytes.
    Signed(usize),
    /// One without sign.
    Unsigned(usize),
}

impl EntryKind {
    fn bytes(self) -> usize {
        match self {
            Self::Float(format) => format.bytes(),
            Self::Complex(format) => 2 * format.bytes(),
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes,
        }
    }
}

/// Owner that keeps the memory alive.
enum Owner {
    Dlpack(#[allow(dead_code)] ImportedDlpack),
    Buffer(#[allow(dead_code)] PyUntypedBuffer),
}

/// An array in memory that belongs to others, kept alive as long as this.
pub struct Memory {
    _owner: Owner,
    start: *const u8,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
    kind: EntryKind,
}

// SAFETY: the memory is only read, and the owners may be released on any thread: DLPack's deleters by that protocol,
// buffers because releasing one attaches to the interpreter.
unsafe impl Send for Memory {}
// SAFETY: as above; nothing here changes after it was made.
unsafe impl Sync for Memory {}

impl Memory {
    /// The array of a capsule.
    ///
    /// # Errors
    ///
    /// Mistake in it, in words: `expected …; found …`.
    pub fn of_dlpack(imported: ImportedDlpack) -> Result<Self, String> {
        let tensor =
            imported.validate().map_err(|error| format!("expected a valid DLPack tensor; found that {error}"))?;
        let device = tensor.device();
        if ![DLDeviceType::CPU, DLDeviceType::CUDAHOST, DLDeviceType::ROCMHOST].contains(&device.device_type) {
            return Err(on_device(device));
        }
        let DLDataType { code, bits, lanes } = tensor.dtype();
        let kind = match (code, bits, lanes) {
            (DLDataTypeCode::FLOAT, 64, 1) => EntryKind::Float(Format::F64),
            (DLDataTypeCode::FLOAT, 32, 1) => EntryKind::Float(Format::F32),
            (DLDataTypeCode::FLOAT, 16, 1) => EntryKind::Float(Format::F16),
            (DLDataTypeCode::BFLOAT, 16, 1) => EntryKind::Float(Format::Bf16),
            (DLDataTypeCode::FLOAT8_E4M3FN, 8, 1) => EntryKind::Float(Format::E4m3),
            (DLDataTypeCode::FLOAT8_E5M2, 8, 1) => EntryKind::Float(Format::E5m2),
            (DLDataTypeCode::COMPLEX, 128, 1) => EntryKind::Complex(Format::F64),
            (DLDataTypeCode::COMPLEX, 64, 1) => EntryKind::Complex(Format::F32),
            (DLDataTypeCode::INT, 8 | 16 | 32 | 64, 1) => EntryKind::Signed(usize::from(bits) / 8),
            (DLDataTypeCode::UINT, 8 | 16 | 32 | 64, 1) => EntryKind::Unsigned(usize::from(bits) / 8),
            _ => {
                let found = format!("DLPack's type code {} of {bits} bits in {lanes} lanes", code.0);
                return Err(format!("expected {KINDS}; found {found}"));
            }
        };
        let shape: Vec<usize> = tensor.shape().iter().filter_map(|&n| usize::try_from(n).ok()).collect();
        let strides =
            tensor.strides_or_compact().map_err(|error| format!("expected valid strides; found that {error}"))?;
        let strides: Option<Vec<isize>> = strides
            .iter()
            .map(|&stride| isize::try_from(stride).ok().and_then(|stride| stride.checked_mul(kind.bytes() as isize)))
            .collect();
        // SAFETY: validated above; the pointer is not followed here.
        let start =
            if tensor.num_elements() == 0 { Ok(std::ptr::null()) } else { unsafe { tensor.offset_bytes_ptr() } };
        let start = start.map_err(|error| format!("expected memory; found that {error}"))?;
        Self::new(Owner::Dlpack(imported), start, shape, strides.unwrap_or_default(), kind)
    }

    /// The array of a buffer.
    ///
    /// # Errors
    ///
    /// As of [`of_dlpack`](Self::of_dlpack).
    pub fn of_buffer(buffer: PyUntypedBuffer) -> Result<Self, String> {
        let format = buffer.format().to_string_lossy().into_owned();
        let native = if cfg!(target_endian = "little") { '<' } else { '>' };
        let complex = format.trim_start_matches(['@', '=', native]);
        if format.starts_with(['<', '>', '!']) && !format.starts_with(native) {
            return Err(format!("expected the byte order of this machine; found the format '{format}'"));
        }
        let kind = match (ElementType::from_format(buffer.format()), complex) {
            (ElementType::Float { bytes: 8 }, _) => EntryKind::Float(Format::F64),
            (ElementType::Float { bytes: 4 }, _) => EntryKind::Float(Format::F32),
            (ElementType::Float { bytes: 2 }, _) => EntryKind::Float(Format::F16),
            (ElementType::SignedInteger { bytes }, _) => EntryKind::Signed(bytes),
            (ElementType::UnsignedInteger { bytes }, _) => EntryKind::Unsigned(bytes),
            (_, "Zd") => EntryKind::Complex(Format::F64),
            (_, "Zf") => EntryKind::Complex(Format::F32),
            _ => return Err(format!("expected {KINDS}; found the buffer format '{format}'")),
        };
        let (dimensions, size) = (buffer.dimensions(), buffer.item_size());
        let (shape, strides) = (buffer.shape().to_vec(), buffer.strides().to_vec());
        let consistent = shape.len() == dimensions && strides.len() == dimensions && size == kind.bytes();
        if !consistent || buffer.suboffsets().is_some() {
            return Err(format!("expected a plain buffer of entries of {} bytes; found another", kind.bytes()));
        }
        let start = buffer.buf_ptr().cast::<u8>().cast_const();
        Self::new(Owner::Buffer(buffer), start, shape, strides, kind)
    }

    fn new(
        owner: Owner,
        start: *const u8,
        shape: Vec<usize>,
        strides: Vec<isize>,
        kind: EntryKind,
    ) -> Result<Self, String> {
        if shape.len() != strides.len() {
            return Err(format!("expected a stride for each of {} axes; found other strides", shape.len()));
        }
        // Every offset is within this extent, so that none overflows.
        let extent = shape.iter().zip(&strides).try_fold(kind.bytes(), |sum, (&n, &stride)| {
            sum.checked_add(n.saturating_sub(1).checked_mul(stride.unsigned_abs())?)
        });
        let empty = shape.contains(&0);
        if extent.is_none_or(|extent| extent > isize::MAX as usize) || start.is_null() && !empty {
            return Err(format!("expected strides within memory; found the shape {shape:?} with strides {strides:?}"));
        }
        Ok(Self { _owner: owner, start, shape, strides, kind })
    }

    /// The same memory as numbers of another kind of the same size, which its owner cannot say.
    pub fn reinterpreted(self, kind: EntryKind) -> Self {
        if kind.bytes() == self.kind.bytes() { Self { kind, ..self } } else { self }
    }

    /// Real and imaginary parts along a last axis of 2 (`view_as_real`) as complex numbers; as it is where it has no such axis.
    pub fn paired(mut self) -> Self {
        if let (EntryKind::Float(format), Some(2), Some(&step)) = (self.kind, self.shape.last(), self.strides.last())
            && self.shape.len() > 2
            && step == self.kind.bytes() as isize
        {
            (self.kind, _, _) = (EntryKind::Complex(format), self.shape.pop(), self.strides.pop());
        }
        self
    }

    /// The dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Kind of the entries.
    pub fn kind(&self) -> EntryKind {
        self.kind
    }

    /// Appends the numbers along the last axis (the one number of an array without axes) at these indices of the others:
    /// their real or their imaginary parts. Nothing where there is no such place.
    pub fn read(&self, at: &[usize], part: Part, out: &mut Vec<f64>) {
        let (width, step) = match (self.shape.split_last(), self.strides.last()) {
            (Some((&width, outer)), Some(&step)) if outer.len() == at.len() => (width, step),
            (None, None) if at.is_empty() => (1, 0),
            _ => return,
        };
        if self.shape.contains(&0) || at.iter().zip(&self.shape).any(|(&i, &n)| i >= n) {
            return;
        }
        let offset: isize = at.iter().zip(&self.strides).map(|(&i, &stride)| i as isize * stride).sum();
        let part = if part == Part::Imaginary { self.kind.bytes() as isize / 2 } else { 0 };
        macro_rules! numbers {
            ($kind:ty, $to:expr) => {
                out.extend((0..width).map(|j| {
                    let place = self.start.wrapping_offset(offset + j as isize * step + part).cast::<$kind>();
                    // SAFETY: the indices are below the shape, so that the place is one of the array's entries, which its
                    // owner keeps alive; any bits are a number. That others may write there meanwhile is theirs to avoid.
                    $to(unsafe { place.read_unaligned() })
                }))
            };
        }
        match self.kind {
            EntryKind::Float(Format::F64) | EntryKind::Complex(Format::F64) => numbers!(f64, |x| x),
            EntryKind::Float(Format::F32) | EntryKind::Complex(Format::F32) => numbers!(f32, f64::from),
            EntryKind::Float(Format::F16) | EntryKind::Complex(Format::F16) => numbers!(f16, f64::from),
            EntryKind::Float(Format::Bf16) | EntryKind::Complex(Format::Bf16) => numbers!(bf16, f64::from),
            EntryKind::Float(Format::E4m3) | EntryKind::Complex(Format::E4m3) => {
                numbers!(u8, |code| Narrow::E4m3.decode(code))
            }
            EntryKind::Float(Format::E5m2) | EntryKind::Complex(Format::E5m2) => {
                numbers!(u8, |code| Narrow::E5m2.decode(code))
            }
            EntryKind::Signed(1) => numbers!(i8, f64::from),
            EntryKind::Signed(2) => numbers!(i16, f64::from),
            EntryKind::Signed(4) => numbers!(i32, f64::from),
            EntryKind::Signed(_) => numbers!(i64, |x| x as f64),
            EntryKind::Unsigned(1) => numbers!(u8, f64::from),
            EntryKind::Unsigned(2) => numbers!(u16, f64::from),
            EntryKind::Unsigned(4) => numbers!(u32, f64::from),
            EntryKind::Unsigned(_) => numbers!(u64, |x| x as f64),
        }
    }
}

/// Which part of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The real one; a real number itself.
    Real,
    /// The imaginary one.
    Imaginary,
}

const KINDS: &str = "f16, bf16, f32, f64, float8_e4m3fn, float8_e5m2, complex64, complex128 or integers";

/// That an array is not in the memory of the host.
pub fn on_device(device: DLDevice) -> String {
    let name = match device.device_type {
        DLDeviceType::CUDA => "cuda",
        DLDeviceType::ROCM => "rocm",
        DLDeviceType::METAL => "metal",
        _ => "DLPack's device type ",
    };
    let number = if name.ends_with(' ') { device.device_type.0.to_string() } else { String::new() };
    let advice = "copy it first: x.cpu() (PyTorch), jax.device_get(x), cupy.asnumpy(x)";
    format!("expected memory of the host; found {name}{number}:{}; {advice}", device.device_id)
}

/// The number of entries of a shape.
pub fn entries_of(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n))
}

/// Sixty-four bytes, aligned as consumers like them.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Memory that is written here and then handed out.
pub struct Block(UnsafeCell<Box<[Line]>>);

// SAFETY: after it was written, this package follows no pointer into it; those who are handed it share it by the rules
// of DLPack.
unsafe impl Sync for Block {}

impl Block {
    /// So many zero bytes; none where there is no memory for them.
    pub fn zeroed(bytes: usize) -> Option<Self> {
        let block = bytemuck::allocation::try_zeroed_slice_box(bytes.div_ceil(64)).ok()?;
        Some(Self(UnsafeCell::new(block)))
    }

    /// The first entries of a kind, as many as fit at most.
    pub fn entries<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(&mut self, count: usize) -> &mut [T] {
        let all = bytemuck::cast_slice_mut(self.0.get_mut());
        let count = count.min(all.len());
        &mut all[..count]
    }
}

/// An array that is handed out, and stays reusable.
pub struct Handed {
    block: Arc<Block>,
    dtype: DLDataType,
    shape: Vec<usize>,
}

impl Handed {
    /// Array that was written, of this format and shape, which the block must be large enough for.
    pub fn new(block: Block, format: Format, shape: &[usize]) -> Option<Self> {
        let dtype = match format {
            Format::F64 => DLDataType::F64,
            Format::F32 => DLDataType::F32,
            Format::F16 => DLDataType::scalar(DLDataTypeCode::FLOAT, 16),
            Format::Bf16 => DLDataType::scalar(DLDataTypeCode::BFLOAT, 16),
            Format::E4m3 => DLDataType::scalar(DLDataTypeCode::FLOAT8_E4M3FN, 8),
            Format::E5m2 => DLDataType::scalar(DLDataTypeCode::FLOAT8_E5M2, 8),
        };
        let mut block = block;
        let entries = entries_of(shape)?;
        let bytes = entries.checked_mul(EntryKind::Float(format).bytes())?;
        let shape = shape.to_vec();
        (block.0.get_mut().len().checked_mul(64)? >= bytes).then(|| Self { block: Arc::new(block), dtype, shape })
    }

    /// Memory as integers of as many bits, for those who do not know the format.
    pub fn as_bits(&self) -> Self {
        let dtype = if self.dtype.bits == 8 { DLDataType::U8 } else { DLDataType::U16 };
        Self { dtype, ..self.shared() }
    }

    /// The same memory once more.
    pub fn shared(&self) -> Self {
        Self { block: Arc::clone(&self.block), dtype: self.dtype, shape: self.shape.clone() }
    }

    fn exported<M: ManagedTensorBase>(&self) -> PyResult<Managed<M>> {
        let refused = |error: dlpark::allocation::Error| -> PyErr { PyBufferError::new_err(error.to_string()) };
        let axes = self.shape.len();
        let mut strides = vec![1i64; axes];
        for axis in (1..axes).rev() {
            strides[axis - 1] = strides[axis] * self.shape[axis] as i64;
        }
        let extra: Vec<i64> = self.shape.iter().map(|&n| n as i64).chain(strides).collect();
        let mut allocation = Allocation::<M>::allocate(2 * axes).map_err(refused)?;
        allocation.extra_mut().copy_from_slice(&extra);
        let mut tensor = allocation.initialize(Arc::clone(&self.block), axes).map_err(refused)?;
        let extra = tensor.extra_mut().as_mut_ptr();
        // SAFETY: there are twice as many of them as axes.
        let strides = unsafe { extra.add(axes) };
        (tensor.tensor_mut().shape, tensor.tensor_mut().strides) = (extra, strides);
        // SAFETY: nobody else has a reference to the box itself, only pointers to what it holds.
        let start = unsafe { (*self.block.0.get()).as_mut_ptr() };
        tensor.set_data(start.cast()).set_device(DLDevice::CPU).set_dtype(self.dtype);
        // SAFETY: the block is at least as long as all entries, and lives as long as the tensor, which holds it.
        Ok(unsafe { tensor.finish() })
    }
}

impl DlpackExporter for Handed {
    fn device(&self) -> DLDevice {
        DLDevice::CPU
    }
    fn flags(&self) -> DlpackFlags {
        DlpackFlags::empty()
    }
    fn prepare_export(&self, _py: Python<'_>, _request: &ExportRequest<'_>) -> PyResult<()> {
        Ok(())
    }
    fn export_legacy(&self, _py: Python<'_>) -> PyResult<Managed<DLManagedTensor>> {
        self.exported()
    }
    fn export_versioned(&self, _py: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        self.exported()
    }
}
