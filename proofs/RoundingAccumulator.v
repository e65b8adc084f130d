(** * The error of a sum of products in a matrix unit

  What is claimed.  Instructions one after the other lose at most a stated share of the sum of the
  products' magnitudes; so does a sum whose accumulator is cleared now and then, and added to a
  register.

  Dictionary (see RoundingInstruction.v), for N instructions, the first with at most [first] lossy
  terms, the others with at most [other], λ' and λ their shares:
  - [accumulates A least t first other blocks d] == d is the sum of the products t i of the blocks;
  - [slope] == 1 - (1 - λ') (1 - λ)^(N - 1);
  - [shares_lost] == x = λ' / (1 - λ') + (N - 1) λ / (1 - λ); [even_slope] == x / (1 + x).

  Formulas, with Σ for the sum of |t i|:
    |d - sum of t i| <= slope (Σ + 2^least), |d| <= Σ                  [rounding_accumulator]
    F = r: |d - sum of t i| <= even_slope (Σ + (1 + N λ) 2^least)  [rounding_accumulator_even]
    groups within a(Σ_k + b), added to a register of the format G in any order:
      |register - sum| <= a(Σ + groups b) + (groups - 1) v Σ         [rounding_accumulator_flushed]

  Assumes: no overflow; λ', λ < 1. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingTruncation RoundingInstruction.

Open Scope R_scope.

(** ** Instructions one after the other *)

(** [blocks] are added one after the other to an accumulator that begins with 0, the first instruction with at most
    [first] lossy units, the others with at most [other]. *)
Definition accumulates (A : accumulator) (least : Z) (t : nat -> R) (first other : nat) (blocks : seq (seq nat)) (d : R) : Prop :=
  exists (c : nat -> R) (E : nat -> Z), c 0%N = 0 /\ c (size blocks) = d /\
  forall k, (k < size blocks)%N ->
    instruction A least t (nth [::] blocks k) (E k) (c k) (c k.+1) /\
    loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (c k).

Section Instructions.
Variables (A : accumulator) (least : Z) (t : nat -> R) (first other : nat).

Definition share_of (k : nat) : R := share A (if k is 0 then first else other).

(** What is left of all products after [N] instructions. *)
Definition left_of (N : nat) : R := if N is N'.+1 then (1 - share A first) * (1 - share A other) ^ N' else 1.

Definition slope (N : nat) : R := 1 - left_of N.

Definition shares_lost (N : nat) : R :=
  if N is N'.+1 then share A first / (1 - share A first) + INR N' * (share A other / (1 - share A other)) else 0.

Definition even_slope (N : nat) : R := shares_lost N / (1 + shares_lost N).

Variables (blocks : seq (seq nat)) (c : nat -> R) (E : nat -> Z).
Hypothesis first_gt0 : (0 < first)%N.
Hypothesis other_gt0 : (0 < other)%N.
Hypothesis first_lt : share A first < 1.
Hypothesis other_lt : share A other < 1.
Hypothesis some : (0 < size blocks)%N.
Hypothesis c_0 : c 0%N = 0.
Hypothesis steps : forall k, (k < size blocks)%N ->
  instruction A least t (nth [::] blocks k) (E k) (c k) (c k.+1) /\
  loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (c k).

Let mass k := \rsum_(j < k) \ssum_(i <- nth [::] blocks j) Rabs (t i).
Let exact k := \rsum_(j < k) \ssum_(i <- nth [::] blocks j) t i.
Let lost k := \rsum_(j < k) loss A t (nth [::] blocks j) (E j) (c j) (c j.+1).
Let total := mass (size blocks) + bpow radix2 least.

Lemma share_of_range k : 0 <= share_of k < 1.
Proof.
have ge0 n : (0 < n)%N -> 0 <= share A n.
  move=> n_gt0; have [_ [_ r_le]] := share_parts A n n_gt0.
  by have := bpow_ge_0 radix2 (- result A); lra.
by rewrite /share_of; case: k => [|k]; split=> //; exact: ge0.
Qed.

Lemma left_of_step k : left_of k.+1 = left_of k * (1 - share_of k).
Proof. by case: k => [|k]; rewrite /left_of /share_of /=; ring. Qed.

Lemma mass_step k : mass k.+1 = mass k + \ssum_(i <- nth [::] blocks k) Rabs (t i).
Proof. exact: big_ord_recr. Qed.

Lemma lost_step k : lost k.+1 = lost k + loss A t (nth [::] blocks k) (E k) (c k) (c k.+1).
Proof. exact: big_ord_recr. Qed.

Lemma mass_le k n : (k <= n)%N -> mass k <= mass n.
Proof.
elim: n => [|n IH]; first by rewrite leqn0 => /eqP ->; lra.
rewrite leq_eqVlt => /orP[/eqP ->|]; first by lra.
rewrite ltnS mass_step => /IH le; have := ssum_ge0 (nth [::] blocks n) (fun i => Rabs (t i)) (fun i => Rabs_pos _).
by lra.
Qed.

(** Truncation only shrinks: the accumulator and all that was lost are together no larger than what was added. *)
Lemma accumulator_shrinks k : (k <= size blocks)%N ->
  Rabs (c k) + lost k <= mass k /\ Rabs (c k - exact k) <= lost k.
Proof.
elim: k => [|k IH] lt; first by rewrite /lost /mass /exact !big_ord0 c_0 Rminus_0_r Rabs_R0; lra.
have [shrunk near] := IH (ltnW lt); have [step _] := steps k lt.
have shrinks := instruction_shrinks _ _ _ _ _ _ _ step.
have error := instruction_error A t (nth [::] blocks k) (E k) (c k) (c k.+1).
rewrite mass_step lost_step /exact big_ord_recr /= -/(exact k); split; first by lra.
set T := \ssum_(i <- _) t i in error *.
have -> : c k.+1 - (exact k + T) = (c k.+1 - (c k + T)) + (c k - exact k) by ring.
by have := Rabs_triang (c k.+1 - (c k + T)) (c k - exact k); lra.
Qed.

Lemma step_lost k : (k < size blocks)%N ->
  loss A t (nth [::] blocks k) (E k) (c k) (c k.+1) <= share_of k * (mass k.+1 - lost k + bpow radix2 least).
Proof.
move=> lt; have [step lossy] := steps k lt; have [shrunk _] := accumulator_shrinks k (ltnW lt).
have positive : (0 < if k is 0 then first else other)%N by case: (k).
apply: Rle_trans (instruction_lost _ _ _ _ _ _ _ _ step lossy positive) _.
have [share_ge0 _] := share_of_range k; rewrite -/(share_of k) mass_step.
by apply: Rmult_le_compat_l => //; lra.
Qed.

Lemma lost_at_most k : (k <= size blocks)%N -> left_of k * total <= total - lost k.
Proof.
elim: k => [|k IH] lt; first by rewrite /lost big_ord0 /left_of; lra.
have := IH (ltnW lt); have := step_lost k lt; have := mass_le k.+1 (size blocks) lt.
have [share_ge0 share_lt1] := share_of_range k.
rewrite left_of_step lost_step /total => mass_small step left_le.
have := Rmult_le_compat_l _ _ _ share_ge0 (Rplus_le_compat_r (bpow radix2 least - lost k) _ _ mass_small).
have := Rmult_le_compat_r (1 - share_of k) _ _ ltac:(lra) left_le.
by lra.
Qed.

Lemma over_blocks (F : nat -> R) :
  \ssum_(i <- flatten blocks) F i = \rsum_(k < size blocks) \ssum_(i <- nth [::] blocks k) F i.
Proof. by rewrite big_flatten (big_nth [::]) big_mkord. Qed.

Lemma accumulator_lost :
  Rabs (c (size blocks) - \ssum_(i <- flatten blocks) t i)
  <= slope (size blocks) * (\ssum_(i <- flatten blocks) Rabs (t i) + bpow radix2 least) /\
  Rabs (c (size blocks)) <= \ssum_(i <- flatten blocks) Rabs (t i).
Proof.
rewrite !over_blocks -/(mass _) -/(exact _) -/total.
have [shrunk near] := accumulator_shrinks _ (leqnn _); have := lost_at_most _ (leqnn _).
have := Rabs_pos (c (size blocks) - exact (size blocks)).
by rewrite /slope; split; lra.
Qed.

Hypothesis even : fraction A = result A.
Hypothesis at_most : (first <= other)%N.

Lemma result_float k : (k <= size blocks)%N -> generic_format radix2 (results A) (c k).
Proof.
case: k => [|k] lt; first by rewrite c_0; exact: generic_format_0.
by have [[_ [_ [_ ->]]] _] := steps k lt; exact: truncated_float.
Qed.

Let lowest := share A other * bpow radix2 least.

Lemma lowest_ge0 : 0 <= lowest.
Proof.
have [ge0 _] := share_of_range 1; apply: Rmult_le_pos => //.
by have := bpow_ge_0 radix2 least; lra.
Qed.

Lemma step_adds k : (k < size blocks)%N ->
  loss A t (nth [::] blocks k) (E k) (c k) (c k.+1) <= mass k.+1 - mass k + lowest.
Proof.
move=> lt; have [step _] := steps k lt; have least_ge0 := bpow_ge_0 radix2 least.
have adds := instruction_adds _ _ _ _ _ _ _ step even (result_float k (ltnW lt)).
have [F_le _] := share_parts A other other_gt0; have n_ge1 : 1 <= INR other by apply: (le_INR 1); apply/leP.
have F_ge0 := bpow_ge_0 radix2 (- fraction A).
have F_small : bpow radix2 (- fraction A) <= share A other by nra.
have := Rmult_le_compat_r _ _ _ least_ge0 F_small; rewrite mass_step /lowest.
by have := Rmult_le_pos _ _ F_ge0 least_ge0; lra.
Qed.

(** Instructions lose no more than they add. *)
Lemma later_lost n : (n <= size blocks)%N ->
  lost (size blocks) - lost (size blocks - n) <= mass (size blocks) - mass (size blocks - n) + INR n * lowest.
Proof.
elim: n => [|n IH] le; first by rewrite subn0 /=; lra.
have := IH (ltnW le); have lt : (size blocks - n.+1 < size blocks)%N by rewrite ltn_subrL some.
have := step_adds _ lt; have -> : (size blocks - n = (size blocks - n.+1).+1)%N by rewrite -subSn.
rewrite lost_step -[INR n.+1]/(INR (S n)) S_INR; lra.
Qed.

Let bound := mass (size blocks) + (1 + INR (size blocks) * share A other) * bpow radix2 least.

Lemma lost_share k : (k < size blocks)%N ->
  loss A t (nth [::] blocks k) (E k) (c k) (c k.+1)
  <= share_of k / (1 - share_of k) * (bound - lost (size blocks)).
Proof.
move=> lt; have [share_ge0 share_lt1] := share_of_range k; have step := step_lost k lt.
have later := later_lost (size blocks - k.+1) (leq_subr _ _); rewrite subKn // in later.
have fewer : INR (size blocks - k.+1) * lowest <= INR (size blocks) * lowest.
  by apply: Rmult_le_compat_r; [exact: lowest_ge0 | apply: le_INR; apply/leP; exact: leq_subr].
rewrite lost_step in later.
set l := loss _ _ _ _ _ _ in step later *.
have product : l * (1 - share_of k) <= share_of k * (bound - lost (size blocks)).
  have le : mass k.+1 - lost k + bpow radix2 least <= bound - lost (size blocks) + l.
    by rewrite /bound; move: fewer later; rewrite /lowest; lra.
  by have := Rmult_le_compat_l _ _ _ share_ge0 le; lra.
have -> : share_of k / (1 - share_of k) * (bound - lost (size blocks)) =
  share_of k * (bound - lost (size blocks)) / (1 - share_of k) by field; lra.
apply: (Rmult_le_reg_r (1 - share_of k)); first by lra.
by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; lra.
Qed.

Lemma lost_shares k : (k <= size blocks)%N -> lost k <= shares_lost k * (bound - lost (size blocks)).
Proof.
elim: k => [|k IH] lt; first by rewrite /lost big_ord0 /shares_lost; lra.
have := IH (ltnW lt); have := lost_share k lt.
rewrite lost_step; case: (k) => [|k'].
  have -> : lost 0%N = 0 by rewrite /lost big_ord0.
  by rewrite /shares_lost /share_of /=; lra.
by rewrite /shares_lost /share_of -[INR k'.+1]/(INR (S k')) S_INR; lra.
Qed.

Lemma accumulator_even :
  Rabs (c (size blocks) - \ssum_(i <- flatten blocks) t i)
  <= even_slope (size blocks) * (\ssum_(i <- flatten blocks) Rabs (t i) +
       (1 + INR (size blocks) * share A other) * bpow radix2 least).
Proof.
rewrite !over_blocks -/(mass _) -/(exact _) -/bound.
have [shrunk near] := accumulator_shrinks _ (leqnn _); have all := lost_shares _ (leqnn _).
apply: Rle_trans near _; set x := shares_lost _ in all *; rewrite /even_slope -/x.
have x_ge0 : 0 <= x.
  have quotient n : 0 <= share_of n / (1 - share_of n).
    by have [ge0 lt1] := share_of_range n; apply: Rmult_le_pos => //; apply: Rlt_le; apply: Rinv_0_lt_compat; lra.
  have := quotient 0%N; have := quotient 1%N; rewrite /x /shares_lost /share_of; case: (size blocks) => [|n]; first by lra.
  by have := pos_INR n; nra.
have -> : x / (1 + x) * bound = x * bound / (1 + x) by field; lra.
apply: (Rmult_le_reg_r (1 + x)); first by lra.
by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; lra.
Qed.

End Instructions.

(** rounding.accumulator: N instructions of a matrix unit lose at most 1 - (1 - λ') (1 - λ)^(N - 1) of the sum of the products'
    magnitudes and 2^least, λ' and λ the shares of the first and of the others; the result is no larger than that sum. *)
Theorem rounding_accumulator (A : accumulator) (least : Z) (t : nat -> R) (first other : nat)
    (blocks : seq (seq nat)) (d : R) :
  (0 < first)%N -> (0 < other)%N -> share A first < 1 -> share A other < 1 ->
  accumulates A least t first other blocks d ->
  Rabs (d - \ssum_(i <- flatten blocks) t i)
  <= slope A first other (size blocks) * (\ssum_(i <- flatten blocks) Rabs (t i) + bpow radix2 least) /\
  Rabs d <= \ssum_(i <- flatten blocks) Rabs (t i).
Proof.
move=> first_gt0 other_gt0 first_lt other_lt [c [E [c_0 [<- steps]]]].
by apply: (accumulator_lost A least t first other blocks c E).
Qed.

(** rounding.accumulator-even: where results have as many bits as are kept, N instructions lose at most x / (1 + x) of the
    sum of the products' magnitudes and (1 + N λ) 2^least, x = λ' / (1 - λ') + (N - 1) λ / (1 - λ). *)
Theorem rounding_accumulator_even (A : accumulator) (least : Z) (t : nat -> R) (first other : nat)
    (blocks : seq (seq nat)) (d : R) : fraction A = result A -> (0 < size blocks)%N ->
  (0 < first)%N -> (0 < other)%N -> share A first < 1 -> share A other < 1 ->
  accumulates A least t first other blocks d ->
  Rabs (d - \ssum_(i <- flatten blocks) t i)
  <= even_slope A first other (size blocks) * (\ssum_(i <- flatten blocks) Rabs (t i) +
       (1 + INR (size blocks) * share A other) * bpow radix2 least).
Proof.
move=> even some first_gt0 other_gt0 first_lt other_lt [c [E [c_0 [<- steps]]]].
by apply: (accumulator_even A least t first other blocks c E).
Qed.

(** ** Cleared now and then *)

(** rounding.accumulator-flushed: groups of products, each summed to within a(Σ_k + b) of its exact sum and to no more
    than Σ_k, added to a register of the format G in any order: within a(Σ + n b) + (n - 1) v Σ of the exact sum. *)
Theorem rounding_accumulator_flushed (G : format) (n : nat) (a b : R) (g exact mass : nat -> R) (o : order) :
  perm_eq (terms o) (iota 0 n) ->
  (forall k, is_float G (g k)) ->
  (forall k, (k < n)%N -> Rabs (g k - exact k) <= a * (mass k + b) /\ Rabs (g k) <= mass k) ->
  (0 < n)%N ->
  Rabs (computed_sum G g o - \rsum_(k < n) exact k)
  <= a * (\rsum_(k < n) mass k + INR n * b) + (INR n - 1) * v G * \rsum_(k < n) mass k.
Proof.
move=> each_once floats groups n_gt0; have sums := rounding_sum_any_order G g o floats.
rewrite (exact_sum_permutation _ _ _ each_once) (exact_sum_permutation _ _ _ each_once) in sums.
rewrite (count_permutation _ _ each_once) in sums.
have n_ge1 : 1 <= INR n by apply: (le_INR 1); apply/leP.
have small : \rsum_(k < n) Rabs (g k) <= \rsum_(k < n) mass k.
  by apply: rsum_le => k; have [_ le] := groups k (ltn_ord k).
have near : Rabs (\rsum_(k < n) g k - \rsum_(k < n) exact k) <= a * (\rsum_(k < n) mass k + INR n * b).
  rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(k < n) (a * (mass k + b)))).
    by apply: (rsum_abs_le (fun k => g k - exact k) (fun k => a * (mass k + b))) => k /groups [].
  by rewrite rsum_mull rsum_add rsum_const; exact: Rle_refl.
have v_ge0 := v_pos G; have := Rmult_le_compat_l ((INR n - 1) * v G) _ _ ltac:(nra) small.
by have := Rabs_diff_triangle (computed_sum G g o) (\rsum_(k < n) g k) (\rsum_(k < n) exact k); lra.
Qed.
