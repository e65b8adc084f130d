//! Graphs of PyTorch's tracer, as `python/posproof/tracing.py` writes them, and what is read in them.

use posproof_bound::graph::{Argument, Graph, Traced};
use posproof_bound::{Model, Path, Program};
use posproof_encoding::Positions;
use posproof_encoding::convention::{Component, Convention, Encoding};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

fn graph(text: &str) -> Graph {
    serde_json::from_str(text).expect("a graph")
}

fn traced(text: &str) -> Traced {
    graph(text).program().expect("a program")
}

const LLAMA: &str = include_str!("graphs/llama.json");
const GPTJ: &str = include_str!("graphs/gptj.json");
const META: &str = include_str!("graphs/meta.json");
const TUTORIAL: &str = include_str!("graphs/tutorial.json");
const WIDE: &str = include_str!("graphs/wide.json");
const REPEATED: &str = include_str!("graphs/repeated.json");
const LINEAR: &str = include_str!("graphs/linear.json");

/// A program of binary32 along a path.
fn along(path: Path) -> Program {
    Program { path, kappa: 1.0, ..Program::rounded(Format::F32) }
}

/// Both bounds of each pair and component.
fn figures(model: &Model, positions: &std::ops::Range<u64>) -> Vec<f64> {
    let of = |pair: usize| {
        let rate = model.rate(pair).expect("a frequency");
        let a_priori = model.a_priori(&rate, positions.clone()).expect("a bound");
        let instance = |component| model.instance(&rate, component, positions.clone()).expect("a bound").value();
        [a_priori.value(), instance(Component::Sin), instance(Component::Cos)]
    };
    model.turning().into_iter().flat_map(of).collect()
}

#[test]
fn a_graph_has_the_figures_of_the_program_that_is_stated() {
    let rope = |dim: usize, base: i64| Convention { base: base.into(), ..Convention::rope(dim) };
    let linear = Convention { scaling: Some(Scaling::Linear { factor: 8.into() }), ..rope(128, 10000) };
    let cases = [
        (LLAMA, rope(128, 10000), Program { storage: Format::Bf16, ..along(Path::Pow) }),
        (include_str!("graphs/gemma.json"), rope(256, 10000), along(Path::Pow)),
        (include_str!("graphs/modernbert.json"), rope(64, 10000), along(Path::Pow)),
        (GPTJ, rope(64, 10000), along(Path::Pow)),
        (LINEAR, linear, along(Path::Pow)),
        (META, rope(128, 10000), along(Path::Pow)),
        (WIDE, rope(64, 500000), Program { storage: Format::F16, ..along(Path::F64) }),
        (REPEATED, rope(16, 10000), along(Path::Repeated)),
    ];
    for (text, convention, program) in cases {
        let (found, positions) = (traced(text), 0..500);
        let name = graph(text).source;
        let stated = Model::new(&convention, &program).expect("possible");
        assert_eq!(found.program, Program { kappa: 0.5, ..program }, "{name}");
        assert_eq!(found.convention.base, convention.base, "{name}");
        let read = found.model(program.kappa).expect("possible");
        let computed = |model: &Model| -> Vec<f64> {
            model.turning().into_iter().map(|pair| model.rate(pair).expect("a frequency").computed()).collect()
        };
        assert_eq!(computed(&read), computed(&stated), "{name}");
        assert_eq!(figures(&read, &positions), figures(&stated, &positions), "{name}");
    }
}

#[test]
fn a_rate_that_is_a_literal_has_the_bound_of_its_path_and_frequencies_of_its_own() {
    let found = traced(TUTORIAL);
    assert_eq!((found.convention.encoding, found.convention.dim), (Encoding::Sinusoid, 72));
    assert_eq!((found.program.path, found.own_positions.clone()), (Path::Exp, Some(0..300)));
    let stated = Model::new(&Convention::sinusoid(72), &along(Path::Exp)).expect("possible");
    let read = found.model(1.0).expect("possible");
    let a_priori = |model: &Model, pair| {
        let rate = model.rate(pair).expect("a frequency");
        model.a_priori(&rate, 0..300).expect("a bound").value()
    };
    let own = |model: &Model, pair| model.rate(pair).expect("a frequency").computed();
    let mut others = 0;
    for pair in 0..36 {
        assert_eq!(a_priori(&read, pair), a_priori(&stated, pair), "pair {pair}");
        others += usize::from(own(&read, pair) != own(&stated, pair));
        // The worst case of its own frequencies is within its own bound.
        let rate = read.rate(pair).expect("a frequency");
        let worst = read.worst(&rate, std::slice::from_ref(&(0..300))).expect("comparable").remove(0).sin;
        let bound = read.instance(&rate, Component::Sin, 0..300).expect("a bound").value();
        assert!(worst.above <= bound, "pair {pair}: {} > {bound}", worst.above);
    }
    assert!(others > 0, "the literal is that of binary64, rounded once more");
}

/// Operations in whose place another is put.
const OTHERS: [&str; 13] = [
    "aten.mul.Tensor",
    "aten.div.Tensor",
    "aten.add.Tensor",
    "aten.sub.Tensor",
    "aten.cos.default",
    "aten.sin.default",
    "aten.exp.default",
    "aten.log.default",
    "aten.neg.default",
    "aten.reciprocal.default",
    "aten.pow.Scalar",
    "aten.alias.default",
    "aten.tan.default",
];

/// Operations that compute entries.
fn computes(operation: &str) -> bool {
    OTHERS.contains(&operation) && operation != "aten.alias.default"
}

/// A product or quotient by 1 is none.
fn by_one(arguments: &[Argument]) -> bool {
    matches!(arguments.get(1), Some(Argument::Whole(1))) || arguments.get(1) == Some(&Argument::Real(1.0))
}

#[test]
fn a_graph_with_one_operation_changed_is_refused() {
    let mut refused = 0;
    for text in [LLAMA, META, TUTORIAL, WIDE, REPEATED, LINEAR] {
        let whole = graph(text);
        let before = whole.program().expect("a program");
        for at in (0..whole.operations.len()).filter(|at| computes(&whole.operations[*at].operation)) {
            for other in OTHERS.into_iter().filter(|other| *other != whole.operations[at].operation) {
                let mut changed = whole.clone();
                changed.operations[at].operation = other.to_owned();
                let silent = by_one(&whole.operations[at].arguments)
                    && ["aten.div.Tensor", "aten.mul.Tensor", "aten.alias.default"].contains(&other);
                match changed.program() {
                    Err(error) => {
                        refused += 1;
                        let text = error.to_string();
                        assert!(text.contains("found ") && text.contains("expected "), "{text}");
                    }
                    Ok(found) => {
                        let what = format!("{} with {other} for {:?}", whole.source, whole.operations[at]);
                        assert!(silent, "{what} is read");
                        assert_eq!(found.frequencies, before.frequencies, "{what}");
                        assert_eq!(found.program, before.program, "{what}");
                    }
                }
            }
        }
    }
    assert!(refused > 300, "{refused} changes");
}

#[test]
fn a_graph_with_one_literal_changed_is_refused_or_another_program() {
    for text in [LLAMA, GPTJ, META, TUTORIAL, WIDE, LINEAR] {
        let whole = graph(text);
        let before = whole.program().expect("a program");
        for at in 0..whole.operations.len() {
            for place in 0..whole.operations[at].arguments.len() {
                let mut changed = whole.clone();
                let literal = &mut changed.operations[at].arguments[place];
                let Some(other) = (match literal {
                    Argument::Whole(x) => Some(Argument::Whole(x.checked_add(1).unwrap_or(0))),
                    Argument::Real(x) => Some(Argument::Real(*x * 1.25)),
                    _ => None,
                }) else {
                    continue;
                };
                let what = format!("{}: {:?}, {literal:?} as {other:?}", whole.source, whole.operations[at]);
                *literal = other;
                let Ok(found) = changed.program() else { continue };
                let alike = found.frequencies == before.frequencies
                    && found.convention == before.convention
                    && found.own_positions == before.own_positions;
                // The end of a slice that is beyond the last entry, or of an arange between its steps, is no matter.
                let silent = whole.operations[at].operation.contains("slice")
                    || whole.operations[at].operation.contains("arange");
                assert!(!alike || silent, "{what}: nothing changed");
            }
        }
    }
}

#[test]
fn what_is_written_down_of_a_result_is_not_believed() {
    let whole = graph(LLAMA);
    for at in 0..whole.operations.len() {
        let mut changed = whole.clone();
        changed.operations[at].results[0].shape.push(1);
        let error = changed.program().expect_err("another shape").to_string();
        assert!(error.contains(&whole.operations[at].name), "{error}");
    }
    let mut changed = whole;
    changed.operations.remove(1);
    assert!(changed.program().is_err());
}

#[test]
fn other_operations_of_a_rule_than_its_theorem_has_are_refused() {
    let error = graph(include_str!("graphs/llama3.json")).program().expect_err("no theorem").to_string();
    assert!(error.contains("frequency of pair") && error.contains("where"), "{error}");
}

#[test]
fn a_table_that_is_looked_up_is_read_whole() {
    let whole = graph(GPTJ);
    assert_eq!(traced(GPTJ).own_positions, Some(0..2048));
    let asked =
        traced(GPTJ).positions(Positions::range(0..4096).expect("a range"), true).expect_err("beyond the table");
    assert!(asked.to_string().contains("0..2048"), "{asked}");
    // A table whose rows begin with position 1 is another one.
    let mut changed = whole;
    let at = changed.operations.iter().position(|one| one.name == "arange_1").expect("positions");
    changed.operations[at].operation = "aten.arange.start".into();
    changed.operations[at].arguments = vec![Argument::Whole(1), Argument::Whole(2049)];
    let error = changed.program().expect_err("shifted rows").to_string();
    assert!(error.contains("row 0"), "{error}");
}
