//! Asking functions, and reading their answers.
//!
//! Comparisons are written as if the functions were at hand. They run twice: once to note what is asked, in order, so that
//! each function is called with everything at once; and once with the answers.

use super::ball::Ball;
use super::role::Role;
use super::setup::Model;
use posproof_encoding::convention::Component;
use std::collections::BTreeMap;

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// Rows of numbers, none of which an encoding takes; those of q, k and v one after the other.
    pub rows: Vec<Vec<f64>>,
    /// The position, where the function takes one.
    pub position: u64,
}

/// The questions of each function, in order.
pub(crate) type Questions = BTreeMap<Role, Vec<Question>>;

/// The answers of each function, in the order of the questions, and how many numbers have been read of each; encodings by
/// their positions, each of which is asked for once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    entries: BTreeMap<Role, Vec<f64>>,
    read: BTreeMap<Role, usize>,
    encodings: BTreeMap<u64, Vec<f64>>,
}

impl Answers {
    /// The answers to a batch: of encodings to its positions.
    pub fn add(&mut self, role: Role, positions: &[u64], width: usize, entries: &[f64]) {
        if role == Role::Encode {
            self.encodings.extend(positions.iter().copied().zip(entries.chunks(width).map(<[f64]>::to_vec)));
        } else {
            self.entries.insert(role, entries.to_vec());
        }
    }

    /// The next numbers; zeros beyond the last, of which there are none where the questions were noted by the same code.
    fn next(&mut self, role: Role, count: usize) -> Vec<f64> {
        let start = self.read.entry(role).or_insert(0);
        let numbers = self.entries.get(&role).and_then(|all| all.get(*start..*start + count));
        *start += count;
        numbers.map_or_else(|| vec![0.0; count], <[f64]>::to_vec)
    }
}

/// The cosines and sines of one position, pair by pair.
pub(crate) struct Points {
    pub cos: Vec<Ball>,
    pub sin: Vec<Ball>,
}

impl Points {
    /// All components.
    pub fn row(&self) -> Vec<Ball> {
        self.sin.iter().chain(&self.cos).copied().collect()
    }
}

/// Functions that are asked.
pub(crate) struct Dialogue<'a> {
    pub model: &'a Model,
    questions: Questions,
    answers: Option<&'a mut Answers>,
}

impl<'a> Dialogue<'a> {
    /// Notes what is asked; every answer is 0.
    pub fn noting(model: &'a Model) -> Self {
        Self { model, questions: Questions::new(), answers: None }
    }

    /// Reads answers.
    pub fn reading(model: &'a Model, answers: &'a mut Answers) -> Self {
        Self { model, questions: Questions::new(), answers: Some(answers) }
    }

    /// Questions in order.
    pub fn questions(self) -> Questions {
        self.questions
    }

    /// True if questions are noted, so that no comparison is looked at.
    pub fn is_noting(&self) -> bool {
        self.answers.is_none()
    }

    pub fn dim(&self) -> usize {
        self.model.setup.dim()
    }

    pub fn pairs(&self) -> usize {
        self.dim() / 2
    }

    fn ask(&mut self, role: Role, rows: &[Vec<f64>], position: u64, count: usize) -> Vec<f64> {
        match &mut self.answers {
            Some(answers) if role == Role::Encode => {
                answers.encodings.get(&position).cloned().unwrap_or_else(|| vec![0.0; count])
            }
            Some(answers) => answers.next(role, count),
            None => {
                self.questions.entry(role).or_default().push(Question { rows: rows.to_vec(), position });
                vec![0.0; count]
            }
        }
    }

    /// The encoding of a position.
    pub fn encode(&mut self, position: u64) -> Points {
        let row = self.ask(Role::Encode, &[], position, self.dim());
        let (model, t) = (self.model, self.model.reach(position));
        let part = |component| {
            let entry = |pair| model.entry(pair, t, row[model.setup.convention.column(pair, component)]);
            (0..row.len() / 2).map(entry).collect()
        };
        Points { cos: part(Component::Cos), sin: part(Component::Sin) }
    }

    /// A vector rotated, in the order of its entries.
    pub fn rotate(&mut self, role: Role, x: &[f64], position: u64) -> Vec<Ball> {
        let y = self.ask(role, &[x.to_vec()], position, x.len());
        let mut balls = vec![Ball::default(); y.len()];
        let t = self.model.reach(position);
        for pair in 0..x.len() / 2 {
            let length = self.length(x, pair);
            for slot in self.model.slots(pair, true) {
                balls[slot] = self.model.rotated(pair, t, length, y[slot]);
            }
        }
        balls
    }

    /// Above the length of a pair of a vector.
    pub fn length(&self, x: &[f64], pair: usize) -> f64 {
        let [one, other] = self.model.slots(pair, false).map(|slot| x[slot]);
        one.hypot(other) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The 2 × 2 matrix of each pair at a position, [[a, b], [c, d]]: what unit vectors are rotated to.
    pub fn matrices(&mut self, role: Role, position: u64) -> Vec<[[Ball; 2]; 2]> {
        let columns = [0, 1].map(|place| {
            let mut x = vec![0.0; self.dim()];
            (0..self.pairs()).for_each(|pair| x[self.model.slots(pair, false)[place]] = 1.0);
            self.rotate(role, &x, position)
        });
        let matrix = |pair| {
            let [one, other] = self.model.slots(pair, true);
            [one, other].map(|slot| [columns[0][slot], columns[1][slot]])
        };
        (0..self.pairs()).map(matrix).collect()
    }

    /// The outputs of attention, row by row.
    pub fn attend(&mut self, [q, k, v]: [&[Vec<f64>]; 3]) -> Vec<Vec<Ball>> {
        let (dim, rows) = (self.dim(), [q, k, v].concat());
        let outputs = self.ask(Role::Attention, &rows, 0, q.len() * dim);
        let is_noting = self.is_noting();
        let row = |(query, row): (&Vec<f64>, &[f64])| {
            // Only answers have errors.
            let radii = if is_noting { vec![0.0; dim] } else { self.model.output(query, k, v) };
            row.iter().zip(radii).map(|(&value, radius)| Ball { value, radius }).collect()
        };
        q.iter().zip(outputs.chunks(dim)).map(row).collect()
    }

    /// The rows that a layer makes of others.
    pub fn layer(&mut self, x: &[Vec<f64>]) -> Vec<Vec<Ball>> {
        let dim = self.dim();
        let radius = self.model.setup.error.unwrap_or(0.0);
        let rows = self.ask(Role::Layer, x, 0, x.len() * dim);
        rows.chunks(dim).map(|row| row.iter().map(|&value| Ball { value, radius }).collect()).collect()
    }
}
