//! Recursion in the narrow sense: a function calls itself on what a `match` on its own argument took out of that
//! argument, and on nothing else.
//!
//! Coq's kernel, and `coqchk`, which has the same code, allow much more, and have allowed too much: since Coq 8.16 a
//! call on the result of a `match` whose branches are not all smaller passes, and 0 = 1 follows without an axiom
//! (rocq-prover/rocq#20455; others are #20413, #20555, #21682, #21683, #21701). Here every such function in a compiled
//! file is looked for, in proofs too, and is refused where it is not
//!
//! - `fix f (x₁ : A₁) … (xₖ : Aₖ) … := body`, where `f` stands only before all its arguments up to the k-th, and that is a
//!   variable which a `match` on xₖ, or on such a variable, bound;
//! - without local definitions (`let`) in it;
//! - and without another `fix` or `cofix` in it that has `f` in it.
//!
//! Corecursion is refused. What a functor of a library makes is the library's, and is not looked at.

use super::compiled::{Compiled, Form, Unread};
use super::marshal::{Heap, Value};
use super::term::{Recursive, Term, recursive};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The recursive functions in what a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recursions {
    /// For each constant or inductive type whose term has them, in words.
    pub of: BTreeMap<String, Vec<String>>,
    /// For each whose recursion is not structural, why.
    pub refused: BTreeMap<String, Vec<String>>,
}

/// Name under which a recursion is reported that no declaration is known to hold.
const ELSEWHERE: &str = "(elsewhere in the file)";

impl Recursions {
    /// All in a compiled file.
    pub fn of(bytes: &[u8]) -> Result<Self, Unread> {
        let compiled = Compiled::read(bytes)?;
        let mut found = Self::default();
        let proofs = compiled.proofs()?.to_vec();
        let mut library = HeapSearch::new(&compiled.library, compiled.form);
        let mut opaque = HeapSearch::new(&compiled.opaque, compiled.form);
        for declared in compiled.declared()? {
            if declared.instance {
                library.below(declared.value);
                continue;
            }
            found.add(&declared.name, &mut library, declared.value);
            if let Some(proof) = declared.proof {
                let proof = proofs.get(proof).ok_or(Unread::Form("a proof is not there"))?;
                found.add(&declared.name, &mut opaque, *proof);
            }
        }
        // The rest, which stands in no declaration.
        found.add(ELSEWHERE, &mut library, compiled.kernel()?);
        found.add(ELSEWHERE, &mut opaque, compiled.opaque.root);
        Ok(found)
    }

    /// Adds what is found in a value and was not found in those before.
    fn add(&mut self, name: &str, search: &mut HeapSearch<'_, '_>, value: Value) {
        for place in search.below(value) {
            match judge(search.heap, search.form, place) {
                Ok(words) => self.of.entry(name.to_owned()).or_default().push(words),
                Err(why) => self.refused.entry(name.to_owned()).or_default().push(why),
            }
        }
    }
}

/// A search through a heap, each place once.
struct HeapSearch<'h, 'a> {
    heap: &'h Heap<'a>,
    form: Form,
    seen: Vec<bool>,
}

impl<'h, 'a> HeapSearch<'h, 'a> {
    fn new(heap: &'h Heap<'a>, form: Form) -> Self {
        Self { heap, form, seen: vec![false; heap.len()] }
    }

    /// The recursive functions below a value.
    fn below(&mut self, value: Value) -> Vec<Value> {
        let mut found = Vec::new();
        let mut unread = vec![value];
        while let Some(value) = unread.pop() {
            let Value::At(place) = value else { continue };
            if std::mem::replace(&mut self.seen[place], true) {
                continue;
            }
            if recursive(self.heap, value).is_some() {
                found.push(value);
            }
            unread.extend(self.heap.block(value).map_or(&[][..], |(_, fields)| fields));
        }
        found
    }
}

/// Kind of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    /// A function that is being defined.
    Function(usize),
    /// The argument on which it recurses, or what a `match` on it bound; only the latter is smaller.
    Argument {
        smaller: bool,
    },
    Other,
}

/// The variables in reach of some part of a term: the place of the innermost among [`Scopes`].
type VariableScope = usize;

/// Each variable with those around it. The first is around all others: what is bound outside of the functions.
struct Scopes(Vec<(Variable, VariableScope)>);

/// Where nothing of theirs is in reach.
const OUTSIDE: VariableScope = 0;

impl Scopes {
    fn new() -> Self {
        Self(vec![(Variable::Other, OUTSIDE)])
    }

    fn with(&mut self, around: VariableScope, variable: Variable) -> VariableScope {
        self.0.push((variable, around));
        self.0.len() - 1
    }

    fn with_each(&mut self, around: VariableScope, number: usize, variable: Variable) -> VariableScope {
        (0..number).fold(around, |scope, _| self.with(scope, variable))
    }

    fn variable(&self, scope: VariableScope, place: usize) -> Variable {
        let mut scope = scope;
        for _ in 1..place {
            if scope == OUTSIDE {
                break;
            }
            scope = self.0[scope].1;
        }
        self.0[scope].0
    }
}

/// No function that a person wrote, or a tactic, comes near to so many parts.
const MOST: usize = 5_000_000;

/// In words what the recursion is, or why it is refused.
fn judge(heap: &Heap<'_>, form: Form, value: Value) -> Result<String, String> {
    let functions = match recursive(heap, value) {
        Some(Term::Fix(functions)) => functions,
        Some(Term::CoFix(functions)) => return Err(format!("cofix {}: corecursion", functions.name(heap, 0))),
        _ => return Err("a recursion of another form".to_owned()),
    };
    let names: Vec<&str> = (0..functions.arguments.len()).map(|place| functions.functions.name(heap, place)).collect();
    match calls(heap, form, &functions) {
        Ok(calls) => {
            let each = names.iter().zip(&functions.arguments);
            let each: Vec<String> =
                each.map(|(name, argument)| format!("{name} on argument {}", argument + 1)).collect();
            Ok(format!("fix {}, {calls} calls", each.join(" with ")))
        }
        Err(why) => Err(format!("fix {}: {why}", names.join(" with "))),
    }
}

/// Part of a term to look at: with the variables in reach, and whether another recursion stands around it.
type TermPart = (Value, VariableScope, bool);

/// Number of calls, all structural.
fn calls(heap: &Heap<'_>, form: Form, functions: &Recursive<'_>) -> Result<usize, String> {
    let unread = "it is of a form that is not known";
    let number = functions.arguments.len();
    let mut scopes = Scopes::new();
    let mut parts: Vec<TermPart> = functions.functions.types.iter().map(|of_type| (*of_type, OUTSIDE, false)).collect();
    let around = (0..number).fold(OUTSIDE, |scope, place| scopes.with(scope, Variable::Function(place)));
    for (body, argument) in functions.functions.bodies.iter().zip(&functions.arguments) {
        let (mut body, mut scope) = (*body, around);
        for place in 0..=*argument {
            let Some(Term::Binder(of_type, inner)) = Term::read(heap, form, body) else {
                return Err("it does not begin with the arguments up to that on which it recurses".to_owned());
            };
            parts.push((of_type, scope, false));
            let is_last = place == *argument;
            scope = scopes.with(scope, if is_last { Variable::Argument { smaller: false } } else { Variable::Other });
            body = inner;
        }
        parts.push((body, scope, false));
    }
    let (mut calls, mut steps) = (0, 0);
    while let Some((value, scope, inside)) = parts.pop() {
        steps += 1;
        if steps > MOST {
            return Err("it is too large to be looked through".to_owned());
        }
        match Term::read(heap, form, value).ok_or(unread)? {
            Term::Variable(place) => {
                if let Variable::Function(_) = scopes.variable(scope, place) {
                    return Err(
                        "a function stands where it is not called on all its arguments up to that on which it recurses"
                            .to_owned(),
                    );
                }
            }
            Term::Application(function, arguments) => {
                let called = match Term::read(heap, form, function).ok_or(unread)? {
                    Term::Variable(place) => scopes.variable(scope, place),
                    _ => Variable::Other,
                };
                match called {
                    Variable::Function(_) if inside => return Err("another recursion in it calls it".to_owned()),
                    Variable::Function(which) => {
                        is_smaller(heap, form, &scopes, scope, arguments.get(functions.arguments[which]))?;
                        calls += 1;
                    }
                    _ => parts.push((function, scope, inside)),
                }
                parts.extend(arguments.iter().map(|argument| (*argument, scope, inside)));
            }
            Term::Binder(of_type, body) => {
                parts.push((of_type, scope, inside));
                parts.push((body, scopes.with(scope, Variable::Other), inside));
            }
            Term::Let => return Err("it has a local definition in it".to_owned()),
            Term::Match { parameters, result, others, scrutinee, branches } => {
                let looked_at = match Term::read(heap, form, scrutinee).ok_or(unread)? {
                    Term::Variable(place) => scopes.variable(scope, place),
                    _ => Variable::Other,
                };
                let bound = match looked_at {
                    Variable::Argument { .. } => Variable::Argument { smaller: true },
                    _ => Variable::Other,
                };
                let flat = parameters.iter().copied().chain(others).chain([scrutinee]);
                parts.extend(flat.map(|part| (part, scope, inside)));
                parts.push((result.1, scopes.with_each(scope, result.0, Variable::Other), inside));
                parts.extend(
                    branches.into_iter().map(|(number, body)| (body, scopes.with_each(scope, number, bound), inside)),
                );
            }
            Term::Fix(Recursive { functions, .. }) | Term::CoFix(functions) => {
                parts.extend(functions.types.iter().map(|of_type| (*of_type, scope, true)));
                let scope = scopes.with_each(scope, functions.bodies.len(), Variable::Other);
                parts.extend(functions.bodies.iter().map(|body| (*body, scope, true)));
            }
            Term::Parts(some) => parts.extend(some.into_iter().map(|part| (part, scope, inside))),
        }
    }
    Ok(calls)
}

/// True where a call's argument is a variable that a `match` on the function's own argument bound.
fn is_smaller(
    heap: &Heap<'_>,
    form: Form,
    scopes: &Scopes,
    scope: VariableScope,
    argument: Option<&Value>,
) -> Result<(), String> {
    let argument = argument.ok_or("a call lacks the argument on which it recurses")?;
    match Term::read(heap, form, *argument) {
        Some(Term::Variable(place)) if scopes.variable(scope, place) == (Variable::Argument { smaller: true }) => {
            Ok(())
        }
        _ => Err("a call is not on a variable that a match on its own argument bound".to_owned()),
    }
}
