//! Millions of rows, and how fast they are decoded: with the figures that the guide gives, which these tests write.

use super::specimen::{Numbers, cache, of_cache, of_rotation, rotated, sound};
use super::{END, rope};
use half::bf16;
use posproof_check::positions::{Query, decode};
use posproof_check::{Slice, Subject};
use std::path::PathBuf;

const BASES: [i64; 2] = [10_000, 500_000];

/// Puts lines between the marks of this name in the guide, where POSPROOF_WRITE_DOCS asks for it.
fn record(name: &str, lines: &[String]) {
    println!("{}", lines.join("\n"));
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_none() {
        return;
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/positions.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
    let (before, rest) = page.split_once(&begin).expect("the beginning of the figures");
    let (_, after) = rest.split_once(&end).expect("the end of the figures");
    std::fs::write(&path, format!("{before}{begin}{}\n{end}{after}", lines.join("\n"))).expect("written");
}

/// Every row in binary32 is certified, and right; every certified one in bfloat16 is right. Takes minutes.
#[test]
#[ignore = "a million rows of each kind: run with --ignored --nocapture"]
fn a_million_random_rows() {
    let (mut numbers, rounds, each) = (Numbers(2), 100, 10_000);
    let all = rounds * each;
    let mut lines = vec![
        "| entries | base | rows | certified, all of them right | told apart, whatever the row holds |".to_owned(),
        "| --- | --- | --- | --- | --- |".to_owned(),
    ];
    for base in BASES {
        let query = Query::new(rope(128, base));
        let mut kinds = [
            ("caches in f32", 0, None),
            ("rotations of random unit vectors in f32", 0, None),
            ("rotations of random unit vectors in bf16", 0, None),
        ];
        for _ in 0..rounds {
            let positions = numbers.positions(each, 0, END);
            let decoded = [
                of_cache::<f32>(&query, &positions),
                of_rotation::<f32>(&query, &positions, &mut numbers),
                of_rotation::<bf16>(&query, &positions, &mut numbers),
            ];
            for ((_, certified, apart), decoded) in kinds.iter_mut().zip(&decoded) {
                *certified += sound(decoded, &positions);
                *apart = Some(decoded.axes[0].told_apart);
            }
        }
        assert_eq!([kinds[0].1, kinds[1].1], [all; 2]);
        lines.extend(kinds.map(|(name, certified, apart)| {
            let share = 100.0 * certified as f64 / all as f64;
            let apart = apart.map_or(String::new(), |apart| apart.to_string());
            format!("| {name} | {base} | {all} | {certified} ({share} %) | {apart} |")
        }));
    }
    record("million", &lines);
}

/// Seconds that the processor has worked for this program: Linux counts hundredths of them. Elsewhere none are known.
fn worked() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in brackets, which may hold anything, the 12th and the 13th number.
    let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = numbers.get(11)?.parse::<f64>().ok()? + numbers.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// Speed: with one thread (RAYON_NUM_THREADS=1), in seconds of the processor.
#[test]
#[ignore = "measures time: run with --ignored --nocapture"]
fn rows_per_second() {
    let mut numbers = Numbers(8);
    let mut lines =
        vec!["| entries in f32 | base | rows a second of one thread |".to_owned(), "| --- | --- | --- |".to_owned()];
    for base in BASES {
        let query = Query::new(rope(128, base));
        let positions = numbers.positions(100_000, 0, END);
        let [cos, sin] = cache::<f32>(&query.convention, &positions);
        let (cos, sin) = (Slice::new("cos", &cos, 64).unwrap(), Slice::new("sin", &sin, 64).unwrap());
        let x = numbers.vectors::<f32>(positions.len(), 128);
        let y = rotated(&query.convention, &positions, &x);
        let (x, y) = (Slice::new("x", &x, 128).unwrap(), Slice::new("y", &y, 128).unwrap());
        let subjects = [
            ("caches", Subject::Rope { cos: Some(&cos), sin: Some(&sin) }),
            ("rotations of random unit vectors", Subject::Rotation { x: &x, y: &y }),
        ];
        for (name, subject) in subjects {
            let (start, before) = (std::time::Instant::now(), worked());
            let decoded = decode(subject, &query).unwrap();
            let wall = start.elapsed().as_secs_f64();
            let seconds = worked().zip(before).map_or(wall, |(after, before)| after - before);
            assert!(decoded.is_certified());
            lines.push(format!("| {name} | {base} | {:.0} |", positions.len() as f64 / seconds));
        }
    }
    record("speed", &lines);
}
