(** * The error of attention with rotary position embedding, end to end

  What is claimed.  A query and n keys are rotated by tables, multiplied, scaled, put through the
  shifted softmax, and the values summed with the computed weights, every step in floating point.
  Each logit, and the output, is within a stated bound of the exact one.

  Dictionary (see RoundingScore.v, RoundingUnitScore.v, RoundingSoftmax.v):
  - [products] == how a dot product is summed: products rounded, products that err by what underflow
    takes alone (bfloat16 factors in binary32), or fused multiply-add;
  - [accumulated G how n x y d] == d is a dot product of x and y so computed, in some order;
  - [slope G how n], [floor G how n] == |d - Σ x_i y_i| <= slope Σ|x_i y_i| + floor;
  - [score_lengths F fused G how h r τ Q K] == D + slope (QK + D) + floor, D the defect with
    A = τ + rotation_relative(1 + τ) and c = rotation_absolute;
  - [logit_bound S σ μ M B] == σ((1 + v)(1 + μ)(M + B) - M) + η/2;
  - [output_bound G how n W X] == W X + slope (1 + W)X + floor.

  Formulas, for a query and keys of lengths at most Q and K, r of h pairs rotated, tables within τ:
    |dot - q·k| <= score_lengths                                        [rounding_score_lengths]
    |fl(σ' dot) - σ q·k| <= logit_bound, |σ' - σ| <= μσ                         [rounding_logit]
    |output - Σ p_j x_j| <= output_bound(2 gain(ε) + weights_bound), |x_j| <= X
                                            for logits within ε of exact    [rounding_attention]

  Assumes: no overflow; the library's exponential is within κ ulp; R < 1. A sum of exponentials in any order
  errs by at most (n - 1) v times itself (normaliser_any_order), each quotient by v and η/2 (near_fl_exact). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingPlane RoundingSum RoundingDot.
From Posproof Require Import RoundingProducts RoundingRope RoundingScore RoundingUnitScore.
From Posproof Require Import RoundingSoftmaxScores RoundingSoftmax.

Open Scope R_scope.

(** ** Dot products *)

Inductive products := Rounded | Exact | Fused.

Definition accumulated (G : format) (how : products) (n : nat) (x y : nat -> R) (d : R) : Prop :=
  match how with
  | Rounded => exists o, perm_eq (terms o) (iota 0 n) /\ d = computed_dot G x y o
  | Exact => (forall i, Rabs (fl G (x i * y i) - x i * y i) <= eta G / 2) /\
             exists o, perm_eq (terms o) (iota 0 n) /\ d = computed_dot G x y o
  | Fused => d = fused_dot G x y n
  end.

Definition slope (G : format) (how : products) (n : nat) : R :=
  match how with
  | Rounded => INR n * u G
  | Exact => (INR n - 1) * v G
  | Fused => INR n * v G
  end.

Definition floor (G : format) (how : products) (n : nat) : R :=
  match how with
  | Rounded => INR n * (1 + (INR n - 1) * u G) * (eta G / 2)
  | Exact => INR n * (1 + (INR n - 1) * v G) * (eta G / 2)
  | Fused => INR n * (1 + v G) ^ n * (eta G / 2)
  end.

Lemma accumulated_error G how n x y d : accumulated G how n x y d ->
  Rabs (d - \rsum_(i < n) (x i * y i)) <= slope G how n * (\rsum_(i < n) Rabs (x i * y i)) + floor G how n.
Proof.
case: how => /=.
- by move=> [o [each_once ->]]; have [bound _] := rounding_dot G x y n o each_once; exact: bound.
- by move=> [underflow [o [each_once ->]]]; apply: rounding_dot_double_products.
- by move=> ->; exact: rounding_dot_fused.
Qed.

Lemma slope_ge0 G how n : (0 < n)%N -> 0 <= slope G how n.
Proof.
move=> /ltP /lt_INR /= n_gt0; have n_ge1 : 1 <= INR n by apply: (le_INR 1); apply: INR_lt => /=; lra.
by have := u_pos G; have := v_pos G; case: how => /= *; apply: Rmult_le_pos; lra.
Qed.

(** ** Scores of vectors of given lengths *)

Definition score_lengths (F : format) (fused : bool) (G : format) (how : products) (h r : nat)
    (tau Q K : R) : R :=
  let D := lengths_defect r (tau + rotation_relative F fused * (1 + tau)) (rotation_absolute F) Q K in
  D + slope G how h.*2 * (Q * K + D) + floor G how h.*2.

Definition logit_bound (S : format) (sigma mu M B : R) : R :=
  sigma * ((1 + v S) * (1 + mu) * (M + B) - M) + eta S / 2.

(** A dot product of vectors whose pairs are known to errors in length. *)
Lemma accumulated_score G how h (q k q' k' a b : nat -> R) d : (0 < h)%N ->
  accumulated G how h.*2 q' k' d ->
  (forall j, (j < h)%N -> pair_distance q' q j <= a j) ->
  (forall j, (j < h)%N -> pair_distance k' k j <= b j) ->
  Rabs (d - \rsum_(i < h.*2) (q i * k i))
  <= product_mass h a b q k - \rsum_(j < h) (pair_norm q j * pair_norm k j)
     + slope G how h.*2 * product_mass h a b q k + floor G how h.*2.
Proof.
move=> h_gt0 computed near_q near_k; have dot_le := accumulated_error _ _ _ _ _ _ computed.
have slope0 : 0 <= slope G how h.*2 by apply: slope_ge0; rewrite double_gt0.
have [mass_le dots_le] := pairs_dot_difference _ _ _ _ _ _ _ near_q near_k.
move: (Rabs_diff_triangle d (\rsum_(i < h.*2) (q' i * k' i)) (\rsum_(i < h.*2) (q i * k i))).
by have := Rmult_le_compat_l _ _ _ slope0 mass_le; lra.
Qed.

(** The exact score is at most the product of the lengths. *)
Lemma score_size h (q k : nat -> R) Q K : 0 < Q -> 0 < K ->
  \rsum_(j < h) (pair_norm q j * pair_norm q j) <= Q * Q ->
  \rsum_(j < h) (pair_norm k j * pair_norm k j) <= K * K ->
  Rabs (\rsum_(i < h.*2) (q i * k i)) <= Q * K.
Proof.
move=> Q_gt0 K_gt0 q_le k_le; rewrite (rsum_by_pairs (fun i => q i * k i)).
apply: (Rle_trans _ (\rsum_(j < h) (pair_norm q j * pair_norm k j))); last exact: lengths_product.
apply: (rsum_abs_le (fun j => q j.*2 * k j.*2 + q j.*2.+1 * k j.*2.+1)
  (fun j => pair_norm q j * pair_norm k j)) => j _.
apply: Rle_trans (Rabs_triang _ _) _; exact: plane_norm_cauchy.
Qed.

Section Logit.
Variables (F G : format) (fused : bool) (how : products) (h r : nat).
Variables (w : nat -> R) (m n : R) (q k c s c' s' : nat -> R) (tau Q K : R).

(** The query turned to position m and the key to position n, as computed and exactly. *)
Let q' := partly r (computed_rotated F fused c s q) q.
Let k' := partly r (computed_rotated F fused c' s' k) k.
Let exact := \rsum_(i < h.*2) (partly r (rotated w m q) q i * partly r (rotated w n k) k i).

Hypothesis some_pairs : (0 < h)%N.
Hypothesis rotated_pairs : (r <= h)%N.
Hypothesis tau_ge0 : 0 <= tau.
Hypothesis near_m : forall j, (j < r)%N -> plane_norm (c j - cos (m * w j)) (s j - sin (m * w j)) <= tau.
Hypothesis near_n : forall j, (j < r)%N -> plane_norm (c' j - cos (n * w j)) (s' j - sin (n * w j)) <= tau.
Hypothesis Q_gt0 : 0 < Q.
Hypothesis K_gt0 : 0 < K.
Hypothesis q_length : \rsum_(j < h) (pair_norm q j * pair_norm q j) <= Q * Q.
Hypothesis k_length : \rsum_(j < h) (pair_norm k j * pair_norm k j) <= K * K.

Lemma pair_norm_partly t x j : pair_norm (partly r (rotated w t x) x) j = pair_norm x j.
Proof.
rewrite /pair_norm /partly doubleK /= uphalf_double; case: ifP => // _.
exact: pair_norm_rotated.
Qed.

(** The error of a pair: in the rotated ones that of the rotation, none in the others. *)
Let error x j := if (j < r)%N then pair_bound F fused tau (pair_norm x j) else 0.

Lemma partly_distance t c0 s0 x j :
  (forall l, (l < r)%N -> plane_norm (c0 l - cos (t * w l)) (s0 l - sin (t * w l)) <= tau) ->
  pair_distance (partly r (computed_rotated F fused c0 s0 x) x) (partly r (rotated w t x) x) j <= error x j.
Proof.
move=> near; rewrite /pair_distance /partly /error doubleK /= uphalf_double; case: ifP => lt_jr.
  rewrite /computed_rotated /rotated !pairs_even !pairs_odd.
  by apply: rounding_rotated_pair_length; apply: near.
by rewrite !Rminus_eq_0 plane_norm_0; exact: Rle_refl.
Qed.

(** rounding.score-lengths: for a query and a key of lengths at most Q and K of which the first r of h pairs are
    rotated by tables within τ, the dot product is within D + slope(QK + D) + floor of the exact one, D =
    (2A + A²)QK + c(1 + A)√r(Q + K) + r c², A = τ + rotation_relative(1 + τ), c = rotation_absolute. *)
Theorem rounding_score_lengths (d : R) : accumulated G how h.*2 q' k' d ->
  Rabs (d - exact) <= score_lengths F fused G how h r tau Q K.
Proof.
move=> computed.
have score := accumulated_score G how h (partly r (rotated w m q) q) (partly r (rotated w n k) k) q' k'
  (error q) (error k) d some_pairs computed (fun j _ => partly_distance m c s q j near_m)
  (fun j _ => partly_distance n c' s' k j near_n).
apply: Rle_trans score _.
have A_ge0 : 0 <= tau + rotation_relative F fused * (1 + tau).
  by have := rotation_relative_ge_0 F fused; nra.
have c_ge0 : 0 <= rotation_absolute F.
  have := v_pos F; have := eta_pos F; have := sqrt_pos 2; rewrite /rotation_absolute => *.
  by apply: Rmult_le_pos => //; nra.
have norm_ge0 x j : 0 <= pair_norm x j by apply: plane_norm_ge_0.
have range x j : 0 <= error x j <=
    if (j < r)%N then (tau + rotation_relative F fused * (1 + tau)) * pair_norm x j + rotation_absolute F else 0.
  rewrite /error /pair_bound; case: ifP => _; last by lra.
  by have := Rmult_le_pos _ _ A_ge0 (norm_ge0 x j); lra.
have mass := lengths_mass h r _ _ _ _ _ _ Q K rotated_pairs A_ge0 c_ge0 Q_gt0 K_gt0 (norm_ge0 q) (norm_ge0 k)
  q_length k_length (range q) (range k).
have norms := lengths_product h _ _ Q K Q_gt0 K_gt0 q_length k_length.
have same : product_mass h (error q) (error k) (partly r (rotated w m q) q) (partly r (rotated w n k) k) =
    \rsum_(j < h) ((pair_norm q j + error q j) * (pair_norm k j + error k j)).
  by apply: eq_bigr => j _; rewrite !pair_norm_partly.
have same_norms : \rsum_(j < h) (pair_norm (partly r (rotated w m q) q) j * pair_norm (partly r (rotated w n k) k) j)
    = \rsum_(j < h) (pair_norm q j * pair_norm k j).
  by apply: eq_bigr => j _; rewrite !pair_norm_partly.
rewrite same same_norms /score_lengths; set D := lengths_defect _ _ _ _ _ in mass *.
have slope0 : 0 <= slope G how h.*2 by apply: slope_ge0; rewrite double_gt0.
by have := Rmult_le_compat_l _ _ _ slope0 (Rle_trans _ _ _ mass (Rplus_le_compat_r D _ _ norms)); lra.
Qed.

(** rounding.logit: the same score times a computed scale σ' within μσ of σ, rounded to S, is within
    σ((1 + v)(1 + μ)(QK + B) - QK) + η/2 of σ times the exact score, B the bound of the score. *)
Theorem rounding_logit (S : format) (sigma scale mu d : R) :
  0 < sigma -> Rabs (scale - sigma) <= mu * sigma -> accumulated G how h.*2 q' k' d ->
  Rabs (fl S (scale * d) - sigma * exact)
  <= logit_bound S sigma mu (Q * K) (score_lengths F fused G how h r tau Q K).
Proof.
move=> sigma_gt0 scale_near computed.
have score := rounding_score_lengths d computed; set B := score_lengths _ _ _ _ _ _ _ _ _ in score *.
have size : Rabs exact <= Q * K.
  apply: score_size => //.
    by rewrite (eq_bigr (fun j : 'I_h => pair_norm q j * pair_norm q j)) // => j _; rewrite !pair_norm_partly.
  by rewrite (eq_bigr (fun j : 'I_h => pair_norm k j * pair_norm k j)) // => j _; rewrite !pair_norm_partly.
have d_le : Rabs d <= Q * K + B by have := Rabs_by_diff d exact; lra.
have mu_ge0 : 0 <= mu.
  by apply: (Rmult_le_reg_r sigma) => //; rewrite Rmult_0_l; apply: Rle_trans scale_near; exact: Rabs_pos.
have scale_le : Rabs scale <= (1 + mu) * sigma.
  by have := Rabs_by_diff scale sigma; rewrite (Rabs_pos_eq sigma); lra.
have rounded := near_fl_exact S (scale * d); rewrite /near Rabs_mult in rounded.
have v0 := v_pos S.
have product_le : Rabs scale * Rabs d <= (1 + mu) * sigma * (Q * K + B).
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
have split_diff := product_diff scale sigma d exact.
have first : Rabs (scale - sigma) * Rabs d <= mu * sigma * (Q * K + B).
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
have second : Rabs sigma * Rabs (d - exact) <= sigma * B.
  by rewrite (Rabs_pos_eq sigma); [apply: Rmult_le_compat_l; lra | lra].
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v0) product_le.
by move: (Rabs_diff_triangle (fl S (scale * d)) (scale * d) (sigma * exact)); rewrite /logit_bound; lra.
Qed.

End Logit.

(** ** The output *)

Definition output_bound (G : format) (how : products) (n : nat) (W X : R) : R :=
  W * X + slope G how n * ((1 + W) * X) + floor G how n.

(** rounding.attention: logits within ε of the exact ones, put through the shifted softmax (rounding.softmax), the
    values, at most X, summed with the computed weights: a component of the output is within W X + slope(1 + W)X
    + floor of the exact one, W = 2 tanh(ε/2) + weights_bound. *)
Theorem rounding_attention (F G : format) (how : products) (kappa theta omega chi epsilon X : R) (n : nat)
    (exact_logit logit E p x : nat -> R) (t : 'I_n) (S output : R) :
  0 <= kappa -> 0 <= theta -> 0 <= omega ->
  (forall j, (j < n)%N -> Rabs (logit j - exact_logit j) <= epsilon) ->
  (forall j, (j < n)%N -> is_float F (logit j)) ->
  (forall j, (j < n)%N -> logit j <= logit t) ->
  (forall j, (j < n)%N -> accurate F kappa (E j) (exp (fl F (logit j - logit t)))) ->
  Rabs (S - \rsum_(j < n) E j) <= theta * (\rsum_(j < n) E j) ->
  (forall j, (j < n)%N -> near omega chi (p j) (E j / S)) ->
  normaliser F kappa n theta < 1 ->
  (forall j, (j < n)%N -> Rabs (x j) <= X) ->
  accumulated G how n p x output ->
  Rabs (output - \rsum_(j < n) (weight n exact_logit j * x j))
  <= output_bound G how n (2 * gain epsilon + weights_bound F kappa n theta omega chi) X.
Proof.
move=> kappa0 theta0 omega0 near_logit floats top library summed divided normal x_le computed.
have n_gt0 : (0 < n)%N by exact: leq_ltn_trans (ltn_ord t).
have [_ softmax] := rounding_softmax F kappa theta omega chi n logit t kappa0 theta0 omega0 floats top
  E p S library summed divided normal.
have [_ /(_ n_gt0) moved] := rounding_softmax_scores n exact_logit logit epsilon near_logit.
set W := _ + _; have X_ge0 : 0 <= X by apply: Rle_trans (x_le t (ltn_ord t)); exact: Rabs_pos.
have weights_le : \rsum_(j < n) Rabs (p j - weight n exact_logit j) <= W.
  apply: (Rle_trans _ (\rsum_(j < n) (Rabs (p j - weight n logit j) + Rabs (weight n logit j - weight n exact_logit j)))).
    by apply: rsum_le => j; exact: Rabs_diff_triangle.
  by rewrite rsum_add Rplus_comm; exact: Rplus_le_compat moved softmax.
have dot_le := accumulated_error _ _ _ _ _ _ computed.
have mass_le : \rsum_(j < n) Rabs (p j * x j) <= (1 + W) * X.
  apply: (Rle_trans _ (\rsum_(j < n) ((weight n exact_logit j + Rabs (p j - weight n exact_logit j)) * X))).
    apply: rsum_le => j; rewrite Rabs_mult.
    apply: Rmult_le_compat; [exact: Rabs_pos | exact: Rabs_pos | | exact: x_le].
    have := Rabs_by_diff (p j) (weight n exact_logit j).
    by rewrite (Rabs_pos_eq (weight n exact_logit j)) //; apply: Rlt_le; exact: weight_gt0.
  rewrite rsum_mulr rsum_add (weights_sum n exact_logit t).
  by apply: Rmult_le_compat_r => //; exact: Rplus_le_compat_l.
have sums_le : Rabs (\rsum_(j < n) (p j * x j) - \rsum_(j < n) (weight n exact_logit j * x j)) <= W * X.
  rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(j < n) (Rabs (p j - weight n exact_logit j) * X))).
    apply: (rsum_abs_le (fun j => p j * x j - weight n exact_logit j * x j)
      (fun j => Rabs (p j - weight n exact_logit j) * X)) => j lt_jn.
    have -> : p j * x j - weight n exact_logit j * x j = (p j - weight n exact_logit j) * x j by ring.
    by rewrite Rabs_mult; apply: Rmult_le_compat_l; [exact: Rabs_pos | exact: x_le].
  by rewrite rsum_mulr; apply: Rmult_le_compat_r.
have := Rmult_le_compat_l _ _ _ (slope_ge0 G how n n_gt0) mass_le.
move: (Rabs_diff_triangle output (\rsum_(j < n) (p j * x j)) (\rsum_(j < n) (weight n exact_logit j * x j))).
by rewrite /output_bound; lra.
Qed.
