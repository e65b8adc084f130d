(** * What characterises rotary encoding, and what does not

  cpow z n            == z^n, where 0^0 = 1
  linear_witness g    == g(pos + n) = w(n) g(pos) for some w and all pos and n
  mean r omega theta n == the mean of r e^(i (omega k + theta)) over k = 0 ... n-1
  bilinear A n m      == the score of position n, as (1, n), and m, as (1, m), by the matrix A
  axial_matrix h omega axis x y
                      == the rotation of h pairs at (x, y), pair i turning with y where axis i, else with x

  Main results: uniqueness.bilinear-form, uniqueness.linear-attention, uniqueness.complex,
  uniqueness.complex-mean, uniqueness.affine-relative, multiaxis.axial-separable. What solves the
  equations of RoPE's derivation is in Solutions. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Phasor ComplexSum IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The bilinear form *)

(** uniqueness.bilinear-form: (R_m W_q x)ᵀ (R_n W_k y) = xᵀ W_qᵀ R_{n−m} W_k y for all m, n, x, y
    and all W_q and W_k. *)
Theorem uniqueness_bilinear_form (h d : nat) (omega : nat -> R) (m n : R)
  (W_q W_k : 'M[R]_(h.*2, d)) (x y : 'cV[R]_d) :
  dot (rotary_matrix h omega m *m (W_q *m x)) (rotary_matrix h omega n *m (W_k *m y)) =
  (x^T *m W_q^T *m rotary_matrix h omega (n - m) *m W_k *m y) ord0 ord0.
Proof.
rewrite -/(rotary omega (W_q *m x) m) -/(rotary omega (W_k *m y) n) dot_rotary.
by rewrite trmx_mulR !mulR_A.
Qed.

(** uniqueness.bilinear-form, as written: (R_m W_q x)ᵀ (R_n W_k y) = xᵀ W_q R_{n−m} W_k y. *)
Theorem uniqueness_bilinear_form_as_written_false :
  ~ (forall (theta m n : R) (W_q W_k : 'M[R]_2) (x y : 'cV[R]_2),
       dot (rotation (m * theta) *m (W_q *m x)) (rotation (n * theta) *m (W_k *m y)) =
       (x^T *m W_q *m rotation ((n - m) * theta) *m W_k *m y) ord0 ord0).
Proof.
move=> /(_ 0 0 0 (mx22 0 1 0 0) (mx22 1 0 0 1) (col2 0 1) (col2 1 0)).
have -> : (0 - 0) * 0 = 0 by ring.
rewrite R_mul0 rotation_0 mulR1 !mul1R -!mx22_id !mul1R mulR1 mx22_col2 dot_col2.
rewrite -mulR_A mx22_col2 -dot_mulR dot_col2; lra.
Qed.

(** ** Linear attention *)

(** uniqueness.linear-attention: With non-negative feature maps that are then rotated, a term of the
    numerator of linear attention can be negative: for ϕ(q) = ϕ(k) = (2, 2), θ = 1 and distance 3 it
    is 8·cos 3 < −7. *)
Theorem uniqueness_linear_attention :
  let feature := col2 2 2 in
  dot (rotate 1 feature 3) (rotate 1 feature 0) = 8 * cos 3 /\ 8 * cos 3 < -7.
Proof.
split; last by interval with (i_prec 60).
rewrite /= dot_rotate -mulR_A -dot_mulR (_ : (0 - 3) * 1 = - (3)); last by ring.
by rewrite /rotation mx22_col2 dot_col2 cos_neg sin_neg; ring.
Qed.

(** ** Functions of the position with a linear witness *)

Fixpoint cpow (z : C) (n : nat) : C := if n is m.+1 then (z * cpow z m)%C else RtoC 1.

Definition linear_witness (g : nat -> C) : Prop :=
  exists w : nat -> C, forall pos n : nat, g (pos + n)%N = (w n * g pos)%C.

Definition bounded (g : nat -> C) : Prop := exists B : R, forall pos, Cmod (g pos) <= B.

Lemma cpow_add z m n : cpow z (m + n) = (cpow z m * cpow z n)%C.
Proof. by elim: m => [|m IHm]; [rewrite add0n /=; ring | rewrite addSn /= IHm; ring]. Qed.

Lemma Cmod_cpow z n : Cmod (cpow z n) = Cmod z ^ n.
Proof. by elim: n => [|n IHn] /=; rewrite ?Cmod_1 // Cmod_mult IHn. Qed.

(** A function with a linear witness is geometric. *)
Lemma geometric (g : nat -> C) (w : nat -> C) : (forall pos n : nat, g (pos + n)%N = (w n * g pos)%C) ->
  forall pos, g pos = (g 0%N * cpow (w 1%N) pos)%C.
Proof.
move=> witness; elim=> [|pos IHpos] /=; first by ring.
by rewrite -addn1 witness IHpos; ring.
Qed.

Lemma bounded_ratio (z2 z1 : C) : z2 <> RtoC 0 ->
  bounded (fun pos => (z2 * cpow z1 pos)%C) -> Cmod z1 <= 1.
Proof.
move=> z2_ne0 [B below]; apply: Rnot_lt_le => z1_gt1.
have z2_gt0 : 0 < Cmod z2 by apply/Cmod_gt_0.
have [N above] := Pow_x_infinity (Cmod z1) ltac:(rewrite Rabs_pos_eq; lra) (B / Cmod z2 + 1).
have le_B : Cmod z2 * Cmod z1 ^ N <= B by rewrite -Cmod_cpow -Cmod_mult; exact: below.
have pow_gt0 : 0 < Cmod z1 ^ N by apply: pow_lt; lra.
have := above N (le_n N); rewrite Rabs_pos_eq => [ge_B|]; last by lra.
have : Cmod z2 * (B / Cmod z2 + 1) <= Cmod z2 * Cmod z1 ^ N by nra.
by have -> : Cmod z2 * (B / Cmod z2 + 1) = B + Cmod z2 by [field; lra]; lra.
Qed.

(** uniqueness.complex: A bounded g: ℕ → ℂ has a linear witness, g(pos + n) = w(n)·g(pos) for all
    pos and n, exactly when g(pos) = z_2·z_1^pos with |z_1| ≤ 1, where 0^0 = 1, so that g = 0 and g
    = 0 after position 0 are among these; "linear" is needed: g(pos) = 1/(1 + pos) has the witness w
    ↦ w/(1 + n·w). *)
Theorem uniqueness_complex :
  (forall g : nat -> C, bounded g /\ linear_witness g <->
     exists z2 z1 : C, Cmod z1 <= 1 /\ forall pos, g pos = (z2 * cpow z1 pos)%C) /\
  (forall pos n : nat,
     let g pos := / (1 + INR pos) in
     let witness n w := w / (1 + INR n * w) in
     g (pos + n)%N = witness n (g pos)) /\
  ~ linear_witness (fun pos => RtoC (/ (1 + INR pos))).
Proof.
split=> [g | ]; last split=> [pos n /= | [w witness]].
- split=> [[[B below] [w witness]] | [z2 [z1 [z1_le1 gE]]]].
    have gE := geometric witness; have [g0_eq0 | g0_ne0] := Ceq_dec (g 0%N) (RtoC 0).
      by exists (RtoC 0), (RtoC 0); rewrite Cmod_0; split=> [|pos]; [lra | rewrite gE g0_eq0; ring].
    exists (g 0%N), (w 1%N); split=> //; apply: (bounded_ratio g0_ne0).
    by exists B => pos; rewrite -gE.
  split; last by exists (cpow z1) => pos n; rewrite !gE addnC cpow_add; ring.
  exists (Cmod z2) => pos; rewrite gE Cmod_mult Cmod_cpow -[X in _ <= X]Rmult_1_r.
  apply: Rmult_le_compat_l; first exact: Cmod_ge_0.
  by rewrite -(pow1 pos); apply: pow_incr; split; first exact: Cmod_ge_0.
- rewrite plus_INR; have := pos_INR pos; have := pos_INR n => n_ge0 pos_ge0.
  by field; split; [nra | lra].
- have e0 : / (1 + INR 0) = 1 by rewrite Rplus_0_r Rinv_1.
  have h1 : RtoC (/ (1 + INR 1)) = (RtoC (/ (1 + INR 0)) * (w 1%N * RtoC 1))%C := geometric witness 1%N.
  have h2 : RtoC (/ (1 + INR 2)) = (RtoC (/ (1 + INR 0)) * (w 1%N * (w 1%N * RtoC 1)))%C :=
    geometric witness 2%N.
  have wE : w 1%N = RtoC (/ (1 + INR 1)) by rewrite h1 e0; ring.
  by move: h2; rewrite e0 wE -!RtoC_mult => /RtoC_inj; rewrite [INR 1]/= [INR 2]/=; lra.
Qed.

(** ** The mean over positions *)

(** The mean of r e^(i (omega k + theta)) over k = 0 ... n-1. *)
Definition mean (r omega theta : R) (n : nat) : C :=
  (RtoC (/ INR n) * csum n (fun k => RtoC r * phasor (omega * INR k + theta)))%C.

Lemma geometric_sum omega n :
  ((phasor omega - RtoC 1) * csum n (fun k => phasor (omega * INR k)) =
   phasor (omega * INR n) - RtoC 1)%C.
Proof.
elim: n => [|n IHn].
  have -> : phasor (omega * INR 0) = RtoC 1 by rewrite Rmult_0_r phasorE cos_0 sin_0.
  by rewrite [csum _ _]/=; ring.
have -> : omega * INR n.+1 = omega + omega * INR n by rewrite S_INR; ring.
rewrite [csum _ _]/= -phasor_add.
have -> : (phasor omega * phasor (omega * INR n) - RtoC 1 =
  (phasor omega - RtoC 1) * phasor (omega * INR n) + (phasor (omega * INR n) - RtoC 1))%C by ring.
by rewrite -IHn; ring.
Qed.

Lemma csum_scale r omega theta n :
  csum n (fun k => (RtoC r * phasor (omega * INR k + theta))%C) =
  (RtoC r * phasor theta * csum n (fun k => phasor (omega * INR k)))%C.
Proof.
elim: n => [|n IHn] /=; first by ring.
by rewrite IHn -phasor_add; ring.
Qed.

Lemma Cmod_mean r omega theta n : 0 <= r -> (0 < n)%N -> sin (omega / 2) <> 0 ->
  Cmod (mean r omega theta n) = r / INR n * (Rabs (sin (omega * INR n / 2)) / Rabs (sin (omega / 2))).
Proof.
move=> r_ge0 n_pos sin_ne0; have n_gt0 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have sin_gt0 := Rabs_pos_lt _ sin_ne0.
have := congr1 Cmod (geometric_sum omega n); rewrite Cmod_mult !Cmod_chord => sums.
rewrite /mean csum_scale !Cmod_mult Cmod_phasor !Cmod_R (Rabs_pos_eq r) // Rabs_pos_eq; last first.
  exact/Rlt_le/Rinv_0_lt_compat.
set S := Cmod _ in sums *; have -> : Rabs (sin (omega * INR n / 2)) = Rabs (sin (omega / 2)) * S by lra.
by field; lra.
Qed.

Lemma Cmod_mean_le r omega theta n : 0 <= r -> (0 < n)%N -> sin (omega / 2) <> 0 ->
  Cmod (mean r omega theta n) <= r / (INR n * Rabs (sin (omega / 2))).
Proof.
move=> r_ge0 n_pos sin_ne0; rewrite Cmod_mean //.
have n_gt0 : 0 < INR n by apply: lt_0_INR; apply/ltP.
have sin_gt0 := Rabs_pos_lt _ sin_ne0; set s := Rabs (sin (omega / 2)) in sin_gt0 *.
have -> : r / INR n * (Rabs (sin (omega * INR n / 2)) / s) =
          r / (INR n * s) * Rabs (sin (omega * INR n / 2)) by field; lra.
rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l.
  by apply: Rmult_le_pos => //; apply/Rlt_le/Rinv_0_lt_compat; nra.
by have [] := SIN_bound (omega * INR n / 2); move=> ? ?; apply: Rabs_le.
Qed.

Lemma not_whole_turns omega : (forall z : Z, omega <> 2 * PI * IZR z) -> sin (omega / 2) <> 0.
Proof.
by move=> not_whole /sin_eq_0_0[z half]; apply: (not_whole z); lra.
Qed.

Lemma mean_1000 r theta : 0 < r -> Cmod (mean r 1 theta 1000) < r / 1000.
Proof.
move=> r_gt0; have half_ne0 : sin (1 / 2) <> 0 by apply: Rgt_not_eq; interval with (i_prec 60).
rewrite Cmod_mean //; last exact: Rlt_le.
rewrite INR_IZR_INZ -[IZR (Z.of_nat 1000)]/1000 -[X in _ < X]Rmult_1_r.
apply: Rmult_lt_compat_l; first by apply: Rdiv_lt_0_compat; lra.
by interval with (i_prec 50).
Qed.

(** uniqueness.complex-mean: The mean of r·e^(i(ωn+θ)) over n = 0 … N−1 tends to 0 for ω that is no
    multiple of 2π: (e^(iω) − 1)·Σ_{n<N} e^(inω) = e^(iNω) − 1, so that it is at most
    r/(N·|sin(ω/2)|) in modulus; for ω = 1 and N = 1000 it is less than r/1000. *)
Theorem uniqueness_complex_mean :
  (forall omega n, ((phasor omega - RtoC 1) * csum n (fun k => phasor (omega * INR k)) =
                    phasor (omega * INR n) - RtoC 1)%C) /\
  (forall r omega theta : R, 0 <= r -> (forall z : Z, omega <> 2 * PI * IZR z) ->
     (forall n : nat, (0 < n)%N ->
        Cmod (mean r omega theta n) <= r / (INR n * Rabs (sin (omega / 2)))) /\
     (forall epsilon, 0 < epsilon -> exists n0 : nat, forall n : nat, (n0 <= n)%N ->
        Cmod (mean r omega theta n) < epsilon)) /\
  (forall r theta : R, 0 < r -> Cmod (mean r 1 theta 1000) < r / 1000).
Proof.
split; first exact: geometric_sum.
split; last exact: mean_1000.
move=> r omega theta r_ge0 /not_whole_turns sin_ne0.
split=> [n n_pos | epsilon eps_gt0]; first exact: Cmod_mean_le.
have sin_gt0 := Rabs_pos_lt _ sin_ne0; set s := Rabs (sin (omega / 2)) in sin_gt0 *.
have [n0 above] := INR_unbounded (r / (epsilon * s)); exists n0.+1 => n /leP le_n.
have n_pos : (0 < n)%N by apply/leP; lia.
have n_gt : INR n0 <= INR n by apply: le_INR; lia.
apply: Rle_lt_trans (Cmod_mean_le _ r_ge0 n_pos sin_ne0) _; rewrite -/s.
have n_gt0 : 0 < INR n by apply: lt_0_INR; lia.
apply: (Rmult_lt_reg_r (INR n * s)); first by nra.
have -> : r / (INR n * s) * (INR n * s) = r / (epsilon * s) * (epsilon * s) by field; nra.
by have : 0 < epsilon * s by [nra]; nra.
Qed.

(** uniqueness.complex-mean, as written: The mean over all positions is linear in the amplitude r
    with coefficient 2/π: at least 0.636·r for ω = 1 and N = 1000. *)
Theorem uniqueness_complex_mean_as_written_false :
  ~ (forall r theta : R, 0 < r -> 0.636 * r <= Cmod (mean r 1 theta 1000)).
Proof. by move=> /(_ 1 0 ltac:(lra)); have := @mean_1000 1 0 ltac:(lra); lra. Qed.

(** ** Absolute positions *)

Definition bilinear (A : 'M[R]_2) (n m : R) : R := dot (col2 1 n) (A *m col2 1 m).

(** uniqueness.affine-relative: From absolute positions, q = (1, −n) and k = (m, 1) give ⟨q, k⟩ = m
    − n, a function of the distance; but every score bilinear in (1, n) and (1, m) has second
    differences 0 in n, so that the functions f_rel(m − n) that it can be are affine alone. *)
Theorem uniqueness_affine_relative :
  (forall m n : R, dot (col2 1 (- n)) (col2 m 1) = m - n) /\
  (forall A : 'M[R]_2,
     (forall n m : R, bilinear A (n + 2) m - 2 * bilinear A (n + 1) m + bilinear A n m = 0) /\
     (forall f_rel : Z -> R,
        (forall m n : nat, bilinear A (INR n) (INR m) = f_rel (Z.of_nat m - Z.of_nat n)%Z) ->
        exists c a : R, forall x : Z, f_rel x = c + a * IZR x)).
Proof.
split=> [m n | A]; first by rewrite dot_col2; ring.
rewrite (mx22_of A); set a := A _ _; set b := A _ _; set c := A _ _; set d := A _ _.
have form n m : bilinear (mx22 a b c d) n m = a + b * m + c * n + d * (n * m).
  by rewrite /bilinear mx22_col2 dot_col2; ring.
split=> [n m | f_rel relative]; first by rewrite !form; ring.
have at_0 := relative 0%N 0%N; have := relative 1%N 1%N; have := relative 2%N 2%N.
rewrite !form !Z.sub_diag -[f_rel 0%Z]at_0 form [INR 2]/= [INR 1]/= [INR 0]/= => two one.
have d_eq0 : d = 0 by lra.
have c_eq : c = - b by lra.
exists a, b => x; have [x_ge0 | x_lt0] := Z_le_gt_dec 0 x.
  have := relative (Z.to_nat x) 0%N; rewrite form INR_IZR_INZ Z2Nat.id // Z.sub_0_r [INR 0]/= => <-.
  by ring.
have := relative 0%N (Z.to_nat (- x)); rewrite form (INR_IZR_INZ (Z.to_nat _)) Z2Nat.id; last by lia.
rewrite [INR 0]/= [(Z.of_nat 0 - _)%Z]/= Z.opp_involutive opp_IZR => <-.
by rewrite c_eq; ring.
Qed.

(** ** Two axes *)

Definition axial_matrix (h : nat) (omega : nat -> R) (axis : nat -> bool) (x y : R) : 'M[R]_(h.*2) :=
  block_diag (fun i : 'I_h => rotation (omega i * (if axis i then y else x))).

Lemma axial_exchange h omega axis (q k : 'cV[R]_(h.*2)) x y x' y' :
  let score x y := dot (axial_matrix h omega axis x y *m q) k in
  score x y + score x' y' = score x y' + score x' y.
Proof.
rewrite /= !dot_pairs -!rsum_add; apply: eq_bigr => i _; rewrite !pair_of_block_diag.
by case: (axis i); ring.
Qed.

(** multiaxis.axial-separable: With frequencies that each belong to one axis every score obeys a(x,
    y) + a(x′, y′) = a(x, y′) + a(x′, y), for all q, k and frequencies: offsets (0, 0) and (1, 1)
    cannot both score above (0, 1) and (1, 0). A pair that turns with x − y can: cos(x − y) is 1 on
    the diagonal and cos 1 off it. *)
Theorem multiaxis_axial_separable :
  (forall h omega axis (q k : 'cV[R]_(h.*2)),
     let score x y := dot (axial_matrix h omega axis x y *m q) k in
     (forall x y x' y', score x y + score x' y' = score x y' + score x' y) /\
     ~ (Rmax (score 0 1) (score 1 0) < score 0 0 /\ Rmax (score 0 1) (score 1 0) < score 1 1)) /\
  (let mixed x y := dot (rotation (x - y) *m col2 1 0) (col2 1 0) in
   mixed 0 0 = 1 /\ mixed 1 1 = 1 /\ mixed 0 1 = cos 1 /\ mixed 1 0 = cos 1 /\ cos 1 < 1).
Proof.
split=> [h omega axis q k score | mixed].
  split=> [x y x' y' | [above_0 above_1]]; first exact: axial_exchange.
  have : score 0 0 + score 1 1 = score 0 1 + score 1 0 := axial_exchange omega axis q k 0 0 1 1.
  by have := Rmax_l (score 0 1) (score 1 0); have := Rmax_r (score 0 1) (score 1 0); lra.
have mixedE x y : mixed x y = cos (x - y) by rewrite /mixed /rotation mx22_col2 dot_col2; ring.
have r00 : 0 - 0 = 0 by ring.
have r11 : 1 - 1 = 0 by ring.
have r01 : 0 - 1 = - (1) by ring.
have r10 : 1 - 0 = 1 by ring.
by rewrite !mixedE r00 r11 r01 r10 cos_neg cos_0; repeat split=> //; interval with (i_prec 60).
Qed.
