(** * Does the sinusoidal encoding repeat?

  What is claimed.  At integer positions never: the first frequency is 1, so that two
  integers with one encoding would differ by a whole number of turns, and π is irrational.
  Over the reals it repeats exactly when every ratio of two frequencies is rational, which
  for base 10000 leaves the dimensions 2, 4 and 8.

  is_period, least_period == as in Wavelengths
  rational x              == x = p/q for integers p and q, q <> 0 (RationalPower)

  Main results: sinusoid.no-integer-cycle and sinusoid.real-cycle; [is_period_PE] (p is a
  period when each p ω_i is a whole number of turns).

  Assumes, for real-cycle with arbitrary frequencies, that none of them is 0 (a ratio of
  two of them would mean nothing). *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding PiIrrational RationalPower Wavelengths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** Two positions share an encoding when each pair has made a whole number of turns. *)
Lemma PE_eq_turns h omega s t :
  PE h omega s = PE h omega t <->
  (forall i : 'I_h, exists n : Z, (s - t) * omega i = 2 * PI * IZR n).
Proof.
rewrite PE_eq; split=> [same | turns] i.
  by have [n eq_angle] := proj1 (same_angle _ _) (same i); exists n; lra.
by have [n eq_angle] := turns i; apply/same_angle; exists n; lra.
Qed.

(** ** Integer positions *)

(** Counted from 0, for any base whatever: the first frequency is 1. *)
Corollary sinusoid_no_integer_cycle_any_base base h (s t : Z) : 0 < base -> (0 < h)%N ->
  PE h (frequency base h.*2) (IZR s) = PE h (frequency base h.*2) (IZR t) -> s = t.
Proof.
move=> base_gt0 h_gt0 /PE_eq_turns /(_ (Ordinal h_gt0)) [n].
rewrite /= frequency_0 // Rmult_1_r -minus_IZR => /integer_turn; lia.
Qed.

(** Counted from 1, for any rational base: the last frequency, 1/base, is rational. *)
Corollary sinusoid_no_integer_cycle_from_1 base h (s t : Z) : 0 < base -> rational base -> (0 < h)%N ->
  PE h (frequency_from_1 base h.*2) (IZR s) = PE h (frequency_from_1 base h.*2) (IZR t) -> s = t.
Proof.
move=> base_gt0 [p [q [q_neq0 base_pq]]]; case: h => // h _ /PE_eq_turns /(_ ord_max) [n].
rewrite [nat_of_ord _]/= frequency_from_1_last // => turns.
have qR_neq0 : IZR q <> 0 by apply: not_0_IZR.
have p_neq0 : p <> 0%Z by move=> p_eq0; rewrite p_eq0 /Rdiv Rmult_0_l in base_pq; lra.
have pR_neq0 : IZR p <> 0 by apply: not_0_IZR.
have n_eq0 : n = 0%Z.
  apply: (@rational_turn ((s - t) * q) p n) => //.
  by rewrite -turns base_pq mult_IZR minus_IZR; field.
have no_turn : (IZR s - IZR t) * / base * base = 0 by rewrite turns n_eq0; ring.
by apply: eq_IZR; rewrite Rmult_assoc Rinv_l in no_turn; lra.
Qed.

(** sinusoid.no-integer-cycle: For every even d ≥ 2 and every base > 1, PE(s) = PE(t) at
    integers s and t only if s = t, because ω_0 = 1 and π is irrational. *)
Theorem sinusoid_no_integer_cycle (base : R) (h : nat) : 1 < base -> (0 < h)%N ->
  (forall s t : Z,
     PE h (frequency base h.*2) (IZR s) = PE h (frequency base h.*2) (IZR t) -> s = t) /\
  frequency base h.*2 0 = 1 /\
  (forall p q : Z, q <> 0%Z -> PI <> IZR p / IZR q).
Proof.
move=> base_gt1 h_gt0; split; first by move=> s t; apply: sinusoid_no_integer_cycle_any_base => //; lra.
split=> [|p q q_neq0 PI_pq]; first by apply: frequency_0; lra.
apply: (PI_irrational p q) => //; rewrite PI_pq; field; exact: not_0_IZR.
Qed.

(** sinusoid.no-integer-cycle, as written: The positional embeddings cycle: two distinct
    integer positions share an encoding. *)
Theorem sinusoid_no_integer_cycle_as_written_false :
  let cycles (omega : nat -> nat -> R) := exists (h : nat) (s t : Z),
    (0 < h)%N /\ s <> t /\ PE h (omega h.*2) (IZR s) = PE h (omega h.*2) (IZR t) in
  ~ cycles (frequency 10000) /\ (* counted from 1, as the document does: *) ~ cycles (frequency_from_1 10000).
Proof.
have base_gt0 : 0 < 10000 by lra.
split=> -[h [s [t [h_gt0 [s_neq_t same]]]]]; apply: s_neq_t.
  exact: sinusoid_no_integer_cycle_any_base same.
exact: sinusoid_no_integer_cycle_from_1 (rational_IZR 10000) h_gt0 same.
Qed.

(** ** Real periods *)

Lemma is_period_PE h omega p :
  is_period (PE h omega) p <->
  0 < p /\ (forall i : 'I_h, exists n : Z, p * omega i = 2 * PI * IZR n).
Proof.
split=> [[p_gt0 same] | [p_gt0 turns]]; split=> //.
  move=> i; have /PE_eq_turns /(_ i) [n] := same 0.
  by rewrite Rplus_0_l Rminus_0_r; exists n.
by move=> t; apply/PE_eq_turns => i; have [n eq_n] := turns i; exists n; rewrite -eq_n; ring.
Qed.

(** Finitely many rational numbers have a common denominator. *)
Lemma common_denominator h (r : nat -> R) : (forall i : 'I_h, rational (r i)) ->
  exists Q : Z, (0 < Q)%Z /\ forall i : 'I_h, exists n : Z, IZR Q * r i = IZR n.
Proof.
elim: h r => [|h IHh] r r_rational; first by exists 1%Z; split; [lia | case].
case: (IHh r) => [i | Q [Q_gt0 Q_clears]]; first exact: (r_rational (widen_ord (leqnSn h) i)).
have [p [q [q_neq0 last_pq]]] := r_rational ord_max.
have qR_neq0 : IZR q <> 0 by apply: not_0_IZR.
exists (Q * Z.abs q)%Z; split; first by lia.
move=> i; have [lt_ih | ] := ltnP i h.
  have [n clears] := Q_clears (Ordinal lt_ih); exists (n * Z.abs q)%Z.
  by rewrite !mult_IZR -clears /=; ring.
move=> le_hi; have -> : i = ord_max by apply/val_inj/eqP; rewrite /= eqn_leq le_hi -ltnS ltn_ord.
exists (Q * Z.sgn q * p)%Z; rewrite last_pq !mult_IZR.
have -> : IZR (Z.abs q) = IZR (Z.sgn q) * IZR q by rewrite -mult_IZR; congr IZR; lia.
by field.
Qed.

Lemma common_period_rational (h : nat) (omega : nat -> R) : (forall i : 'I_h, omega i <> 0) ->
  (exists p, is_period (PE h omega) p) <-> (forall i j : 'I_h, rational (omega i / omega j)).
Proof.
move=> omega_neq0; have PI_gt0 := PI_RGT_0.
split=> [[p /is_period_PE [p_gt0 turns]] i j | ratios].
  have [m turns_i] := turns i; have [n turns_j] := turns j.
  have wj_neq0 := omega_neq0 j.
  have n_neq0 : IZR n <> 0.
    by move=> n_eq0; rewrite n_eq0 Rmult_0_r in turns_j; have [] := Rmult_integral _ _ turns_j; lra.
  exists m, n; split; first by move=> n_eq0; apply: n_neq0; rewrite n_eq0.
  have -> : omega i = 2 * PI * IZR m / p by rewrite -turns_i; field; lra.
  have -> : omega j = 2 * PI * IZR n / p by rewrite -turns_j; field; lra.
  by field; lra.
case: h omega_neq0 ratios => [|h] omega_neq0 ratios.
  by exists 1; apply/is_period_PE; split=> [|[]//]; lra.
have w0_neq0 := omega_neq0 ord0; have w0_abs_gt0 := Rabs_pos_lt _ w0_neq0.
case: (@common_denominator h.+1 (fun i => omega i / omega 0%N)) => [i | Q [Q_gt0 Q_clears]].
  exact: (ratios i ord0).
have QR_gt0 : 0 < IZR Q by apply: IZR_lt.
exists (2 * PI * IZR Q / Rabs (omega 0%N)); apply/is_period_PE; split.
  by apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat => //; lra.
move=> i; have [n clears] := Q_clears i; rewrite [nat_of_ord ord0]/= in w0_neq0 w0_abs_gt0.
have [w0_gt0 | w0_lt0] := Rcase_abs (omega 0%N).
  exists (- n)%Z; rewrite Rabs_left // opp_IZR -clears; field; lra.
by exists n; rewrite Rabs_right // -clears; field; lra.
Qed.

(** Where the base is the h-th power of an integer c > 0, the least period is 2π c^(h-1). *)
Lemma least_period_power (c h : nat) : (0 < c)%N -> (0 < h)%N ->
  least_period (PE h (frequency (INR c ^ h) h.*2)) (2 * PI * INR c ^ h.-1).
Proof.
move=> c_gt0; case: h => // h _; rewrite [h.+1.-1]/=; have PI_gt0 := PI_RGT_0.
have cR_gt0 : 0 < INR c by apply: lt_0_INR; apply/ltP.
have power_gt0 n : 0 < INR c ^ n by apply: pow_lt.
split.
  apply/is_period_PE; split=> [|i]; first by apply: Rmult_lt_0_compat => //; lra.
  exists (Z.of_nat (c ^ (h - i))%N); rewrite frequency_power // -INR_IZR_INZ INR_expn.
  have le_ih : (i <= h)%N by rewrite -ltnS.
  rewrite -{1}(subnK le_ih) -plusE pow_add; field; exact/Rgt_not_eq/power_gt0.
move=> q /is_period_PE [q_gt0 /(_ ord_max) [n]].
rewrite [nat_of_ord _]/= frequency_power // => turns.
have q_turns : q = 2 * PI * INR c ^ h * IZR n.
  transitivity (q * / INR c ^ h * INR c ^ h); last by rewrite turns; ring.
  by field; exact/Rgt_not_eq/power_gt0.
have period_gt0 : 0 < 2 * PI * INR c ^ h by apply: Rmult_lt_0_compat => //; lra.
have n_gt0 : 0 < IZR n by nra.
have n_ge1 : 1 <= IZR n by apply: IZR_le; move/lt_IZR: n_gt0; lia.
by nra.
Qed.

Lemma least_period_10000 (c h : nat) (p : R) : (0 < c)%N -> (0 < h)%N ->
  INR c ^ h = 10000 -> INR c ^ h.-1 * 2 = p ->
  least_period (PE h (frequency 10000 h.*2)) (p * PI).
Proof.
move=> c_gt0 h_gt0 power <-; rewrite -power.
have -> : INR c ^ h.-1 * 2 * PI = 2 * PI * INR c ^ h.-1 by ring.
exact: least_period_power.
Qed.

Lemma least_periods_10000 :
  [/\ least_period (PE 1 (frequency 10000 2)) (2 * PI),
      least_period (PE 2 (frequency 10000 4)) (200 * PI)
    & least_period (PE 4 (frequency 10000 8)) (2000 * PI)].
Proof.
have ten4 : INR (10 ^ 4) = 10000 by rewrite INR_expn /=; ring.
have ten2 : INR (10 ^ 2) = 100 by rewrite INR_expn /=; ring.
have ten : INR 10 = 10 by rewrite /=; ring.
split.
- by apply: (@least_period_10000 (10 ^ 4) 1); rewrite ?ten4 /=; try ring.
- by apply: (@least_period_10000 (10 ^ 2) 2); rewrite ?ten2 /=; try ring.
- by apply: (@least_period_10000 10 4); rewrite ?ten //=; try ring.
Qed.

Lemma real_cycle_10000 h : (0 < h)%N ->
  (exists p, is_period (PE h (frequency 10000 h.*2)) p) <->
  [\/ h.*2 = 2%N, h.*2 = 4%N | h.*2 = 8%N].
Proof.
move=> h_gt0; split; last first.
  have [[d2 _] [d4 _] [d8 _]] := least_periods_10000.
  case=> d_eq; have -> : h = (h.*2)./2 by rewrite doubleK.
  - by rewrite d_eq; exists (2 * PI).
  - by rewrite d_eq; exists (200 * PI).
  - by rewrite d_eq; exists (2000 * PI).
have freq_neq0 (i : 'I_h) : frequency 10000 h.*2 i <> 0 by apply/Rgt_not_eq/frequency_gt0.
move/(common_period_rational freq_neq0) => ratios.
have [h_eq1 | h_gt1] : h = 1%N \/ (1 < h)%N by case: h h_gt0 {freq_neq0 ratios} => [|[|h]]; auto.
  by rewrite h_eq1; apply: Or31.
have := ratios (Ordinal h_gt0) (Ordinal h_gt1).
rewrite [nat_of_ord _]/= [X in _ / frequency _ _ X]/= frequency_0; last lra.
rewrite frequency_pairs Rpower_Ropp /Rdiv Rinv_inv Rmult_1_l => /(root_of_10000 h_gt0).
by case=> ->; [apply: Or31 | apply: Or32 | apply: Or33].
Qed.

(** Counting from 1 only stretches the positions. *)
Lemma PE_from_1 base h t :
  PE h (frequency_from_1 base h.*2) t = PE h (frequency base h.*2) (t * frequency base h.*2 1).
Proof.
apply: pairs_eq => i; rewrite !pair_of_PE; congr sin_cos.
rewrite Rmult_assoc /frequency_from_1 /frequency -Rpower_plus S_INR; congr (_ * Rpower _ _).
by rewrite [INR 1]/= /Rdiv; ring.
Qed.

Lemma is_period_from_1 base h p : is_period (PE h (frequency_from_1 base h.*2)) p <->
  is_period (PE h (frequency base h.*2)) (p * frequency base h.*2 1).
Proof.
have stretch := frequency_gt0 base h.*2 1; split=> -[p_gt0 same]; split.
- exact: Rmult_lt_0_compat.
- move=> t; have := same (t / frequency base h.*2 1); rewrite !PE_from_1 Rmult_plus_distr_r.
  by have -> : t / frequency base h.*2 1 * frequency base h.*2 1 = t by field; lra.
- by apply: (Rmult_lt_reg_r (frequency base h.*2 1)); rewrite ?Rmult_0_l.
- by move=> t; rewrite !PE_from_1 Rmult_plus_distr_r same.
Qed.

(** The same dimensions have a common period where the document counts from 1. *)
Corollary sinusoid_real_cycle_from_1 h : (0 < h)%N ->
  (exists p, is_period (PE h (frequency_from_1 10000 h.*2)) p) <->
  [\/ h.*2 = 2%N, h.*2 = 4%N | h.*2 = 8%N].
Proof.
move=> h_gt0; rewrite -(real_cycle_10000 h_gt0); have stretch := frequency_gt0 10000 h.*2 1.
split=> -[p p_period]; first by exists (p * frequency 10000 h.*2 1); apply/is_period_from_1.
exists (p / frequency 10000 h.*2 1); apply/is_period_from_1.
by have -> : p / frequency 10000 h.*2 1 * frequency 10000 h.*2 1 = p by field; lra.
Qed.

(** sinusoid.real-cycle: Over the reals PE with nonzero frequencies has a common period exactly when
    every ratio of two of its frequencies is rational; for base 10000 and even d ≥ 2 this is so
    exactly for d = 2, 4 and 8, with least periods 2π, 200π and 2000π. *)
Theorem sinusoid_real_cycle :
  (forall (h : nat) (omega : nat -> R), (forall i : 'I_h, omega i <> 0) ->
     (exists p, is_period (PE h omega) p) <-> (forall i j : 'I_h, rational (omega i / omega j))) /\
  (forall h : nat, (0 < h)%N ->
     (exists p, is_period (PE h (frequency 10000 h.*2)) p) <->
     [\/ h.*2 = 2%N, h.*2 = 4%N | h.*2 = 8%N]) /\
  [/\ least_period (PE 1 (frequency 10000 2)) (2 * PI),
      least_period (PE 2 (frequency 10000 4)) (200 * PI)
    & least_period (PE 4 (frequency 10000 8)) (2000 * PI)].
Proof.
split; first exact: common_period_rational.
by split; [apply: real_cycle_10000 | apply: least_periods_10000].
Qed.

(** sinusoid.real-cycle, as written: For every d the encoding has the least common multiple
    of its periods as its period. *)
Theorem sinusoid_real_cycle_as_written_false :
  let cycles (omega : nat -> nat -> R) := forall h : nat, (0 < h)%N -> exists p : R,
    is_period (PE h (omega h.*2)) p /\
    forall i : 'I_h, exists n : Z, p = IZR n * wavelength (omega h.*2 i) in
  ~ cycles (frequency 10000) /\ (* counted from 1, as the document does: *) ~ cycles (frequency_from_1 10000).
Proof.
have no_period : ~ [\/ 256.*2 = 2%N, 256.*2 = 4%N | 256.*2 = 8%N] by case=> /eqP.
split=> cycles; have [//|p [p_period _]] := cycles 256%N; apply: no_period.
  by apply/real_cycle_10000 => //; exists p.
by apply/sinusoid_real_cycle_from_1 => //; exists p.
Qed.
