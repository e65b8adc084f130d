(** * Rotated vectors that are stored in a format of few bits, and the output from positions on

  What is claimed.  Queries and keys are rotated by a computed table, then cast, maybe with a scale
  for each group of numbers.  Their dot product, added in any way, is within a stated bound of the
  score of the vectors before they are rotated; so is the logit; and an output of attention moves by
  no more than the stored values do.

  Dictionary (see RoundingScore.v, RoundingUnitScore.v):
  - [stored_relative A w] == (1 + A)(1 + w) - 1; [stored_absolute c w e] == c (1 + w) + √2 e: what a
    pair errs by that errs by A and c, and is then cast by w and e;
  - [stored_score h A c w e α β κ Q K] == B (1 + κ) + κ Q K with
    B = D + α (Q K + D) + β, D = lengths_defect of the two.

  Formulas:
    pairs within A and c of the rotated ones, cast within w and e, a dot product within α Σ|x_i y_i| + β,
    multiplied by scales to within κ of itself: within stored_score of the exact one  [rounding_stored_score]
    times a computed scale, rounded: within logit_bound                             [rounding_stored_logit]
    values stored within w of themselves and e: an output moves by w X + e        [rounding_stored_values]

  Assumes: no overflow. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingPlane RoundingSum RoundingScore.
From Posproof Require Import RoundingUnitScore RoundingSoftmaxScores RoundingAttention RoundingRescaled.

Open Scope R_scope.

Definition stored_relative (A w : R) : R := (1 + A) * (1 + w) - 1.
Definition stored_absolute (c w e : R) : R := c * (1 + w) + sqrt 2 * e.

Definition stored_score (h : nat) (A c w e alpha beta kappa Q K : R) : R :=
  let D := lengths_defect h (stored_relative A w) (stored_absolute c w e) Q K in
  let B := D + alpha * (Q * K + D) + beta in
  B * (1 + kappa) + kappa * (Q * K).

(** Both components within w of themselves and e: the pair is within w of its length and √2 e. *)
Lemma pair_near (w e x0 x1 x0' x1' : R) : 0 <= w -> 0 <= e ->
  near w e x0' x0 -> near w e x1' x1 ->
  plane_norm (x0' - x0) (x1' - x1) <= w * plane_norm x0 x1 + sqrt 2 * e.
Proof.
move=> w_ge0 e_ge0; rewrite /near => near0 near1.
apply: Rle_trans (plane_norm_le _ _ _ _ near0 near1) _.
apply: Rle_trans (plane_norm_triangle (w * Rabs x0) (w * Rabs x1) e e) _.
rewrite plane_norm_scale plane_norm_abs (Rabs_pos_eq w) //; apply: Rplus_le_compat_l.
by apply: plane_norm_box; rewrite Rabs_pos_eq //; exact: Rle_refl.
Qed.

Section Stored.
Variables (h : nat) (omega : nat -> R) (m n : R) (q k q1 k1 q2 k2 : nat -> R).
Variables (A c w e alpha beta kappa Q K d d' : R).
Hypothesis A_ge0 : 0 <= A.
Hypothesis c_ge0 : 0 <= c.
Hypothesis w_ge0 : 0 <= w.
Hypothesis e_ge0 : 0 <= e.
Hypothesis alpha_ge0 : 0 <= alpha.
Hypothesis kappa_ge0 : 0 <= kappa.
Hypothesis Q_gt0 : 0 < Q.
Hypothesis K_gt0 : 0 < K.
Hypothesis q_length : \rsum_(j < h) (pair_norm q j * pair_norm q j) <= Q * Q.
Hypothesis k_length : \rsum_(j < h) (pair_norm k j * pair_norm k j) <= K * K.
Hypothesis rotated_q : forall j, pair_distance q1 (rotated omega m q) j <= A * pair_norm q j + c.
Hypothesis rotated_k : forall j, pair_distance k1 (rotated omega n k) j <= A * pair_norm k j + c.
Hypothesis stored_q : forall i, near w e (q2 i) (q1 i).
Hypothesis stored_k : forall i, near w e (k2 i) (k1 i).
Hypothesis added : Rabs (d - \rsum_(i < h.*2) (q2 i * k2 i)) <= alpha * (\rsum_(i < h.*2) Rabs (q2 i * k2 i)) + beta.
Hypothesis rescaled : Rabs (d' - d) <= kappa * Rabs d.

Let A' := stored_relative A w.
Let c' := stored_absolute c w e.

Lemma stored_pair x x1 x2 t j :
  pair_distance x1 (rotated omega t x) j <= A * pair_norm x j + c ->
  (forall i, near w e (x2 i) (x1 i)) ->
  pair_distance x2 (rotated omega t x) j <= A' * pair_norm x j + c'.
Proof.
move=> turned stored; have norm_ge0 : 0 <= pair_norm x j by exact: plane_norm_ge_0.
have cast := pair_near w e _ _ _ _ w_ge0 e_ge0 (stored j.*2) (stored j.*2.+1).
rewrite -/(pair_distance x2 x1 j) -/(pair_norm x1 j) in cast.
have length1 : pair_norm x1 j <= pair_norm x j + (A * pair_norm x j + c).
  rewrite -{1}(pair_norm_rotated omega t x j).
  apply: (Rle_trans _ (pair_norm (rotated omega t x) j + pair_distance x1 (rotated omega t x) j)); last by lra.
  rewrite /pair_norm /pair_distance; set y := rotated _ _ _.
  have -> : plane_norm (x1 j.*2) (x1 j.*2.+1) = plane_norm (y j.*2 + (x1 j.*2 - y j.*2)) (y j.*2.+1 + (x1 j.*2.+1 - y j.*2.+1)).
    by congr plane_norm; ring.
  exact: plane_norm_triangle.
have triangle : pair_distance x2 (rotated omega t x) j <= pair_distance x2 x1 j + pair_distance x1 (rotated omega t x) j.
  rewrite /pair_distance; set y := rotated _ _ _.
  have -> : plane_norm (x2 j.*2 - y j.*2) (x2 j.*2.+1 - y j.*2.+1) =
    plane_norm ((x2 j.*2 - x1 j.*2) + (x1 j.*2 - y j.*2)) ((x2 j.*2.+1 - x1 j.*2.+1) + (x1 j.*2.+1 - y j.*2.+1)).
    by congr plane_norm; ring.
  exact: plane_norm_triangle.
have := Rmult_le_compat_l w _ _ w_ge0 length1.
by rewrite /A' /c' /stored_relative /stored_absolute; lra.
Qed.

(** rounding.stored-score: a query and a key of lengths at most Q and K, whose rotated pairs are known to within A and c, each component
    then cast to within w and e, multiplied and added to within α of the magnitudes and β, and multiplied by scales to within κ: the
    score is within stored_score of that of the exactly rotated ones. *)
Theorem rounding_stored_score :
  Rabs (d' - rope_score h omega m n q k) <= stored_score h A c w e alpha beta kappa Q K.
Proof.
have A'_ge0 : 0 <= A' by rewrite /A' /stored_relative; nra.
have c'_ge0 : 0 <= c'.
  rewrite /c' /stored_absolute; have := sqrt_pos 2; have := Rmult_le_pos _ _ c_ge0 w_ge0.
  by have := Rmult_le_pos _ _ (sqrt_pos 2) e_ge0; lra.
pose error x j := if (j < h)%N then A' * pair_norm x j + c' else 0.
have norm_ge0 x j : 0 <= pair_norm x j by apply: plane_norm_ge_0.
have near x x1 x2 t : (forall j, pair_distance x1 (rotated omega t x) j <= A * pair_norm x j + c) ->
    (forall i, near w e (x2 i) (x1 i)) ->
    forall j, (j < h)%N -> pair_distance x2 (rotated omega t x) j <= error x j.
  by move=> turned stored j lt; rewrite /error lt; exact: stored_pair.
have [mass_le dots_le] := pairs_dot_difference h (rotated omega m q) (rotated omega n k) q2 k2 (error q) (error k)
  (near q q1 q2 m rotated_q stored_q) (near k k1 k2 n rotated_k stored_k).
have range x j : 0 <= error x j <= if (j < h)%N then A' * pair_norm x j + c' else 0.
  by rewrite /error; case: ifP => _; [have := Rmult_le_pos _ _ A'_ge0 (norm_ge0 x j) | ]; lra.
have mass := lengths_mass h h _ _ _ _ _ _ Q K (leqnn h) A'_ge0 c'_ge0 Q_gt0 K_gt0 (norm_ge0 q) (norm_ge0 k)
  q_length k_length (range q) (range k).
have norms := lengths_product h _ _ Q K Q_gt0 K_gt0 q_length k_length.
have same : product_mass h (error q) (error k) (rotated omega m q) (rotated omega n k) =
    \rsum_(j < h) ((pair_norm q j + error q j) * (pair_norm k j + error k j)).
  by apply: eq_bigr => j _; rewrite !pair_norm_rotated.
have same_norms : \rsum_(j < h) (pair_norm (rotated omega m q) j * pair_norm (rotated omega n k) j)
    = \rsum_(j < h) (pair_norm q j * pair_norm k j).
  by apply: eq_bigr => j _; rewrite !pair_norm_rotated.
rewrite same in mass_le; rewrite same same_norms in dots_le.
rewrite -/(rope_score h omega m n q k) in dots_le.
set D := lengths_defect _ _ _ _ _ in mass *; set exact := rope_score _ _ _ _ _ _ in dots_le *.
have size : Rabs exact <= Q * K.
  apply: (score_size h (rotated omega m q) (rotated omega n k) Q K Q_gt0 K_gt0).
    by rewrite (eq_bigr (fun j : 'I_h => pair_norm q j * pair_norm q j)) // => j _; rewrite !pair_norm_rotated.
  by rewrite (eq_bigr (fun j : 'I_h => pair_norm k j * pair_norm k j)) // => j _; rewrite !pair_norm_rotated.
have sum_le := Rmult_le_compat_l _ _ _ alpha_ge0 (Rle_trans _ _ _ mass_le (Rle_trans _ _ _ mass (Rplus_le_compat_r D _ _ norms))).
have first : Rabs (d - exact) <= D + alpha * (Q * K + D) + beta.
  by have := Rabs_diff_triangle d (\rsum_(i < h.*2) (q2 i * k2 i)) exact; lra.
have d_le : Rabs d <= Q * K + (D + alpha * (Q * K + D) + beta) by have := Rabs_by_diff d exact; lra.
have := Rmult_le_compat_l _ _ _ kappa_ge0 d_le; have := Rabs_diff_triangle d' d exact.
by rewrite /stored_score -/A' -/c' -/D; lra.
Qed.

(** rounding.stored-logit: the same score times a computed scale σ' within μσ of σ, rounded to S, is within
    σ((1 + v)(1 + μ)(QK + B) - QK) + η/2 of σ times the exact score, B the bound of the score. *)
Theorem rounding_stored_logit (S : format) (sigma scale mu : R) :
  0 < sigma -> Rabs (scale - sigma) <= mu * sigma ->
  Rabs (fl S (scale * d') - sigma * rope_score h omega m n q k)
  <= logit_bound S sigma mu (Q * K) (stored_score h A c w e alpha beta kappa Q K).
Proof.
move=> sigma_gt0 scale_near.
have score := rounding_stored_score; set B := stored_score _ _ _ _ _ _ _ _ _ _ in score *.
set exact := rope_score _ _ _ _ _ _ in score *.
have size : Rabs exact <= Q * K.
  apply: (score_size h (rotated omega m q) (rotated omega n k) Q K Q_gt0 K_gt0).
    by rewrite (eq_bigr (fun j : 'I_h => pair_norm q j * pair_norm q j)) // => j _; rewrite !pair_norm_rotated.
  by rewrite (eq_bigr (fun j : 'I_h => pair_norm k j * pair_norm k j)) // => j _; rewrite !pair_norm_rotated.
have d_le : Rabs d' <= Q * K + B by have := Rabs_by_diff d' exact; lra.
have mu_ge0 : 0 <= mu.
  by apply: (Rmult_le_reg_r sigma) => //; rewrite Rmult_0_l; apply: Rle_trans scale_near; exact: Rabs_pos.
have scale_le : Rabs scale <= (1 + mu) * sigma.
  by have := Rabs_by_diff scale sigma; rewrite (Rabs_pos_eq sigma); lra.
have rounded := near_fl_exact S (scale * d'); rewrite /near Rabs_mult in rounded.
have v0 := v_pos S.
have product_le : Rabs scale * Rabs d' <= (1 + mu) * sigma * (Q * K + B).
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
have split_diff := product_diff scale sigma d' exact.
have first : Rabs (scale - sigma) * Rabs d' <= mu * sigma * (Q * K + B).
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
have second : Rabs sigma * Rabs (d' - exact) <= sigma * B.
  by rewrite (Rabs_pos_eq sigma); [apply: Rmult_le_compat_l; lra | lra].
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v0) product_le.
by move: (Rabs_diff_triangle (fl S (scale * d')) (scale * d') (sigma * exact)); rewrite /logit_bound; lra.
Qed.

End Stored.

(** rounding.stored-values: values y of at most X, stored within w of themselves and e as x: an output within B of attention with
    the stored values is within B + w X + e of attention with the values themselves. *)
Theorem rounding_stored_values (n : nat) (logit x y : nat -> R) (top : 'I_n) (w e X B output : R) :
  0 <= w -> (forall j, (j < n)%N -> Rabs (y j) <= X) -> (forall j, (j < n)%N -> near w e (x j) (y j)) ->
  Rabs (output - \rsum_(j < n) (weight n logit j * x j)) <= B ->
  Rabs (output - \rsum_(j < n) (weight n logit j * y j)) <= B + w * X + e.
Proof.
move=> w_ge0 y_le stored output_near.
have moved : Rabs (\rsum_(j < n) (weight n logit j * x j) - \rsum_(j < n) (weight n logit j * y j)) <= w * X + e.
  rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(j < n) (weight n logit j * (w * X + e)))).
    apply: (rsum_abs_le (fun j => weight n logit j * x j - weight n logit j * y j) (fun j => weight n logit j * (w * X + e))) => j lt.
    have weight_ge0 := Rlt_le _ _ (weight_gt0 n logit (Ordinal lt)); rewrite /= in weight_ge0.
    rewrite -Rmult_minus_distr_l Rabs_mult (Rabs_pos_eq _ weight_ge0); apply: Rmult_le_compat_l => //.
    have := stored j lt; rewrite /near; have := Rmult_le_compat_l w _ _ w_ge0 (y_le j lt); lra.
  by rewrite rsum_mulr (weights_sum n logit top); lra.
by have := Rabs_diff_triangle output (\rsum_(j < n) (weight n logit j * x j)) (\rsum_(j < n) (weight n logit j * y j)); lra.
Qed.
