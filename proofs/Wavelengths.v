(** * Wavelengths and periods of the sinusoidal encoding

  What is claimed.  The wavelengths are a geometric progression whose ends depend on where
  the counting starts, and no start gives both ends 2π and base·2π. Sine, cosine and the
  pair of frequency ω have one least period, 2π/ω; the pair is injective on it and the
  sine is not. A component takes the same value a whole number of its wavelengths later.

  is_period f p      == p > 0 and f (t + p) = f t for every t
  least_period f p   == p is a period of f and no period is smaller
  wavelength ω       == 2π/ω (Encoding)

  Main results: the theorems named by their claims, sinusoid.wavelengths, .pair-period and
  .periodic-component; [cos_eq_1] and [same_angle], by which two angles with the same sine
  and cosine differ by a whole number of turns. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Whole turns *)

Lemma cos_whole_turns (n : Z) : cos (2 * PI * IZR n) = 1.
Proof.
have -> : 2 * PI * IZR n = 2 * (IZR n * PI) by ring.
by rewrite cos_2a_sin sin_eq_0_1; [ring | exists n].
Qed.

Lemma sin_whole_turns (n : Z) : sin (2 * PI * IZR n) = 0.
Proof. by apply: sin_eq_0_1; exists (2 * n)%Z; rewrite mult_IZR; ring. Qed.

Lemma cos_add_turns a n : cos (a + 2 * PI * IZR n) = cos a.
Proof. by rewrite cos_plus cos_whole_turns sin_whole_turns; ring. Qed.

Lemma sin_add_turns a n : sin (a + 2 * PI * IZR n) = sin a.
Proof. by rewrite sin_plus cos_whole_turns sin_whole_turns; ring. Qed.

(** The cosine is 1 at whole turns only. *)
Lemma cos_eq_1 a : cos a = 1 -> exists n : Z, a = 2 * PI * IZR n.
Proof.
move=> cos1; have : sin (a / 2) = 0.
  have := cos_2a_sin (a / 2); have -> : 2 * (a / 2) = a by field.
  by rewrite cos1 => sin2; nra.
by case/sin_eq_0_0 => n half_a; exists n; lra.
Qed.

(** Angles with the same sine and cosine differ by whole turns. *)
Lemma same_angle a b :
  sin a = sin b /\ cos a = cos b <-> exists n : Z, a = b + 2 * PI * IZR n.
Proof.
split=> [[eq_sin eq_cos] | [n ->]]; last by rewrite sin_add_turns cos_add_turns.
have : cos (a - b) = 1.
  by rewrite cos_minus eq_sin eq_cos; have := sin2_cos2 b; rewrite /Rsqr; lra.
by case/cos_eq_1 => n turns; exists n; lra.
Qed.

(** ** Periods *)

Definition is_period (T : Type) (f : R -> T) (p : R) : Prop :=
  0 < p /\ forall t, f (t + p) = f t.
Definition least_period (T : Type) (f : R -> T) (p : R) : Prop :=
  is_period f p /\ forall q, is_period f q -> p <= q.

Section OnePair.

Variable omega : R.
Hypothesis omega_gt0 : 0 < omega.

Let sine (t : R) : R := sin (omega * t).
Let cosine (t : R) : R := cos (omega * t).
Let pair (t : R) : R * R := (sin (omega * t), cos (omega * t)).

Lemma wavelength_gt0 : 0 < wavelength omega.
Proof. by have := PI_RGT_0; move=> ?; apply: Rdiv_lt_0_compat; lra. Qed.

Lemma angle_one_wavelength t : omega * (t + wavelength omega) = omega * t + 2 * PI * IZR 1.
Proof. by rewrite /wavelength; field; lra. Qed.

Lemma wavelength_is_period :
  [/\ is_period sine (wavelength omega), is_period cosine (wavelength omega)
    & is_period pair (wavelength omega)].
Proof.
have w_gt0 := wavelength_gt0.
by split; split=> // t; rewrite /pair /sine /cosine angle_one_wavelength
  ?sin_add_turns ?cos_add_turns.
Qed.

(** If ω q is a positive number of turns, then q is at least one wavelength. *)
Lemma wavelength_le q : 0 < q -> cos (omega * q) = 1 -> wavelength omega <= q.
Proof.
move=> q_gt0 /cos_eq_1[n turns]; have PI_gt0 := PI_RGT_0.
have angle_gt0 : 0 < omega * q by apply: Rmult_lt_0_compat.
have n_gt0 : 0 < IZR n by nra.
have n_ge1 : 1 <= IZR n by apply: IZR_le; move/lt_IZR: n_gt0; lia.
have -> : q = wavelength omega * IZR n by rewrite /wavelength; apply: (Rmult_eq_reg_l omega);
  [rewrite turns; field | ]; lra.
by have := wavelength_gt0; nra.
Qed.

Lemma sine_period_cos q : is_period sine q -> cos (omega * q) = 1.
Proof.
case=> _ /(_ (PI / 2 / omega)); rewrite /sine Rmult_plus_distr_l.
have -> : omega * (PI / 2 / omega) = PI / 2 by field; lra.
by rewrite sin_plus sin_PI2 cos_PI2; lra.
Qed.

Lemma cosine_period_cos q : is_period cosine q -> cos (omega * q) = 1.
Proof. by case=> _ /(_ 0); rewrite /cosine Rplus_0_l Rmult_0_r cos_0. Qed.

Lemma pair_injective a s t :
  a <= s < a + wavelength omega -> a <= t < a + wavelength omega -> pair s = pair t -> s = t.
Proof.
move=> s_in t_in [eq_sin eq_cos].
wlog le_ts : s t s_in t_in eq_sin eq_cos / t <= s.
  by move=> sym; have [le_ts | le_st] := Rle_or_lt t s; [apply: sym | symmetry; apply: sym; lra].
have [//|lt_ts] : s = t \/ t < s by lra.
have cos1 : cos (omega * (s - t)) = 1.
  rewrite Rmult_minus_distr_l cos_minus eq_sin eq_cos.
  by have := sin2_cos2 (omega * t); rewrite /Rsqr; lra.
have st_gt0 : 0 < s - t by lra.
by have := wavelength_le st_gt0 cos1; lra.
Qed.

Lemma sine_not_injective :
  exists s t, [/\ 0 <= s < wavelength omega, 0 <= t < wavelength omega, s <> t & sine s = sine t].
Proof.
have PI_gt0 := PI_RGT_0.
have half_gt0 : 0 < PI / omega by apply: Rdiv_lt_0_compat.
exists 0, (PI / omega); rewrite /sine /wavelength.
have -> : omega * (PI / omega) = PI by field; lra.
have -> : 2 * PI / omega = 2 * (PI / omega) by field; lra.
by rewrite Rmult_0_r sin_0 sin_PI; split; lra.
Qed.

End OnePair.

(** sinusoid.pair-period: For ω > 0 the functions sin(ωt), cos(ωt) and the pair
    (sin(ωt), cos(ωt)) have the same least period 2π/ω, and the pair is injective on one
    period, which the sine alone is not. *)
Theorem sinusoid_pair_period (omega : R) : 0 < omega ->
  let sine t := sin (omega * t) in
  let cosine t := cos (omega * t) in
  let pair t := (sin (omega * t), cos (omega * t)) in
  let p := 2 * PI / omega in
  [/\ least_period sine p, least_period cosine p & least_period pair p] /\
  (forall a s t, a <= s < a + p -> a <= t < a + p -> pair s = pair t -> s = t) /\
  (exists s t, [/\ 0 <= s < p, 0 <= t < p, s <> t & sine s = sine t]).
Proof.
move=> omega_gt0 /=; have [sine_p cosine_p pair_p] := wavelength_is_period omega_gt0.
split; last by split; [apply: pair_injective | apply: sine_not_injective].
split; split=> // q q_period; have [q_gt0 q_shift] := q_period; apply: wavelength_le => //.
- exact: sine_period_cos q_period.
- exact: cosine_period_cos q_period.
- by apply: (@cosine_period_cos omega); split=> // t; have [_] := q_shift t.
Qed.

(** sinusoid.pair-period, as written: Alternating sine and cosine makes the period longer
    than that of the sine. *)
Theorem sinusoid_pair_period_as_written_false :
  ~ (exists omega p q : R, 0 < omega /\
       least_period (fun t => sin (omega * t)) p /\
       least_period (fun t => (sin (omega * t), cos (omega * t))) q /\ p < q).
Proof.
move=> [omega [p [q [omega_gt0 [[p_period _] [[_ q_least] lt_pq]]]]]].
have [_ _ pair_p] := wavelength_is_period omega_gt0.
have q_le := q_least _ pair_p.
have p_ge := wavelength_le omega_gt0 (proj1 p_period) (sine_period_cos omega_gt0 p_period).
lra.
Qed.

(** sinusoid.periodic-component: For every ω ≠ 0, every integer n and every t, the
    component of frequency ω takes the same value at t and at t + n·2π/ω. *)
Theorem sinusoid_periodic_component (omega : nat -> R) (j : nat) (n : Z) (t : R) :
  omega j./2 <> 0 ->
  pe omega (t + IZR n * (2 * PI / omega j./2)) j = pe omega t j.
Proof.
move=> omega_neq0; rewrite /pe.
have -> : (t + IZR n * (2 * PI / omega j./2)) * omega j./2 = t * omega j./2 + 2 * PI * IZR n.
  by field.
by rewrite sin_add_turns cos_add_turns.
Qed.

(** ** The wavelengths of the documents' frequencies *)

Lemma wavelength_frequency base d i :
  wavelength (frequency base d i) = 2 * PI * Rpower base (2 * INR i / INR d).
Proof. by rewrite /wavelength /frequency Rpower_Ropp /Rdiv Rinv_inv. Qed.

(** Any counting that starts at [first] has the wavelengths of the ratio base^(2/d). *)
Lemma wavelength_ratio base d i :
  wavelength (frequency base d i.+1) = Rpower base (2 / INR d) * wavelength (frequency base d i).
Proof.
rewrite !wavelength_frequency S_INR.
have -> : 2 * (INR i + 1) / INR d = 2 / INR d + 2 * INR i / INR d by rewrite /Rdiv; ring.
by rewrite Rpower_plus; ring.
Qed.

Lemma wavelength_increasing base d i j : 1 < base -> (0 < d)%N -> (i < j)%N ->
  wavelength (frequency base d i) < wavelength (frequency base d j).
Proof.
move=> base_gt1 d_gt0 lt_ij; have PI_gt0 := PI_RGT_0.
apply: Rmult_lt_compat_l; first lra.
apply: Rinv_lt_contravar; last exact: frequency_lt.
by apply: Rmult_lt_0_compat; apply: frequency_gt0.
Qed.

(** sinusoid.wavelengths: For every base > 1 and even d ≥ 2, counted from 0, the wavelengths 2π/ω_i
    form a geometric progression of ratio base^(2/d) from 2π to 2π·base^((d−2)/d), which is below
    base·2π; counted from 1 they run from 2π·base^(2/d), above 2π, to base·2π: no counting gives
    both ends. *)
Theorem sinusoid_wavelengths (base : R) (h : nat) : 1 < base -> (0 < h)%N ->
  let d := h.*2 in
  let from_0 i := wavelength (frequency base d i) in
  let from_1 i := wavelength (frequency_from_1 base d i) in
  (forall i, from_0 i.+1 = Rpower base (2 / INR d) * from_0 i) /\
  from_0 0%N = 2 * PI /\
  from_0 h.-1 = 2 * PI * Rpower base ((INR d - 2) / INR d) /\
  from_0 h.-1 < base * (2 * PI) /\
  (forall i, from_1 i.+1 = Rpower base (2 / INR d) * from_1 i) /\
  from_1 0%N = 2 * PI * Rpower base (2 / INR d) /\
  2 * PI < from_1 0%N /\
  from_1 h.-1 = base * (2 * PI) /\
  (forall first : nat, ~ (from_0 first = 2 * PI /\ from_0 (first + h.-1)%N = base * (2 * PI))).
Proof.
move=> base_gt1; case: h => // h _; cbv zeta; rewrite [h.+1.-1]/=.
have d_gt0 : (0 < h.+1.*2)%N by [].
have last_from_1 : wavelength (frequency_from_1 base h.+1.*2 h) = base * (2 * PI).
  by rewrite /wavelength frequency_from_1_last /Rdiv ?Rinv_inv; [ring | lra].
have first_from_0 : wavelength (frequency base h.+1.*2 0) = 2 * PI.
  by rewrite /wavelength frequency_0 /Rdiv ?Rinv_1; [ring | lra].
have below_last : wavelength (frequency base h.+1.*2 h) < base * (2 * PI).
  by rewrite -last_from_1; apply: wavelength_increasing.
split; first by move=> i; apply: wavelength_ratio.
split=> //; split.
  rewrite wavelength_frequency; congr (_ * Rpower _ (_ / _)).
  by rewrite -muln2 mult_INR S_INR [INR 2]/=; ring.
split=> //; split; first by move=> i; apply: wavelength_ratio.
split; first by rewrite wavelength_ratio first_from_0; ring.
split; first by rewrite -[X in X < _]first_from_0; apply: wavelength_increasing.
split=> // [[|first]] [first_2PI last_base].
  by rewrite last_base in below_last; lra.
have := wavelength_increasing base_gt1 d_gt0 (ltn0Sn first); lra.
Qed.

(** The ends for d = 512 and base 10000: counted from 0 the last wavelength is 60611.477..., short of
    10000·2π = 62831.853...; counted from 1 the first is 6.513..., beyond 2π = 6.283... *)
Corollary sinusoid_wavelengths_512 :
  60611.477166 < wavelength (frequency 10000 512 255) < 60611.477167 /\
  62831.853071 < 10000 * (2 * PI) < 62831.853072 /\
  6.513356 < wavelength (frequency_from_1 10000 512 0) < 6.513357 /\
  6.283185 < 2 * PI < 6.283186.
Proof.
rewrite /wavelength /frequency_from_1 !(frequency_pairs 10000 256) /Rpower !INR_IZR_INZ /=.
by do ![split]; interval with (i_prec 60).
Qed.

(** sinusoid.wavelengths, as written: The wavelengths form a geometric progression from
    2π to 10000·2π. *)
Theorem sinusoid_wavelengths_as_written_false :
  ~ (exists h first : nat, (0 < h)%N /\
       wavelength (frequency 10000 h.*2 first) = 2 * PI /\
       wavelength (frequency 10000 h.*2 (first + h.-1)) = 10000 * (2 * PI)).
Proof.
move=> [h [first [h_gt0 both_ends]]].
have base_gt1 : 1 < 10000 by lra.
have [_ [_ [_ [_ [_ [_ [_ [_ no_counting]]]]]]]] := sinusoid_wavelengths base_gt1 h_gt0.
exact: no_counting both_ends.
Qed.
