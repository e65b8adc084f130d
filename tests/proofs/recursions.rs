//! Recursion that Coq 8.16 accepts, its checker too, and the audit does not; and such that it does.

use posproof::proof::RULES;
use posproof_coq_audit::coq::Coq;
use posproof_coq_audit::recursion::Recursions;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Source text before every attack.
const BEFORE: &str = "\
Definition not_zero n := match n with 0 => False | S _ => True end.
Definition not_one n := match n with 0 => False | S n => not_zero n end.
Inductive tree := Node (children : list tree).
Inductive wide := Leaf | Wide (below : nat -> wide).
CoInductive stream := Next (n : nat) (rest : stream).
";

/// A function of which Coq 8.16 says that it ends, as the issue that reported it has it, and variants; the constant that is
/// refused, the sentences, and what is said of it.
const REFUSED: &[(&str, &str, &str)] = &[
    // rocq-prover/rocq#20455: False without an axiom.
    (
        "issue",
        "Fixpoint issue (n : nat) {struct n} : not_zero n -> False.
refine match n with 0 => fun h => h | S subn => fun h =>
  let f (b : bool) (e : b = true) (x : nat) (Hx : not_one x) :=
    let arg := (match (if b then x else subn) with 0 => subn | S subsubn => subsubn end) in issue arg _
  in f true eq_refl 5 I end.
subst b. destruct x; cbn in Hx. now exfalso. assumption. Defined.
Definition error : False := issue 1 I.",
        "a local definition",
    ),
    // The same in a proof, by a tactic.
    (
        "error",
        "Lemma error : False.
Proof.
  cut (forall n, not_zero n -> False); [intro H; exact (H 1 I) |].
  fix issue 1; intros n; refine (match n with 0 => fun h => h | S subn => fun h =>
    let f (b : bool) (e : b = true) (x : nat) (Hx : not_one x) :=
      let arg := (match (if b then x else subn) with 0 => subn | S subsubn => subsubn end) in issue arg _
    in f true eq_refl 5 I end).
  subst b; destruct x; cbn in Hx; [now exfalso | exact Hx].
Qed.",
        "a local definition",
    ),
    // With one local definition, and another distinction of cases.
    (
        "issue",
        "Fixpoint issue (n : nat) {struct n} : not_zero n -> False.
refine match n with 0 => fun h => h | S subn => fun h =>
  let f (b : nat) (e : b = 0) (x : nat) (Hx : not_one x) :=
    issue (match (match b with 0 => x | S _ => subn end) with 0 => subn | S subsubn => subsubn end) _
  in f 0 eq_refl 5 I end.
subst b. destruct x; cbn in Hx. now exfalso. assumption. Defined.",
        "a local definition",
    ),
    // #20413: what stands in the other arguments was not looked at.
    (
        "spread",
        "Fixpoint spread (size c : nat) (f : nat -> nat) : nat :=
  match size with S size' => spread size' (S c) (fun size'' => spread size'' 0 f) | 0 => S (f c) end.",
        "not on a variable",
    ),
    // #21053: a variable carried over a path.
    (
        "carried",
        "Section Path.
Variable e : nat = nat.
Definition back : nat -> nat := match e in _ = T return T -> nat with eq_refl => fun x => x end.
Fixpoint carried (n : nat) := match n with 0 => 0 | S n => S (carried (back n)) end.
End Path.",
        "not on a variable",
    ),
    // What is smaller by what a match, a projection, a function or an application gives.
    ("f", "Fixpoint f (n : nat) := match n with 0 => 0 | S m => f (match m with 0 => m | S k => k end) end.", "not on a variable"),
    ("f", "Fixpoint f (n : nat) := match n with 0 => 0 | S m => f (pred m) end.", "not on a variable"),
    ("f", "Fixpoint f (w : wide) := match w with Leaf => 0 | Wide below => f (below 0) end.", "not on a variable"),
    ("f", "Fixpoint f (n : nat) := match n with 0 => 0 | S m => (fun k => f k) m end.", "not on a variable"),
    (
        "f",
        "Fixpoint f (n : nat) := match n with 0 => 0 | S m => match m return nat -> nat with 0 => fun _ => 0 | S _ => fun k => f k end m end.",
        "not on a variable",
    ),
    (
        "f",
        "Definition f := fix f (x : nat) (a : Acc lt x) {struct a} : nat := match x return (forall y, y < x -> Acc lt y) -> nat with
  0 => fun _ => 0 | S y => fun h => f y (h y (le_n _)) end (match a with Acc_intro _ h => h end).",
        "not on a variable",
    ),
    // A call on less than its arguments, and the function itself.
    ("f", "Fixpoint f (n : nat) := match n with 0 => 0 | S m => (fun g => g m) f end.", "not called on all its arguments"),
    ("size", "Fixpoint size (t : tree) := match t with Node l => (fix sum l := match l with nil => 1 | cons t l => size t + sum l end) l end.", "another recursion in it calls it"),
    ("size", "From Coq Require List. Fixpoint size (t : tree) := match t with Node l => List.fold_right (fun t n => size t + n) 1 l end.", "not on a variable"),
    ("f", "Fixpoint f (n : nat) := match n with 0 => 0 | S m => let k := m in f k end.", "a local definition"),
    ("f", "Fixpoint f (n : nat) := let k := n in match k with 0 => 0 | S m => f m end.", "a local definition"),
    // One of several that are defined together.
    (
        "odd",
        "Fixpoint odd (n : nat) := match n with 0 => false | S m => even m end
with even (n : nat) := match n with 0 => true | S m => odd (id m) end.",
        "not on a variable",
    ),
    // Not in a body: in a type, in a constructor's, in a lemma in a lemma, in a module, in a functor.
    ("l", "Lemma l : (fix f (n : nat) := match n with 0 => 0 | S m => f (pred m) end) 3 = 0.\nProof. reflexivity. Qed.", "not on a variable"),
    ("t", "Inductive t := C (_ : (fix f (n : nat) := match n with 0 => 0 | S m => f (pred m) end) 3 = 0).", "not on a variable"),
    (
        "x",
        "Definition x : nat := ltac:(abstract exact ((fix f (n : nat) := match n with 0 => 0 | S m => f (pred m) end) 3)).",
        "not on a variable",
    ),
    ("M.f", "Module M. Fixpoint f (n : nat) := match n with 0 => 0 | S m => f (pred m) end. End M.", "not on a variable"),
    (
        "M.f",
        "Module Type T. End T. Module M (A : T). Fixpoint f (n : nat) := match n with 0 => 0 | S m => f (pred m) end. End M.",
        "not on a variable",
    ),
    (
        "N.f",
        "Module Type T. End T. Module M (A : T). Fixpoint f (n : nat) := match n with 0 => 0 | S m => f (pred m) end. End M.
Module E. End E. Module N := M E.",
        "not on a variable",
    ),
    (
        "l",
        "Section S. Variable k : nat.\nLemma l : nat.\nProof. exact ((fix f (n : nat) := match n with 0 => k | S m => f (pred m) end) k). Qed. End S.",
        "not on a variable",
    ),
    (
        "f",
        "#[universes(polymorphic)] Definition f@{u} (A : Type@{u}) := fix f (n : nat) := match n with 0 => 0 | S m => f (pred m) end.",
        "not on a variable",
    ),
    // By commands that write functions.
    (
        "f_terminate",
        "From Coq Require Import FunInd Recdef.\nFunction f (n : nat) {measure id n} := match n with 0 => 0 | S m => f (pred m) end.\nProof. intros n m e; unfold id; destruct m; simpl; auto with arith. Defined.",
        "not on a variable",
    ),
    // Corecursion.
    ("zeros", "CoFixpoint zeros := Next 0 zeros.", "corecursion"),
    ("l", "Lemma l : stream.\nProof. cofix l. exact (Next 0 l). Qed.", "corecursion"),
];

/// Recursions that Coq 8.16 refuses by itself, and later versions do not.
const LATER: &[(&str, &str, &str)] = &[
    // #20555: another recursion around the call.
    (
        "error",
        "Fixpoint error (t : unit) {struct t} : False :=
  (fix rec (n : nat) {struct n} := match n with 0 => error | S n => rec n end) 1 t.",
        "not called on all its arguments",
    ),
    // #21682: functions in it that call one another.
    (
        "F",
        "Fixpoint F (n : nat) : nat :=
  match n with 0 => 0 | S k =>
    (fix f (p m : nat) {struct m} := match m with 0 => p | S m' => g (S p) m' end
     with g (q m : nat) {struct m} := match m with 0 => F q | S m' => f q m' end for f) k k end.",
        "another recursion in it calls it",
    ),
    // #21683: the function as an argument of another.
    (
        "russell",
        "Fixpoint iterate (f : nat -> Type) (n seed : nat) : Type :=
  match n with 0 => f seed -> False | S m => iterate f m seed end.
Fixpoint russell (n : nat) : Type := match n with 0 => True | S m => iterate russell 1 (S m) end.",
        "not called on all its arguments",
    ),
    // #21701: the same by functions that are defined together.
    (
        "late",
        "Fixpoint f late (p : nat) (m : nat) {struct m} :=
  match m with 0 => S p | S m' => let h := g late in h (S p) m' end
with g late (q : nat) (m : nat) {struct m} := match m with 0 => S (late q) | S m' => f late q m' end.
Fixpoint late (n : nat) : nat := match n with 0 => 0 | S k => f late k n end.",
        "not called on all its arguments",
    ),
];

/// Recursion that is structural, with what is pinned of it.
const ACCEPTED: &[(&str, &str, &str)] = &[
    ("f", "Fixpoint f (n : nat) := match n with S (S m) => f m + 1 | _ => 0 end.", "fix f on argument 1, 1 calls"),
    (
        "l",
        "Lemma l : forall n : nat, n = n.\nProof. fix l 1. exact (fun n => match n with 0 => eq_refl | S m => f_equal S (l m) end). Qed.",
        "fix l on argument 1, 1 calls",
    ),
    (
        "odd",
        "Fixpoint odd (n : nat) := match n with 0 => false | S m => even m end
with even (n : nat) := match n with 0 => true | S m => odd m end.",
        "fix odd on argument 1 with even on argument 1, 2 calls",
    ),
    ("t_rect", "Inductive t := A | B (one two : t).", "fix F on argument 1, 2 calls"),
    (
        "f",
        "Fixpoint f (l : list nat) (n : nat) {struct n} := match n with 0 => l | S m => f (cons ((fix g k := match k with 0 => n | S k => g k end) m) l) m end.",
        "fix f on argument 2, 1 calls",
    ),
];

fn compiled(place: &Path, text: &str) -> Result<Recursions, String> {
    fs::write(place.join("Source.v"), text).expect("a source");
    Coq::find(&RULES).expect("Coq is installed").compile(place, "Source").expect("coqc runs")?;
    let bytes = fs::read(place.join("Source.vo")).expect("a compiled file");
    Recursions::of(&bytes).map_err(|error| error.to_string())
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn recursion_that_is_not_structural_is_refused_wherever_it_stands() {
    let place = tempfile::tempdir().expect("a directory");
    let mut survivors = Vec::new();
    for (name, sentences, why) in REFUSED.iter().chain(LATER) {
        match compiled(place.path(), &format!("{BEFORE}{sentences}\n")) {
            Err(_) if LATER.iter().any(|(_, later, _)| later == sentences) => {}
            Err(message) => survivors.push(format!("{sentences}\n  does not compile: {message}")),
            Ok(found)
                if found.refused.get(*name).is_some_and(|found| found.iter().any(|words| words.contains(why))) => {}
            Ok(found) => survivors.push(format!("{sentences}\n  {found:?}")),
        }
    }
    assert!(survivors.is_empty(), "{} of {}:\n{}", survivors.len(), REFUSED.len(), survivors.join("\n"));
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn recursion_that_is_structural_is_listed() {
    let place = tempfile::tempdir().expect("a directory");
    for (name, sentences, words) in ACCEPTED {
        let found = compiled(place.path(), sentences).expect(sentences);
        assert_eq!(found.refused, BTreeMap::new(), "{sentences}");
        assert!(
            found.of.get(*name).is_some_and(|found| found.iter().any(|found| found == words)),
            "{sentences}: {found:?}"
        );
    }
}

/// A compiled file with a byte altered is read, or refused; never more.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_compiled_file_that_is_broken_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let (_, sentences, _) = ACCEPTED[0];
    compiled(place.path(), &format!("{BEFORE}{sentences}\n")).expect("it compiles");
    let bytes = fs::read(place.path().join("Source.vo")).expect("a compiled file");
    let mut refused = 0;
    for at in 0..bytes.len() {
        assert!(Recursions::of(&bytes[..at]).is_err(), "{at}");
        for byte in [0x00, 0x04, 0x08, 0x80, 0xFF, bytes[at] ^ 1, bytes[at].wrapping_add(1)] {
            let mut broken = bytes.clone();
            broken[at] = byte;
            refused += usize::from(Recursions::of(&broken).is_err());
        }
    }
    assert!(refused > bytes.len(), "{refused} of {}", 7 * bytes.len());
}

/// The checker that comes with Coq has the kernel's code and its hole; if it ever refuses this, the README says too little
/// of it.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn the_checker_accepts_a_proof_of_false() {
    let place = tempfile::tempdir().expect("a directory");
    let (name, sentences, _) = REFUSED[0];
    assert_eq!(name, "issue");
    compiled(place.path(), &format!("{BEFORE}{sentences}\n")).expect("it compiles");
    let coq = Coq::find(&RULES).expect("Coq is installed");
    assert_eq!(coq.recheck(place.path(), &["Source".to_owned()].into()).expect("coqchk runs"), Ok(()));
}
