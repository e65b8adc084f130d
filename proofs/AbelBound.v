(** * Summation by parts, and what it bounds

  Summation by parts bounds a score by A(s), the sum of the lengths of partial sums of e^(i s w_i).
  With the greatest difference of neighbouring coefficients that can say something; with twice their
  greatest modulus in its place it says nothing, as it is never less than what the triangle inequality
  gives: two partial sums in a row cannot both be short.

  partial_sum, amplitude, rope_score == S_j, A(s) and a(s) (ComplexSum.v)
  greatest n F == the greatest of F 0 ... F (n-1), which are not negative, and 0 for n = 0

  Main results: decay.abel-identity, decay.abel-bound. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Encoding Phasor IntervalTactic Figures.
From Posproof Require Import Wavelengths RationalPower ComplexSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Summation by parts *)

Lemma summation_by_parts n (c S : nat -> C) :
  (csum n (fun i => c i * (S i.+1 - S i)) + csum n (fun i => S i.+1 * (c i.+1 - c i)) =
   c n * S n - c 0%N * S 0%N)%C.
Proof.
elim: n => [|n IHn] /=; first by ring.
set a := csum n _ in IHn *; set b := csum n _ in IHn *.
have -> : (a + c n * (S n.+1 - S n) + (b + S n.+1 * (c n.+1 - c n)) =
  a + b + (c n * (S n.+1 - S n) + S n.+1 * (c n.+1 - c n)))%C by ring.
by rewrite IHn; ring.
Qed.

(** decay.abel-identity: With h_{d/2} = 0 and S_0 = 0, Σ_i h_i·(S_{i+1} − S_i) = −Σ_i
    S_{i+1}·(h_{i+1} − h_i), sums over i = 0 … d/2−1, for every even d, all complex h and all
    frequencies, S_j = Σ_{i<j} e^(isθ_i). *)
Theorem decay_abel_identity (n : nat) (c : nat -> C) (omega : nat -> R) (s : R) :
  let S := partial_sum omega s in
  c n = RtoC 0 -> S 0%N = RtoC 0 /\
  csum n (fun i => c i * (S i.+1 - S i))%C = (- csum n (fun i => S i.+1 * (c i.+1 - c i)))%C.
Proof.
move=> S c_n; have S_0 : S 0%N = RtoC 0 by [].
split=> //; have := summation_by_parts n c S; rewrite c_n S_0 => parts.
set a := csum n _ in parts *; set b := csum n _ in parts *.
have -> : a = (a + b - b)%C by ring.
by rewrite parts; ring.
Qed.

Lemma rope_score_parts n c omega s : c n = RtoC 0 ->
  rope_score n c omega s =
  Re (- csum n (fun i => partial_sum omega s i.+1 * (c i.+1 - c i)))%C.
Proof.
move=> /(decay_abel_identity omega s)[_ <-]; congr Re; apply: eq_csum => i.
by rewrite /partial_sum /=; ring.
Qed.

(** The greatest of n values, none of them negative. *)
Fixpoint greatest (n : nat) (F : nat -> R) : R := if n is m.+1 then Rmax (greatest m F) (F m) else 0.

Lemma greatest_ge n F i : (i < n)%N -> F i <= greatest n F.
Proof.
elim: n => [|n IHn] //; rewrite ltnS leq_eqVlt => /orP[/eqP -> | /IHn F_le] /=; first exact: Rmax_r.
by apply: Rle_trans F_le _; exact: Rmax_l.
Qed.

Lemma greatest_le n F B : 0 <= B -> (forall i, (i < n)%N -> F i <= B) -> greatest n F <= B.
Proof.
move=> B_ge0; elim: n => [|n IHn] //= below; apply: Rmax_lub; last exact: below.
by apply: IHn => i /ltnW lt_i; exact: below.
Qed.

Lemma greatest_ge0 n F : 0 <= greatest n F.
Proof. by elim: n => [|n IHn] /=; [exact: Rle_refl | apply: Rle_trans IHn _; exact: Rmax_l]. Qed.

Lemma amplitude_ge0 h omega s : 0 <= amplitude h omega s.
Proof. by apply: rsum_ge0 => j; exact: Cmod_ge_0. Qed.

(** By the greatest difference of neighbours, which is at most twice the greatest modulus. *)
Lemma abel_inequalities (n : nat) (c : nat -> C) (omega : nat -> R) (s : R) : c n = RtoC 0 ->
  let step := greatest n (fun i => Cmod (c i.+1 - c i)%C) in
  let size := greatest n (fun i => Cmod (c i)) in
  Rabs (rope_score n c omega s) <= step * amplitude n omega s <= 2 * size * amplitude n omega s.
Proof.
move=> c_n step size; split.
  rewrite rope_score_parts //; apply: Rle_trans (Re_le_Cmod _) _.
  rewrite Cmod_opp /amplitude -rsum_mull.
  apply: (Cmod_csum_le (b := fun i => step * Cmod (partial_sum omega s i.+1))) => i lt_i.
  rewrite Cmod_mult Rmult_comm; apply: Rmult_le_compat_r; first exact: Cmod_ge_0.
  exact: (greatest_ge (fun i => Cmod (c i.+1 - c i)%C) lt_i).
apply: Rmult_le_compat_r; first exact: amplitude_ge0.
have size_ge0 : 0 <= size by exact: greatest_ge0.
have small i : (i < n)%N -> Cmod (c i) <= size := @greatest_ge n (fun i => Cmod (c i)) i.
apply: greatest_le => [|i lt_i]; first by lra.
apply: Rle_trans (Cmod_triangle _ _) _; rewrite Cmod_opp; have c_i := small i lt_i.
case: (ltnP i.+1 n) => [/small c_next | ge_n]; first by lra.
have -> : i.+1 = n by apply/eqP; rewrite eqn_leq lt_i ge_n.
by rewrite c_n Cmod_0; lra.
Qed.

(** What the triangle inequality gives, and that it is reached at every distance. *)
Lemma score_le_moduli n c omega s : Rabs (rope_score n c omega s) <= \rsum_(i < n) Cmod (c i).
Proof.
apply: Rle_trans (Re_le_Cmod _) _; apply: (Cmod_csum_le (b := fun i => Cmod (c i))) => i _.
by rewrite Cmod_mult Cmod_phasor Rmult_1_r; exact: Rle_refl.
Qed.

Lemma moduli_le n (c : nat -> C) : \rsum_(i < n) Cmod (c i) <= INR n * greatest n (fun i => Cmod (c i)).
Proof.
by rewrite -rsum_const; apply: rsum_le => i; exact: (greatest_ge (fun i => Cmod (c i)) (ltn_ord i)).
Qed.

Lemma moduli_reached n (r : nat -> R) omega s : (forall i, 0 <= r i) -> exists c : nat -> C,
  (forall i, Cmod (c i) = r i) /\ rope_score n c omega s = \rsum_(i < n) r i.
Proof.
move=> r_ge0; exists (fun i => RtoC (r i) * phasor (- (s * omega i)))%C; split=> [i | ].
  by rewrite Cmod_mult Cmod_phasor Cmod_R Rmult_1_r Rabs_pos_eq.
rewrite /rope_score Re_csum; apply: eq_bigr => i _.
rewrite -Cmult_assoc phasor_add Rplus_opp_l phasorE cos_0 sin_0 /=; ring.
Qed.

(** ** The bound is never less *)

Lemma amplitudeS h omega s : amplitude h.+1 omega s = amplitude h omega s + Cmod (partial_sum omega s h.+1).
Proof. by rewrite /amplitude big_ord_recr. Qed.

Lemma partial_sumS omega s j : partial_sum omega s j.+1 = (partial_sum omega s j + phasor (s * omega j))%C.
Proof. by []. Qed.

Lemma amplitude_1 omega s : amplitude 1 omega s = 1.
Proof. by rewrite /amplitude big_ord_recl big_ord0 partial_sumS [partial_sum _ _ _]/= Cplus_0_l Cmod_phasor Rplus_0_r. Qed.

(** Neighbouring partial sums differ by a point of the unit circle: they cannot both be short. *)
Lemma neighbours_ge1 omega s j : 1 <= Cmod (partial_sum omega s j) + Cmod (partial_sum omega s j.+1).
Proof.
have unit : Cmod (partial_sum omega s j.+1 + - partial_sum omega s j)%C = 1.
  by rewrite partial_sumS -(Cmod_phasor (s * omega j)); congr Cmod; ring.
by rewrite -unit; apply: Rle_trans (Cmod_triangle _ _) _; rewrite Cmod_opp; lra.
Qed.

Lemma amplitude_grows h k omega s : amplitude h omega s + INR k <= amplitude (h + k.*2) omega s.
Proof.
elim: k => [|k IHk]; first by rewrite double0 addn0 /=; lra.
rewrite doubleS !addnS !amplitudeS S_INR.
by have := neighbours_ge1 omega s (h + k.*2).+1; lra.
Qed.

Lemma amplitude_ge_half h omega s : INR h <= 2 * amplitude h omega s.
Proof.
have h_is := odd_double_half h; have := amplitude_grows (odd h) h./2 omega s; rewrite h_is.
have -> : INR h = INR (odd h) + 2 * INR h./2 by rewrite -{1}h_is -muln2 plus_INR mult_INR /=; ring.
case: (odd h) => /=; last by rewrite /amplitude big_ord0; lra.
by rewrite amplitude_1; lra.
Qed.

(** Where it is no more, the second partial sum vanishes and so does the fourth. *)
Lemma opposite_phasors a b : (phasor a + phasor b)%C = RtoC 0 -> exists n : Z, a - b = PI * IZR (2 * n + 1).
Proof.
rewrite !phasorE => sum_0; have cosines := congr1 Re sum_0; have sines := congr1 Im sum_0.
rewrite /= in cosines sines; have [n a_is] : exists n : Z, a = b + PI + 2 * PI * IZR n.
  by apply/same_angle; rewrite neg_sin neg_cos; lra.
by exists n; rewrite a_is plus_IZR mult_IZR; ring.
Qed.

Lemma amplitude_gt_half s : 64 < 2 * amplitude 64 (frequency 10000 128) s.
Proof.
set omega := frequency 10000 128; apply: Rnot_le_lt => small.
have at_2 : amplitude 2 omega s = 1 + Cmod (partial_sum omega s 2) by rewrite amplitudeS amplitude_1.
have first_two : partial_sum omega s 2 = RtoC 0.
  apply: Cmod_eq_0; have : amplitude 2 omega s + INR 31 <= amplitude 64 omega s := amplitude_grows 2 31 omega s.
  by rewrite at_2 INR_IZR_INZ [Z.of_nat 31]/=; have := Cmod_ge_0 (partial_sum omega s 2); lra.
have last_two : (phasor (s * omega 2%N) + phasor (s * omega 3%N))%C = RtoC 0.
  have third : partial_sum omega s 3 = phasor (s * omega 2%N) by rewrite partial_sumS first_two Cplus_0_l.
  have fourth : partial_sum omega s 4 = (phasor (s * omega 2%N) + phasor (s * omega 3%N))%C.
    by rewrite partial_sumS third.
  rewrite -fourth; apply: Cmod_eq_0.
  have : amplitude 4 omega s + INR 30 <= amplitude 64 omega s := amplitude_grows 4 30 omega s.
  rewrite (amplitudeS 3) (amplitudeS 2) at_2 first_two third Cmod_0 Cmod_phasor INR_IZR_INZ [Z.of_nat 30]/=.
  by have := Cmod_ge_0 (partial_sum omega s 4); lra.
rewrite 2!partial_sumS [partial_sum _ _ 0]/= Cplus_0_l in first_two.
have [n turn] := opposite_phasors first_two; have [m next_turn] := opposite_phasors last_two.
set r := Rpower 10000 (- (1 / INR 64)); have r_gt0 : 0 < r by exact: exp_pos.
have rates i : omega i = r ^ i by apply: (@frequency_ratio 10000 64) => //; lra.
rewrite !rates in turn next_turn; have PI_gt0 := PI_RGT_0.
have odd_ne0 k : IZR (2 * k + 1) <> 0 by apply: not_0_IZR; lia.
have square_rational : rational (r ^ 2).
  exists (2 * m + 1)%Z, (2 * n + 1)%Z; split; first by lia.
  apply: (Rmult_eq_reg_r (PI * IZR (2 * n + 1))); last first.
    by apply: Rmult_integral_contrapositive_currified; [lra | exact: odd_ne0].
  rewrite -{1}turn; transitivity (s * r ^ 2 - s * r ^ 3); first by rewrite /=; ring.
  by rewrite next_turn; field; exact: odd_ne0.
have root : Rpower 10000 (1 / INR 32) = 1 / r ^ 2.
  have -> : r ^ 2 = Rpower 10000 (- (1 / INR 32)).
    rewrite /r -Rpower_pow; last exact: exp_pos.
    by rewrite Rpower_mult !INR_IZR_INZ; congr Rpower; rewrite [Z.of_nat _]/= [Z.of_nat 2]/= [Z.of_nat 32]/=; field.
  by rewrite Rpower_Ropp; field; apply: Rgt_not_eq; exact: exp_pos.
have [root_rational _] := @root_of_10000 32 isT.
have /root_rational[] // : rational (Rpower 10000 (1 / INR 32)).
by rewrite root; apply: rational_div (rational_IZR 1) square_rational _; apply: Rgt_not_eq; exact: pow_lt.
Qed.

(** decay.abel-bound: |a(s)| ≤ max|h_{i+1} − h_i|·A(s) ≤ 2·max|h|·A(s) for all h, where h_{d/2} = 0;
    but the last form says nothing at any distance: for all even d, all frequencies and all real s,
    2·A(s) ≥ d/2, as |S_j| + |S_{j+1}| ≥ 1, while |a(s)| ≤ Σ|h_i| ≤ (d/2)·max|h|, and Σ|h_i| is the
    score at distance s of some h of these moduli. For d = 128 and base 10000, 2·A(s) > 64 at every
    real s. *)
Theorem decay_abel_bound :
  (forall (n : nat) (c : nat -> C) (omega : nat -> R) (s : R),
     let step := greatest n (fun i => Cmod (c i.+1 - c i)%C) in
     let size := greatest n (fun i => Cmod (c i)) in
     (c n = RtoC 0 ->
        Rabs (rope_score n c omega s) <= step * amplitude n omega s <= 2 * size * amplitude n omega s) /\
     Rabs (rope_score n c omega s) <= \rsum_(i < n) Cmod (c i) <= INR n * size) /\
  (forall (n : nat) (omega : nat -> R) (s : R),
     INR n <= 2 * amplitude n omega s /\
     (forall j, 1 <= Cmod (partial_sum omega s j) + Cmod (partial_sum omega s j.+1)) /\
     forall r : nat -> R, (forall i, 0 <= r i) -> exists c : nat -> C,
       (forall i, Cmod (c i) = r i) /\ rope_score n c omega s = \rsum_(i < n) r i) /\
  (forall s : R, 64 < 2 * amplitude 64 (frequency 10000 128) s).
Proof.
split=> [n c omega s step size | ].
  by split; [exact: abel_inequalities | split; [exact: score_le_moduli | exact: moduli_le]].
split; last exact: amplitude_gt_half.
move=> n omega s; split; first exact: amplitude_ge_half.
by split; [exact: neighbours_ge1 | move=> r; exact: moduli_reached].
Qed.

(** decay.abel-bound, as written: 2·max|h|·A(s) bounds the score where positions are extrapolated:
    at distance 3643 it is below what the triangle inequality gives. *)
Theorem decay_abel_bound_as_written_false :
  ~ (2 * amplitude 64 (frequency 10000 128) 3643 < 64).
Proof. by have := amplitude_gt_half 3643; lra. Qed.
