(** * The error of a score of unit vectors of which some pairs are not rotated

  What is claimed.  The RoPE score of a query and a key of length at most 1 of
  which the first r of h pairs are rotated, the others left alone, is bounded by
  a figure that does not depend on query and key.

  Dictionary (the rest stands in RoundingScore.v):
  - [partly r x' x] == the first r pairs of x', the others of x;
  - [lengths_defect r A c Q K] == (2A + A²)QK + c(1 + A)√r(Q + K) + r c²: what errors of pairs add
    to a product of vectors of lengths at most Q and K;
  - [unit_defect r A c] == 2A + A² + 2c(1 + A)√r + r c², the same for lengths of 1.

  Formula:
    query and key of length at most 1, r of h pairs rotated, tables within τ:
        within D + dot_bound(2h, 1 + D), D = unit_defect          [rounding_unit_score]

  Assumes: no overflow. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingPlane.
From Posproof Require Import RoundingSum RoundingDot RoundingRope RoundingScore.

Open Scope R_scope.

Lemma plane_norm_0 : plane_norm 0 0 = 0.
Proof. by rewrite /plane_norm -[RHS]sqrt_0; congr sqrt; ring. Qed.

(** The first r pairs of x', the others of x. *)
Definition partly (r : nat) (x' x : nat -> R) (i : nat) : R := if (i./2 < r)%N then x' i else x i.

Definition lengths_defect (r : nat) (A c Q K : R) : R :=
  (2 * A + A * A) * (Q * K) + c * (1 + A) * sqrt (INR r) * (Q + K) + INR r * (c * c).

Definition unit_defect (r : nat) (A c : R) : R :=
  2 * A + A * A + 2 * c * (1 + A) * sqrt (INR r) + INR r * (c * c).

Lemma partly_pair r x' x j (f : R -> R -> R) : f (partly r x' x j.*2) (partly r x' x j.*2.+1) =
  if (j < r)%N then f (x' j.*2) (x' j.*2.+1) else f (x j.*2) (x j.*2.+1).
Proof. by rewrite /partly doubleK /= uphalf_double; case: ifP. Qed.

Lemma rsum_products_le1 h (Q K : nat -> R) :
  \rsum_(j < h) (Q j * Q j) <= 1 -> \rsum_(j < h) (K j * K j) <= 1 -> \rsum_(j < h) (Q j * K j) <= 1.
Proof.
move=> Q_le K_le; apply: (Rle_trans _ (\rsum_(j < h) (/ 2 * (Q j * Q j) + / 2 * (K j * K j)))).
  by apply: rsum_le => j; have := pow2_ge_0 (Q j - K j); lra.
have -> : \rsum_(j < h) (/ 2 * (Q j * Q j) + / 2 * (K j * K j)) =
    / 2 * (\rsum_(j < h) (Q j * Q j)) + / 2 * (\rsum_(j < h) (K j * K j)) by rewrite rsum_add !rsum_mull.
lra.
Qed.

Lemma rsum_first_ones h r : (r <= h)%N -> \rsum_(j < h) (if (j < r)%N then 1 else 0) = INR r.
Proof.
move=> le_rh; rewrite -(subnKC le_rh) big_split_ord /= [X in X + _](_ : _ = INR r * 1).
  by rewrite [X in _ + X]big1 => [|i _]; [ring | rewrite ltnNge leq_addr].
by rewrite -rsum_const; apply: eq_bigr => i _; rewrite /= ltn_ord.
Qed.

(** By Cauchy and Schwarz. *)
Lemma rsum_first_le h r (Q : nat -> R) : (r <= h)%N -> \rsum_(j < h) (Q j * Q j) <= 1 ->
  \rsum_(j < h) (if (j < r)%N then Q j else 0) <= sqrt (INR r).
Proof.
move=> le_rh Q_le; have r_ge0 := pos_INR r.
have ones := rsum_first_ones h r le_rh.
have [r_eq0 | r_gt0] := Req_dec (INR r) 0.
  have -> : r = 0%N by apply: INR_eq.
  by rewrite sqrt_0 big1 //; exact: Rle_refl.
have root_gt0 : 0 < sqrt (INR r) by apply: sqrt_lt_R0; lra.
have root_sqr := sqrt_sqrt (INR r) r_ge0; set root := sqrt (INR r) in root_gt0 root_sqr *.
have term (j : 'I_h) : (if (j < r)%N then Q j else 0) <=
    root / 2 * (Q j * Q j) + / (2 * root) * (if (j < r)%N then 1 else 0).
  have split_square : root / 2 * (Q j * Q j) + / (2 * root) - Q j = / (2 * root) * (root * Q j - 1) ^ 2.
    by field; lra.
  have inverse_gt0 : 0 < / (2 * root) by apply: Rinv_0_lt_compat; lra.
  have square := Rmult_le_pos _ _ (Rlt_le _ _ inverse_gt0) (pow2_ge_0 (root * Q j - 1)).
  by case: ifP => _; nra.
apply: Rle_trans (rsum_le term) _.
have -> : \rsum_(j < h) (root / 2 * (Q j * Q j) + / (2 * root) * (if (j < r)%N then 1 else 0)) =
    root / 2 * (\rsum_(j < h) (Q j * Q j)) + / (2 * root) * (\rsum_(j < h) (if (j < r)%N then 1 else 0)).
  by rewrite rsum_add !rsum_mull.
rewrite ones -root_sqr.
have -> : / (2 * root) * (root * root) = root / 2 by field; lra.
by have := Rmult_le_compat_l (root / 2) _ _ ltac:(lra) Q_le; lra.
Qed.

Lemma scaled_sum h (Q : nat -> R) a : \rsum_(j < h) (Q j / a * (Q j / a)) = (\rsum_(j < h) (Q j * Q j)) / (a * a).
Proof. by rewrite /Rdiv -rsum_mulr; apply: eq_bigr => j _; rewrite Rinv_mult; ring. Qed.

(** A vector of length at most Q, by Q, has length at most 1. *)
Lemma scaled_le1 h (x : nat -> R) Q : 0 < Q -> \rsum_(j < h) (x j * x j) <= Q * Q ->
  \rsum_(j < h) (x j / Q * (x j / Q)) <= 1.
Proof.
move=> Q_gt0 le; rewrite scaled_sum; apply: (Rmult_le_reg_r (Q * Q)); first exact: Rmult_lt_0_compat.
by rewrite Rmult_1_l; have -> : forall m, m / (Q * Q) * (Q * Q) = m by move=> m; field; lra.
Qed.

Lemma lengths_product h (x y : nat -> R) Q K : 0 < Q -> 0 < K ->
  \rsum_(j < h) (x j * x j) <= Q * Q -> \rsum_(j < h) (y j * y j) <= K * K ->
  \rsum_(j < h) (x j * y j) <= Q * K.
Proof.
move=> Q_gt0 K_gt0 x_le y_le.
have unit_le := rsum_products_le1 h (fun j => x j / Q) (fun j => y j / K) (scaled_le1 h x Q Q_gt0 x_le) (scaled_le1 h y K K_gt0 y_le).
have -> : \rsum_(j < h) (x j * y j) = Q * K * \rsum_(j < h) (x j / Q * (y j / K)).
  by rewrite -rsum_mull; apply: eq_bigr => j _; field; lra.
by have := Rmult_le_compat_l (Q * K) _ _ (Rlt_le _ _ (Rmult_lt_0_compat _ _ Q_gt0 K_gt0)) unit_le; lra.
Qed.

Lemma lengths_first h r (x : nat -> R) Q : 0 < Q -> (r <= h)%N -> \rsum_(j < h) (x j * x j) <= Q * Q ->
  \rsum_(j < h) (if (j < r)%N then x j else 0) <= sqrt (INR r) * Q.
Proof.
move=> Q_gt0 le_rh x_le; have unit_le := rsum_first_le h r (fun j => x j / Q) le_rh (scaled_le1 h x Q Q_gt0 x_le).
have -> : \rsum_(j < h) (if (j < r)%N then x j else 0) = (\rsum_(j < h) (if (j < r)%N then x j / Q else 0)) * Q.
  by rewrite -rsum_mulr; apply: eq_bigr => j _; case: ifP => _; [field; lra | ring].
by apply: Rmult_le_compat_r => //; exact: Rlt_le.
Qed.

(** What errors A x_j + c of the first r pairs add to the sum of products. *)
Lemma lengths_mass h r (x y a b : nat -> R) (A c Q K : R) : (r <= h)%N -> 0 <= A -> 0 <= c -> 0 < Q -> 0 < K ->
  (forall j, 0 <= x j) -> (forall j, 0 <= y j) ->
  \rsum_(j < h) (x j * x j) <= Q * Q -> \rsum_(j < h) (y j * y j) <= K * K ->
  (forall j, 0 <= a j <= if (j < r)%N then A * x j + c else 0) ->
  (forall j, 0 <= b j <= if (j < r)%N then A * y j + c else 0) ->
  \rsum_(j < h) ((x j + a j) * (y j + b j)) <= \rsum_(j < h) (x j * y j) + lengths_defect r A c Q K.
Proof.
move=> le_rh A_ge0 c_ge0 Q_gt0 K_gt0 x_ge0 y_ge0 x_le y_le a_le b_le.
pose first (z : nat -> R) (j : nat) : R := if (j < r)%N then z j else 0.
have term (j : 'I_h) : (x j + a j) * (y j + b j) <=
    (1 + (2 * A + A * A)) * (x j * y j) +
    (c * (1 + A) * first x j + (c * (1 + A) * first y j + c * c * first (fun=> 1) j)).
  have [[a_ge0 a_j] [b_ge0 b_j]] := (a_le j, b_le j); have xy := Rmult_le_pos _ _ (x_ge0 j) (y_ge0 j).
  move: a_j b_j; rewrite /first; case: ifP => _ a_j b_j; last first.
    have [-> ->] : a j = 0 /\ b j = 0 by lra.
    by have := Rmult_le_pos _ _ (Rle_0_sqr A) xy; have := Rmult_le_pos _ _ A_ge0 xy; rewrite /Rsqr; lra.
  apply: (Rle_trans _ ((x j + (A * x j + c)) * (y j + (A * y j + c)))); last by right; ring.
  by have xj := x_ge0 j; have yj := y_ge0 j; apply: Rmult_le_compat; lra.
apply: Rle_trans (rsum_le term) _.
have -> : \rsum_(j < h) ((1 + (2 * A + A * A)) * (x j * y j) +
    (c * (1 + A) * first x j + (c * (1 + A) * first y j + c * c * first (fun=> 1) j))) =
    (1 + (2 * A + A * A)) * (\rsum_(j < h) (x j * y j)) + (c * (1 + A) * (\rsum_(j < h) first x j) +
    (c * (1 + A) * (\rsum_(j < h) first y j) + c * c * (\rsum_(j < h) first (fun=> 1) j))).
  by rewrite !rsum_add !rsum_mull.
rewrite (rsum_first_ones h r le_rh); have xy_le := lengths_product h x y Q K Q_gt0 K_gt0 x_le y_le.
have x_first : \rsum_(j < h) first x j <= sqrt (INR r) * Q by exact: lengths_first.
have y_first : \rsum_(j < h) first y j <= sqrt (INR r) * K by exact: lengths_first.
have factor_ge0 : 0 <= 2 * A + A * A by have := Rle_0_sqr A; rewrite /Rsqr; lra.
have A_part := Rmult_le_compat_l _ _ _ factor_ge0 xy_le.
have c_ge := Rmult_le_pos _ _ c_ge0 (Rplus_le_le_0_compat _ _ Rle_0_1 A_ge0).
have x_part := Rmult_le_compat_l _ _ _ c_ge x_first; have y_part := Rmult_le_compat_l _ _ _ c_ge y_first.
by rewrite /lengths_defect; lra.
Qed.

(** The same for lengths of at most 1. *)
Lemma unit_mass h r (Q K a b : nat -> R) (A c : R) : (r <= h)%N -> 0 <= A -> 0 <= c ->
  (forall j, 0 <= Q j) -> (forall j, 0 <= K j) ->
  \rsum_(j < h) (Q j * Q j) <= 1 -> \rsum_(j < h) (K j * K j) <= 1 ->
  (forall j, 0 <= a j <= if (j < r)%N then A * Q j + c else 0) ->
  (forall j, 0 <= b j <= if (j < r)%N then A * K j + c else 0) ->
  \rsum_(j < h) ((Q j + a j) * (K j + b j)) <= \rsum_(j < h) (Q j * K j) + unit_defect r A c.
Proof.
move=> le_rh A_ge0 c_ge0 Q_ge0 K_ge0 Q_le K_le a_le b_le.
have -> : unit_defect r A c = lengths_defect r A c 1 1 by rewrite /unit_defect /lengths_defect; ring.
by apply: lengths_mass => //; rewrite ?Rmult_1_r //; exact: Rlt_0_1.
Qed.

(** rounding.unit-score: for a query and a key of length at most 1 of which the first r of h pairs are
    rotated, by tables within τ, the score computed in G in any order is within D + 2h u(1 + D) + 2h(1 +
    (2h - 1)u)η/2 of the exact one, D = 2A + A² + 2c(1 + A)√r + r c², A = pair_bound(τ, 1), c = pair_bound(τ, 0). *)
Theorem rounding_unit_score (F G : format) (fused : bool) (h r : nat) (o : order)
    (w : nat -> R) (m n : R) (q k c s c' s' : nat -> R) (tau : R) :
  (r <= h)%N -> perm_eq (terms o) (iota 0 h.*2) -> 0 <= tau ->
  (forall j, (j < r)%N -> plane_norm (c j - cos (m * w j)) (s j - sin (m * w j)) <= tau) ->
  (forall j, (j < r)%N -> plane_norm (c' j - cos (n * w j)) (s' j - sin (n * w j)) <= tau) ->
  \rsum_(j < h) (pair_norm q j * pair_norm q j) <= 1 -> \rsum_(j < h) (pair_norm k j * pair_norm k j) <= 1 ->
  let D := unit_defect r (pair_bound F fused tau 1) (pair_bound F fused tau 0) in
  Rabs (computed_dot G (partly r (computed_rotated F fused c s q) q)
                       (partly r (computed_rotated F fused c' s' k) k) o
        - \rsum_(i < h.*2) (partly r (rotated w m q) q i * partly r (rotated w n k) k i))
  <= D + dot_bound G h.*2 (1 + D).
Proof.
move=> le_rh each_once tau_ge0 near_m near_n q_le k_le D.
pose error x j := if (j < r)%N then pair_bound F fused tau (pair_norm x j) else 0.
have distance t c0 s0 x j :
    (forall l, (l < r)%N -> plane_norm (c0 l - cos (t * w l)) (s0 l - sin (t * w l)) <= tau) ->
    pair_distance (partly r (computed_rotated F fused c0 s0 x) x) (partly r (rotated w t x) x) j <= error x j.
  move=> near; rewrite /pair_distance /partly /error doubleK /= uphalf_double; case: ifP => lt_jr.
    rewrite /computed_rotated /rotated !pairs_even !pairs_odd.
    by apply: rounding_rotated_pair_length; apply: near.
  by rewrite !Rminus_eq_0 plane_norm_0; exact: Rle_refl.
have norm_partly t x j : pair_norm (partly r (rotated w t x) x) j = pair_norm x j.
  rewrite /pair_norm /partly doubleK /= uphalf_double; case: ifP => // _.
  exact: pair_norm_rotated.
have score := rounding_score G h o (partly r (rotated w m q) q) (partly r (rotated w n k) k) _ _
  (error q) (error k) each_once (fun j _ => distance m c s q j near_m) (fun j _ => distance n c' s' k j near_n).
apply: Rle_trans score _; rewrite (score_bound_norms G h _ _ _ _ q k) //.
have norm_ge0 x j : 0 <= pair_norm x j by apply: plane_norm_ge_0.
have relative_ge0 : 0 <= tau + rotation_relative F fused * (1 + tau).
  by have := rotation_relative_ge_0 F fused; nra.
have absolute_ge0 : 0 <= rotation_absolute F.
  have := v_pos F; have := eta_pos F; have := sqrt_pos 2; rewrite /rotation_absolute => *.
  by apply: Rmult_le_pos => //; nra.
have error_range x j : 0 <= error x j <=
    if (j < r)%N then pair_bound F fused tau 1 * pair_norm x j + pair_bound F fused tau 0 else 0.
  rewrite /error /pair_bound; case: ifP => _; last by lra.
  by have := norm_ge0 x j; nra.
have [A_ge0 c_ge0] : 0 <= pair_bound F fused tau 1 /\ 0 <= pair_bound F fused tau 0 by rewrite /pair_bound; lra.
have mass := unit_mass h r _ _ _ _ _ _ le_rh A_ge0 c_ge0 (norm_ge0 q) (norm_ge0 k) q_le k_le
  (error_range q) (error_range k).
have le_1 := rsum_products_le1 h _ _ q_le k_le; rewrite /score_bound /product_mass -/D in mass *.
have := dot_bound_le G h.*2 _ (1 + D) (Rle_trans _ _ _ mass (Rplus_le_compat_r D _ _ le_1)).
by lra.
Qed.
