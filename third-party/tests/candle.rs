//! candle-nn 0.11: `rope` (halves), `rope_i` (interleaved), `rope_thd` and the slow forms, with tables
//! computed as candle-transformers computes them: 1/base^(2k/dim) and products in f32.

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::rotary_emb::{rope, rope_i, rope_i_slow, rope_slow, rope_thd};
use half::bf16;
use posproof_check::{Code, Expectation, Grade, Grid, Slice, Subject, assert_conforms, check, probe};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use posproof_table::{Element, Positions};

const DIM: usize = 64;

fn positions() -> Positions {
    probe::positions(131_071).expect("positions")
}

/// Cosines and sines [positions, DIM/2].
fn tables(base: f32, dtype: DType) -> Result<(Tensor, Tensor)> {
    let positions: Vec<f32> = positions().iter().map(|p| p as f32).collect();
    let rates: Vec<f32> = (0..DIM).step_by(2).map(|i| 1f32 / base.powf(i as f32 / DIM as f32)).collect();
    let (rows, pairs) = (positions.len(), rates.len());
    let angles = Tensor::from_vec(positions, (rows, 1), &Device::Cpu)?
        .matmul(&Tensor::from_vec(rates, (1, pairs), &Device::Cpu)?)?;
    Ok((angles.cos()?.to_dtype(dtype)?, angles.sin()?.to_dtype(dtype)?))
}

fn vectors<T: Element>() -> Vec<T> {
    let count = positions().len() * DIM;
    probe::vectors(T::FORMAT, count).map(T::from_exact).collect()
}

fn stated(layout: Layout) -> Expectation {
    Expectation::new(Convention { base: 500_000.into(), layout, ..Convention::rope(DIM) }).at(positions())
}

#[test]
fn the_cache_conforms() -> Result<()> {
    let (cos, sin) = tables(500_000.0, DType::F32)?;
    let (cos, sin) = (cos.flatten_all()?.to_vec1::<f32>()?, sin.flatten_all()?.to_vec1::<f32>()?);
    let (cos, sin) = (Slice::new("cos", &cos, DIM / 2).unwrap(), Slice::new("sin", &sin, DIM / 2).unwrap());
    assert_conforms(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &stated(Layout::Halves));
    Ok(())
}

type Rotation = fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor>;

const ROTATIONS: [(&str, Rotation, Layout); 4] = [
    ("rope", rope, Layout::Halves),
    ("rope_slow", rope_slow, Layout::Halves),
    ("rope_i", rope_i, Layout::Interleaved),
    ("rope_i_slow", rope_i_slow, Layout::Interleaved),
];

fn rotated(rotation: Rotation, dtype: DType, x: Tensor) -> Result<Tensor> {
    let (cos, sin) = tables(500_000.0, dtype)?;
    rotation(&x.reshape((1, 1, positions().len(), DIM))?, &cos, &sin)?.flatten_all()
}

#[test]
fn rotations_conform_in_f32() -> Result<()> {
    let x = vectors::<f32>();
    for (name, rotation, layout) in ROTATIONS {
        let y = rotated(rotation, DType::F32, Tensor::from_slice(&x, x.len(), &Device::Cpu)?)?.to_vec1::<f32>()?;
        let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new(name, &y, DIM).unwrap());
        assert_conforms(Subject::Rotation { x: &x, y: &y }, &stated(layout));
        // The other layout is refused, and named.
        let other = if layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves };
        let report = check(Subject::Rotation { x: &x, y: &y }, &stated(other)).unwrap();
        assert_eq!((report.grade, report.first_code()), (Grade::OtherConvention, Some(Code::Layout)), "{name}\n{report}");
    }
    Ok(())
}

#[test]
fn rotations_conform_in_bf16() -> Result<()> {
    let x = vectors::<bf16>();
    for (name, rotation, layout) in ROTATIONS {
        let y = rotated(rotation, DType::BF16, Tensor::from_slice(&x, x.len(), &Device::Cpu)?)?.to_vec1::<bf16>()?;
        let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new(name, &y, DIM).unwrap());
        assert_eq!(y.format(), Format::Bf16);
        assert_conforms(Subject::Rotation { x: &x, y: &y }, &stated(layout));
    }
    Ok(())
}

#[test]
fn rope_thd_conforms() -> Result<()> {
    let x = vectors::<f32>();
    let (cos, sin) = tables(500_000.0, DType::F32)?;
    let input = Tensor::from_slice(&x, (1, positions().len(), 1, DIM), &Device::Cpu)?;
    let y = rope_thd(&input, &cos, &sin)?.flatten_all()?.to_vec1::<f32>()?;
    let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new("rope_thd", &y, DIM).unwrap());
    assert_conforms(Subject::Rotation { x: &x, y: &y }, &stated(Layout::Halves));
    Ok(())
}
