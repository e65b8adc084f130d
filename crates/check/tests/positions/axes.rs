//! Coordinates of several axes, and fractional positions, from honest implementations in binary32.

use super::specimen::Numbers;
use posproof_check::positions::{AxialQuery, Domain, Located, Pattern, decode_axes};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates, StoredFrequencies};
use posproof_encoding::convention::Convention;
use posproof_numerics::Rational;

fn law(json: &str) -> AxialLaw {
    let convention: AxialConvention = serde_json::from_str(json).unwrap();
    convention.law(|_| Ok(StoredFrequencies { heads: 2, omega: vec![1.0, 0.1, 0.2, 0.3] })).unwrap()
}

fn video() -> AxialLaw {
    law(r#"{"encoding": "rope", "dim": 64, "layout": "halves", "axes": [{"name": "t", "pairs": "0..8"},
        {"name": "h", "pairs": "8..20", "position_offset": "-7/2"}, {"name": "w", "pairs": "20..32", "position_scale": "2"}]}"#)
}

/// Cosine and sine of a slot in a row, as a program in binary32 has them.
fn entry(law: &AxialLaw, slot: usize, row: &[f64]) -> (f32, f32) {
    let angle: f32 = law
        .claims(slot)
        .iter()
        .map(|claim| {
            let axis = &law.axes()[claim.axis];
            let part = |number: &posproof_encoding::axes::Coefficient| number.enclose(64).approximate() as f32;
            let omega = axis.frequency(0, claim.at, 64).unwrap().approximate() as f32;
            (row[claim.axis] as f32 + part(axis.offset())) * part(axis.scale()) * omega
        })
        .sum();
    (core_math::cosf(angle), core_math::sinf(angle))
}

fn cache(law: &AxialLaw, rows: &[Vec<f64>]) -> [Vec<f32>; 2] {
    let all = || rows.iter().flat_map(|row| (0..law.slots()).map(move |slot| entry(law, slot, row)));
    [all().map(|(cos, _)| cos).collect(), all().map(|(_, sin)| sin).collect()]
}

/// The coordinates that are found, all of them certified.
#[track_caller]
fn certified(query: &AxialQuery<'_>, subject: Subject<'_>) -> Vec<Vec<f64>> {
    let decoded = decode_axes(subject, query).unwrap();
    assert!(decoded.is_certified() && !decoded.falls_short(), "{decoded}");
    let axes = 0..decoded.axes.len();
    (0..decoded.rows)
        .map(|row| axes.clone().map(|axis| decoded.coordinate(row, axis).unwrap().to_f64()).collect())
        .collect()
}

#[test]
fn every_coordinate_of_a_grid_is_found() {
    let law = video();
    let mut numbers = Numbers(21);
    let mut rows: Vec<Vec<f64>> = (0..5 * 6 * 7).map(|i| [i / 42, i / 7 % 6, i % 7].map(f64::from).to_vec()).collect();
    rows.extend((0..300).map(|_| (0..3).map(|_| (numbers.next() % 4096) as f64).collect()));
    let query = AxialQuery { domain: Domain::new(0, 4096).unwrap(), ..AxialQuery::new(&law) };
    let [cos, sin] = cache(&law, &rows);
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    assert_eq!(certified(&query, Subject::Rope { cos: Some(&cos), sin: Some(&sin) }), rows);
    // The same by what becomes of vectors.
    let x = numbers.vectors::<f32>(rows.len(), 64);
    let mut y = x.clone();
    for (row, coordinates) in rows.iter().enumerate() {
        for slot in 0..32 {
            let (cos, sin) = entry(&law, slot, coordinates);
            let at = [row * 64 + slot, row * 64 + slot + 32];
            let (a, b) = (x[at[0]], x[at[1]]);
            (y[at[0]], y[at[1]]) = (a * cos - b * sin, a * sin + b * cos);
        }
    }
    let (x, y) = (Slice::new("x", &x, 64).unwrap(), Slice::new("y", &y, 64).unwrap());
    assert_eq!(certified(&query, Subject::Rotation { x: &x, y: &y }), rows);
}

/// An axis may have a domain of its own: coordinates outside it are excluded on that axis alone.
#[test]
fn an_axis_has_a_domain_of_its_own() {
    let law = video();
    let rows: Vec<Vec<f64>> = vec![vec![3.0, 900.0, 17.0], vec![9.0, 4.0, 90.0]];
    let [cos, sin] = cache(&law, &rows);
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let name = law.axes()[0].name().to_owned();
    let within = |end: i64| AxialQuery {
        domain: Domain::new(0, 4096).unwrap(),
        domains: vec![(name.clone(), Domain::new(-2, end).unwrap())],
        ..AxialQuery::new(&law)
    };
    assert_eq!(certified(&within(10), subject), rows);
    let decoded = decode_axes(subject, &within(9)).unwrap();
    let counts: Vec<[u64; 2]> =
        decoded.axes.iter().map(|axis| [axis.counts.certified, axis.counts.unexplained]).collect();
    assert_eq!(counts, [[1, 1], [2, 0], [2, 0]], "{decoded}");
    assert_eq!(
        decoded.axes.iter().map(|axis| axis.domain.to_string()).collect::<Vec<_>>(),
        ["-2..9", "0..4096", "0..4096"]
    );
    assert!(decoded.to_string().contains("of its own domain, -2..9"), "{decoded}");
    for names in [&["z"][..], &[&name, &name]] {
        let domains = names.iter().map(|name| ((*name).to_owned(), Domain::default())).collect();
        let error = decode_axes(subject, &AxialQuery { domains, ..AxialQuery::new(&law) }).unwrap_err();
        assert!(error.to_string().contains("one of the axes"), "{error}");
    }
}

#[test]
fn the_pattern_of_each_axis_is_told() {
    let law = video();
    // A frame that stands still, rows that count, columns that begin again.
    let rows: Vec<Vec<f64>> = (0..12).map(|i| vec![3.0, f64::from(i), f64::from(i % 6)]).collect();
    let [cos, sin] = cache(&law, &rows);
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let decoded = decode_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &AxialQuery::new(&law)).unwrap();
    let patterns: Vec<&Pattern> = decoded.axes.iter().map(|axis| &axis.patterns[0].pattern).collect();
    let expected = [
        Pattern::Constant { position: 3 },
        Pattern::Contiguous { offset: 0 },
        Pattern::Restarts { first: 0, rows: vec![0, 6] },
    ];
    assert_eq!(patterns, expected.iter().collect::<Vec<_>>());
    let text = decoded.to_string();
    assert!(text.contains("axis t: ") && text.contains("constant: every row has position 3"), "{text}");
    // Frames that count, as they should: the axis that stands still differs, from row 0 on, and no other.
    let counted: Coordinates = (0..12).map(|i| format!("{i} {i} {}\n", i % 6)).collect::<String>().parse().unwrap();
    let compared = decoded.clone().compared("p", &counted).unwrap();
    let differ: Vec<u64> = compared.axes.iter().map(|axis| axis.comparison.as_ref().unwrap().differ).collect();
    assert_eq!(differ, [11, 0, 0]);
    assert!(compared.falls_short());
    // Rows without a position are not compared; what is no multiple of the step is refused.
    let some = Coordinates::from_floats(&[f64::NAN; 36], 3).unwrap();
    let nothing = decoded.clone().compared("p", &some).unwrap();
    assert_eq!(nothing.axes[0].comparison.as_ref().map(|found| found.agree + found.differ), Some(0));
    let half = Coordinates::from_floats(&[0.5; 36], 3).unwrap();
    let refused = decoded.clone().compared("p", &half).unwrap_err().to_string();
    assert!(refused.contains("p: row 0, axis t") && refused.contains("a multiple of 1"), "{refused}");
    assert!(decoded.compared("p", &Coordinates::from_floats(&[0.0; 4], 2).unwrap()).is_err());
}

#[test]
fn fractional_positions_are_multiples_of_a_step() {
    let whole = AxialConvention::from(&Convention::rope(64));
    let law = whole.law(|_| Err("none".into())).unwrap();
    let mut numbers = Numbers(22);
    for (p, q) in [(1, 2), (1, 3), (5, 1), (7, 16)] {
        let step = Rational::from((p, q));
        let query = AxialQuery { step: step.clone(), domain: "-64..4096".parse().unwrap(), ..AxialQuery::new(&law) };
        let multiples = numbers.positions(200, -64 * q / p, 4096 * q / p);
        let exact = |multiple: i64| Rational::from(multiple) * step.clone();
        let rows: Vec<Vec<f64>> = multiples.iter().map(|&k| vec![exact(k).to_f64()]).collect();
        let [cos, sin] = cache(&law, &rows);
        let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        assert_eq!(certified(&query, subject), rows, "{step}");
        // Between the multiples there is nothing that explains a row.
        let between = AxialQuery { step: exact(2), ..query.clone() };
        let decoded = decode_axes(subject, &between).unwrap();
        let odd = multiples.iter().filter(|&&k| k % 2 != 0).count() as u64;
        assert_eq!(decoded.axes[0].counts.unexplained, odd, "{step}");
        assert!(decoded.axes[0].located.iter().zip(&multiples).all(|(found, &k)| match found {
            Located::Certified { position } => 2 * position == k,
            _ => k % 2 != 0,
        }));
    }
}

/// Whole positions of one axis are certified as by [`decode`](posproof_check::positions::decode), of which this is the special case.
#[test]
fn one_axis_is_decoded_alike() {
    use super::specimen::of_cache;
    use posproof_check::positions::Query;
    let convention = Convention { base: 500_000.into(), ..Convention::rope(128) };
    let positions = Numbers(23).positions(500, 0, 1 << 20);
    let query = Query::new(convention.clone());
    let one = of_cache::<f32>(&query, &positions);
    let [cos, sin] = super::specimen::cache::<f32>(&convention, &positions);
    let (cos, sin) = (Slice::new("cos", &cos, 64).unwrap(), Slice::new("sin", &sin, 64).unwrap());
    let law = AxialConvention::from(&convention).law(|_| Err("none".into())).unwrap();
    let axes = decode_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &AxialQuery::new(&law)).unwrap();
    assert_eq!(axes.axes[0].located, one.axes[0].located);
}

#[test]
fn what_shows_no_angle_of_one_axis_is_refused() {
    let entries = [1f32; 8];
    let rows = Slice::new("cos", &entries, 4).unwrap();
    let wide = Slice::new("x", &entries, 8).unwrap();
    let cache = Subject::Rope { cos: Some(&rows), sin: Some(&rows) };
    let turned = Subject::Rotation { x: &wide, y: &wide };
    let axes = |axes: &str| law(&format!(r#"{{"encoding": "rope", "dim": 8, "axes": [{axes}]}}"#));
    let plain = axes(r#"{"name": "h", "pairs": "0..2"}, {"name": "w", "pairs": "2..4"}"#);
    let shared =
        axes(r#"{"name": "h", "pairs": "0..4", "shared": true}, {"name": "w", "pairs": "0..4", "shared": true}"#);
    let heads =
        law(r#"{"encoding": "rope", "dim": 4, "axes": [{"name": "h", "pairs": "0..2", "frequencies": "f.npy"}]}"#);
    let own = law(r#"{"encoding": "rope", "dim": 8, "slots": "entries", "axes": [{"name": "h", "pairs": "0..8"}]}"#);
    let silent = axes(r#"{"name": "h", "pairs": "0..4", "amplitude": 0}"#);
    let sinusoid = law(r#"{"encoding": "sinusoid", "dim": 8}"#);
    let narrow = Slice::new("cos", &entries, 2).unwrap();
    let of_heads = Subject::Rope { cos: Some(&narrow), sin: Some(&narrow) };
    let cases = [
        (&shared, cache, "which 2 axes claim"),
        (&heads, of_heads, "those of 2 heads"),
        (&own, turned, "entries with angles of their own"),
        (&silent, cache, "0 of axis h"),
        (&sinusoid, cache, "Sinusoid"),
        (&plain, Subject::Rope { cos: Some(&rows), sin: None }, "half a cache"),
        (&plain, Subject::Rope { cos: None, sin: None }, "--cos"),
        (&plain, Subject::Rope { cos: Some(&rows), sin: Some(&wide) }, "cos"),
        (&plain, Subject::Rope { cos: Some(&narrow), sin: Some(&narrow) }, "the last dimension"),
    ];
    for (law, subject, part) in cases {
        let message = decode_axes(subject, &AxialQuery::new(law)).map(|decoded| decoded.to_string());
        assert!(message.as_ref().is_err_and(|error| error.to_string().contains(part)), "{part}: {message:?}");
    }
    for (step, domain, part) in [("0", "0..8", "above 0"), ("9", "1..8", "multiples of 9"), ("1e-30", "0..8", "2^53")] {
        let number: posproof_encoding::real::Real = step.parse().unwrap();
        let query =
            AxialQuery { step: number.value().clone(), domain: domain.parse().unwrap(), ..AxialQuery::new(&plain) };
        let message = decode_axes(cache, &query).map(|decoded| decoded.to_string());
        assert!(message.as_ref().is_err_and(|error| error.to_string().contains(part)), "{step}: {message:?}");
    }
}
