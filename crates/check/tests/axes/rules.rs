//! Programs written from the rules of the families, in binary64, as the modelling code has them: the angle of every column of a cache, or the
//! entries of a table. Nothing of the crates under test is used.

use std::f64::consts::PI;

/// ω_i for i below `count`, from a dimension.
fn inv(base: f64, dim: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| base.powf(-2.0 * i as f64 / dim)).collect()
}

fn times(x: f64, omega: &[f64]) -> Vec<f64> {
    omega.iter().map(|omega| x * omega).collect()
}

/// [a, a], and each value twice.
fn tiled(angles: Vec<f64>) -> Vec<f64> {
    [angles.clone(), angles].concat()
}

fn repeated(angles: Vec<f64>) -> Vec<f64> {
    angles.into_iter().flat_map(|angle| [angle, angle]).collect()
}

/// One list of frequencies, cut into sections, each turned by the coordinate of its axis.
fn sectioned(x: &[f64], omega: &[f64], axis: impl Fn(usize) -> usize) -> Vec<f64> {
    omega.iter().enumerate().map(|(k, omega)| x[axis(k)] * omega).collect()
}

/// The axis of slot k where sections lie one after the other.
fn section(k: usize, sections: &[usize]) -> usize {
    let mut end = 0;
    sections
        .iter()
        .position(|count| {
            end += count;
            k < end
        })
        .unwrap_or(0)
}

/// Each axis with frequencies of its own: (slots, base).
fn axial(x: &[f64], base: f64, slots: &[usize]) -> Vec<f64> {
    slots.iter().zip(x).flat_map(|(&slots, &x)| times(x, &inv(base, 2.0 * slots as f64, slots))).collect()
}

/// The angle of every column of a cache at a row; `None` for a family without a rule here, or of tables.
pub fn angles(family: &str, x: &[f64]) -> Option<Vec<f64>> {
    let thirds = |k: usize, h: usize, w: usize| {
        if k % 3 == 1 && k < h {
            1
        } else if k % 3 == 2 && k < w {
            2
        } else {
            0
        }
    };
    Some(match family {
        "qwen2-vl" => tiled(sectioned(x, &inv(1e6, 128.0, 64), |k| section(k, &[16, 24, 24]))),
        "qwen3-vl" => tiled(sectioned(x, &inv(5e6, 128.0, 64), |k| thirds(k, 60, 60))),
        "qwen3.5" => tiled(sectioned(x, &inv(1e7, 64.0, 32), |k| thirds(k, 33, 30))),
        "glm4v" => repeated(sectioned(x, &inv(1e4, 64.0, 32), |k| section(k, &[8, 12, 12]))),
        "glm-image" => tiled(sectioned(x, &inv(1e4, 64.0, 32), |k| section(k, &[8, 12, 12]))),
        "ernie4.5-vl" => repeated(sectioned(x, &inv(5e5, 128.0, 64), |k| if k >= 44 { 0 } else { 1 + k % 2 })),
        "hunyuan-vl" => {
            let each: Vec<Vec<f64>> = x.iter().map(|&x| tiled(times(x, &inv(1e4, 128.0, 64)))).collect();
            (0..128).map(|entry| each[entry / 32][entry]).collect()
        }
        "neomme" => tiled(sectioned(x, &inv(1e4, 64.0, 32), |k| k % 2)),
        "qwen2-vision" => tiled(axial(x, 1e4, &[20, 20])),
        "pixtral" => {
            let omega = inv(1e4, 64.0, 32);
            let every = |from: usize| omega[from..].iter().step_by(2).copied().collect::<Vec<_>>();
            tiled([times(x[0], &every(0)), times(x[1], &every(1))].concat())
        }
        "llama4-vision" => [times(x[0] + 1.0, &inv(1e4, 44.0, 22)), times(x[1] + 1.0, &inv(1e4, 44.0, 22))].concat(),
        "gemma4-vision" => x.iter().flat_map(|&x| tiled(times(x, &inv(100.0, 32.0, 16)))).collect(),
        "kimi-k25-vision" => {
            let omega = inv(1e4, 36.0, 18);
            omega.iter().flat_map(|omega| [x[1] * omega, x[0] * omega]).collect()
        }
        "step3p7-vision" => tiled(axial(&[x[1], x[0]], 1e4, &[16, 16])),
        "minimax-m3-vision" => tiled(axial(x, 1e4, &[13, 13, 13])),
        "sam3" => repeated(axial(x, 1e4, &[16, 16])),
        "efficientloftr" => {
            let omega = inv(1e4, 128.0, 64);
            repeated(omega.iter().flat_map(|omega| [(x[0] + 1.0) * omega, (x[1] + 1.0) * omega]).collect())
        }
        "dinov3" => {
            let centred = [(x[0] + 0.5) / 14.0 * 2.0 - 1.0, (x[1] + 0.5) / 20.0 * 2.0 - 1.0];
            tiled(
                centred
                    .iter()
                    .flat_map(|c| (0..16).map(move |k| 2.0 * PI * c / 100f64.powf(k as f64 / 16.0)))
                    .collect(),
            )
        }
        "timm-dinov3" => {
            let period = |k: i32| 0.5 * 80f64.powf(f64::from(k) / 15.0);
            let centred = x.iter().map(|x| (x + 0.5) / 16.0 * 2.0 - 1.0);
            tiled(centred.flat_map(|c| (0..16).map(move |k| 2.0 * PI * c / period(k))).collect())
        }
        "eva02" => repeated(axial(&[x[0] / 24.0 * 16.0, x[1] / 32.0 * 16.0], 1e4, &[16, 16])),
        "timm-pixels" => {
            let centred = [-1.0 + 2.0 * x[0] / 13.0, -1.0 + 2.0 * x[1] / 17.0];
            repeated(
                centred
                    .iter()
                    .flat_map(|c| (0..16).map(move |k| c * PI * (1.0 + 111.0 * f64::from(k) / 15.0)))
                    .collect(),
            )
        }
        "mixed" => {
            let omega = [crate::families::stored(0), crate::families::stored(1)];
            omega[0].iter().zip(&omega[1]).map(|(a, b)| x[0] * a + x[1] * b).collect()
        }
        "flux" => repeated(axial(x, 1e4, &[8, 28, 28])),
        "hunyuan-video" => repeated(axial(x, 256.0, &[8, 28, 28])),
        "flux2" => repeated(axial(x, 2000.0, &[16, 16, 16, 16])),
        "lumina2" => axial(x, 1e4, &[16, 16, 16]),
        "z-image" => axial(x, 256.0, &[16, 24, 24]),
        "hidream" => axial(x, 1e4, &[32, 16, 16]),
        "wan" => repeated(axial(x, 1e4, &[22, 21, 21])),
        "cogvideox" => repeated(axial(x, 1e4, &[8, 12, 12])),
        "cosmos" => {
            let t = times(x[0] * 24.0 / 30.0, &inv(1e4 * 2f64.powf(44.0 / 42.0), 44.0, 22));
            tiled([t, axial(&x[1..], 1e4, &[21, 21])].concat())
        }
        "cogview4" => tiled(axial(x, 1e4, &[32, 32])),
        "kandinsky5" => axial(&[x[0], x[1] / 2.0, x[2] / 2.0], 1e4, &[8, 12, 12]),
        "allegro" => x.iter().flat_map(|x| tiled(times(x / 2.0, &inv(1e4, 32.0, 16)))).collect(),
        "ltx-video" => repeated(ltx(x, &[8.0 / 25.0, 32.0, 32.0], &[20.0, 2048.0, 2048.0])),
        "ltx2" => ltx(x, &[1.0, 1.0, 1.0], &[20.0, 2048.0, 2048.0]),
        "deepseek-v4" => times(x[0], &inv(1e4, 64.0, 32)),
        "ernie-image" => [(x[0], 16), (x[1], 24), (x[2], 24)]
            .iter()
            .flat_map(|&(x, slots)| repeated(times(x, &inv(256.0, 2.0 * slots as f64, slots))))
            .collect(),
        "vjepa2" => tiled(times(x[0], &inv(1e4, 24.0, 12))),
        "deepseek-v3" => times(x[0], &inv(1e4, 64.0, 32)),
        _ => return None,
    })
}

/// (2xs/B − 1)·10000^(k/84)·π/2, the axes in turn, behind one slot that is free.
fn ltx(x: &[f64], scale: &[f64; 3], most: &[f64; 3]) -> Vec<f64> {
    let turn = |k: usize, axis: usize| {
        (2.0 * x[axis] * scale[axis] / most[axis] - 1.0) * 1e4f64.powf(k as f64 / 84.0) * PI / 2.0
    };
    std::iter::once(0.0).chain((0..85).flat_map(|k| (0..3).map(move |axis| turn(k, axis)))).collect()
}

/// A row of a table; `None` for a family without a rule here, or of caches.
pub fn table(family: &str, x: &[f64]) -> Option<Vec<f64>> {
    let apart = |angles: &[f64]| {
        [angles.iter().map(|a| a.sin()).collect::<Vec<_>>(), angles.iter().map(|a| a.cos()).collect()].concat()
    };
    let of = |x: f64, slots: usize| times(x, &inv(1e4, 2.0 * slots as f64, slots));
    Some(match family {
        "mae" => [apart(&of(x[1], 24)), apart(&of(x[0], 24))].concat(),
        "sd3" => [apart(&of(x[1] * 64.0 / 96.0, 24)), apart(&of(x[0] * 64.0 / 96.0, 24))].concat(),
        "aimv2" => [apart(&of(x[0], 24)), apart(&of(x[1], 24))].concat(),
        "timm-sincos2d" => apart(&[of(x[0], 24), of(x[1], 24)].concat()),
        "detr" => {
            let sides = [25.0, 34.0];
            let turned = |axis: usize| of((x[axis] + 1.0) / (sides[axis] + 1e-6) * 2.0 * PI, 32);
            [turned(0), turned(1)].concat().iter().flat_map(|a| [a.sin(), a.cos()]).collect()
        }
        "cogvideox-sincos3d" => {
            let (h, w) = (x[1] * 8.0 / 15.0, x[2] * 8.0 / 15.0);
            [apart(&of(x[0], 16)), apart(&of(w, 24)), apart(&of(h, 24))].concat()
        }
        _ => return None,
    })
}
