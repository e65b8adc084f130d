//! Formulas in text: which stretches are formulas, and how they are built.

use super::lexeme::{Kind, Lexeme, closing, lexemes};
use std::ops::Range;

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Markup<'a> {
    /// A variable, with its primes.
    Letter(&'a str),
    /// A function or a constant.
    Name(&'a str),
    /// A number.
    Number(&'a str),
    /// An operator, relation or separator.
    Sign(&'a str),
    /// Σ or Π.
    Big(&'a str),
    /// Words.
    Words(&'a str),
    /// Space between two operands.
    Gap,
    /// Group in brackets or bars.
    Group(&'a str, Vec<Markup<'a>>),
    /// Rows of cells.
    Matrix(Vec<Vec<Vec<Markup<'a>>>>),
    /// A root.
    Root(Box<Markup<'a>>),
    /// A base with what is below and above it.
    Script { base: Box<Markup<'a>>, below: Vec<Markup<'a>>, above: Vec<Markup<'a>> },
    /// Raised characters, as they are written.
    Raised(&'a str),
}

/// A stretch of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stretch<'a> {
    /// As it is.
    Prose(&'a str),
    /// A formula, and how it is written.
    Formula(&'a str, Vec<Markup<'a>>),
}

/// Brackets deeper than this are left as they are written.
const DEEPEST: usize = 16;

/// The stretches, which together are the text. A formula is cut before each operator with spaces around it,
/// where a line may break.
pub(super) fn stretches(text: &str) -> Vec<Stretch<'_>> {
    let mut parser = Parser { lexemes: lexemes(text), place: 0, depth: 0 };
    let mut found = Vec::new();
    let (mut prose, mut at) = (0, 0);
    while at < parser.lexemes.len() {
        parser.place = at;
        let terms = parser.terms();
        at = parser.place.max(at + 1);
        if !terms.iter().any(|term| term.nodes.iter().any(is_formula)) {
            continue;
        }
        for FormulaPart { written: Range { start, end }, nodes } in terms {
            if prose < start {
                found.push(Stretch::Prose(&text[prose..start]));
            }
            found.push(Stretch::Formula(&text[start..end], nodes));
            prose = end;
        }
    }
    if prose < text.len() {
        found.push(Stretch::Prose(&text[prose..]));
    }
    found
}

/// A part of a formula that begins with an operator, or with the formula, and where it is written.
struct FormulaPart<'a> {
    written: Range<usize>,
    nodes: Vec<Markup<'a>>,
}

/// True if a part makes a formula of what is otherwise numbers and words.
fn is_formula(node: &Markup) -> bool {
    match node {
        Markup::Letter(_) | Markup::Matrix(_) | Markup::Script { .. } => true,
        Markup::Group(_, inner) => inner.iter().any(is_formula),
        Markup::Root(inner) => is_formula(inner),
        _ => false,
    }
}

/// True if brackets hold several formulas, which are better set apart: (x = 1, y = 2).
fn is_list(node: &Markup) -> bool {
    matches!(node, Markup::Group("(", inner) if inner.contains(&Markup::Sign(",")) && inner.contains(&Markup::Sign("=")))
}

struct Parser<'a> {
    lexemes: Vec<Lexeme<'a>>,
    place: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Lexeme<'a>> {
        self.lexemes.get(self.place).copied()
    }

    fn next_is(&self, kind: Kind, text: &str) -> bool {
        self.peek().is_some_and(|lexeme| lexeme.kind == kind && lexeme.text == text)
    }

    /// As many parts as there are, none of them prose; the place is then after the last.
    fn terms(&mut self) -> Vec<FormulaPart<'a>> {
        let mut terms: Vec<FormulaPart> = Vec::new();
        loop {
            let before = self.place;
            let gap = self.space();
            let start = self.peek().map_or(0, |lexeme| lexeme.start);
            let before_it = terms.last().and_then(|term| term.nodes.last());
            let aside = self.is_article() || (gap && matches!(before_it, Some(Markup::Number(_))) && self.opens());
            let node = if aside { None } else { self.part(before_it.is_some() && !gap) };
            let Some(node) = node.filter(|node| !is_list(node)) else {
                self.place = before;
                return terms;
            };
            let end = self.lexemes[self.place - 1].end();
            match terms.last_mut() {
                Some(term) if !(gap && matches!(node, Markup::Sign(_))) => {
                    term.nodes.extend(gap.then_some(Markup::Gap));
                    term.nodes.push(node);
                    term.written.end = end;
                }
                _ => terms.push(FormulaPart { written: start..end, nodes: vec![node] }),
            }
        }
    }

    fn space(&mut self) -> bool {
        let found = self.peek().is_some_and(|lexeme| lexeme.kind == Kind::Space);
        self.place += usize::from(found);
        found
    }

    fn opens(&self) -> bool {
        self.peek().is_some_and(|lexeme| lexeme.kind == Kind::Open)
    }

    /// True if what comes is the word "a": a letter before a word of prose, but for "and".
    fn is_article(&self) -> bool {
        let after = |n: usize| self.lexemes.get(self.place + n);
        matches!(self.peek(), Some(Lexeme { kind: Kind::Letter, text: "a" | "A", .. }))
            && after(1).is_some_and(|lexeme| lexeme.kind == Kind::Space)
            && after(2).is_some_and(|lexeme| matches!(lexeme.kind, Kind::Word | Kind::Name) && lexeme.text != "and")
    }

    /// One part with its scripts. `applied` says that it follows an operand without a space, so that brackets
    /// hold arguments, which may be words.
    fn part(&mut self, applied: bool) -> Option<Markup<'a>> {
        let lexeme = self.peek()?;
        let node = match lexeme.kind {
            Kind::Letter => self.take(Markup::Letter),
            Kind::Name => self.take(Markup::Name),
            Kind::Number => self.take(Markup::Number),
            Kind::Big => self.take(Markup::Big),
            Kind::Sign if lexeme.text == "√" => self.root(),
            Kind::Sign => return Some(self.take(Markup::Sign)),
            Kind::Open => self.matrix().or_else(|| self.group(applied))?,
            Kind::Bar => self.group(false)?,
            Kind::Word | Kind::Close | Kind::Raised | Kind::Script | Kind::Space | Kind::Mark => return None,
        };
        self.scripts(node)
    }

    fn take(&mut self, make: impl Fn(&'a str) -> Markup<'a>) -> Markup<'a> {
        let text = self.peek().map_or("", |lexeme| lexeme.text);
        self.place += 1;
        make(text)
    }

    fn root(&mut self) -> Markup<'a> {
        let sign = self.take(Markup::Sign);
        self.part(false).map_or(sign, |node| Markup::Root(Box::new(node)))
    }

    fn scripts(&mut self, base: Markup<'a>) -> Option<Markup<'a>> {
        let (mut below, mut above) = (Vec::new(), Vec::new());
        while let Some(lexeme) = self.peek() {
            match (lexeme.kind, lexeme.text) {
                (Kind::Raised, _) => above.push(self.take(Markup::Raised)),
                (Kind::Script, "_") if below.is_empty() => below = self.script()?,
                (Kind::Script, "^") if above.is_empty() => above = self.script()?,
                _ => break,
            }
        }
        let plain = below.is_empty() && above.is_empty();
        Some(if plain { base } else { Markup::Script { base: Box::new(base), below, above } })
    }

    /// Script after `_` or `^`: a group, without its brackets where it is one alone, or letters and digits.
    fn script(&mut self) -> Option<Vec<Markup<'a>>> {
        self.place += 1;
        let mut groups = Vec::new();
        while self.next_is(Kind::Open, "(") || self.next_is(Kind::Open, "{") {
            groups.push(self.group(true)?);
        }
        match (groups.pop(), groups.is_empty()) {
            (Some(Markup::Group(_, inner)), true) => return Some(inner),
            (Some(last), _) => {
                groups.push(last);
                return Some(groups);
            }
            (None, _) => {}
        }
        let mut nodes = Vec::new();
        while let Some(Lexeme { kind, text, .. }) = self.peek() {
            match kind {
                Kind::Sign if nodes.is_empty() && "−±".contains(text) => nodes.push(self.take(Markup::Sign)),
                Kind::Letter => nodes.push(self.take(Markup::Letter)),
                Kind::Number => nodes.push(self.take(Markup::Number)),
                Kind::Word if text.bytes().all(|b| b.is_ascii_alphabetic()) => {
                    nodes.extend((0..text.len()).map(|at| Markup::Letter(&text[at..=at])));
                    self.place += 1;
                }
                _ => break,
            }
        }
        (!nodes.is_empty()).then_some(nodes)
    }

    /// Contents of brackets or bars; nothing if there is prose in it, or no closing bracket.
    fn group(&mut self, words: bool) -> Option<Markup<'a>> {
        let open = self.peek()?.text;
        self.depth += 1;
        let inner = if self.depth > DEEPEST { None } else { self.enclosed(closing(open), words) };
        self.depth -= 1;
        inner.map(|inner| Markup::Group(open, inner))
    }

    fn enclosed(&mut self, close: &str, words: bool) -> Option<Vec<Markup<'a>>> {
        self.place += 1;
        let mut nodes = Vec::new();
        loop {
            let gap = self.space();
            let lexeme = self.peek()?;
            if lexeme.text == close {
                self.place += 1;
                return (!nodes.is_empty()).then_some(nodes);
            }
            if gap && !nodes.is_empty() {
                nodes.push(Markup::Gap);
            }
            nodes.push(match lexeme.kind {
                Kind::Word if words => self.take(Markup::Words),
                Kind::Mark if matches!(lexeme.text, "," | ";") => self.take(Markup::Sign),
                _ => self.part(!nodes.is_empty() && !gap)?,
            });
        }
    }

    /// `[[a, b], [c, d]]`.
    fn matrix(&mut self) -> Option<Markup<'a>> {
        let start = self.place;
        let nested = self.lexemes.get(start + 1).is_some_and(|lexeme| lexeme.text == "[");
        let rows = if nested && self.next_is(Kind::Open, "[") { self.group(false) } else { None };
        let Some(Markup::Group(_, nodes)) = rows else {
            self.place = start;
            return None;
        };
        let row = |node: Markup<'a>| match node {
            Markup::Group("[", cells) => Some(cells.split(|node| *node == Markup::Sign(",")).map(trimmed).collect()),
            _ => None,
        };
        let separates = |node: &Markup| matches!(node, Markup::Gap | Markup::Sign(","));
        let rows: Option<Vec<Vec<Vec<Markup>>>> = nodes.into_iter().filter(|node| !separates(node)).map(row).collect();
        if rows.is_none() {
            self.place = start;
        }
        rows.map(Markup::Matrix)
    }
}

fn trimmed<'a>(cell: &[Markup<'a>]) -> Vec<Markup<'a>> {
    let from = cell.iter().take_while(|node| **node == Markup::Gap).count();
    cell[from..].to_vec()
}
