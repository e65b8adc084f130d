//! The claims that ask functions.

use super::case::{Case, PARTS};
use super::comparison::Comparison;
use super::dialogue::Dialogue;
use super::invalid::Invalid;
use super::role::Role;
use super::{attention, encode, rotate};
use posproof_encoding::suggestion::unknown;
use std::collections::BTreeSet;
use std::fmt;

/// Comparisons of a case at its positions; with `true`, those of the sabotage.
type Compare = fn(&mut Dialogue<'_>, &Case, &[u64], bool) -> Vec<Comparison>;

/// Positions of a case, from parts whose sum is no position beyond the last; with the last one.
type Places = fn(&[u64; PARTS], u64) -> Vec<u64>;

/// A claim as a check of functions.
pub struct Property {
    /// The id of the claim.
    pub claim: &'static str,
    /// The functions that it asks, the one that it is listed under first.
    pub roles: &'static [Role],
    /// The relation that is compared, in words of the functions.
    pub says: &'static str,
    /// The mistake that must be refuted at the same tolerance.
    pub sabotage: &'static str,
    pub(crate) names: &'static [&'static str],
    pub(crate) places: Places,
    pub(crate) compare: Compare,
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Property").field("claim", &self.claim).field("roles", &self.roles).finish_non_exhaustive()
    }
}

impl Property {
    /// The function that it is listed under.
    pub fn role(&self) -> Role {
        self.roles[0]
    }
}

/// The next at most.
fn one(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts.iter().sum()]
}

/// A position with two after it.
fn early(parts: &[u64; PARTS], last: u64) -> Vec<u64> {
    vec![parts.iter().sum::<u64>().min(last - 2)]
}

/// Two whose sum is a position.
fn two(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts[0] + parts[2], parts[1] + parts[3]]
}

/// Two in falling order, whose sum is a position.
fn falling(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    let less = parts[1].min(parts[2]);
    vec![parts[0] + less, less]
}

/// Two in falling order.
fn apart(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts.iter().sum(), parts[1] + parts[3]]
}

/// Two in rising order.
fn rising(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts[1] + parts[3], parts.iter().sum()]
}

/// Three of which the first and either of the others have a sum that is a position.
fn three(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts[0], parts[1] + parts[3], parts[2]]
}

/// s, t and k with s ≥ k, s + k and t + k positions.
fn diagonal(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    let k = parts[2].min(parts[3]);
    vec![parts[0] + k, parts[1], k]
}

/// s, s′ and a distance, of which all three have a sum that is a position.
fn pairs(parts: &[u64; PARTS], _: u64) -> Vec<u64> {
    vec![parts[0], parts[1] + parts[3], parts[2]]
}

/// None.
fn nowhere(_: &[u64; PARTS], _: u64) -> Vec<u64> {
    Vec::new()
}

macro_rules! properties {
    ($($claim:literal $(, $role:ident)+ ; $says:literal; $sabotage:literal; [$($name:literal),*] $places:ident => $compare:expr;)*) => {
        &[$(Property {
            claim: $claim,
            roles: &[$(Role::$role),+],
            says: $says,
            sabotage: $sabotage,
            names: &[$($name),*],
            places: $places,
            compare: $compare,
        }),*]
    };
}

/// All of them.
pub static PROPERTIES: &[Property] = properties! {
    "sinusoid.bounded", Encode; "every component is in [−1, 1] and ‖PE(t)‖² = d/2";
        "‖PE(t)‖² = d: a one for every component instead of every pair"; ["t"] one => encode::bounded;
    "sinusoid.neighbours", Encode; "‖PE(t+1) − PE(t)‖² = Σ_i 2 − 2·cos(ω_i) at every t, the cosines from PE(1)";
        "‖PE(t+2) − PE(t)‖² for ‖PE(t+1) − PE(t)‖²: every other position"; ["t"] early => encode::neighbours;
    "sinusoid.separation", Encode; "‖PE(s) − PE(t)‖² = Σ_i 2 − 2·cos((s−t)·ω_i), the cosines from PE(s−t)";
        "1 − cos for 2 − 2·cos: a factor of 2 lost in the squared distance"; ["s", "t"] apart => encode::separation;
    "shift.linearity", Encode; "T(k) PE(t) = PE(t+k), T(k) made of PE(k)";
        "T(−k) for T(k): the shift in the other direction"; ["t", "k"] two => encode::linearity;
    "shift.block-structure", Encode; "one block-diagonal T(k), made of PE(k), shifts PE(t) and PE(u)";
        "R(ω·k) for R(ω·k)ᵀ: the transpose of equation (5) forgotten"; ["k", "t", "u"] three => encode::block_structure;
    "shift.group", Encode; "T(0) = I, T(j) T(k) = T(j+k) and each block of T(k) has the determinant 1";
        "T(j) T(k) = T(j−k)"; ["j", "k"] falling => encode::group;
    "toeplitz.dot-product", Encode; "PE(s)·PE(t) = Σ_i cos((s−t)·ω_i), the cosines from PE(s−t)";
        "cos((s+t)·ω) for cos((s−t)·ω)"; ["s", "t"] falling => encode::dot_product;
    "toeplitz.structure", Encode; "PE(s)·PE(t) = PE(s+k)·PE(t+k)";
        "D_(s−k)(t+k) for D_(s+k)(t+k): constant along the other diagonals"; ["s", "t", "k"] diagonal => encode::structure;
    "toeplitz.symmetric", Encode; "PE(t)·PE(t) = d/2";
        "D_tt = d for d/2: every component counted as 1"; ["t"] one => encode::symmetric;
    "toeplitz.shift-invariance", Encode; "PE(s)·PE(s+n) = PE(s′)·PE(s′+n)";
        "s + t = s′ + t′ for s − t = s′ − t′"; ["s", "s′", "n"] pairs => encode::shift_invariance;
    "rope.rotation", Rotate; "f(x, m) is x turned counter-clockwise by m·base^(−2i/d), pair by pair";
        "R(−mθ): clockwise"; ["m"] one => rotate::rotation;
    "rope.inverse", Rotate; "R(mθ)ᵀ R(mθ) = I, R(mθ) from the rotated unit vectors";
        "R(θ) for R(−θ): a rotation taken to be its own inverse"; ["m"] one => rotate::inverse;
    "rope.composition", Rotate; "R(aθ) f(x, b) = f(x, a+b), R(aθ) from the rotated unit vectors";
        "R(a−b) for R(a+b)"; ["a", "b"] falling => rotate::composition;
    "rope.relative-position", Rotate; "f(q, m)·f(k, n) = q·f(k, n−m)";
        "R((m−n)θ) for R((n−m)θ)"; ["m", "n"] rising => rotate::relative_position;
    "rope.isometry", Rotate; "‖f(x, m)‖² = ‖x‖²";
        "[[cos, sin], [sin, cos]]: the minus sign forgotten"; ["m"] one => rotate::isometry;
    "rope.linear", Rotate; "f(a·x + b·y, m) = a·f(x, m) + b·f(y, m)";
        "a·f(x, m) + b·y: the second vector left unrotated"; ["m"] one => rotate::linear;
    "rope.pair-layout", Rotate; "f(x, m) turns each pair of the stated layout by its own matrix, and no others";
        "half-split rotation of coordinates that were never permuted"; ["m"] one => rotate::pair_layout;
    "phasor.relative-position", Rotate; "f(x, m)·f(y, n) = Re[x·y*·e^(i(m−n)θ)] in each pair, e^(ipθ) as f turns 1";
        "n−m for m−n"; ["m", "n"] apart => rotate::phasor;
    "phasor.rotation-matrix", RotateComplex, Rotate; "both functions are one: rotate_complex(x, m) = rotate(x, m)";
        "e^(−iθ) for e^(iθ)"; ["m"] one => rotate::rotation_matrix;
    "phasor.dot-product", RotateComplex, Rotate; "the dot product of rotated vectors is Re Σ z·w* of the complex code";
        "Re[x·y]: the conjugate forgotten"; ["m", "n"] apart => rotate::dot_product;
    "attention.scores", Attention; "weights are in the ratio e^(A_j − A_0), A = q·k/√d";
        "P A: the columns left in their old order"; [] nowhere => attention::scaled_scores;
    "attention.softmax", Attention; "weights along a row sum to 1, and move with the tokens";
        "softmax along columns on one side"; [] nowhere => attention::softmax;
    "attention.equivariance", Attention; "Attn(P q, P k, P v) = P Attn(q, k, v)";
        "Attn(X) for P Attn(X): the rows left in their old order"; [] nowhere => attention::equivariance;
    "attention.single-query", Attention; "Attn(q, P k, P v) = Attn(q, k, v) for one query";
        "keys shuffled without their values"; [] nowhere => attention::single_query;
    "attention.weighted-sum", Attention; "outputs lie between the values, and the larger score has the larger weight";
        "e^(−A): the larger score gets the smaller weight"; [] nowhere => attention::weighted_sum;
    "attention.equivariance", Layer; "f(P x) = P f(x)";
        "Attn(X) for P Attn(X): the rows left in their old order"; [] nowhere => attention::layer;
    "attention.encoding-breaks-symmetry", Layer; "f(P x) ≠ P f(x) somewhere: the layer knows positions";
        "P X + E for P X + P E: an encoding that stays taken for one that travels"; [] nowhere => attention::broken_symmetry;
};

/// Claims of the documents that ask no function of somebody's code: they speak of numbers, of real positions or frequencies, or of
/// what no single function shows.
pub const UNASKED: &[&str] = &[
    "sinusoid.definition",
    "sinusoid.sine-only",
    "sinusoid.wavelengths",
    "sinusoid.pair-period",
    "sinusoid.periodic-component",
    "sinusoid.no-integer-cycle",
    "sinusoid.real-cycle",
    "sinusoid.any-base",
    "sinusoid.extrapolation",
    "sinusoid.fourier",
    "shift.addition-theorems",
    "shift.rate",
    "shift.unique",
    "shift.needs-both",
    "shift.rotary-transpose",
    "shift.base-1000",
    "toeplitz.product-identity",
    "toeplitz.printed-values",
    "toeplitz.gram",
    "rope.row-vector",
    "rope.aliasing",
    "phasor.polar",
    "phasor.growth",
    "phasor.shift-operator",
    "attention.permutation-matrix",
    "attention.projections",
    "attention.invariance",
    "attention.position-blind",
    "attention.skip-connection",
    "encoding.integer",
    "encoding.fraction",
    "encoding.digit-cycle",
    "encoding.pair-or-sum",
    "encoding.disjoint-subspaces",
];

/// The claims that ask a function, or all of them.
pub fn properties(role: Option<Role>) -> impl Iterator<Item = &'static Property> {
    PROPERTIES.iter().filter(move |property| role.is_none_or(|role| property.role() == role))
}

/// An id in one spelling: capital letters do not matter, nor what separates words.
fn spelling(id: &str) -> String {
    let words = id.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_lowercase()
}

/// The claim, by its id in any spelling, as a check of the functions that are given.
///
/// # Errors
///
/// An unknown claim, one that asks no function, and functions that it does not ask.
pub fn find(claim: &str, given: &[Role]) -> Result<&'static Property, Invalid> {
    let called = spelling(claim);
    let of_claim: Vec<&Property> = PROPERTIES.iter().filter(|property| spelling(property.claim) == called).collect();
    if of_claim.is_empty() {
        if let Some(claim) = UNASKED.iter().find(|id| spelling(id) == called) {
            let message = format!(
                "{claim}: this claim asks no function of somebody's code; posproof show {claim} says what it is of"
            );
            return Err(Invalid::Claim(message));
        }
        let known: BTreeSet<&str> = PROPERTIES.iter().map(|property| property.claim).collect();
        return Err(Invalid::Claim(unknown("claim", claim, known.into_iter())));
    }
    let asks = |property: &&Property| {
        property.roles.len() == given.len() && property.roles.iter().all(|role| given.contains(role))
    };
    of_claim.iter().copied().find(asks).ok_or_else(|| {
        let words = |roles: &[Role]| roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(" and ");
        let expected: Vec<String> = of_claim.iter().map(|property| words(property.roles)).collect();
        let found = if given.is_empty() { "no function".to_owned() } else { words(given) };
        Invalid::Role { claim: claim.to_owned(), expected: expected.join(", or "), found }
    })
}
