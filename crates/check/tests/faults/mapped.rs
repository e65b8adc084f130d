//! Rotations whose products are wrong: each is told by what was done to the vectors.

use crate::corpus::{frequencies, judge_rotation, vectors, wiring};
use crate::heads::rotation;
use posproof_check::faults::ProductsCause;

use posproof_check::{Cause, Code, Expectation, Report, Status};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_numerics::format::Format;

const DIM: usize = 64;

/// Cosines and sines of full width: of a position and a column.
type Columns = Box<dyn Fn(usize, usize) -> (f64, f64)>;

/// The columns of a cache with angles in binary32 or binary64, each pair's in the columns that `pair` says.
fn cache(single: bool, pair: impl Fn(usize) -> usize + 'static) -> Columns {
    let omega = frequencies(&Convention::rope(DIM));
    let single_omega: Vec<f32> = (0..DIM / 2).map(|k| 1.0 / 10_000f32.powf(2.0 * k as f32 / DIM as f32)).collect();
    Box::new(move |p, column| {
        let k = pair(column);
        if single {
            let angle = f64::from(p as f32 * single_omega[k]);
            (f64::from(angle.cos() as f32), f64::from(angle.sin() as f32))
        } else {
            let angle = p as f64 * omega[k];
            (angle.cos(), angle.sin())
        }
    })
}

/// x·cos + rotate_half(x)·sin, with interleaved halves or not, column by column.
fn apply(columns: &Columns, interleaved: bool, p: usize, x: &[f64]) -> Vec<f64> {
    let half = x.len() / 2;
    (0..x.len())
        .map(|j| {
            let turned = match interleaved {
                true => {
                    if j % 2 == 0 {
                        -x[j + 1]
                    } else {
                        x[j - 1]
                    }
                }
                false => {
                    if j < half {
                        -x[j + half]
                    } else {
                        x[j - half]
                    }
                }
            };
            let (cos, sin) = columns(p, j);
            x[j] * cos + turned * sin
        })
        .collect()
}

fn convention(layout: Layout) -> Convention {
    Convention { layout, ..Convention::rope(DIM) }
}

fn only(report: &Report) -> (Code, &Cause) {
    let [finding] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((finding.explains.entries, finding.status), (finding.explains.of, Status::Confirmed), "{report}");
    (finding.code(), &finding.cause)
}

/// The commonest mistake of ports: pairs of one kind, a cache for the other.
#[test]
fn a_cache_that_is_duplicated_for_the_other_pairs_is_named() {
    for shape in [[1, 64], [8, 64], [1, 512], [8, 2048], [1, 2048], [1, 32_768]] {
        for (single, interleaved) in [(true, true), (true, false), (false, true), (false, false)] {
            let layout = if interleaved { Layout::Interleaved } else { Layout::Halves };
            let columns = cache(single, move |j| if interleaved { j % (DIM / 2) } else { j / 2 });
            for stated in [Layout::Interleaved, Layout::Halves] {
                let report = rotation(&convention(stated), [shape[0], shape[1], DIM], &|_, p, x| {
                    apply(&columns, interleaved, p, x)
                });
                let (code, cause) = only(&report);
                let expected = Cause::Mixture { repeated: !interleaved, layout, component: None };
                assert_eq!((code, cause), (Code::Duplication, &expected), "{shape:?} {single} {stated:?}\n{report}");
            }
        }
    }
}

/// Products of right angles that are missing, of the other sign or scaled; a weight of each entry; columns read further on.
#[test]
fn products_are_told_one_by_one() {
    let omega = frequencies(&Convention::rope(DIM));
    let half = DIM / 2;
    let products = move |p: usize, x: &[f64], by: &dyn Fn(usize) -> [f64; 4]| -> Vec<f64> {
        let mut y = x.to_vec();
        for k in 0..half {
            let (sin, cos) = (p as f64 * omega[k]).sin_cos();
            let [a, b, c, d] = by(k);
            y[k] = a * x[k] * cos - b * x[k + half] * sin;
            y[k + half] = c * x[k] * sin + d * x[k + half] * cos;
        }
        y
    };
    for heads in [1, 8] {
        for (place, by) in [(1, -1.0), (1, 0.0), (2, 0.0), (0, 0.5), (3, -1.0)] {
            let report = rotation(&convention(Layout::Halves), [heads, 512, DIM], &|_, p, x| {
                products(p, x, &|_| {
                    let mut all = [1.0; 4];
                    all[place] = by;
                    all
                })
            });
            let (code, cause) = only(&report);
            let component = if place % 3 == 0 { Component::Cos } else { Component::Sin };
            let expected: Cause = ProductsCause::Product { second: place > 1, component, by }.into();
            assert_eq!((code, cause), (Code::NotARotation, &expected), "{heads} {place}\n{report}");
        }
        let gain = |k: usize| 0.75 + 0.01 * k as f64;
        let report = rotation(&convention(Layout::Halves), [heads, 512, DIM], &|_, p, x| {
            products(p, x, &|k| {
                let (one, other) = (gain(k), gain(k + half));
                [one, one, other, other]
            })
        });
        let (_, cause) = only(&report);
        let Cause::Products(ProductsCause::Gains { entries }) = cause else { panic!("{report}") };
        for (k, [one, other]) in entries.iter().enumerate() {
            assert!((one - gain(k)).abs() < 1e-6 && (other - gain(k + half)).abs() < 1e-6, "{k} {one} {other}");
        }
        for (component, by) in [(Component::Sin, 1), (Component::Sin, 5), (Component::Cos, 2)] {
            let [own, other] = [0, by].map(|by| cache(true, move |j| (j + by) % half));
            let report = rotation(&convention(Layout::Halves), [heads, 512, DIM], &|_, p, x| {
                let columns = |p, j| {
                    let (own, other) = (own(p, j), other(p, j));
                    if component == Component::Sin { (own.0, other.1) } else { (other.0, own.1) }
                };
                let y = |j: usize| {
                    let turned = if j < half { -x[j + half] } else { x[j - half] };
                    x[j] * columns(p, j).0 + turned * columns(p, j).1
                };
                (0..DIM).map(y).collect()
            });
            let (_, cause) = only(&report);
            assert_eq!(cause, &ProductsCause::Further { component, by }.into(), "{heads}\n{report}");
        }
    }
}

/// xPos: pairs grow, or shrink, with the position.
#[test]
fn powers_of_the_position_are_named() {
    let columns = cache(true, |j| j / 2);
    for (heads, sense) in [(1, 1.0), (8, 1.0), (8, -1.0)] {
        let report = rotation(&convention(Layout::Interleaved), [heads, 512, DIM], &|_, p, x| {
            let y = apply(&columns, true, p, x);
            let power = |j: usize| {
                let zeta = (2.0 * (j / 2) as f64 + 0.4 * DIM as f64) / (1.4 * DIM as f64);
                zeta.powf(sense * (p as f64 - 256.0) / 512.0)
            };
            y.iter().enumerate().map(|(j, y)| y * power(j)).collect()
        });
        let (code, cause) = only(&report);
        let Cause::Products(ProductsCause::Powers { origin, .. }) = cause else { panic!("{report}") };
        assert_eq!((code, *origin), (Code::NotARotation, 256.0), "{report}");
    }
}

/// "Cross-wired" is said of vectors that are there.
#[test]
fn vectors_of_other_rows_or_heads_are_found_or_nothing_is_said_of_them() {
    let columns = cache(true, |j| j % (DIM / 2));
    let x = vectors(8 * 300 * DIM, Format::F32);
    let vector = |head: usize, row: usize| &x[(head * 300 + row) * DIM..][..DIM];
    let of = |turn: &dyn Fn(usize, usize) -> (usize, usize, usize)| {
        rotation(&convention(Layout::Halves), [8, 300, DIM], &|head, row, _| {
            let (head, row, position) = turn(head, row);
            apply(&columns, false, position, vector(head, row))
        })
    };
    for (rows, tables, whole) in [(3, 0, false), (1, 0, true), (0, 2, false), (7, 1, false)] {
        let report = of(&|head, row| {
            let from = (row + 300 - rows) % 300;
            ((head + 8 - tables) % 8, from, if whole { from } else { row })
        });
        let (code, cause) = only(&report);
        let expected: Cause = ProductsCause::Moved { rows, tables, whole }.into();
        assert_eq!((code, cause), (Code::NotARotation, &expected), "{report}");
    }
    // Heads in another order: some of them, and all of them.
    for order in [[0, 1, 5, 3, 4, 2, 6, 7], [0, 4, 1, 5, 2, 6, 3, 7]] {
        let report = of(&|head, row| (order[head], row, row));
        let (code, cause) = only(&report);
        let expected: Cause = ProductsCause::Tables { order: order.to_vec() }.into();
        assert_eq!((code, cause), (Code::NotARotation, &expected), "{report}");
    }
    // Of no vector that is there.
    let other = vectors(9 * 300 * DIM, Format::F32);
    let report = rotation(&convention(Layout::Halves), [8, 300, DIM], &|head, row, _| {
        apply(
            &columns,
            false,
            row,
            &other[8 * 300 * DIM..][..DIM]
                .iter()
                .map(|x| x * (1.0 + 0.1 * ((head + row) % 7) as f64))
                .collect::<Vec<_>>(),
        )
    });
    assert!(!report.to_string().contains("cross-wired"), "{report}");
    assert_eq!(
        (report.findings[0].status, report.findings[0].code()),
        (Status::Unexplained, Code::NotARotation),
        "{report}"
    );
}

/// The entry of a matrix in a row and a column.
type MatrixEntry<'a> = &'a dyn Fn(usize, usize) -> f64;

/// A Hadamard transform, or another orthogonal matrix, after the rotation.
#[test]
fn one_matrix_on_top_of_the_rotation_is_named() {
    let columns = cache(true, |j| j % (DIM / 2));
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    // A reflection at the vector (1, 1/2, 1/3, …).
    let at = |i: usize| 1.0 / (i + 1) as f64;
    let square: f64 = (0..DIM).map(|i| at(i) * at(i)).sum();
    let reflection = |i: usize, j: usize| f64::from(i == j) - 2.0 * at(i) * at(j) / square;
    let hadamard = |i: usize, j: usize| sign(i, j) / (DIM as f64).sqrt();
    let matrices: [(bool, MatrixEntry<'_>); 2] = [(true, &hadamard), (false, &reflection)];
    for (expected, matrix) in matrices {
        for shape in [[1, 512], [8, 128]] {
            let report = rotation(&convention(Layout::Halves), [shape[0], shape[1], DIM], &|_, p, x| {
                let z = apply(&columns, false, p, x);
                (0..DIM).map(|i| z.iter().enumerate().map(|(j, z)| matrix(i, j) * z).sum()).collect()
            });
            let (code, cause) = only(&report);
            let Cause::Products(ProductsCause::Matrix { orthogonal, even }) = cause else { panic!("{report}") };
            assert_eq!((code, *even, *orthogonal < 1e-4), (Code::NotARotation, expected, true), "{report}");
        }
    }
}

/// Keys that are moved back a hundred times, each time rounded to bf16: right to within as many roundings, and not more said.
#[test]
fn rotations_one_after_the_other_are_measured_in_bounds() {
    let convention = Convention { position_offset: (-100).into(), ..convention(Layout::Halves) };
    let omega = frequencies(&convention);
    let (rows, half) = (400, DIM / 2);
    let round = |x: f64| Format::Bf16.round(x);
    let x = vectors(rows * DIM, Format::Bf16);
    let mut y = x.clone();
    for (p, row) in y.chunks_exact_mut(DIM).enumerate() {
        for (step, turns) in [(p as f64, 1), (-1.0, 100)] {
            for _ in 0..turns {
                for (k, omega) in omega.iter().enumerate() {
                    let (sin, cos) = (step * omega).sin_cos();
                    let (a, b) = (row[k], row[k + half]);
                    (row[k], row[k + half]) = (round(a * cos - b * sin), round(a * sin + b * cos));
                }
            }
        }
    }
    let report = judge_rotation(Format::Bf16, (&x, &y), DIM, &Expectation::new(convention)).unwrap();
    let [finding] = &report.findings[..] else { panic!("{report}") };
    let Cause::Products(ProductsCause::Repeated { times }) = finding.cause else { panic!("{report}") };
    assert!((2..100).contains(&times) && finding.status == Status::Unexplained, "{report}");
}

/// A doubled exponent gives a pair the frequency of another one; the law that says so comes first.
#[test]
fn a_law_is_said_before_the_columns_that_it_looks_like() {
    let (dim, rows) = (32, 96);
    let promised = Convention { base: 500_000.into(), layout: Layout::Halves, ..Convention::rope(dim) };
    let doubled = Convention { base: 250_000_000_000i64.into(), ..promised.clone() };
    let omega = frequencies(&doubled);
    let x = vectors(rows * dim, Format::Bf16);
    let mut y = x.clone();
    for (row, (x, y)) in x.chunks_exact(dim).zip(y.chunks_exact_mut(dim)).enumerate() {
        for (k, (a, b)) in wiring(Layout::Halves, dim / 2).into_iter().enumerate() {
            let (sin, cos) = (row as f64 * omega[k]).sin_cos();
            (y[a], y[b]) = (Format::Bf16.round(x[a] * cos - x[b] * sin), Format::Bf16.round(x[b] * cos + x[a] * sin));
        }
    }
    let report = judge_rotation(Format::Bf16, (&x, &y), dim, &Expectation::new(promised)).unwrap();
    assert_eq!(report.first_code(), Some(Code::OtherBase), "{report}");
}

/// Squares of very long or short vectors are no numbers of binary64.
#[test]
fn vectors_of_any_length_show_what_they_were_rotated_by() {
    let stated = Convention::rope(DIM);
    let omega = frequencies(&Convention { base: 10_010.into(), ..stated.clone() });
    for size in [1e-305, 1e-160, 1.0, 1e160, 1e300] {
        let x: Vec<f64> = vectors(100 * DIM, Format::F32).into_iter().map(|x| x * size).collect();
        let turn = |(at, pair): (usize, &[f64])| {
            let (sin, cos) = ((at / (DIM / 2)) as f64 * omega[at % (DIM / 2)]).sin_cos();
            [pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos]
        };
        let y: Vec<f64> = x.chunks_exact(2).enumerate().flat_map(turn).collect();
        let expectation = Expectation::new(stated.clone()).computed_in(Format::F64);
        let report = judge_rotation(Format::F64, (&x, &y), DIM, &expectation).expect("a judgement");
        assert_eq!(report.first_code(), Some(Code::OtherBase), "{size}: {report}");
    }
}
