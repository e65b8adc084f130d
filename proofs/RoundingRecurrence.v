(** * Columns of a 16-bit table by a recurrence

  What is claimed.  Equally spaced sines and cosines, times any amplitude, satisfy x(n + 2) = 2 cos(ω) x(n + 1) - x(n).  The traced
  kernel computes a column so from two entries, and its error grows no faster than the square of the number of steps.

  Dictionary (w = 2^-53, η = 2^-1074):
  - [chebyshev omega n] == U_(n-1)(cos ω): 0, 1, 2 cos ω, ..., of magnitude at most n;
  - [column fused K y0 y1 n] == what the traced kernel makes of K, which is near 2 cos ω, and two entries.

  Formula, for entries within e of the exact ones, |K - 2 cos ω| <= κ and |x| <= X:
    |column n - x(n)| <= (2n - 1) e + n (n - 1)/2 ((301/100) w X + (101/100) κ X + 3η)       [rounding_trace_recurrence]
  so that fifteen steps from an entry, n = 16, come to 31 e and 120 times the rest.

  Assumes: nothing overflows; errors stay below 2^-20 X. Not claimed: the test that accepts a rounded entry. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingTrace RoundingTraces RoundingDouble RoundingScore.

Open Scope R_scope.

Local Notation fl64 := (fl binary64).
Local Notation float := (is_float binary64).
Local Notation eta64 := (eta binary64).
Local Notation w := (/ 9007199254740992).

(** ** The exact recurrence *)

Fixpoint chebyshev (omega : R) (n : nat) : R :=
  match n with
  | O => 0
  | S m => match m with O => 1 | S k => 2 * cos omega * chebyshev omega m - chebyshev omega k end
  end.

Lemma chebyshev_step omega n : chebyshev omega n.+2 = 2 * cos omega * chebyshev omega n.+1 - chebyshev omega n.
Proof. by []. Qed.

Lemma chebyshev_cosine omega n :
  chebyshev omega n.+1 = cos omega * chebyshev omega n + cos (INR n * omega) /\
  cos omega * chebyshev omega n.+1 - chebyshev omega n = cos (INR n.+1 * omega).
Proof.
elim: n => [|n [first second]].
  by rewrite /= Rmult_0_l cos_0 Rmult_1_l; split; ring.
rewrite chebyshev_step; split; first by rewrite -second; ring.
have -> : INR n.+2 * omega = INR n.+1 * omega + omega by rewrite (S_INR n.+1); ring.
have -> : cos (INR n.+1 * omega + omega) = 2 * cos omega * cos (INR n.+1 * omega) - cos (INR n * omega).
  have -> : INR n * omega = INR n.+1 * omega - omega by rewrite S_INR; ring.
  by rewrite cos_plus cos_minus; ring.
rewrite -second; have -> : cos (INR n * omega) = chebyshev omega n.+1 - cos omega * chebyshev omega n by rewrite first; ring.
by ring.
Qed.

Lemma chebyshev_le omega n : Rabs (chebyshev omega n) <= INR n.
Proof.
elim: n => [|n IHn]; first by rewrite /= Rabs_R0; exact: Rle_refl.
have [-> _] := chebyshev_cosine omega n; rewrite S_INR.
apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat; last by apply: Rabs_le; exact: COS_bound.
rewrite Rabs_mult -[INR n]Rmult_1_l; apply: Rmult_le_compat => //; try exact: Rabs_pos.
by apply: Rabs_le; exact: COS_bound.
Qed.

(** A sequence that misses the recurrence by r(n) at step n. *)
Section Residuals.
Variables (omega e0 rho : R) (e r : nat -> R).
Hypothesis missed : forall n, e n.+2 = 2 * cos omega * e n.+1 - e n + r n.

Lemma residuals_sum n : e n.+1 = chebyshev omega n.+1 * e 1%N - chebyshev omega n * e 0%N
  + \rsum_(i < n) (chebyshev omega (n - i) * r i).
Proof.
have [] : e n.+1 = chebyshev omega n.+1 * e 1%N - chebyshev omega n * e 0%N + \rsum_(i < n) (chebyshev omega (n - i) * r i) /\
  e n.+2 = chebyshev omega n.+2 * e 1%N - chebyshev omega n.+1 * e 0%N + \rsum_(i < n.+1) (chebyshev omega (n.+1 - i) * r i) => //.
elim: n => [|n [first second]].
  by rewrite missed big_ord0 big_ord_recr big_ord0 /=; split; ring.
split=> //; rewrite missed second first !chebyshev_step.
have -> : \rsum_(i < n.+2) (chebyshev omega (n.+2 - i) * r i) =
    2 * cos omega * (\rsum_(i < n.+1) (chebyshev omega (n.+1 - i) * r i)) - \rsum_(i < n) (chebyshev omega (n - i) * r i) + r n.+1.
  rewrite !(big_ord_recr n.+1) !(big_ord_recr n) /= !subSnn.
  have -> : \rsum_(i < n) (chebyshev omega (n.+2 - i) * r i) =
      \rsum_(i < n) (2 * cos omega * (chebyshev omega (n.+1 - i) * r i) - chebyshev omega (n - i) * r i).
    apply: eq_bigr => i _; rewrite subSn ?(leq_trans (ltnW (ltn_ord i))) // subSn ?(ltnW (ltn_ord i)) // chebyshev_step; ring.
  rewrite rsum_sub rsum_mull (_ : n.+2 - n = 2)%N; last by rewrite subSn // subSnn.
  by rewrite /=; ring.
by ring.
Qed.

Hypothesis e0_le : Rabs (e 0%N) <= e0.
Hypothesis e1_le : Rabs (e 1%N) <= e0.

Lemma residuals_le n : (forall i, (i < n)%N -> Rabs (r i) <= rho) ->
  Rabs (e n.+1) <= (2 * INR n + 1) * e0 + INR n * (INR n + 1) / 2 * rho.
Proof.
move=> r_le; rewrite residuals_sum.
have part (a b : R) (m : nat) : Rabs a <= INR m -> Rabs b <= e0 -> Rabs (a * b) <= INR m * e0.
  by move=> a_le b_le; rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
have one := part _ _ _ (chebyshev_le omega n.+1) e1_le; have two := part _ _ _ (chebyshev_le omega n) e0_le.
rewrite S_INR in one.
have three : Rabs (\rsum_(i < n) (chebyshev omega (n - i) * r i)) <= INR n * (INR n + 1) / 2 * rho.
  have -> : INR n * (INR n + 1) / 2 * rho = \rsum_(i < n) (INR (n - i) * rho).
    rewrite rsum_mulr; congr (_ * rho); elim: (n) => [|k IHk]; first by rewrite big_ord0 /=; field.
    rewrite big_ord_recl subn0 (eq_bigr (fun i : 'I_k => INR (k - i))) => [|i _]; last by rewrite /= /bump subSS.
    by rewrite -IHk S_INR; field.
  apply: (rsum_abs_le (fun i => chebyshev omega (n - i) * r i) (fun i => INR (n - i) * rho)) => i lt_in.
  rewrite Rabs_mult; apply: Rmult_le_compat; try exact: Rabs_pos; first exact: chebyshev_le.
  exact: r_le.
apply: Rle_trans (Rabs_triang _ _) _; apply: Rle_trans (Rplus_le_compat_r _ _ _ (Rabs_triang _ _)) _.
by rewrite Rabs_Ropp; lra.
Qed.

End Residuals.

(** ** The computed column *)

Definition column (fused : bool) (K y0 y1 : R) : nat -> R :=
  fix column (n : nat) : R :=
    match n with
    | O => y0
    | S m => match m with O => y1 | S k => head 0 (recurrence_step (reals fused) K (column m) (column k)) end
    end.

Lemma column_step fused K y0 y1 n : column fused K y0 y1 n.+2 =
  real_multiply_add fused K (column fused K y0 y1 n.+1) (- column fused K y0 y1 n).
Proof. by []. Qed.

Lemma column_float fused K y0 y1 n : float y0 -> float y1 -> float (column fused K y0 y1 n).
Proof. by case: n => [|[|n]] // _ _; rewrite column_step; exact: multiply_add_float. Qed.

(** A difference of a product and a number, by their own magnitudes. *)
Lemma step_near (fused : bool) (x y z : R) : float z ->
  Rabs (real_multiply_add fused x y z - (x * y + z)) <= (1 + w) * w * Rabs (x * y) + w * Rabs (x * y + z) + 2 * eta64.
Proof.
move=> z_float; have eta_gt0 := eta_pos binary64; have v_gt0 := v_pos binary64.
have v_le := v_le_u binary64; rewrite unit_value in v_le.
have xy_ge0 := Rabs_pos (x * y); have sum_ge0 := Rabs_pos (x * y + z).
rewrite /real_multiply_add; case: fused.
  have [near _] := rounding_standard_model binary64 (x * y + z).
  by have := Rmult_le_compat_r _ _ _ sum_ge0 v_le; lra.
have [near _] := rounding_standard_model binary64 (x * y); set p := fl64 (x * y) in near *.
have p_near : Rabs (p - x * y) <= w * Rabs (x * y) + eta64 by have := Rmult_le_compat_r _ _ _ xy_ge0 v_le; lra.
have sum := addition_relative binary64 p z (fl_float _ _) z_float.
have size : Rabs (p + z) <= Rabs (x * y + z) + (w * Rabs (x * y) + eta64).
  rewrite (_ : p + z = x * y + z + (p - x * y)); last by ring.
  by apply: Rle_trans (Rabs_triang _ _) _; lra.
have sum_le : Rabs (fl64 (p + z) - (p + z)) <= w * (Rabs (x * y + z) + (w * Rabs (x * y) + eta64)).
  by apply: Rle_trans sum _; apply: Rmult_le_compat => //; [exact: Rlt_le | exact: Rabs_pos].
by move: p_near sum_le; absolutely.
Qed.

Section Column.
Variables (fused : bool) (omega X kappa e0 K y0 y1 : R) (x : nat -> R).
Hypothesis X_gt0 : 0 < X.
Hypothesis exact : forall n, x n.+2 = 2 * cos omega * x n.+1 - x n.
Hypothesis x_le : forall n, Rabs (x n) <= X.
Hypothesis K_near : Rabs (K - 2 * cos omega) <= kappa.
Hypothesis kappa_le : kappa <= / 1048576.
Hypotheses (y0_float : float y0) (y1_float : float y1).
Hypothesis y0_near : Rabs (y0 - x 0%N) <= e0.
Hypothesis y1_near : Rabs (y1 - x 1%N) <= e0.

Let y := column fused K y0 y1.
Let e n := y n - x n.
Let r n := y n.+2 - (2 * cos omega * y n.+1 - y n).
Definition step_error : R := 301 / 100 * w * X + 101 / 100 * kappa * X + 3 * eta64.

Lemma step_error_ge0 : 0 <= step_error.
Proof.
have eta_gt0 := eta_pos binary64; have kappa_ge0 := Rle_trans _ _ _ (Rabs_pos _) K_near.
by have := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ X_gt0); rewrite /step_error; lra.
Qed.

Lemma missed n : e n.+2 = 2 * cos omega * e n.+1 - e n + r n.
Proof. by rewrite /e /r exact; ring. Qed.

(** One step, from entries that are near. *)
Lemma residual_le n : Rabs (e n) <= / 1048576 * X -> Rabs (e n.+1) <= / 1048576 * X -> Rabs (r n) <= step_error.
Proof.
move=> e_n e_n1; have eta_gt0 := eta_pos binary64; have kappa_ge0 := Rle_trans _ _ _ (Rabs_pos _) K_near.
have y1_le : Rabs (y n.+1) <= (1 + / 1048576) * X.
  have := Rabs_by_diff (y n.+1) (x n.+1); rewrite -/(e n.+1); have := x_le n.+1; lra.
have moved : Rabs ((K - 2 * cos omega) * y n.+1) <= kappa * ((1 + / 1048576) * X).
  by rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
have cosine : Rabs (2 * cos omega) <= 2 by apply: Rabs_le; have := COS_bound omega; lra.
have turned : Rabs (2 * cos omega * y n.+1) <= 2 * ((1 + / 1048576) * X).
  by rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
have kX_le : kappa * X <= / 1048576 * X by apply: Rmult_le_compat_r; lra.
have kX_ge0 := Rmult_le_pos _ _ kappa_ge0 (Rlt_le _ _ X_gt0).
have product : Rabs (K * y n.+1) <= 2001 / 1000 * X.
  rewrite (_ : K * y n.+1 = 2 * cos omega * y n.+1 + (K - 2 * cos omega) * y n.+1); last by ring.
  by apply: Rle_trans (Rabs_triang _ _) _; lra.
have moved_e : Rabs (2 * cos omega * e n.+1) <= 2 * (/ 1048576 * X).
  by rewrite Rabs_mult; apply: Rmult_le_compat => //; exact: Rabs_pos.
have next : Rabs (K * y n.+1 + - y n) <= 1001 / 1000 * X.
  rewrite (_ : K * y n.+1 + - y n = x n.+2 + (2 * cos omega * e n.+1 - e n) + (K - 2 * cos omega) * y n.+1); last first.
    by rewrite exact /e; ring.
  have := x_le n.+2 => x_n2; apply: Rle_trans (Rabs_triang _ _) _.
  have := Rabs_triang (x n.+2) (2 * cos omega * e n.+1 - e n).
  have := Rabs_triang (2 * cos omega * e n.+1) (- e n); rewrite Rabs_Ropp -/(Rminus _ _); lra.
have opposite_float : float (- y n) by apply: is_float_opp; exact: column_float.
have near := step_near fused K (y n.+1) (- y n) opposite_float.
rewrite -(column_step fused K y0 y1 n) -/y in near.
rewrite (_ : r n = y n.+2 - (K * y n.+1 + - y n) + (K - 2 * cos omega) * y n.+1); last by rewrite /r; ring.
by apply: Rle_trans (Rabs_triang _ _) _; rewrite /step_error; lra.
Qed.

(** rounding.trace-recurrence: n steps from two entries within e0 the error is at most (2n + 1) e0 + n(n + 1)/2 times the error of a
    step, as long as that is below 2^-20 X. *)
Theorem rounding_trace_recurrence (n : nat) :
  (2 * INR n + 1) * e0 + INR n * (INR n + 1) / 2 * step_error <= / 1048576 * X ->
  Rabs (column fused K y0 y1 n.+1 - x n.+1) <= (2 * INR n + 1) * e0 + INR n * (INR n + 1) / 2 * step_error.
Proof.
have rho_ge0 := step_error_ge0; have e0_ge0 := Rle_trans _ _ _ (Rabs_pos _) y0_near.
move=> small; apply: (residuals_le omega e0 step_error e r missed y0_near y1_near n).
have grows m : (m <= n)%N ->
    (2 * INR m + 1) * e0 + INR m * (INR m + 1) / 2 * step_error <= / 1048576 * X.
  move=> /leP /le_INR le; apply: Rle_trans small; have m_ge0 := pos_INR m.
  apply: Rplus_le_compat; apply: Rmult_le_compat_r => //; first by lra.
  by have := Rmult_le_compat _ _ _ _ m_ge0 m_ge0 le le; lra.
have all m : (m <= n)%N -> Rabs (e m) <= / 1048576 * X /\ forall i, (i < m)%N -> Rabs (r i) <= step_error.
  elim: m => [_|m IHm lt_mn]; first by split=> //; apply: Rle_trans y0_near _; have := grows 0%N isT; rewrite /=; lra.
  have [e_m r_m] := IHm (ltnW lt_mn).
  have e_m1 : Rabs (e m.+1) <= / 1048576 * X.
    apply: Rle_trans (grows m (ltnW lt_mn)).
    exact: (residuals_le omega e0 step_error e r missed y0_near y1_near m r_m).
  split=> // i; rewrite ltnS leq_eqVlt => /orP[/eqP ->|/r_m //]; exact: residual_le.
by have [_] := all n (leqnn n).
Qed.

End Column.
