(** * Distance-based decay of causal masks and of single pairs

  mask_weight t m x   == C(t+x, x) e^(-x m)
  row_share theta phi x == the weight at distance x in a row of 3 tokens with scores
                         cos (phi + x theta)
  share N theta phi x == the same in a row of N tokens

  Main results: decay.mask-peak, decay.small-angle. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The mask and a linear bias *)

Definition mask_weight (t : nat) (m : R) (x : nat) : R := INR 'C(t + x, x) * exp (- (INR x * m)).

Lemma mask_weight_gt0 t m x : 0 < mask_weight t m x.
Proof.
apply: Rmult_lt_0_compat; last exact: exp_pos.
by apply: lt_0_INR; apply/ltP; rewrite bin_gt0 leq_addl.
Qed.

Lemma mask_weight_step t m x :
  (INR x + 1) * mask_weight t m x.+1 = mask_weight t m x * exp (- m) * (INR t + INR x + 1).
Proof.
have : (x.+1 * 'C((t + x).+1, x.+1) = (t + x).+1 * 'C(t + x, x))%N by rewrite -mul_bin_diag.
move=> /(congr1 INR); rewrite (mult_INR x.+1) (mult_INR (t + x).+1) (S_INR x) (S_INR (t + x)) (plus_INR t x) => step.
rewrite /mask_weight addnS (_ : - (INR x.+1 * m) = - (INR x * m) + - m); last by rewrite S_INR; ring.
rewrite exp_plus -Rmult_assoc -Rmult_assoc step; ring.
Qed.

Section Peak.

Variables (t : nat) (m : R).
Hypothesis m_gt0 : 0 < m.

Let peak : R := INR t / (exp m - 1).

Lemma exp_m : 1 < exp m.
Proof. by rewrite -exp_0; apply: exp_lt. Qed.

Lemma mask_difference x : (INR x + 1) * (mask_weight t m x.+1 - mask_weight t m x) =
  mask_weight t m x * (1 - exp (- m)) * (peak - (INR x + 1)).
Proof.
rewrite Rmult_minus_distr_l mask_weight_step /peak exp_Ropp; have := exp_m => exp_gt1.
by field; lra.
Qed.

Lemma factor_gt0 x : 0 < mask_weight t m x * (1 - exp (- m)).
Proof.
apply: Rmult_lt_0_compat; first exact: mask_weight_gt0.
by have := exp_lt (x := - m) (y := 0) ltac:(lra); rewrite exp_0; lra.
Qed.

Lemma mask_rises x : INR x + 1 <= peak -> mask_weight t m x <= mask_weight t m x.+1.
Proof. by move=> below; have := mask_difference x; have := factor_gt0 x; have := pos_INR x; nra. Qed.

Lemma mask_falls x : peak < INR x + 1 -> mask_weight t m x.+1 < mask_weight t m x.
Proof. by move=> above; have := mask_difference x; have := factor_gt0 x; have := pos_INR x; nra. Qed.

Lemma mask_peak (N : nat) : INR N <= peak < INR N + 1 ->
  (forall x, (x < N)%N -> mask_weight t m x <= mask_weight t m x.+1) /\
  (forall x, (N <= x)%N -> mask_weight t m x.+1 < mask_weight t m x) /\
  (forall x, mask_weight t m x <= mask_weight t m N) /\
  (forall x, mask_weight t m x = mask_weight t m N -> (x <= N)%N).
Proof.
move=> [N_le N_gt].
have rises x : (x < N)%N -> mask_weight t m x <= mask_weight t m x.+1.
  by move=> /leP/le_INR; rewrite S_INR => le_x; apply: mask_rises; lra.
have falls x : (N <= x)%N -> mask_weight t m x.+1 < mask_weight t m x.
  by move=> /leP/le_INR le_x; apply: mask_falls; lra.
have before k : (k <= N)%N -> mask_weight t m (N - k) <= mask_weight t m N.
  elim: k => [|k IHk] k_le; first by rewrite subn0; exact: Rle_refl.
  apply: Rle_trans (IHk (ltnW k_le)); rewrite -(subnSK k_le); apply: rises.
  by rewrite -subn_gt0 subKn.
have after k : mask_weight t m (N + k.+1) < mask_weight t m N.
  elim: k => [|k IHk]; first by rewrite addn1; apply: falls.
  by apply: Rlt_trans IHk; rewrite [(N + k.+2)%N]addnS; apply: falls; rewrite leq_addr.
split=> //; split=> //; split=> x.
  have [le_N | lt_x] := leqP x N; first by have := before _ (leq_subr x N); rewrite subKn.
  by have := after (x - N.+1)%N; rewrite -addSnnS subnKC //; apply: Rlt_le.
move=> same; rewrite leqNgt; apply/negP => lt_x.
by have := after (x - N.+1)%N; rewrite -addSnnS subnKC // same; exact: Rlt_irrefl.
Qed.

End Peak.

(** decay.mask-peak: f(x) = C(t+x, x)·e^(−xm) obeys (x+1)·(f(x+1) − f(x)) = f(x)·(1 −
    e^(−m))·(t/(e^m − 1) − (x+1)): for m > 0 it rises up to x = ⌊t/(e^m − 1)⌋, its largest maximiser
    among the integers, and falls from there on. For t = 32 and m = 1/10 that is 304. *)
Theorem decay_mask_peak :
  (forall (t : nat) (m : R), 0 < m ->
     let f := mask_weight t m in
     (forall x : nat, (INR x + 1) * (f x.+1 - f x) =
        f x * (1 - exp (- m)) * (INR t / (exp m - 1) - (INR x + 1))) /\
     (forall N : nat, INR N <= INR t / (exp m - 1) < INR N + 1 ->
        (forall x, (x < N)%N -> f x <= f x.+1) /\ (forall x, (N <= x)%N -> f x.+1 < f x) /\
        (forall x, f x <= f N) /\ (forall x, f x = f N -> (x <= N)%N))) /\
  INR 304 <= INR 32 / (exp (1 / 10) - 1) < INR 304 + 1.
Proof.
split=> [t m m_gt0 f | ].
  by split=> [x | N]; [exact: mask_difference | exact: mask_peak].
rewrite !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
by split; interval with (i_prec 60).
Qed.

(** ** One pair at small angles *)

Definition row_share (theta phi : R) (x : nat) : R :=
  exp (cos (phi + INR x * theta)) / \rsum_(y < 3) exp (cos (phi + INR y * theta)).

(** The row of phi = - 2 theta, whose angles end at 0. *)
Lemma row_denominator theta : \rsum_(y < 3) exp (cos (-2 * theta + INR y * theta)) =
  exp (cos (2 * theta)) + exp (cos theta) + exp 1.
Proof.
rewrite !big_ord_recl big_ord0 /=.
have -> : -2 * theta + 0 * theta = - (2 * theta) by ring.
have -> : -2 * theta + 1 * theta = - theta by ring.
have -> : -2 * theta + (1 + 1) * theta = 0 by ring.
by rewrite !cos_neg cos_0; ring.
Qed.

Lemma row_shareE theta :
  let D := exp (cos (2 * theta)) + exp (cos theta) + exp 1 in
  row_share theta (-2 * theta) 0 = exp (cos (2 * theta)) / D /\
  row_share theta (-2 * theta) 1 = exp (cos theta) / D /\
  row_share theta (-2 * theta) 2 = exp 1 / D.
Proof.
rewrite /row_share row_denominator /=.
have -> : -2 * theta + 0 * theta = - (2 * theta) by ring.
have -> : -2 * theta + 1 * theta = - theta by ring.
have -> : -2 * theta + (1 + 1) * theta = 0 by ring.
by rewrite !cos_neg cos_0.
Qed.

Lemma row_increases theta : 1 / 4 <= theta <= 1 / 2 ->
  row_share theta (-2 * theta) 0 < row_share theta (-2 * theta) 1 < row_share theta (-2 * theta) 2.
Proof.
move=> [theta_ge theta_le]; have [-> [-> ->]] := row_shareE theta; have pi_gt3 := PI2_3_2.
have sum_gt0 : 0 < exp (cos (2 * theta)) + exp (cos theta) + exp 1.
  by have := exp_pos (cos (2 * theta)); have := exp_pos (cos theta); have := exp_pos 1; lra.
have up : exp (cos (2 * theta)) < exp (cos theta) by apply/exp_lt/cos_decreasing_1; lra.
have top : exp (cos theta) < exp 1 by rewrite -cos_0; apply/exp_lt/cos_decreasing_1; lra.
by split; apply: Rmult_lt_compat_r => //; apply: Rinv_0_lt_compat.
Qed.

Lemma row_bounds theta (x : nat) : 1 / 4 <= theta <= 1 / 2 -> (x < 3)%N ->
  1 / 5 * exp (- (INR x ^ 2 * theta ^ 2)) <= row_share theta (-2 * theta) x <=
  exp (9 * theta ^ 2) * exp (- (INR x ^ 2 * theta ^ 2)).
Proof.
move=> range x_lt; have [share0 [share1 share2]] := row_shareE theta.
have [rise1 rise2] := row_increases range; case: range => theta_ge theta_le.
have least : 1 / 5 < row_share theta (-2 * theta) 0.
  by rewrite share0; interval with (i_prec 40, i_bisect theta).
have top : row_share theta (-2 * theta) 2 <= 1.
  rewrite share2; have D_gt0 : 0 < exp (cos (2 * theta)) + exp (cos theta) + exp 1.
    by have := exp_pos (cos (2 * theta)); have := exp_pos (cos theta); have := exp_pos 1; lra.
  apply: (Rmult_le_reg_r _ _ _ D_gt0); rewrite /Rdiv Rmult_assoc Rinv_l; last by lra.
  by have := exp_pos (cos (2 * theta)); have := exp_pos (cos theta); lra.
have share : 1 / 5 < row_share theta (-2 * theta) x <= 1.
  by case: x x_lt => [|[|[|//]]] _; lra.
have x_le : INR x <= 2 by rewrite -[2]/(INR 2); apply: le_INR; apply/leP; rewrite -ltnS.
have x_ge := pos_INR x.
split; last first.
  apply: Rle_trans (proj2 share) _; rewrite -exp_plus -exp_0.
  have [lt | eq] : 0 <= 9 * theta ^ 2 + - (INR x ^ 2 * theta ^ 2).
    by have : 0 <= (9 - INR x ^ 2) * theta ^ 2; [apply: Rmult_le_pos; nra | lra].
    exact/Rlt_le/exp_lt.
  by rewrite -eq; exact: Rle_refl.
apply: Rle_trans (Rlt_le _ _ (proj1 share)); rewrite -[X in _ <= X]Rmult_1_r.
apply: Rmult_le_compat_l; first by lra.
rewrite -exp_0; have [lt | eq] : - (INR x ^ 2 * theta ^ 2) <= 0 by have := pow2_ge_0 (INR x * theta); nra.
  exact/Rlt_le/exp_lt.
by rewrite eq; exact: Rle_refl.
Qed.

(** decay.small-angle: For d = 2, |φ| ≤ δθ and (δ + N − 1)·θ ≤ π the bounds C·e^(−c·x²θ²) ≤ A ≤
    C′·e^(−c′·x²θ²) on the weights of a row of N tokens say nothing of a decay: rows that increase
    with the distance x satisfy them too, as that of N = 3 tokens with scores cos(φ + xθ), φ = −2θ,
    for θ from 1/4 to 1/2, C = 1/5, c = c′ = 1 and C′ = e^(9θ²). What holds: cos(φ + xθ) falls with x
    while φ + xθ goes from 0 to π, and rises while it is negative. *)
Theorem decay_small_angle :
  (forall theta : R, 1 / 4 <= theta <= 1 / 2 ->
     let delta := 2 in let phi := -2 * theta in let A := row_share theta phi in
     Rabs phi <= delta * theta /\ (delta + 3 - 1) * theta <= PI /\ A 0%N < A 1%N < A 2%N /\
     (forall x : nat, (x < 3)%N ->
        1 / 5 * exp (- (INR x ^ 2 * theta ^ 2)) <= A x <= exp (9 * theta ^ 2) * exp (- (INR x ^ 2 * theta ^ 2)))) /\
  (forall phi theta x y : R, 0 < theta -> x < y ->
     (0 <= phi + x * theta -> phi + y * theta <= PI -> cos (phi + y * theta) < cos (phi + x * theta)) /\
     (- PI <= phi + x * theta -> phi + y * theta <= 0 -> cos (phi + x * theta) < cos (phi + y * theta))).
Proof.
split=> [theta range delta phi A | phi theta x y theta_gt0 lt_xy].
  split; first by rewrite Rabs_left /phi /delta; lra.
  split; first by rewrite /delta; have := PI2_3_2; lra.
  by split=> [|x]; [exact: row_increases | exact: row_bounds].
have lt_angle : phi + x * theta < phi + y * theta by nra.
split=> low high; first by apply: cos_decreasing_1; lra.
by rewrite -(cos_neg (phi + x * theta)) -(cos_neg (phi + y * theta)); apply: cos_decreasing_1; lra.
Qed.

(** ** Rows of any length *)

Lemma any_row (N : nat) (A : nat -> R) (epsilon theta c c' : R) : 0 < epsilon -> 0 <= c -> 0 <= c' ->
  (forall x, (x < N)%N -> epsilon <= A x <= 1) ->
  forall x, (x < N)%N ->
    epsilon * exp (- (c * (INR x ^ 2 * theta ^ 2))) <= A x <=
    exp (c' * (INR N ^ 2 * theta ^ 2)) * exp (- (c' * (INR x ^ 2 * theta ^ 2))).
Proof.
move=> eps_gt0 c_ge0 c'_ge0 range x x_lt; have [low high] := range x x_lt.
have square_ge0 : 0 <= INR x ^ 2 * theta ^ 2 by have := pow2_ge_0 (INR x * theta); nra.
have exp_le y z : y <= z -> exp y <= exp z.
  by case=> [lt | ->]; [exact/Rlt_le/exp_lt | exact: Rle_refl].
split.
  apply: Rle_trans low; rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; first by lra.
  by rewrite -exp_0; apply: exp_le; nra.
apply: Rle_trans high _; rewrite -exp_plus -exp_0; apply: exp_le.
have x_ge0 := pos_INR x; have le_xN : INR x <= INR N by apply/Rlt_le/lt_INR/ltP.
have : 0 <= (INR N ^ 2 - INR x ^ 2) * theta ^ 2 by apply: Rmult_le_pos; [nra | exact: pow2_ge_0].
by nra.
Qed.

Definition share (N : nat) (theta phi : R) (x : nat) : R :=
  exp (cos (phi + INR x * theta)) / \rsum_(y < N) exp (cos (phi + INR y * theta)).

Lemma share_range (N : nat) theta phi x : (x < N)%N -> 0 < share N theta phi x <= 1.
Proof.
move=> x_lt; set D := \rsum_(y < N) exp (cos (phi + INR y * theta)).
have le_D : exp (cos (phi + INR x * theta)) <= D.
  apply: (rsum_ge_term (F := fun y : 'I_N => exp (cos (phi + INR y * theta))) (Ordinal x_lt)) => y; exact/Rlt_le/exp_pos.
have e_gt0 := exp_pos (cos (phi + INR x * theta)); have D_gt0 : 0 < D by lra.
rewrite /share -/D; split; first exact: Rdiv_lt_0_compat.
by apply: (Rmult_le_reg_r D) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(** For every N there is a row of N tokens that increases with the distance and satisfies the bounds. *)
Corollary decay_small_angle_any_length (N : nat) (theta : R) :
  (1 < N)%N -> 0 < theta -> 2 * (INR N - 1) * theta <= PI ->
  let delta := INR N - 1 in let phi := - (delta * theta) in let A := share N theta phi in
  Rabs phi <= delta * theta /\ (delta + INR N - 1) * theta <= PI /\
  (forall x y : nat, (x < y)%N -> (y < N)%N -> A x < A y) /\
  (exists C : R, 0 < C /\ forall x : nat, (x < N)%N ->
     C * exp (- (INR x ^ 2 * theta ^ 2)) <= A x <= exp (INR N ^ 2 * theta ^ 2) * exp (- (INR x ^ 2 * theta ^ 2))).
Proof.
move=> N_gt1 theta_gt0 range delta phi A.
have N_ge2 : 2 <= INR N by rewrite -[2]/(INR 2); apply: le_INR; apply/leP.
have pi_gt0 := PI_RGT_0.
split; first by rewrite /phi Rabs_Ropp Rabs_pos_eq; [lra | rewrite /delta; nra].
split; first by rewrite /delta; lra.
have rises x y : (x < y)%N -> (y < N)%N -> A x < A y.
  move=> lt_xy y_lt; have below : INR x < INR y by apply/lt_INR/ltP.
  have y_le : INR y <= INR N - 1 by have := le_INR _ _ (leP y_lt); rewrite S_INR; lra.
  have x_ge0 := pos_INR x.
  have less : exp (cos (phi + INR x * theta)) < exp (cos (phi + INR y * theta)).
    apply: exp_lt; rewrite -(cos_neg (phi + INR x * theta)) -(cos_neg (phi + INR y * theta)).
    by apply: cos_decreasing_1; rewrite /phi /delta; nra.
  have [share_gt0 _] := share_range theta phi (ltn_trans lt_xy y_lt).
  apply: Rmult_lt_compat_r less; apply: Rinv_0_lt_compat.
  have e_gt0 := exp_pos (cos (phi + INR x * theta)).
  by apply: Rlt_le_trans e_gt0 _; apply: (rsum_ge_term (F := fun z : 'I_N => exp (cos (phi + INR z * theta)))
       (Ordinal (ltn_trans lt_xy y_lt))) => z; exact/Rlt_le/exp_pos.
split=> //; exists (A 0%N); have [A0_gt0 _] := share_range theta phi (ltnW N_gt1); split=> // x x_lt.
have := @any_row N A (A 0%N) theta 1 1 A0_gt0 ltac:(lra) ltac:(lra) _ x x_lt; rewrite !Rmult_1_l; apply=> z z_lt.
split; last by have [] := share_range theta phi z_lt.
by case: z z_lt => [|z] z_lt; [exact: Rle_refl | exact/Rlt_le/rises].
Qed.

(** decay.small-angle, as written: Under these hypotheses the weights decay with the distance: the
    weight at distance 1 is at most that at 0. *)
Theorem decay_small_angle_as_written_false :
  ~ (forall delta theta phi : R, 0 <= delta -> 0 < theta -> Rabs phi <= delta * theta ->
       (delta + 3 - 1) * theta <= PI -> row_share theta phi 1 <= row_share theta phi 0).
Proof.
move=> /(_ 2 (1 / 2) (-2 * (1 / 2)) ltac:(lra) ltac:(lra)) decays.
have [rises _] := row_increases (theta := 1 / 2) ltac:(lra).
have : row_share (1 / 2) (-2 * (1 / 2)) 1 <= row_share (1 / 2) (-2 * (1 / 2)) 0.
  by apply: decays; [rewrite Rabs_left; lra | have := PI2_3_2; lra].
by lra.
Qed.
