//! Has Rust libraries compute positional encodings, for the score sheet: `posproof-rust-libraries CASE ROWS DTYPE` reads
//! vectors [ROWS, 64] as numbers of binary32, little-endian, from the standard input, and writes those that the library
//! was given, in its dtype, and what became of them, as numbers of binary32 too.

use burn_core::tensor::{Device as BurnDevice, Tensor as BurnTensor, TensorData};
use candle_core::{DType, Device, Tensor};
use std::error::Error;
use std::io::{self, Read, Write};

const DIM: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, rows, dtype] = arguments.as_slice() else {
        return Err("expected CASE ROWS DTYPE".into());
    };
    let rows: usize = rows.parse()?;
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    let x: Vec<f32> = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    if x.len() != rows * DIM {
        return Err(format!("expected {rows} × {DIM} numbers, found {}", x.len()).into());
    }
    let (given, made) = match (case.as_str(), dtype.as_str()) {
        ("candle-rope", dtype) => candle(x, rows, dtype, candle_nn::rotary_emb::rope)?,
        ("candle-rope-i", dtype) => candle(x, rows, dtype, candle_nn::rotary_emb::rope_i)?,
        ("burn-rotary", "float32") => burn_rotary(x, rows)?,
        ("burn-sinusoid", "float32") => burn_sinusoid(rows)?,
        (case, dtype) => return Err(format!("no case '{case}' in {dtype}").into()),
    };
    let mut out = io::stdout().lock();
    for number in given.iter().chain(&made) {
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}

type Pair = (Vec<f32>, Vec<f32>);

/// With cosines and sines as the library's own models make them: frequencies in binary32, angles by a product of tensors.
fn candle(
    x: Vec<f32>,
    rows: usize,
    dtype: &str,
    rotate: fn(&Tensor, &Tensor, &Tensor) -> candle_core::Result<Tensor>,
) -> Result<Pair, Box<dyn Error>> {
    let dtype = match dtype {
        "float32" => DType::F32,
        "bfloat16" => DType::BF16,
        "float16" => DType::F16,
        other => return Err(format!("no dtype '{other}'").into()),
    };
    let device = Device::Cpu;
    let frequencies: Vec<f32> =
        (0..DIM).step_by(2).map(|index| 1.0 / 10000f32.powf(index as f32 / DIM as f32)).collect();
    let frequencies = Tensor::new(frequencies, &device)?.reshape((1, DIM / 2))?;
    let positions = Tensor::arange(0, rows as u32, &device)?.to_dtype(DType::F32)?.reshape((rows, 1))?;
    let angles = positions.matmul(&frequencies)?;
    let x = Tensor::from_vec(x, (1, 1, rows, DIM), &device)?.to_dtype(dtype)?;
    let y = rotate(&x, &angles.cos()?.to_dtype(dtype)?, &angles.sin()?.to_dtype(dtype)?)?;
    let numbers = |tensor: &Tensor| tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>();
    Ok((numbers(&x)?, numbers(&y)?))
}

fn burn_rotary(x: Vec<f32>, rows: usize) -> Result<Pair, Box<dyn Error>> {
    let device = BurnDevice::flex();
    let encoding = burn_nn::RotaryEncodingConfig::new(rows, DIM).init(&device);
    let given = BurnTensor::<4>::from_data(TensorData::new(x.clone(), [1, 1, rows, DIM]), &device);
    Ok((x, numbers(encoding.forward(given).into_data())?))
}

/// The table that is added, made by adding it to zeros.
fn burn_sinusoid(rows: usize) -> Result<Pair, Box<dyn Error>> {
    let device = BurnDevice::flex();
    let encoding = burn_nn::PositionalEncodingConfig::new(DIM).with_max_sequence_size(rows).init(&device);
    let zeros = BurnTensor::<3>::zeros([1, rows, DIM], &device);
    Ok((Vec::new(), numbers(encoding.forward(zeros).into_data())?))
}

fn numbers(data: TensorData) -> Result<Vec<f32>, Box<dyn Error>> {
    data.try_to_vec().map_err(|error| format!("{error:?}").into())
}
