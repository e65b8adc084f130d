(** The formulas of the rules that programs compute themselves, NTK's base and llama3's blend, as terms. A term has no
    names for its parts, so that formulas are written with few occurrences of what takes long to enclose. *)

From Posproof Require Import RoundingScaled RoundingWeights.

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

(** gamma, as it is exactly. *)
Definition exact_weight (L low high : Z) (w : term) : term :=
  let turned := Quotient (Product (Whole L) w) (Product (Whole 2) HalfTurn) in
  Least (Whole 1) (Greatest (Whole 0) (Quotient (Difference turned (Whole low)) (Whole (high - low)))).

Lemma exact_weight_value L low high w :
  value (exact_weight L low high w) = weight (IZR L) (IZR low) (IZR high) (value w).
Proof. unfold exact_weight, weight, clamp, turns. cbn [value]. now rewrite minus_IZR. Qed.

(** The delta of the weights, with r in one place only: y is 1 + E, and EH + vH(1 + E) = high((1 + 2v)/(2 - y) - (1 + v)). *)
Definition weights (W : format) (r high range : term) : term :=
  let z := Quotient (Product (one_more (sharp W)) (one_more (sharp W))) (Difference (Whole 1) r) in
  let y := Quotient (one_more (sharp W)) (Difference (Whole 2) z) in
  let moved := Difference (Quotient (one_more (Product (Whole 2) (sharp W))) (Difference (Whole 2) y)) (one_more (sharp W)) in
  Sum (Sum (Product (Whole 2) (sharp W)) (half_smallest W))
    (Quotient (Sum (Product high moved) (half_smallest W)) range).

Lemma weights_value W r high range : turns_error W (value r) < 1 ->
  value (weights W r high range) = weight_error W (value r) (value high) (value range).
Proof.
  intros below. unfold weights, half_smallest, weight_error, one_more. cbn [value]. rewrite sharp_value, smallest_value.
  replace (2 - (1 + v W) * (1 + v W) / (1 - value r)) with (1 - wave_error W (value r)) by (unfold wave_error; ring).
  replace ((1 + v W) / (1 - wave_error W (value r))) with (1 + turns_error W (value r)) by (unfold turns_error; ring).
  set (E := turns_error W (value r)) in *.
  replace (value high * ((1 + 2 * v W) / (2 - (1 + E)) - (1 + v W))) with
    (E * (value high / (1 - E)) + v W * (value high / (1 - E) * (1 + E))) by (field; lra).
  f_equal. f_equal. ring.
Qed.

(** ω(1/s + γ(1 - 1/s)), the blend of ω and ω/s. *)
Definition llama3_frequency (w : term) (s L low high : Z) : term :=
  let one_in_s := Quotient (Whole 1) (Whole s) in
  Product w (Sum one_in_s (Product (exact_weight L low high w) (Difference (Whole 1) one_in_s))).

Lemma llama3_frequency_value w s L low high : value (llama3_frequency w s L low high) =
  let g := weight (IZR L) (IZR low) (IZR high) (value w) in (1 - g) * (value w / IZR s) + g * value w.
Proof. unfold llama3_frequency. cbn [value]. rewrite exact_weight_value. unfold Rdiv. ring. Qed.

(** For a frequency within rho and sigma of w, and its quotient by s. *)
Definition llama3 (W : format) (w rho sigma : term) (s L low high : Z) : term :=
  let rho' := cast W rho in
  let sigma' := Greatest sigma (cast_tiny W (Quotient sigma (Whole s))) in
  let delta := weights W (Sum rho (Quotient sigma w)) (Whole high) (Whole (high - low)) in
  let blend := llama3_frequency w s L low high in
  let both := Product w (one_more (Quotient (Whole 1) (Whole s))) in
  let twice := Product (Whole 2) (unit_of W) in
  Sum (Sum (Sum (Sum
    (Product twice (Sum (Product (one_more rho') blend) sigma'))
    (Product (Product (one_more twice) delta) (Sum (Product (one_more rho') both) (Product (Whole 2) sigma'))))
    (Product rho' blend))
    sigma')
    (Product (one_more (sharp W)) (smallest W)).

(** The formula of [rounding_frequency_llama3]. *)
Lemma llama3_value W w rho sigma s L low high : turns_error W (value rho + value sigma / value w) < 1 ->
  value (llama3 W w rho sigma s L low high) =
  let g := weight (IZR L) (IZR low) (IZR high) (value w) in
  blend_bound W (1 - g) g (value w / IZR s) (value w)
    (weight_error W (value rho + value sigma / value w) (IZR high) (IZR high - IZR low))
    (cast_relative W (value rho)) (Rmax (value sigma) (cast_absolute W (value sigma / IZR s))).
Proof.
  intros below. destruct (cast_value W rho (Quotient sigma (Whole s))) as [relative absolute].
  unfold llama3, one_more. cbn [value]. rewrite weights_value by exact below. cbn [value].
  rewrite relative, absolute, llama3_frequency_value, unit_value, sharp_value, smallest_value, minus_IZR. cbn [value].
  unfold blend_bound, Rdiv. ring.
Qed.
