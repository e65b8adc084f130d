//! burn-nn 0.22: `PositionalEncoding` and `RotaryEncoding`, on the ndarray backend.

use burn_core::tensor::{Device, Tensor, TensorData};
use burn_nn::{PositionalEncodingConfig, RotaryEncoding, RotaryEncodingConfig};
use posproof_check::{Expectation, Slice, Subject, assert_conforms, probe};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;
use posproof_table::Positions;

const DIM: usize = 64;
const ROWS: usize = 9000;

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().to_vec::<f32>().expect("f32")
}

#[test]
fn the_sinusoidal_table_conforms() {
    let device = Device::ndarray();
    let config = PositionalEncodingConfig::new(DIM).with_max_sequence_size(ROWS);
    let table = numbers(config.init(&device).forward(Tensor::zeros([1, ROWS, DIM], &device)));
    let table = Slice::new("PositionalEncoding", &table, DIM).unwrap();
    assert_conforms(Subject::Sinusoid(&table), &Expectation::new(Convention::sinusoid(DIM)));
}

/// Rotates the vectors of a probe by the rows from `start` on of the module's cache.
fn judge(rope: &RotaryEncoding, start: usize, first: u64, rows: usize, device: &Device) {
    let x: Vec<f32> = probe::vectors(Format::F32, rows * DIM).map(|x| x as f32).collect();
    let input = Tensor::<3>::from_data(TensorData::new(x.clone(), [1, rows, DIM]), device);
    let y = numbers(rope.apply(input, start));
    let (x, y) = (Slice::new("x", &x, DIM).unwrap(), Slice::new("RotaryEncoding", &y, DIM).unwrap());
    let positions = Positions::range(first..first + rows as u64).unwrap();
    let expectation = Expectation::new(Convention::rope(DIM)).at(positions);
    assert_conforms(Subject::Rotation { x: &x, y: &y }, &expectation);
}

#[test]
fn the_rotation_conforms() {
    let device = Device::ndarray();
    let rope = RotaryEncodingConfig::new(ROWS, DIM).init(&device);
    judge(&rope, 0, 0, ROWS, &device);
    judge(&rope, 257, 257, 300, &device);
}

/// State that survives a call: the window of the cache moves, by less than its length and by more, and back.
#[test]
fn the_rotation_conforms_after_its_window_has_moved() {
    let device = Device::ndarray();
    let mut rope = RotaryEncodingConfig::new(256, DIM).init(&device);
    for start in [100, 4000, 131_000] {
        rope.shift(start);
        judge(&rope, 0, start as u64, 256, &device);
    }
    rope.reset();
    judge(&rope, 0, 0, 256, &device);
}
