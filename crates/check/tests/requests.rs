//! Judgements as options state them: what goes together, and the sentence about what does not, in each edge's names.

use posproof_bound::{Libraries, Path};
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::request::{Case, Computation, GridRequest, Request, RowPositions, Stated, path_named};
use posproof_check::{Computed, Duplication, Subject, check};
use posproof_encoding::axes::{AxialConvention, AxialLayout, Coordinates};
use posproof_encoding::convention::Convention;
use posproof_encoding::request::Specified;
use posproof_numerics::format::Format;
use posproof_table::Positions;

fn computed_along(path: Option<Path>) -> Computation {
    Computation { compute: Format::F32, libraries: Libraries::default(), path, storage: None }
}

fn layers(all: &[(&str, i64)]) -> Stated {
    let of = |&(name, base): &(&str, i64)| Specified {
        layers: Some(name.to_owned()),
        convention: Convention { base: base.into(), ..Convention::rope(8) },
    };
    Stated::Layers(all.iter().map(of).collect())
}

fn axes() -> Stated {
    let json =
        r#"{"encoding": "rope", "dim": 8, "axes": [{"name": "h", "pairs": "0..2"}, {"name": "w", "pairs": "2..4"}]}"#;
    Stated::Axes(Box::new(serde_json::from_str::<AxialConvention>(json).unwrap()))
}

fn falling() -> RowPositions {
    RowPositions::Any(Coordinates::along("9,5,1").unwrap())
}

fn request(stated: Stated, positions: RowPositions) -> Request {
    Request { stated, positions, computation: computed_along(None), duplication: None }
}

#[test]
fn what_does_not_go_together_is_refused_in_the_names_of_the_edge() {
    let recurrence = computed_along(Some(Path::Recurrence));
    let doubled = Some(Duplication::Halves);
    let one = || layers(&[("all", 10000)]);
    let mut by_axis = axes();
    if let Stated::Axes(convention) = &mut by_axis {
        convention.layout = AxialLayout::AxisHalves;
    }
    let cases = [
        (request(axes(), RowPositions::Counted), "no positions: expected --positions"),
        (request(axes(), RowPositions::Any("1 2 3".parse().unwrap())), "3 coordinates in a row"),
        (
            Request { duplication: doubled, ..request(by_axis, falling()) },
            "--duplication: expected none beside a layout",
        ),
        (Request { computation: recurrence, ..request(one(), falling()) }, "--path: expected another one with axes"),
    ];
    for (request, part) in cases {
        let error = request.case().unwrap_err();
        let told = error.worded(|name| format!("--{}", name.replace('_', "-")));
        assert!(told.contains(part), "'{part}' is not in: {told}");
        assert!(!error.worded(str::to_owned).contains("--"), "{error:?}");
    }
    let counted = Request { computation: recurrence, duplication: doubled, ..request(one(), RowPositions::Counted) };
    assert!(matches!(counted.case(), Ok(Case::Layers(_))));
    assert!(matches!(Request { duplication: doubled, ..request(one(), falling()) }.case(), Ok(Case::Axes(_))));
    let Ok(Case::Axes(two)) = request(layers(&[("full", 10000), ("sliding", 500)]), falling()).case() else {
        panic!("layers at positions that fall are a case of axes")
    };
    let told = two.only().unwrap_err().worded(str::to_owned);
    assert!(told.contains("layers that differ: full; sliding (layer, layer_type)"), "{told}");
}

#[test]
fn a_cache_is_judged_as_the_layers_that_it_fits_best() {
    let positions = Positions::range(0..64).unwrap();
    let row = |position: u64, row: &mut [f32]| {
        let angle = |k: usize| position as f32 * 500f32.powf(-(k as f32) / 4.0);
        row.iter_mut().enumerate().for_each(|(k, entry)| *entry = angle(k).cos());
    };
    let cos = Computed::new("cos", &positions, 4, row);
    let subject = Subject::Rope { cos: Some(&cos), sin: None };
    let judged = |stated| {
        let Ok(Case::Layers(layers)) = request(stated, RowPositions::Whole(positions.clone())).case() else {
            panic!("layers are judged at positions that count up")
        };
        assert_eq!(layers.positions().map(Positions::len), Some(64));
        layers.fitting(|expectation| check(subject, expectation), |report| report.grade).unwrap()
    };
    let (report, chosen) = judged(layers(&[("full", 10000), ("sliding", 500)]));
    assert!(report.conforms && chosen.unwrap().contains("judged as sliding, which fits best (full: "));
    let (report, chosen) = judged(layers(&[("all", 10000)]));
    assert!(!report.conforms && chosen.is_none());
    // In any order too.
    let packed: Vec<u64> = (0..40).chain(0..24).collect();
    let cos = Computed::new("cos", &Positions::list(packed.clone()).unwrap(), 4, row);
    let any: Coordinates = packed.iter().map(|position| format!("{position}\n")).collect::<String>().parse().unwrap();
    let Ok(Case::Axes(axial)) = request(layers(&[("full", 10000), ("sliding", 500)]), RowPositions::Any(any)).case()
    else {
        panic!("layers at packed positions are a case of axes")
    };
    let judge =
        |expectation: &AxialExpectation<'_>| check_axes(Subject::Rope { cos: Some(&cos), sin: None }, expectation);
    let (report, chosen) = axial.fitting(judge, |report| report.grade).unwrap();
    assert!(report.conforms && chosen.unwrap().contains("judged as sliding, which fits best (full: "));
}

#[test]
fn grids_and_paths_are_stated_by_what_exists() {
    let grid = GridRequest { step: Some(0.5), zero_point: None };
    assert!(grid.levels(Some(Format::F16)).unwrap().is_some());
    assert!(GridRequest::default().levels(None).unwrap().is_none());
    let refused = |grid: GridRequest, before| grid.levels(before).unwrap_err().worded(str::to_owned);
    assert!(refused(GridRequest { step: None, zero_point: Some(3.0) }, None).contains("zero_point: expected step"));
    assert!(refused(GridRequest { step: Some(0.0), ..grid }, None).contains('0'));
    assert!(refused(grid, Some(Format::E4m3)).contains("dtype: expected the format before"));
    assert_eq!(path_named("any", &Path::JUDGED), Ok(None));
    assert_eq!(path_named("pow", &Path::JUDGED), Ok(Some(Path::Pow)));
    assert!(path_named("pows", &Path::JUDGED).unwrap_err().contains("pow"));
}
