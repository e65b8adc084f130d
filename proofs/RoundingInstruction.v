(** * An instruction of a matrix unit

  What is claimed.  A matrix unit adds products to an accumulator by aligning all terms to one
  exponent E, truncating them to F fractional bits below it, adding them exactly, and truncating
  the sum to the fraction of its result.  It loses at most λ times what it adds and adds to, and
  all it loses, together with its result, is no larger than what it adds and adds to.

  Dictionary (see RoundingTruncation.v):
  - [accumulator] == F = [fraction], r = [result];
  - [grid A E] == the multiples of 2^(E - F); [results A] == the numbers with r fractional bits,
    down to the exponents of binary32;
  - [instruction A least t s E c d] == d is the result of the products t i, i in s, and c;
  - [loses A n t s E c] == truncation of the terms loses n units 2^(E - F) at most; [loses_at_most]
    one more where E is below [least], and no term need have it;
  - [loss A t s E c d] == all that the terms and the sum lose;
  - [share A n] == λ = (n - 1) 2^-F + 2^-min(F, r).

  Formulas, with Σ for the sum of |t i|, i in s:
    |d| + loss <= |c| + Σ                                          [instruction_shrinks]
    |d - (c + sum of t i)| <= loss                                 [instruction_error]
    loss <= λ (|c| + Σ + 2^least)                                  [instruction_lost]
    F = r, c a result: loss <= Σ + 2^-F 2^least                    [instruction_adds]
    a product that loses nothing: as many lossy terms as there are products, one fewer where
      c = 0; F >= r and c a result of the exponent E: c loses nothing  [exact_product, exact_accumulator]

  Assumes: no overflow.  The model is that of arXiv 2511.10909 and 2512.07004, which compared it
  with hardware.  Not claimed: that a given device follows it. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingTruncation.

Open Scope R_scope.

(** ** An instruction *)

Record accumulator := Accumulator {
  fraction : Z;
  result : Z;
  fraction_ge2 : (2 <= fraction)%Z;
  result_ge2 : (2 <= result)%Z
}.

(** The exponent of the smallest normal number of the result, that of binary32. *)
Definition normal : Z := (-126)%Z.

Definition grid (A : accumulator) (E : Z) : Z -> Z := FIX_exp (E - fraction A).
Definition results (A : accumulator) : Z -> Z := FLT_exp (normal - result A) (result A + 1).

#[global] Instance grid_valid A E : Valid_exp (grid A E).
Proof. exact: FIX_exp_valid. Qed.

#[global] Instance results_valid A : Valid_exp (results A).
Proof. by apply: FLT_exp_valid; rewrite /Prec_gt_0; have := result_ge2 A; lia. Qed.

(** [d] is what an accumulator [c] and the products [t i], i in [s], are added to: all truncated to multiples of 2^(E - F),
    the sum truncated to the result. No term has an exponent above E; and one has E, or E is at most [least]. *)
Definition instruction (A : accumulator) (least : Z) (t : nat -> R) (s : seq nat) (E : Z) (c d : R) : Prop :=
  (normal <= E)%Z /\
  Rabs c < bpow radix2 (E + 1) /\
  (bpow radix2 E <= Rabs c \/ (exists i, i \in s /\ bpow radix2 E <= Rabs (t i)) \/ (E <= least)%Z) /\
  d = truncated (results A) (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i)).

(** Together the terms lose at most [lossy] units. *)
Definition loses (A : accumulator) (lossy : nat) (t : nat -> R) (s : seq nat) (E : Z) (c : R) : Prop :=
  Rabs (c - truncated (grid A E) c) + \ssum_(i <- s) Rabs (t i - truncated (grid A E) (t i))
  <= INR lossy * bpow radix2 (E - fraction A).

(** One unit more where the exponent that all are aligned to is below [least], so that no term need have it. *)
Definition loses_at_most (A : accumulator) (least : Z) (lossy : nat) (t : nat -> R) (s : seq nat) (E : Z) (c : R) : Prop :=
  loses A lossy t s E c \/ (E < least)%Z /\ loses A lossy.+1 t s E c.

Definition share (A : accumulator) (lossy : nat) : R :=
  (INR lossy - 1) * bpow radix2 (- fraction A) + bpow radix2 (- Z.min (fraction A) (result A)).

Lemma truncated_on_grid A E x : on_grid (E - fraction A) (truncated (grid A E) x).
Proof. by exists (Ztrunc (scaled_mantissa radix2 (grid A E) x)). Qed.

Section Instruction.
Variables (A : accumulator) (least : Z) (t : nat -> R) (s : seq nat) (E : Z) (c d : R) (lossy : nat).
Hypothesis computed : instruction A least t s E c d.
Hypothesis lost_units : loses_at_most A least lossy t s E c.

Let unit := bpow radix2 (E - fraction A).
Let kept := truncated (grid A E).
Let sum := kept c + \ssum_(i <- s) kept (t i).
Let mass := \ssum_(i <- s) Rabs (t i).

(** All that the instruction loses. *)
Definition loss : R :=
  Rabs (c - truncated (grid A E) c) + \ssum_(i <- s) Rabs (t i - truncated (grid A E) (t i)) +
  Rabs (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i) - d).

Lemma loss_parts : loss = Rabs (c - kept c) + \ssum_(i <- s) Rabs (t i - kept (t i)) + Rabs (sum - d).
Proof. by []. Qed.

Lemma loss_ge0 : 0 <= loss.
Proof.
rewrite /loss; have := Rabs_pos (c - truncated (grid A E) c).
have := Rabs_pos (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i) - d).
by have := ssum_ge0 s (fun i => Rabs (t i - truncated (grid A E) (t i))) (fun i => Rabs_pos _); lra.
Qed.

Lemma d_sum : d = truncated (results A) sum.
Proof. by case: computed => _ [_ [_ ->]]. Qed.

Lemma sum_le : Rabs sum <= Rabs (kept c) + \ssum_(i <- s) Rabs (kept (t i)).
Proof.
rewrite /sum; have := Rabs_triang (kept c) (\ssum_(i <- s) kept (t i)).
by have := ssum_abs s (fun i => kept (t i)); lra.
Qed.

Lemma mass_split : mass = \ssum_(i <- s) Rabs (kept (t i)) + \ssum_(i <- s) Rabs (t i - kept (t i)).
Proof. by rewrite -ssum_add; apply: eq_bigr => i _; rewrite truncated_split. Qed.

(** Truncation only shrinks. *)
Lemma instruction_shrinks : Rabs d + loss <= Rabs c + mass.
Proof.
pose proof (truncated_split (results A) sum) as out; rewrite -d_sum in out.
pose proof (truncated_split (grid A E) c) as acc; have le := sum_le; have split_mass := mass_split.
rewrite loss_parts split_mass; move: acc; rewrite -/(kept c); lra.
Qed.

Lemma instruction_error : Rabs (d - (c + \ssum_(i <- s) t i)) <= loss.
Proof.
have -> : d - (c + \ssum_(i <- s) t i) =
    - ((c - kept c) + \ssum_(i <- s) (t i - kept (t i)) + (sum - d)) by rewrite ssum_sub /sum; ring.
rewrite Rabs_Ropp loss_parts.
have := Rabs_triang ((c - kept c) + \ssum_(i <- s) (t i - kept (t i))) (sum - d).
have := Rabs_triang (c - kept c) (\ssum_(i <- s) (t i - kept (t i))).
by have := ssum_abs s (fun i => t i - kept (t i)); lra.
Qed.

Lemma sum_on_grid : on_grid (E - fraction A) sum.
Proof.
apply: on_grid_add; first exact: truncated_on_grid.
elim: (s) => [|i s' IH]; rewrite ?big_nil ?big_cons; first by exists 0%Z; ring.
by apply: on_grid_add => //; exact: truncated_on_grid.
Qed.

(** What the last truncation loses: nothing, or a whole number of units less than that of the result. *)
Lemma result_lost a : Rabs sum <= a -> bpow radix2 normal <= a ->
  Rabs (sum - d) = 0 \/ Rabs (sum - d) <= bpow radix2 (- result A) * a - unit.
Proof.
move=> sum_le_a normal_le; rewrite d_sum.
case: (Req_dec sum 0) => [->|sum_neq0].
  by left; rewrite /truncated round_0 Rminus_0_r Rabs_R0.
have [m sum_m] := sum_on_grid; set q := cexp radix2 (results A) sum.
case: (Z_le_dec q (E - fraction A)) => [q_le|q_gt].
  left; rewrite /truncated round_generic; first by rewrite Rminus_eq_0 Rabs_R0.
  rewrite sum_m -/(F2R (Float radix2 m (E - fraction A))); apply: generic_format_F2R => _.
  by rewrite /F2R /= -sum_m.
right; have q_small : bpow radix2 q <= bpow radix2 (- result A) * a.
  have := bpow_mag_le radix2 _ sum_neq0; rewrite /q /cexp /results /FLT_exp => mag_le.
  have r_gt0 := bpow_gt_0 radix2 (- result A).
  case: (Zmax_spec (mag radix2 sum - (result A + 1)) (normal - result A)) => [[_ ->]|[_ ->]].
    have -> : (mag radix2 sum - (result A + 1) = - result A + (mag radix2 sum - 1))%Z by ring.
    by rewrite bpow_plus; apply: Rmult_le_compat_l; lra.
  have -> : (normal - result A = - result A + normal)%Z by ring.
  by rewrite bpow_plus; apply: Rmult_le_compat_l; lra.
have below : Rabs (truncated (results A) sum - sum) < bpow radix2 q.
  by rewrite -[bpow radix2 q]ulp_neq_0 //; apply: error_lt_ulp.
have [n d_n] : on_grid (E - fraction A) (truncated (results A) sum).
  rewrite /truncated /round /scaled_mantissa -/q; set n := Ztrunc _.
  exists (n * 2 ^ (q - (E - fraction A)))%Z; rewrite /F2R /= mult_IZR (IZR_Zpower radix2); last by lia.
  by rewrite Rmult_assoc -bpow_plus; congr (_ * bpow _ _); ring.
have gap : bpow radix2 q = IZR (2 ^ (q - (E - fraction A))) * unit.
  by rewrite (IZR_Zpower radix2); [rewrite /unit -bpow_plus; congr bpow; ring | lia].
move: below; rewrite Rabs_minus_sym d_n sum_m -Rmult_minus_distr_r -minus_IZR Rabs_mult -abs_IZR.
have unit_gt0 := bpow_gt_0 radix2 (E - fraction A).
rewrite (Rabs_pos_eq (bpow _ _)); last by lra.
rewrite gap -/unit => /Rmult_lt_reg_r => /(_ unit_gt0) /lt_IZR lt.
apply: Rle_trans (Rplus_le_compat_r (- unit) _ _ q_small); rewrite gap.
have -> : IZR (2 ^ (q - (E - fraction A))) * unit + - unit = IZR (2 ^ (q - (E - fraction A)) - 1) * unit.
  by rewrite minus_IZR; ring.
by apply: Rmult_le_compat_r; [rewrite /unit; lra | apply: IZR_le; lia].
Qed.

(** An instruction loses its units and what the result drops. *)
Lemma instruction_parts a n : loses A n t s E c -> bpow radix2 E <= a -> Rabs sum <= a ->
  loss <= INR n * unit \/ loss <= (INR n - 1) * unit + bpow radix2 (- result A) * a.
Proof.
rewrite /loses -/unit -/kept => lost E_le sum_a; rewrite loss_parts.
have normal_le : bpow radix2 normal <= a by apply: Rle_trans E_le; apply: bpow_le; case: computed.
by case: (result_lost a sum_a normal_le) => [->|dropped]; [left | right]; lra.
Qed.

Lemma unit_scaled e : (E <= e)%Z -> unit <= bpow radix2 (- fraction A) * bpow radix2 e.
Proof. by move=> le; rewrite /unit -bpow_plus; apply: bpow_le; lia. Qed.

Lemma share_parts n : (0 < n)%N -> 
  INR n * bpow radix2 (- fraction A) <= share A n /\
  (INR n - 1) * bpow radix2 (- fraction A) + bpow radix2 (- result A) <= share A n /\
  bpow radix2 (- result A) <= share A n.
Proof.
move=> n_gt0; have n1 : 1 <= INR n by apply: (le_INR 1); apply/leP.
have F_least : bpow radix2 (- fraction A) <= bpow radix2 (- Z.min (fraction A) (result A)) by apply: bpow_le; lia.
have r_least : bpow radix2 (- result A) <= bpow radix2 (- Z.min (fraction A) (result A)) by apply: bpow_le; lia.
by have := bpow_ge_0 radix2 (- fraction A); rewrite /share => ?; split; [|split]; nra.
Qed.

Lemma sum_below : Rabs sum <= Rabs c + mass.
Proof.
have := sum_le; pose proof (truncated_split (grid A E) c) as acc; move: acc; rewrite -/(kept c) => acc.
have := Rabs_pos (c - kept c); have := mass_split.
by have := ssum_ge0 s (fun i => Rabs (t i - kept (t i))) (fun i => Rabs_pos _); lra.
Qed.

(** An instruction loses at most λ of what it adds to and what it adds. *)
Lemma instruction_lost : (0 < lossy)%N -> loss <= share A lossy * (Rabs c + mass + bpow radix2 least).
Proof.
move=> lossy_gt0; have [first_le [second_le r_le]] := share_parts lossy lossy_gt0.
have least_ge0 := bpow_ge_0 radix2 least; have c_ge0 := Rabs_pos c; have below := sum_below.
have mass_ge0 : 0 <= mass by apply: ssum_ge0 => i; exact: Rabs_pos.
have F_ge0 := bpow_ge_0 radix2 (- fraction A); have r_ge0 := bpow_ge_0 radix2 (- result A).
have n_ge1 : 1 <= INR lossy by apply: (le_INR 1); apply/leP.
case: lost_units => [lost|[E_least lost]].
  have E_le : bpow radix2 E <= Rabs c + mass + bpow radix2 least.
    case: computed => _ [_ [[large|[[i [inside large]]|small]] _]]; first by lra.
      have term := ssum_term s (fun i => Rabs (t i)) i (fun i => Rabs_pos _) inside.
      by rewrite -/mass in term; lra.
    by have := bpow_le radix2 _ _ small; lra.
  set a := _ + _ in E_le *; have unit_le : unit <= bpow radix2 (- fraction A) * a.
    have -> : unit = bpow radix2 (- fraction A) * bpow radix2 E by rewrite /unit -bpow_plus; congr bpow; ring.
    exact: Rmult_le_compat_l.
  have a_ge0 : 0 <= a by rewrite /a; lra.
  have [] := instruction_parts a lossy lost E_le ltac:(rewrite /a; lra).
    by have := Rmult_le_compat_r _ _ _ a_ge0 first_le; nra.
  by have := Rmult_le_compat_r _ _ _ a_ge0 second_le; nra.
have unit_le := unit_scaled E (Z.le_refl E); have E_ge0 := bpow_ge_0 radix2 E.
have twice : 2 * bpow radix2 E <= bpow radix2 least.
  by rewrite -[2]/(bpow radix2 1) -bpow_plus; apply: bpow_le; lia.
have units_le := Rmult_le_compat_l (INR lossy) _ _ ltac:(lra) unit_le.
have one_le : bpow radix2 (- fraction A) <= share A lossy by nra.
have all_E := Rmult_le_compat_r _ _ _ E_ge0 first_le.
have one_E := Rmult_le_compat_r _ _ _ E_ge0 one_le.
have share_ge0 : 0 <= share A lossy by lra.
have more : 0 <= share A lossy * (Rabs c + mass) by apply: Rmult_le_pos; lra.
have enough := Rmult_le_compat_l _ _ _ share_ge0 twice.
have [] := instruction_parts (Rabs c + mass + bpow radix2 E) lossy.+1 lost ltac:(lra) ltac:(lra);
    rewrite -[INR lossy.+1]/(INR (S lossy)) S_INR.
  by lra.
by have := Rmult_le_compat_r (Rabs c + mass + bpow radix2 E) _ _ ltac:(lra) r_le; lra.
Qed.

(** ** How many terms lose something *)

Lemma accumulator_kept_wide : (result A <= fraction A)%Z -> generic_format radix2 (results A) c ->
  bpow radix2 E <= Rabs c -> kept c = c.
Proof.
move=> wide c_float large; rewrite /kept /truncated round_generic // c_float; apply: generic_format_F2R => _.
rewrite /cexp /grid /FIX_exp /results /FLT_exp.
have := mag_ge_bpow radix2 c (E + 1) ltac:(by replace (E + 1 - 1)%Z with E by ring).
by lia.
Qed.

Lemma lost_below x : Rabs (x - kept x) <= unit.
Proof.
rewrite Rabs_minus_sym /kept /truncated; pose proof (error_le_ulp radix2 (grid A E) Ztrunc x) as le.
by rewrite /grid ulp_FIX in le.
Qed.

Lemma all_lost (s' : seq nat) : \ssum_(i <- s') Rabs (t i - kept (t i)) <= INR (size s') * unit.
Proof.
elim: s' => [|i s' IH]; first by rewrite big_nil /=; lra.
by rewrite big_cons -[size (i :: s')]/(S (size s')) S_INR; have := lost_below (t i); lra.
Qed.

Lemma every_term_loses : loses A (size s).+1 t s E c.
Proof.
rewrite /loses -/kept -/unit -[INR (size s).+1]/(INR (S (size s))) S_INR.
by have := all_lost s; have := lost_below c; lra.
Qed.

(** A product loses nothing, for one of the exponent E whose digits fit. *)
Lemma exact_product i : i \in s -> kept (t i) = t i ->
  loses A (size s) t s E c /\ (c = 0 -> loses A (size s).-1 t s E c).
Proof.
move=> inside exact; have others : \ssum_(j <- s) Rabs (t j - kept (t j)) <= INR (size s).-1 * unit.
  rewrite (big_rem i) //= exact Rminus_eq_0 Rabs_R0 Rplus_0_l.
  by rewrite -(size_rem inside); exact: all_lost.
have [n s_n] : exists n, size s = n.+1 by case: (s) inside => // j s' _; exists (size s').
have count : INR (size s) = INR (size s).-1 + 1 by rewrite s_n -[INR n.+1]/(INR (S n)) S_INR.
have c_lost := lost_below c; split=> [|c0]; rewrite /loses -/kept -/unit; first by rewrite count; lra.
have -> : kept c = c by rewrite c0 /kept /truncated round_0.
by rewrite Rminus_eq_0 Rabs_R0; lra.
Qed.

(** The accumulator loses nothing, where it has the exponent E. *)
Lemma exact_accumulator : (result A <= fraction A)%Z -> generic_format radix2 (results A) c ->
  bpow radix2 E <= Rabs c -> loses A (size s) t s E c.
Proof.
move=> wide c_float large; have same := accumulator_kept_wide wide c_float large.
by rewrite /loses -/kept -/unit same Rminus_eq_0 Rabs_R0; have := all_lost s; lra.
Qed.

(** ** Results with as many bits as are kept *)

Hypothesis even : fraction A = result A.
Hypothesis c_float : generic_format radix2 (results A) c.

Lemma grid_result x : on_grid (E - fraction A) x -> Rabs x < bpow radix2 (E + 1) -> generic_format radix2 (results A) x.
Proof.
move=> [m x_m] x_lt; rewrite x_m -/(F2R (Float radix2 m (E - fraction A))); apply: generic_format_F2R => m_neq0.
rewrite /F2R /= -x_m /cexp /results /FLT_exp even.
have x_neq0 : x <> 0.
  rewrite x_m => /Rmult_integral [/eq_IZR_R0|]; first exact: m_neq0.
  by have := bpow_gt_0 radix2 (E - fraction A); lra.
have := mag_le_bpow radix2 x (E + 1) x_neq0 x_lt; have [normal_E _] := computed.
by lia.
Qed.

Lemma accumulator_kept : c = kept c \/ Rabs c < bpow radix2 E.
Proof.
case: (Rlt_le_dec (Rabs c) (bpow radix2 E)) => [|large]; [by right | left].
by rewrite accumulator_kept_wide // even; lia.
Qed.

Lemma instruction_adds : loss <= mass + bpow radix2 (- fraction A) * bpow radix2 least.
Proof.
have q_le := ssum_abs s (fun i => kept (t i)); set q := \ssum_(i <- s) kept (t i) in q_le.
have split_mass := mass_split; set K := \ssum_(i <- s) Rabs (kept (t i)) in q_le split_mass.
have [normal_E [c_lt [largest _]]] := computed.
pose proof (truncated_split (grid A E) c) as c_split; rewrite -/kept in c_split.
pose proof (truncated_split (results A) sum) as out_split; rewrite -d_sum in out_split.
have F_ge0 := bpow_ge_0 radix2 (- fraction A); have least_ge0 := bpow_ge_0 radix2 least.
have small_ge0 := Rmult_le_pos _ _ F_ge0 least_ge0.
have dropped : Rabs (sum - d) <= Rabs q.
  case: (Rle_lt_dec (Rabs (kept c)) (Rabs sum)) => [le|lt].
    have kept_float : generic_format radix2 (results A) (kept c).
      by apply: grid_result; [exact: truncated_on_grid | have := Rabs_pos (c - kept c); lra].
    pose proof (truncated_ge (results A) sum (kept c) kept_float le) as ge; rewrite -d_sum in ge.
    by have := Rabs_triang (kept c) q; rewrite -/sum; lra.
  have float : generic_format radix2 (results A) sum.
    by apply: grid_result; [exact: sum_on_grid | have := Rabs_pos (c - kept c); lra].
  by rewrite d_sum /truncated round_generic // Rminus_eq_0 Rabs_R0; exact: Rabs_pos.
rewrite loss_parts; case: accumulator_kept => [<-|c_small].
  by rewrite Rminus_eq_0 Rabs_R0; lra.
case: largest => [|[[i [inside large]]|small]]; first by lra.
  have unit_E : unit = bpow radix2 (- fraction A) * bpow radix2 E by rewrite /unit -bpow_plus; congr bpow; ring.
  have E_float : generic_format radix2 (grid A E) (bpow radix2 E).
    by apply: generic_format_bpow; rewrite /grid /FIX_exp; have := fraction_ge2 A; lia.
  have E_ge0 := bpow_ge_0 radix2 E.
  pose proof (truncated_ge (grid A E) (t i) (bpow radix2 E) E_float) as ge.
  rewrite (Rabs_pos_eq (bpow radix2 E)) // in ge; have {}ge := ge large; rewrite -/(kept (t i)) in ge.
  have term := ssum_term s (fun i => Rabs (kept (t i))) i (fun i => Rabs_pos _) inside; rewrite -/K in term.
  have quarter e : (2 <= e)%Z -> bpow radix2 (- e) <= / 4.
    move=> e2; have -> : / 4 = bpow radix2 (- 2) by rewrite /=; lra.
    by apply: bpow_le; lia.
  have F_quarter := quarter _ (fraction_ge2 A); have r_quarter := quarter _ (result_ge2 A).
  have normal_le : bpow radix2 normal <= 2 * K by have := bpow_le radix2 _ _ normal_E; lra.
  have c_lost := lost_below c.
  have sum_K : Rabs sum <= 2 * K by have := sum_le; rewrite -/K; have := Rabs_pos (c - kept c); lra.
  have unit_ge0 : 0 <= unit by exact: bpow_ge_0.
  by case: (result_lost (2 * K) sum_K normal_le) => [->|]; nra.
by have := lost_below c; have := unit_scaled least small; lra.
Qed.

End Instruction.

