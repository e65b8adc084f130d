(** The formulas of the rules that programs compute themselves, NTK's base and llama3's blend, as terms. *)

From Posproof Require Import RoundingScaled.

Definition stretched (W : format) (kappa gamma : term) : term :=
  Sum (cast W (Sum (pow W kappa gamma) (Product kappa (smallest W)))) (half_smallest W).

Lemma stretched_value W kappa gamma : value (stretched W kappa gamma) = stretched_error W (value kappa) (value gamma).
Proof.
  destruct (cast_value W (Sum (pow W kappa gamma) (Product kappa (smallest W))) (Whole 0)) as [relative _].
  unfold stretched, stretched_error, half_smallest. cbn [value]. rewrite relative. cbn [value].
  now rewrite pow_value, smallest_value.
Qed.

(** rho_b/(1 - rho_b). *)
Definition logarithm_of (rho_b : term) : term := Quotient rho_b (Difference (Whole 1) rho_b).

Definition based (e lambda rho : term) : term :=
  one_less (Product (one_more rho) (Exponential (Product (Magnitude e) lambda))).

Lemma based_value e lambda rho : value (based e lambda rho) = base_error (value e) (value lambda) (value rho).
Proof. reflexivity. Qed.

Definition blended (W : format) (a b w1 w2 delta rho sigma : term) : term :=
  let W1 := Sum (Product (one_more rho) w1) sigma in
  let W2 := Sum (Product (one_more rho) w2) sigma in
  Sum (Sum (Sum (Sum
    (Product (Product (Whole 2) (unit_of W)) (Sum (Product (Sum a delta) W1) (Product (Sum b delta) W2)))
    (Product delta (Sum W1 W2)))
    (Product rho (Sum (Product a w1) (Product b w2))))
    (Product (Sum a b) sigma))
    (Product (one_more (sharp W)) (smallest W)).

Lemma blended_value W a b w1 w2 delta rho sigma : value (blended W a b w1 w2 delta rho sigma) =
  blend_bound W (value a) (value b) (value w1) (value w2) (value delta) (value rho) (value sigma).
Proof. unfold blended, blend_bound, one_more. cbn [value]. now rewrite unit_value, sharp_value, smallest_value. Qed.

(** The delta of the weights, as crates/bound/src/scaled.rs derives it, for a frequency within r. *)
Definition weights (W : format) (r high range : term) : term :=
  let wave := one_less (Quotient (Product (one_more (sharp W)) (one_more (sharp W))) (Difference (Whole 1) r)) in
  let E := one_less (Quotient (one_more (sharp W)) (Difference (Whole 1) wave)) in
  let H := Quotient high (Difference (Whole 1) E) in
  Sum (Sum (Product (Whole 2) (sharp W)) (half_smallest W))
    (Quotient (Sum (Sum (Product E H) (half_smallest W)) (Product (sharp W) (Product H (one_more E)))) range).

(** For a frequency within rho, sigma of w2, and its quotient by s. *)
Definition llama3 (W : format) (slow : bool) (w2 rho sigma : term) (s low high : Z) : term :=
  let delta := weights W (Sum rho (Quotient sigma w2)) (Whole high) (Whole (high - low)) in
  blended W (Whole (if slow then 1 else 0)) (Whole (if slow then 0 else 1)) (Quotient w2 (Whole s)) w2 delta
    (cast W rho) (cast_tiny W (Quotient sigma (Whole s))).
