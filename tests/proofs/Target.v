(** * What the attacks aim at

  One small theorem for each way in which the meaning of a statement may hang on something that the
  statement does not show. *)

From Coq Require Import Reals.
From Posproof Require Import RoundingFormat.
From Posproof Require Instance.

Open Scope R_scope.

(** An argument that is left out. *)
Definition below {length : nat} (x : R) : Prop := x < INR length.
Theorem rounding_implicit (x : R) : @below 3 x -> @below 3 x.
Proof. exact (fun less => less). Qed.

(** A definition that is called a lemma. *)
Lemma weight : nat -> R.
Proof. exact (fun n => INR n). Defined.
Theorem rounding_weight (n : nat) : weight n = weight n.
Proof. reflexivity. Qed.

(** A definition that a tactic writes. *)
Ltac pick := exact 1.
Definition picked : R := ltac:(pick).
Theorem rounding_picked : picked = picked.
Proof. reflexivity. Qed.

(** A definition local to a section, and a variable of it. *)
Section Local.
Variable shift : R.
Let scale : R := 2.
Definition scaled (x : R) : R := scale * x + shift.
End Local.
Theorem rounding_scaled (x : R) : scaled 0 x = scaled 0 x.
Proof. reflexivity. Qed.

(** A structure that is found by its type. *)
Record pointed := Pointed { carrier : Type; point : carrier }.
Definition chosen {p : pointed} : carrier p := point p.
Canonical pointed_nat : pointed := @Pointed nat 0%nat.
Theorem rounding_canonical : (chosen : nat) = (chosen : nat).
Proof. reflexivity. Qed.

(** Constructors, and recursion over them. *)
Inductive tree := Leaf (n : nat) | Node (left right : tree).
Fixpoint size (t : tree) : nat := match t with Leaf _ => 1 | Node l r => size l + size r end.
Theorem rounding_tree : size (Leaf 5) = size (Leaf 5).
Proof. reflexivity. Qed.

(** A proof inside a term. *)
Lemma small : (0 < 1)%nat.
Proof. apply le_n. Qed.
Definition first : {n : nat | (n < 1)%nat} := exist _ 0%nat small.
Theorem rounding_proof : proj1_sig first = proj1_sig first.
Proof. reflexivity. Qed.

(** Symbols and names of the library. *)
Theorem rounding_symbols (x y : R) : sin x + y = sin x + y.
Proof. reflexivity. Qed.

(** A definition by what a file makes of a library. *)
Definition nothing := Instance.Digits.zero.
Theorem rounding_instance : nothing = nothing.
Proof. reflexivity. Qed.
