(** * A softmax of scores that are known to an error

  What is claimed.  A softmax whose scores are known within ε only is close to the exact one: weight by
  weight, and all weights together within 2 tanh(ε/2).

  Dictionary (n scores s_0 ... s_(n-1), indexed by natural numbers):
  - [weight n s j] == exp(s_j) / Σ_i exp(s_i), the softmax (see [weight_softmax]);
  - [gain ε] == (e^ε - 1)/(e^ε + 1) = tanh(ε/2): the most that a set of weights gains.

  Formulas:
    |weight_j(s') - weight_j(s)| <= min((e^(2ε) - 1) weight_j(s), gain ε)   [rounding_softmax_scores]
    Σ_j |weight_j(s') - weight_j(s)| <= 2 gain ε                            [rounding_softmax_scores]

  Assumes: nothing. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix AttentionLayer RoundingModel.

Open Scope R_scope.

Definition weight (n : nat) (s : nat -> R) (j : nat) : R := exp (s j) / \rsum_(i < n) exp (s i).

Definition gain (epsilon : R) : R := (exp epsilon - 1) / (exp epsilon + 1).

(** [weight] is an entry of the softmax of the attention layer. *)
Lemma weight_softmax n (s : nat -> R) (j : 'I_n) :
  weight n s j = softmax (\matrix_(i, l) s l : 'M_(1, n)) ord0 j.
Proof. by rewrite /weight /softmax !mxE; congr (_ / _); apply: eq_bigr => i _; rewrite mxE. Qed.

(** ** Sums of exponentials *)

Lemma exp_ge n (s : nat -> R) (j : 'I_n) : exp (s j) <= \rsum_(i < n) exp (s i).
Proof. by apply: (rsum_ge_term (F := fun i : 'I_n => exp (s i))) => i; apply: Rlt_le; exact: exp_pos. Qed.

Lemma exps_gt0 n (s : nat -> R) (j : 'I_n) : 0 < \rsum_(i < n) exp (s i).
Proof. exact: Rlt_le_trans (exp_pos (s j)) (exp_ge n s j). Qed.

Lemma weight_gt0 n s (j : 'I_n) : 0 < weight n s j.
Proof. by apply: Rdiv_lt_0_compat; [exact: exp_pos | exact: exps_gt0 j]. Qed.

Lemma weights_sum n s (t : 'I_n) : \rsum_(j < n) weight n s j = 1.
Proof.
rewrite /weight /Rdiv rsum_mulr; apply: Rinv_r.
by move: (exps_gt0 n s t) => Z_gt0; exact: Rgt_not_eq.
Qed.

(** A common shift of all scores changes nothing. *)
Lemma weight_shift n s a j : weight n s j = weight n (fun i => s i - a) j.
Proof.
rewrite /weight; have split_exp x : exp (x - a) = exp x * exp (- a) by rewrite -exp_plus.
under [in RHS]eq_bigr do rewrite split_exp.
rewrite split_exp rsum_mulr /Rdiv Rinv_mult.
have a_gt0 := exp_pos (- a); set Z := \rsum_(i < n) _.
transitivity (exp (s j) * / Z * (exp (- a) * / exp (- a))); last by ring.
by rewrite Rinv_r ?Rmult_1_r //; lra.
Qed.

(** ** Scores known within ε *)

Lemma square_root a : 0 <= a -> exists A, 0 <= A /\ a = A * A.
Proof. by move=> a_ge0; exists (sqrt a); split; [exact: sqrt_pos | rewrite sqrt_sqrt]. Qed.

(** The odds a'/b' are at most x² times a/b. *)
Lemma two_masses (a b a' b' x : R) : 0 <= a -> 0 <= b -> 0 < a + b -> 1 <= x ->
  0 <= a' -> 0 <= b' -> 0 < a' + b' -> a' <= x * a -> b <= x * b' ->
  a' / (a' + b') - a / (a + b) <= (x - 1) / (x + 1).
Proof.
move=> a_ge0 b_ge0 ab_gt0 x_ge1 a'_ge0 b'_ge0 ab'_gt0 a'_le b_le.
have below : (x + 1) * (a' * b - a * b') <= (x - 1) * ((a' + b') * (a + b)).
  have odds : a' * b <= (x * a) * (x * b') by apply: Rmult_le_compat.
  have [A [A_ge0 a_eq]] := square_root a a_ge0; have [B [B_ge0 b_eq]] := square_root b b_ge0.
  have [A' [A'_ge0 a'_eq]] := square_root a' a'_ge0; have [B' [B'_ge0 b'_eq]] := square_root b' b'_ge0.
  have [left_ge0 right_ge0] := (Rmult_le_pos _ _ A'_ge0 B_ge0, Rmult_le_pos _ _ A_ge0 B'_ge0).
  have root_odds : A' * B <= x * (A * B').
    apply: Rsqr_incr_0_var; last by apply: Rmult_le_pos; lra.
    by move: odds; rewrite a_eq b_eq a'_eq b'_eq /Rsqr; lra.
  have first := Rmult_le_pos (x * (A * B') - A' * B) (A * B' + A' * B) ltac:(lra) ltac:(lra).
  have second := Rmult_le_pos (x - 1) ((A * A' - B * B') * (A * A' - B * B')) ltac:(lra) (Rle_0_sqr _).
  by rewrite a_eq b_eq a'_eq b'_eq; lra.
have product_gt0 := Rmult_lt_0_compat _ _ ab'_gt0 ab_gt0.
have -> : a' / (a' + b') - a / (a + b) = (a' * b - a * b') / ((a' + b') * (a + b)) by field; lra.
apply: (Rmult_le_reg_r ((a' + b') * (a + b))) => //.
have -> : (a' * b - a * b') / ((a' + b') * (a + b)) * ((a' + b') * (a + b)) = a' * b - a * b' by field; lra.
apply: (Rmult_le_reg_l (x + 1)); first by lra.
have -> : (x + 1) * ((x - 1) / (x + 1) * ((a' + b') * (a + b))) = (x - 1) * ((a' + b') * (a + b)) by field; lra.
exact: below.
Qed.

Section Scores.
Variables (n : nat) (s s' : nat -> R) (epsilon : R).
Hypothesis close : forall j, (j < n)%N -> Rabs (s' j - s j) <= epsilon.

Let p := weight n s.
Let p' := weight n s'.
Let x := exp epsilon.

Lemma exp_close j : (j < n)%N -> exp (s' j) <= x * exp (s j) /\ exp (s j) <= x * exp (s' j).
Proof.
move/close/Rabs_le_inv => [low high]; rewrite /x -!exp_plus.
by split; apply: exp_le_1; lra.
Qed.

(** What a set of weights gains. *)
Lemma mass_gain (A : nat -> bool) (t : 'I_n) :
  \rsum_(j < n) (if A j then p' j - p j else 0) <= gain epsilon.
Proof.
have eps_ge0 : 0 <= epsilon by apply: Rle_trans (close t (ltn_ord t)); exact: Rabs_pos.
have x_ge1 : 1 <= x by rewrite /x -exp_0; apply: exp_le_1.
pose inside (f : nat -> R) := \rsum_(j < n) (if A j then exp (f j) else 0).
pose outside (f : nat -> R) := \rsum_(j < n) (if A j then 0 else exp (f j)).
have whole f : inside f + outside f = \rsum_(j < n) exp (f j).
  by rewrite -rsum_add; apply: eq_bigr => j _; case: (A j); ring.
have inside_ge0 f : 0 <= inside f.
  by apply: rsum_ge0 => j; case: (A j); [apply: Rlt_le; exact: exp_pos | exact: Rle_refl].
have outside_ge0 f : 0 <= outside f.
  by apply: rsum_ge0 => j; case: (A j); [exact: Rle_refl | apply: Rlt_le; exact: exp_pos].
have part f : \rsum_(j < n) (if A j then weight n f j else 0) = inside f / (inside f + outside f).
  rewrite whole /Rdiv -rsum_mulr; apply: eq_bigr => j _; rewrite /weight.
  by case: (A j); rewrite /Rdiv; ring.
have -> : \rsum_(j < n) (if A j then p' j - p j else 0) =
  inside s' / (inside s' + outside s') - inside s / (inside s + outside s).
  by rewrite -!part -rsum_sub; apply: eq_bigr => j _; case: (A j); rewrite /p /p'; ring.
apply: two_masses => //; rewrite ?whole; try exact: exps_gt0 t.
- rewrite -rsum_mull; apply: rsum_le => j.
  by have [le _] := exp_close j (ltn_ord j); case: (A j); rewrite ?Rmult_0_r //; exact: Rle_refl.
- rewrite -rsum_mull; apply: rsum_le => j.
  by have [_ le] := exp_close j (ltn_ord j); case: (A j); rewrite ?Rmult_0_r //; exact: Rle_refl.
Qed.

Lemma weight_ratio (j : 'I_n) : p' j <= x * x * p j.
Proof.
have [up _] := exp_close j (ltn_ord j); rewrite /p /p' /weight.
have [Z_gt0 Z'_gt0] := (exps_gt0 n s j, exps_gt0 n s' j).
have Z_le : \rsum_(i < n) exp (s i) <= x * \rsum_(i < n) exp (s' i).
  by rewrite -rsum_mull; apply: rsum_le => i; have [_ le] := exp_close i (ltn_ord i).
set Z := \rsum_(i < n) exp (s i) in Z_gt0 Z_le *; set Z' := \rsum_(i < n) exp (s' i) in Z'_gt0 Z_le *.
apply: (Rmult_le_reg_r (Z * Z')); first exact: Rmult_lt_0_compat.
have -> : exp (s' j) / Z' * (Z * Z') = exp (s' j) * Z by field; lra.
have -> : x * x * (exp (s j) / Z) * (Z * Z') = (x * exp (s j)) * (x * Z') by field; lra.
by apply: Rmult_le_compat => //; [apply: Rlt_le; exact: exp_pos | exact: Rlt_le].
Qed.

End Scores.

(** rounding.softmax-scores: if all scores are within ε of the exact ones, no weight of the softmax changes by
    more than (e^(2ε) - 1) times itself, nor by more than tanh(ε/2), and all weights together change by at
    most 2 tanh(ε/2). *)
Theorem rounding_softmax_scores (n : nat) (s s' : nat -> R) (epsilon : R) :
  (forall j, (j < n)%N -> Rabs (s' j - s j) <= epsilon) ->
  (forall j, (j < n)%N -> Rabs (weight n s' j - weight n s j)
     <= Rmin ((exp (2 * epsilon) - 1) * weight n s j) (gain epsilon)) /\
  ((0 < n)%N -> \rsum_(j < n) Rabs (weight n s' j - weight n s j) <= 2 * gain epsilon).
Proof.
move=> close; have close' j : (j < n)%N -> Rabs (s j - s' j) <= epsilon.
  by move=> lt_jn; rewrite Rabs_minus_sym; exact: close.
have split_exp : exp (2 * epsilon) = exp epsilon * exp epsilon by rewrite -exp_plus; congr exp; ring.
split=> [k lt_kn | n_gt0]; last first.
  pose A j := Rle_bool (weight n s j) (weight n s' j); pose t := Ordinal n_gt0.
  have twice : \rsum_(j < n) Rabs (weight n s' j - weight n s j) =
    2 * (\rsum_(j < n) (if A j then weight n s' j - weight n s j else 0))
    - (\rsum_(j < n) weight n s' j - \rsum_(j < n) weight n s j).
    rewrite -rsum_mull -!rsum_sub; apply: eq_bigr => j _; rewrite /A.
    by case: Rle_bool_spec => order; [rewrite Rabs_pos_eq | rewrite Rabs_left]; lra.
  by rewrite twice !(weights_sum n _ t); have := mass_gain n s s' epsilon close A t; lra.
pose j := Ordinal lt_kn; have -> : k = j by [].
have one f : \rsum_(i < n) (if (i == j :> nat) then f i else 0) = f j :> R.
  by rewrite (rsum_one (i0 := j)) ?eqxx // => i; rewrite -val_eqE => /negPf ->.
have up := mass_gain n s s' epsilon close (fun i => i == j) j.
have down := mass_gain n s' s epsilon close' (fun i => i == j) j.
rewrite (one (fun i => weight n s' i - weight n s i)) in up.
rewrite (one (fun i => weight n s i - weight n s' i)) in down.
have [above below] := (weight_ratio n s s' epsilon close j, weight_ratio n s' s epsilon close' j).
rewrite -split_exp in above below; set y := exp (2 * epsilon) in above below *.
have [p_gt0 p'_gt0] := (weight_gt0 n s j, weight_gt0 n s' j).
have y_ge1 : 1 <= y.
  have eps_ge0 : 0 <= epsilon by apply: Rle_trans (close j lt_kn); exact: Rabs_pos.
  by rewrite /y -exp_0; apply: exp_le_1; lra.
apply: Rmin_glb; apply: Rabs_le; split; try lra; nra.
Qed.
