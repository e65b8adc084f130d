//! The edits of the attacks on the development, and those that change nothing.

use posproof_coq_audit::violation::ViolationKind;

/// Replaces a text that stands in a file once; the empty text stands before a file that is made.
pub type Edit = (&'static str, &'static str, &'static str);

/// Coq 8.16 accepts it, and so does its checker (rocq-prover/rocq#20455).
const HOLE: &str = "\
Definition not_zero n := match n with 0 => False | S _ => True end.
Definition not_one n := match n with 0 => False | S n => not_zero n end.
Fixpoint issue (n : nat) {struct n} : not_zero n -> False.
Proof.
  refine match n with 0 => fun h => h | S subn => fun h =>
    let f (b : bool) (e : b = true) (x : nat) (Hx : not_one x) :=
      let arg := (match (if b then x else subn) with 0 => subn | S subsubn => subsubn end) in issue arg _
    in f true eq_refl 5 I end.
  subst b; destruct x; cbn in Hx; [now exfalso | assumption].
Defined.
Definition error : False := issue 1 I.
";

pub struct Attack {
    pub name: &'static str,
    pub edits: &'static [Edit],
    /// The theorems that are audited.
    pub theorems: &'static [&'static str],
    /// Violation that must be found, and its place.
    pub found: (ViolationKind, &'static str),
}

/// Those that stand together are made in one copy: none changes what another is about, and none can be taken for another,
/// since what is found against each has a subject of its own.
pub const ATTACKS: &[&[Attack]] = &[
    // Statements: against each of these theorems something else is found.
    &[
        Attack {
            name: "another value of an argument that is left out",
            edits: &[("Target.v", "@below 3 x -> @below 3 x", "@below 0 x -> @below 0 x")],
            theorems: &["rounding_implicit"],
            found: (ViolationKind::Statement, "rounding_implicit"),
        },
        Attack {
            name: "a hypothesis that nothing satisfies",
            edits: &[("Target.v", "rounding_tree : size (Leaf 5)", "rounding_tree : 0 = 1 -> size (Leaf 5)")],
            theorems: &["rounding_tree"],
            found: (ViolationKind::Statement, "rounding_tree"),
        },
        Attack {
            name: "another name",
            edits: &[("Target.v", "Theorem rounding_picked", "Theorem rounding_taken")],
            theorems: &["rounding_picked", "rounding_taken"],
            found: (ViolationKind::Missing, "rounding_picked"),
        },
        Attack {
            name: "a weaker statement, with its pin read by nobody",
            edits: &[
                ("Target.v", "(x y : R) : sin x + y", "(x y : R) (_ : x = y) : sin x + y"),
                ("audit/Target.pin", "forall x y : R, sin x", "forall x y : R, x = y -> sin x"),
            ],
            theorems: &["rounding_symbols"],
            found: (ViolationKind::Statement, "rounding_symbols"),
        },
    ],
    // Definitions, each of another theorem: one that is found is enough to prove nothing.
    &[
        Attack {
            name: "another body of a definition that is called a lemma",
            edits: &[("Target.v", "(fun n => INR n)", "(fun n => 0)")],
            theorems: &["rounding_weight"],
            found: (ViolationKind::Definition, "Target.weight"),
        },
        Attack {
            name: "another tactic, which writes another definition",
            edits: &[("Target.v", "Ltac pick := exact 1.", "Ltac pick := exact 2.")],
            theorems: &["rounding_picked"],
            found: (ViolationKind::Definition, "Target.picked"),
        },
        Attack {
            name: "another definition local to a section",
            edits: &[("Target.v", "Let scale : R := 2.", "Let scale : R := 3.")],
            theorems: &["rounding_scaled"],
            found: (ViolationKind::Definition, "Target.scaled"),
        },
        Attack {
            name: "another structure found by its type",
            edits: &[("Target.v", "@Pointed nat 0%nat", "@Pointed nat 1%nat")],
            theorems: &["rounding_canonical"],
            found: (ViolationKind::Definition, "Target.pointed_nat"),
        },
        Attack {
            name: "another type of a constructor",
            edits: &[
                ("Target.v", "Leaf (n : nat)", "Leaf (n : nat) (_ : n = n)"),
                ("Target.v", "Leaf _ =>", "Leaf _ _ =>"),
                ("Target.v", "size (Leaf 5) = size (Leaf 5)", "size (Leaf 5 eq_refl) = size (Leaf 5 eq_refl)"),
            ],
            theorems: &["rounding_tree"],
            found: (ViolationKind::Definition, "Target.tree"),
        },
        Attack {
            name: "another statement of a proof inside a term",
            edits: &[("Target.v", "Lemma small : (0 < 1)%nat.", "Lemma small : (0 < 0 + 1)%nat.")],
            theorems: &["rounding_proof"],
            found: (ViolationKind::Definition, "Target.small"),
        },
        Attack {
            name: "another permutation between the two layouts",
            edits: &[(
                "RotaryLayout.v",
                "'I_(h.*2) := at_pair (half_no j) (in_second j).",
                "'I_(h.*2) := id (at_pair (half_no j) (in_second j)).",
            )],
            theorems: &["rope_pair_layout"],
            found: (ViolationKind::Definition, "RotaryLayout.regroup_fun"),
        },
        Attack {
            name: "another instance of a library",
            edits: &[("Instance.v", "StdZRadix2", "BigIntRadix2")],
            theorems: &["rounding_instance"],
            found: (ViolationKind::Definition, "Instance"),
        },
    ],
    // Others of the same theorems.
    &[
        Attack {
            name: "an opaque definition",
            edits: &[("Target.v", "exact (fun n => INR n). Defined.", "exact (fun n => 0). Qed.")],
            theorems: &["rounding_weight"],
            found: (ViolationKind::Hidden, "Target.weight"),
        },
        Attack {
            name: "another recursion",
            edits: &[("Target.v", "size l + size r", "size l + 0 * size r")],
            theorems: &["rounding_tree"],
            found: (ViolationKind::Definition, "Target.size"),
        },
    ],
    &[Attack {
        name: "a notation that means another symbol",
        edits: &[(
            "Target.v",
            "Theorem rounding_symbols",
            "Notation \"x + y\" := (Rminus x y) : R_scope.\nTheorem rounding_symbols",
        )],
        theorems: &["rounding_symbols"],
        found: (ViolationKind::Statement, "rounding_symbols"),
    }],
    &[Attack {
        name: "a definition that hides the library's of the same name",
        edits: &[(
            "Target.v",
            "Theorem rounding_symbols",
            "Definition sin (x : R) : R := 0.\nTheorem rounding_symbols",
        )],
        theorems: &["rounding_symbols"],
        found: (ViolationKind::Statement, "rounding_symbols"),
    }],
    &[Attack {
        name: "a later import that hides the library's name",
        edits: &[
            ("Shadow.v", "", "From Coq Require Import Reals.\nDefinition sin (x : R) : R := x.\n"),
            ("Target.v", "Require Import RoundingFormat.", "Require Import RoundingFormat Shadow."),
        ],
        theorems: &["rounding_symbols"],
        found: (ViolationKind::Unpinned, "Shadow.sin"),
    }],
    &[Attack {
        name: "a file with the name of a library's",
        edits: &[
            ("Rtrigo_def.v", "", "From Coq Require Import Reals.\nDefinition sin (x : R) : R := x.\n"),
            ("Target.v", "Require Import RoundingFormat.", "Require Import RoundingFormat Rtrigo_def."),
        ],
        theorems: &["rounding_symbols"],
        found: (ViolationKind::Library, "Coq.Reals.Rtrigo_def"),
    }],
    &[
        Attack {
            name: "recursion that is not structural, which Coq 8.16 takes for such, and False by it",
            edits: &[
                ("Hole.v", "", HOLE),
                ("Target.v", "Require Import RoundingFormat.", "Require Import RoundingFormat Hole."),
                (
                    "Target.v",
                    "Theorem rounding_picked : picked = picked.\nProof. reflexivity. Qed.",
                    "Theorem rounding_picked : picked = picked.\nProof. destruct Hole.error. Qed.",
                ),
            ],
            theorems: &["rounding_picked"],
            found: (ViolationKind::Recursion, "Hole.issue"),
        },
        Attack {
            name: "recursion in a proof of which no statement knows",
            edits: &[(
                "Target.v",
                "Theorem rounding_tree : size (Leaf 5) = size (Leaf 5).\nProof. reflexivity. Qed.",
                "Theorem rounding_tree : size (Leaf 5) = size (Leaf 5).\n\
                 Proof. exact ((fix again (n : nat) (x : nat) : x = x := match n with O => eq_refl | S m => again m x end) 5%nat _). Qed.",
            )],
            theorems: &["rounding_tree"],
            found: (ViolationKind::Unpinned, "Target.rounding_tree"),
        },
    ],
    &[Attack {
        name: "recursion that is pinned otherwise",
        edits: &[("audit/Target.pin", "fix size on argument 1, 2 calls", "fix size on argument 1, 1 calls")],
        theorems: &["rounding_tree"],
        found: (ViolationKind::Definition, "Target.size"),
    }],
    &[Attack {
        name: "another theorem of the same name, of which one is meant and the other asked about",
        edits: &[(
            "Instance.v",
            "Module Digits",
            "Theorem rounding_instance : True.\nProof. exact I. Qed.\nModule Digits",
        )],
        theorems: &["rounding_instance"],
        found: (ViolationKind::Duplicate, "rounding_instance"),
    }],
    &[Attack {
        name: "a pin that reads otherwise than the theorem",
        edits: &[("audit/Target.pin", "forall x y : R, sin x + y = sin x + y", "forall x y : R, sin x + y = 0")],
        theorems: &["rounding_symbols"],
        found: (ViolationKind::Statement, "rounding_symbols"),
    }],
];

/// Words that the text alone shows.
pub const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("an axiom", "Axiom assumed : False.", "Axiom"),
    ("an axiom in a module type", "Module Type Assumed. Axiom assumed : False. End Assumed.", "Axiom"),
    ("a functor over a module type", "Module F (A : Assumed). Definition x := A.assumed. End F.", "Module F"),
    ("a module that is only declared", "Declare Module A : Assumed.", "Declare"),
    ("a parameter in a section", "Section S. Parameter assumed : False. End S.", "Parameter"),
    ("a variable outside every section", "Variable assumed : False.", "Variable"),
    ("a proof left open", "Lemma open : False. Proof. Admitted.", "Admitted"),
    ("a goal left open", "Lemma open : False. Proof. 1: { admit. } Abort.", "admit"),
    (
        "recursion unchecked, by attribute",
        "#[local] #[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
        "bypass_check",
    ),
    ("recursion unchecked, by option", "Unset Guard Checking.", "Unset Guard Checking"),
    ("universes unchecked", "Local Unset Universe Checking.", "Unset Universe Checking"),
    ("equality proofs equal by definition", "Set Definitional UIP.", "Set Definitional UIP"),
    ("printing abridged", "#[global] Set Printing Depth 1.", "Set Printing Depth 1"),
    ("how a library's function is written", "#[global] Arguments Rpower {_ _}.", "Arguments Rpower"),
    (
        "the same after an import",
        "Definition sin := 0. From Coq Require Import Reals. Arguments sin {_}.",
        "Arguments sin",
    ),
    (
        "the same of another file's",
        "Global Arguments Posproof.Encoding.PE h {omega} t.",
        "Arguments Posproof.Encoding.PE",
    ),
    ("corecursion", "CoFixpoint zeros : stream := Next 0 zeros.", "CoFixpoint"),
    ("a coercion", "Coercion INR : nat >-> R.", "Coercion"),
    ("a library of nowhere", "Require Import Posproof.Stale.", "Require"),
    ("a file read", "Load \"Stale\".", "Load"),
    ("a path added", "Add LoadPath \"/tmp\" as Coq.", "Add"),
    ("a plugin", "Declare ML Module \"stale\".", "Declare"),
    ("a letter that looks like another", "Definition о : nat := 0.", "о"),
    ("a comment without end", "(* Definition hidden := 0.", "the end of the file"),
];

/// Edits that change nothing of what is stated: the audit must stay green.
pub const HARMLESS: &[Edit] = &[
    ("Target.v", "Proof. exact (fun less => less). Qed.", "Proof. intro less; exact less. Qed."),
    (
        "Target.v",
        "Theorem rounding_implicit",
        "Arguments below : clear implicits.\n\
         Lemma other (x : R) : below 3 x -> below 3 x.\nProof. exact (fun less => less). Qed.\n\
         Arguments below {length} x.\nTheorem rounding_implicit",
    ),
    (
        "Target.v",
        "Theorem rounding_symbols",
        "Notation \"x +. y\" := (Rplus x y) (at level 50) : R_scope.\nTheorem rounding_symbols",
    ),
];
