(** * Sums that are rescaled, of results with as many bits as are kept

  What is claimed.  Where results have as many bits as are kept below the largest exponent, an instruction
  loses no more than it adds, and one unit more where the accumulator was multiplied before.  So a sum that
  is rescaled R times loses little more than one that never is.

  Dictionary (see RoundingInstruction.v, RoundingAccumulator.v, RoundingRescaled.v):
  - [rescaled k] == true where the accumulator may be multiplied before instruction k; [times N] counts
    these among the first N.

  Formula, x of rounding.accumulator-even, Σ for the sum of scale (k + 1) |t i|, no scale above B:
    |d - sum of scale (k + 1) t i| <= x / (1 + x) (Σ (1 + R 2^-F) + (1 + N λ) B 2^least)
                                                          [rounding_accumulator_rescaled_even]

  Assumes: no overflow; λ', λ < 1. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingTruncation RoundingInstruction RoundingAccumulator RoundingRescaled.

Open Scope R_scope.

(** An instruction loses what it adds and one unit, whatever the digits of the accumulator. *)
Section Instruction.
Variables (A : accumulator) (least : Z) (t : nat -> R) (s : seq nat) (E : Z) (c d : R).
Hypothesis computed : instruction A least t s E c d.
Hypothesis even : fraction A = result A.

Let kept := truncated (grid A E).
Let sum := kept c + \ssum_(i <- s) kept (t i).
Let mass := \ssum_(i <- s) Rabs (t i).
Let unit := bpow radix2 (E - fraction A).

Lemma instruction_adds_a_unit : loss A t s E c d <= mass + unit.
Proof.
have q_le := ssum_abs s (fun i => kept (t i)); set q := \ssum_(i <- s) kept (t i) in q_le.
have split_mass : mass = \ssum_(i <- s) Rabs (kept (t i)) + \ssum_(i <- s) Rabs (t i - kept (t i)).
  exact: mass_split.
set K := \ssum_(i <- s) Rabs (kept (t i)) in q_le split_mass.
have [_ [c_lt _]] := computed.
pose proof (truncated_split (grid A E) c) as c_split; rewrite -/kept in c_split.
have d_sum : d = truncated (results A) sum by case: computed => _ [_ [_ ->]].
have dropped : Rabs (sum - d) <= Rabs q.
  case: (Rle_lt_dec (Rabs (kept c)) (Rabs sum)) => [le|lt].
    have kept_float : generic_format radix2 (results A) (kept c).
      by apply: (grid_result A least t s E c d computed even); [exact: truncated_on_grid | have := Rabs_pos (c - kept c); lra].
    pose proof (truncated_ge (results A) sum (kept c) kept_float le) as ge; rewrite -d_sum in ge.
    pose proof (truncated_split (results A) sum) as out_split; rewrite -d_sum in out_split.
    by have := Rabs_triang (kept c) q; rewrite -/sum; lra.
  have float : generic_format radix2 (results A) sum.
    by apply: (grid_result A least t s E c d computed even); [exact: sum_on_grid | have := Rabs_pos (c - kept c); lra].
  by rewrite d_sum /truncated round_generic // Rminus_eq_0 Rabs_R0; exact: Rabs_pos.
have c_lost : Rabs (c - kept c) <= unit by exact: lost_below.
by rewrite (loss_parts A t s E c d) -/kept -/sum; lra.
Qed.

Lemma unit_at_most : unit <= bpow radix2 (- fraction A) * (Rabs c + mass + bpow radix2 least).
Proof.
have -> : unit = bpow radix2 (- fraction A) * bpow radix2 E by rewrite /unit -bpow_plus; congr bpow; ring.
apply: Rmult_le_compat_l; first exact: bpow_ge_0.
have c_ge0 := Rabs_pos c; have least_ge0 := bpow_ge_0 radix2 least.
have mass_ge0 : 0 <= mass by apply: ssum_ge0 => i; exact: Rabs_pos.
case: computed => _ [_ [[large|[[i [inside large]]|small]] _]]; first by lra.
  have term := ssum_term s (fun i => Rabs (t i)) i (fun i => Rabs_pos _) inside.
  by rewrite -/mass in term; lra.
by have := bpow_le radix2 _ _ small; lra.
Qed.

End Instruction.

Section Rescaled.
Variables (A : accumulator) (least : Z) (t : nat -> R) (first other : nat).
Variables (beta scale : nat -> R) (B : R) (blocks : seq (seq nat)) (c : nat -> R) (E : nat -> Z) (rescaled : nat -> bool).
Hypothesis first_gt0 : (0 < first)%N.
Hypothesis other_gt0 : (0 < other)%N.
Hypothesis at_most : (first <= other)%N.
Hypothesis first_lt : share A first < 1.
Hypothesis other_lt : share A other < 1.
Hypothesis even : fraction A = result A.
Hypothesis some : (0 < size blocks)%N.
Hypothesis beta_ge0 : forall k, 0 <= beta k.
Hypothesis beta_1 : forall k, ~~ rescaled k -> beta k = 1.
Hypothesis scale_range : forall k, 0 <= scale k <= B.
Hypothesis scale_step : forall k, (k < size blocks)%N -> scale k = beta k * scale k.+1.
Hypothesis last_scale : scale (size blocks) = 1.
Hypothesis c_0 : c 0%N = 0.
Hypothesis steps : forall k, (k < size blocks)%N ->
  instruction A least t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1) /\
  loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (beta k * c k).

Fixpoint times (N : nat) : nat := if N is N'.+1 then (times N' + rescaled N')%N else 0%N.

Let lost_in k := loss A t (nth [::] blocks k) (E k) (beta k * c k) (c k.+1).
Let added k := \ssum_(i <- nth [::] blocks k) Rabs (t i).
Let mass k := \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) Rabs (t i)).
Let exact k := \rsum_(j < k) (scale j.+1 * \ssum_(i <- nth [::] blocks j) t i).
Let lost k := \rsum_(j < k) (scale j.+1 * lost_in j).
Let N := size blocks.
Let kept := bpow radix2 (- fraction A).
Let lowest := share A other * (B * bpow radix2 least).
Let bound := mass N * (1 + INR (times N) * kept) + (1 + INR N * share A other) * (B * bpow radix2 least).

Lemma B_ge0 : 0 <= B.
Proof. by have := scale_range 0%N; lra. Qed.

Lemma floor_ge0 : 0 <= B * bpow radix2 least.
Proof. by apply: Rmult_le_pos; [exact: B_ge0 | exact: bpow_ge_0]. Qed.

Lemma kept_small : 0 <= kept <= share A other.
Proof.
have [F_le _] := share_parts A other other_gt0; have n_ge1 : 1 <= INR other by apply: (le_INR 1); apply/leP.
by have F_ge0 := bpow_ge_0 radix2 (- fraction A); rewrite /kept; split; [| nra].
Qed.

Lemma shrinks k : (k <= N)%N -> Rabs (c k) * scale k + lost k <= mass k /\ Rabs (c k * scale k - exact k) <= lost k.
Proof. exact: (rescaled_shrinks A least t first other beta scale B blocks c E beta_ge0 scale_range scale_step c_0 steps). Qed.

Lemma mass_grows k n : (k <= n)%N -> mass k <= mass n.
Proof. exact: (scaled_mass_le t scale B blocks scale_range). Qed.

Lemma mass_adds k : mass k.+1 = mass k + scale k.+1 * added k.
Proof. exact: big_ord_recr. Qed.

Lemma lost_adds k : lost k.+1 = lost k + scale k.+1 * lost_in k.
Proof. exact: big_ord_recr. Qed.

Lemma loss_is_positive k : 0 <= lost_in k.
Proof. exact: loss_ge0. Qed.

Lemma result_is_float k : (k <= N)%N -> generic_format radix2 (results A) (c k).
Proof.
case: k => [|k] lt; first by rewrite c_0; exact: generic_format_0.
by have [[_ [_ [_ ->]]] _] := steps k lt; exact: truncated_float.
Qed.

Lemma lost_ge0 k : 0 <= lost k.
Proof.
elim: k => [|k IH]; first by rewrite /lost big_ord0; lra.
rewrite lost_adds; have [scale_ge0 _] := scale_range k.+1.
by have := Rmult_le_pos _ _ scale_ge0 (loss_is_positive k); lra.
Qed.

(** An instruction loses what it adds, and a unit where the accumulator was multiplied before. *)
Lemma step_loses k : (k < N)%N ->
  scale k.+1 * lost_in k <= mass k.+1 - mass k + INR (rescaled k) * kept * mass N + lowest.
Proof.
move=> lt; have [step _] := steps k lt; have [scale_ge0 scale_le] := scale_range k.+1.
have [kept_ge0 kept_le] := kept_small; have least_ge0 := bpow_ge_0 radix2 least; have floor0 := floor_ge0.
have floor_le : scale k.+1 * (kept * bpow radix2 least) <= lowest.
  rewrite /lowest; have := Rmult_le_compat_r (bpow radix2 least) _ _ least_ge0 scale_le => le.
  have := Rmult_le_compat _ _ _ _ kept_ge0 (Rmult_le_pos _ _ scale_ge0 least_ge0) kept_le le; lra.
rewrite mass_adds; case resc : (rescaled k); rewrite /=.
  have adds := instruction_adds_a_unit A least t _ _ _ _ step even.
  have small := unit_at_most A least t _ _ _ _ step.
  rewrite Rabs_mult (Rabs_pos_eq _ (beta_ge0 k)) -/(added k) -/kept in small.
  rewrite -/(added k) -/(lost_in k) in adds.
  have [shrunk _] := shrinks k (ltnW lt); have before := scale_step k lt; rewrite before in shrunk.
  have total := mass_grows k.+1 N lt; rewrite mass_adds in total.
  have lost0 := lost_ge0 k.
  have both : lost_in k <= added k + kept * (beta k * Rabs (c k) + added k + bpow radix2 least) by lra.
  have scaled := Rmult_le_compat_l _ _ _ scale_ge0 both.
  have inner : scale k.+1 * (beta k * Rabs (c k) + added k) <= mass N by nra.
  have := Rmult_le_compat_l _ _ _ kept_ge0 inner; lra.
have b1 := beta_1 k (negbT resc).
have adds := instruction_adds _ _ _ _ _ _ _ step even.
rewrite b1 Rmult_1_l in adds; have {}adds := adds (result_is_float k (ltnW lt)).
rewrite -/(added k) -/kept in adds.
have same : lost_in k = loss A t (nth [::] blocks k) (E k) (c k) (c k.+1) by rewrite /lost_in b1 Rmult_1_l.
rewrite -same in adds; have scaled := Rmult_le_compat_l _ _ _ scale_ge0 adds; lra.
Qed.

Lemma mass_ge0 k : 0 <= mass k.
Proof. by have := mass_grows 0%N k (leq0n k); rewrite {1}/mass big_ord0. Qed.

(** What all instructions from one on lose. *)
Lemma later_loses n : (n <= N)%N ->
  lost N - lost (N - n) <= mass N - mass (N - n)
    + (INR (times N) - INR (times (N - n))) * kept * mass N + INR n * lowest.
Proof.
elim: n => [|n IH] le; first by rewrite subn0 /=; lra.
have := IH (ltnW le); have lt : (N - n.+1 < N)%N by rewrite ltn_subrL some.
have := step_loses _ lt; have -> : (N - n = (N - n.+1).+1)%N by rewrite -subSn.
rewrite lost_adds -[INR n.+1]/(INR (S n)) S_INR [times _.+1]/= plus_INR; lra.
Qed.

Lemma loss_share k : (k < N)%N ->
  scale k.+1 * lost_in k <= share_of A first other k / (1 - share_of A first other k) * (bound - lost N).
Proof.
move=> lt; have [share_ge0 share_lt1] := share_of_range A first other first_gt0 other_gt0 first_lt other_lt k.
have step : scale k.+1 * lost_in k <= share_of A first other k * (mass k.+1 - lost k + B * bpow radix2 least).
  exact: (rescaled_step A least t first other beta scale B blocks c E first_gt0 other_gt0 first_lt other_lt
    beta_ge0 scale_range scale_step c_0 steps k lt).
have later := later_loses (N - k.+1) (leq_subr _ _); rewrite subKn // in later.
have [kept_ge0 kept_le] := kept_small; have total_ge0 := mass_ge0 N; have floor0 := floor_ge0.
have lowest_ge0 : 0 <= lowest by apply: Rmult_le_pos; lra.
have fewer : INR (N - k.+1) * lowest <= INR N * lowest.
  by apply: Rmult_le_compat_r => //; apply: le_INR; apply/leP; exact: leq_subr.
have rescalings : (INR (times N) - INR (times k.+1)) * kept * mass N <= INR (times N) * kept * mass N.
  by have := Rmult_le_pos _ _ (Rmult_le_pos _ _ (pos_INR (times k.+1)) kept_ge0) total_ge0; lra.
rewrite lost_adds in later.
set l := scale k.+1 * lost_in k in step later *.
have product : l * (1 - share_of A first other k) <= share_of A first other k * (bound - lost N).
  have le : mass k.+1 - lost k + B * bpow radix2 least <= bound - lost N + l.
    by rewrite /bound; move: fewer later rescalings; rewrite /lowest; lra.
  by have := Rmult_le_compat_l _ _ _ share_ge0 le; lra.
have -> : share_of A first other k / (1 - share_of A first other k) * (bound - lost N) =
  share_of A first other k * (bound - lost N) / (1 - share_of A first other k) by field; lra.
apply: (Rmult_le_reg_r (1 - share_of A first other k)); first by lra.
by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; lra.
Qed.

Lemma loss_shares k : (k <= N)%N -> lost k <= shares_lost A first other k * (bound - lost N).
Proof.
elim: k => [|k IH] lt; first by rewrite /lost big_ord0 /shares_lost; lra.
have := IH (ltnW lt); have := loss_share k lt; rewrite lost_adds; case: (k) => [|k'].
  have -> : lost 0%N = 0 by rewrite /lost big_ord0.
  by rewrite /shares_lost /share_of /=; lra.
by rewrite /shares_lost /share_of -[INR k'.+1]/(INR (S k')) S_INR; lra.
Qed.

(** rounding.accumulator-rescaled-even: where results have as many bits as are kept, N instructions, the accumulator multiplied
    before R of them, lose at most x / (1 + x) of the sum of the products' magnitudes, each scaled by the factors after it, times
    1 + R 2^-F, and of (1 + N λ) B 2^least. *)
Theorem rounding_accumulator_rescaled_even :
  Rabs (c (size blocks) - \rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) t i))
  <= even_slope A first other (size blocks) *
     ((\rsum_(k < size blocks) (scale k.+1 * \ssum_(i <- nth [::] blocks k) Rabs (t i)))
        * (1 + INR (times (size blocks)) * bpow radix2 (- fraction A))
      + (1 + INR (size blocks) * share A other) * (B * bpow radix2 least)).
Proof.
have [_ near] := shrinks N (leqnn _); rewrite last_scale Rmult_1_r in near.
have all := loss_shares N (leqnn _); rewrite -/N -/kept -/(mass N) -/(exact N) -/bound.
apply: Rle_trans near _; set x := shares_lost _ _ _ _ in all *; rewrite /even_slope -/x.
have x_ge0 : 0 <= x.
  have quotient n : 0 <= share_of A first other n / (1 - share_of A first other n).
    have [ge0 lt1] := share_of_range A first other first_gt0 other_gt0 first_lt other_lt n.
    by apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
  have := quotient 0%N; have := quotient 1%N; rewrite /x /shares_lost /share_of; case: (N) => [|n]; first by lra.
  by have := pos_INR n; nra.
have -> : x / (1 + x) * bound = x * bound / (1 + x) by field; lra.
apply: (Rmult_le_reg_r (1 + x)); first by lra.
by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; lra.
Qed.

End Rescaled.
