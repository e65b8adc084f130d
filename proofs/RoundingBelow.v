(** * What a matrix unit loses of positive numbers

  What is claimed.  Of all that instructions lose, the part that is lost of positive numbers has shares of
  its own: each positive product counts once, accumulator and result count once together.

  Dictionary (see RoundingAccumulator.v), for N instructions:
  - [positive_part x] == x where x > 0, else 0;
  - [loss_below A t s E c d] == what an instruction loses of positive numbers; [loss_above], of negative ones;
  - [sign_shares A n N] == n 2^-F + N 2^-min(F, r), for n products of the sign;
  - [all_shares A first other N] == λ' + (N - 1) λ;
  - [sign_slope] == the smaller of [sign_shares] and [slope];
  - [sign_even_slope] == x / (1 + x), x = the smaller of [sign_shares] and [all_shares], over 1 - λ.

  Formulas, with n positive products of the sum of magnitudes Σ:
    lost of positive numbers <= sign_slope (Σ + 2^least)                             [below_slope]
    F = r: lost of positive numbers <= sign_even_slope (Σ + (1 + N λ) 2^least)       [below_even]

  Assumes: no overflow; λ', λ < 1. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingTruncation RoundingInstruction RoundingAccumulator.

Open Scope R_scope.

Definition positive_part (x : R) : R := Rmax x 0.

Lemma positive_part_ge0 x : 0 <= positive_part x.
Proof. exact: Rmax_r. Qed.

Lemma positive_part_of x : 0 <= x -> positive_part x = x.
Proof. exact: Rmax_left. Qed.

Lemma positive_part_none x : x <= 0 -> positive_part x = 0.
Proof. exact: Rmax_right. Qed.

Lemma positive_part_le x : positive_part x <= Rabs x.
Proof. by apply: Rmax_lub; [exact: Rle_abs | exact: Rabs_pos]. Qed.

Lemma positive_parts x : positive_part x - positive_part (- x) = x.
Proof.
by case: (Rle_dec 0 x) => sign;
  [rewrite positive_part_of // positive_part_none | rewrite positive_part_none ?positive_part_of]; lra.
Qed.

Definition sign_shares (A : accumulator) (n N : nat) : R :=
  INR n * bpow radix2 (- fraction A) + INR N * bpow radix2 (- Z.min (fraction A) (result A)).

Definition all_shares (A : accumulator) (first other N : nat) : R := share A first + (INR N - 1) * share A other.

Definition sign_slope (A : accumulator) (first other n N : nat) : R := Rmin (sign_shares A n N) (slope A first other N).

Definition sign_even_slope (A : accumulator) (first other n N : nat) : R :=
  let x := Rmin (sign_shares A n N) (all_shares A first other N) / (1 - share A other) in x / (1 + x).

(** ** An instruction *)

Definition loss_below (A : accumulator) (t : nat -> R) (s : seq nat) (E : Z) (c d : R) : R :=
  positive_part (c - truncated (grid A E) c) +
  \ssum_(i <- s) positive_part (t i - truncated (grid A E) (t i)) +
  positive_part (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i) - d).

Definition loss_above (A : accumulator) (t : nat -> R) (s : seq nat) (E : Z) (c d : R) : R :=
  positive_part (- (c - truncated (grid A E) c)) +
  \ssum_(i <- s) positive_part (- (t i - truncated (grid A E) (t i))) +
  positive_part (- (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i) - d)).

Lemma loss_below_le A t s E c d : 0 <= loss_below A t s E c d <= loss A t s E c d.
Proof.
rewrite /loss_below /loss; set u := c - _; set w := _ - d; split.
  have := positive_part_ge0 u; have := positive_part_ge0 w.
  by have := ssum_ge0 s (fun i => positive_part (t i - truncated (grid A E) (t i))) (fun i => positive_part_ge0 _); lra.
have := positive_part_le u; have := positive_part_le w.
by have := ssum_le s (fun i => positive_part (t i - truncated (grid A E) (t i))) _ (fun i => positive_part_le _); lra.
Qed.

Lemma losses_balance A t s E c d :
  loss_above A t s E c d - loss_below A t s E c d = d - (c + \ssum_(i <- s) t i).
Proof.
rewrite /loss_above /loss_below; set K := \ssum_(i <- s) truncated _ (t i); set u := c - _; set w := _ - d.
have parts : \ssum_(i <- s) positive_part (t i - truncated (grid A E) (t i)) -
    \ssum_(i <- s) positive_part (- (t i - truncated (grid A E) (t i))) = \ssum_(i <- s) t i - K.
  by rewrite /K -!ssum_sub; apply: eq_bigr => i _; exact: positive_parts.
have u_parts : positive_part u - positive_part (- u) = c - truncated (grid A E) c := positive_parts u.
have w_parts : positive_part w - positive_part (- w) = truncated (grid A E) c + K - d := positive_parts w.
by lra.
Qed.

(** Negation exchanges both signs. *)
Lemma loss_opposite A t s E c d : loss_below A (fun i => - t i) s E (- c) (- d) = loss_above A t s E c d.
Proof.
have swap x : - x - truncated (grid A E) (- x) = - (x - truncated (grid A E) x) by rewrite truncated_opp; ring.
rewrite /loss_below /loss_above swap; congr (_ + _ + positive_part _).
  by apply: eq_bigr => i _; rewrite swap.
rewrite truncated_opp (_ : \ssum_(i <- s) truncated (grid A E) (- t i) = - \ssum_(i <- s) truncated (grid A E) (t i));
  first by ring.
by elim: s => [|i s IH]; rewrite ?big_nil ?big_cons ?truncated_opp ?IH; ring.
Qed.

Lemma ssum_opposite (s : seq nat) F : \ssum_(i <- s) - F i = - \ssum_(i <- s) F i.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil ?big_cons ?IH; ring. Qed.

Lemma instruction_opposite A least t s E c d :
  instruction A least t s E c d -> instruction A least (fun i => - t i) s E (- c) (- d).
Proof.
move=> [normal_E [c_lt [largest ->]]]; split=> //; rewrite Rabs_Ropp; split=> //; split.
  by case: largest => [|[[i [inside large]]|]]; [left | right; left; exists i; rewrite Rabs_Ropp | right; right].
rewrite -truncated_opp; congr truncated; rewrite truncated_opp.
have -> : \ssum_(i <- s) truncated (grid A E) (- t i) = - \ssum_(i <- s) truncated (grid A E) (t i).
  by rewrite -ssum_opposite; apply: eq_bigr => i _; rewrite truncated_opp.
by ring.
Qed.

Lemma loses_opposite A n t s E c : loses A n t s E c -> loses A n (fun i => - t i) s E (- c).
Proof.
have swap x : Rabs (- x - truncated (grid A E) (- x)) = Rabs (x - truncated (grid A E) x).
  by rewrite truncated_opp -Rabs_Ropp; congr Rabs; ring.
rewrite /loses swap; congr (_ + _ <= _).
by rewrite (_ : \ssum_(i <- s) _ = \ssum_(i <- s) Rabs (t i - truncated (grid A E) (t i))) //; apply: eq_bigr => i _;
  rewrite swap.
Qed.

Lemma accumulates_opposite A least t first other blocks d :
  accumulates A least t first other blocks d -> accumulates A least (fun i => - t i) first other blocks (- d).
Proof.
move=> [c [E [c_0 [c_d steps]]]]; exists (fun k => - c k), E; rewrite c_0 c_d Ropp_0; split=> //; split=> // k lt.
have [step lossy] := steps k lt; split; first exact: instruction_opposite.
by case: lossy => [lost|[E_least lost]]; [left | right; split=> //]; exact: loses_opposite.
Qed.

Section Instruction.
Variables (A : accumulator) (least : Z) (t : nat -> R) (s : seq nat) (E : Z) (c d : R) (positive : nat -> bool).
Hypothesis computed : instruction A least t s E c d.
Hypothesis others : forall i, ~~ positive i -> t i <= 0.

Definition sign_share (n : nat) : R :=
  INR n * bpow radix2 (- fraction A) + bpow radix2 (- Z.min (fraction A) (result A)).

Lemma sign_share_ge0 n : 0 <= sign_share n.
Proof.
have := bpow_ge_0 radix2 (- Z.min (fraction A) (result A)); have := pos_INR n.
by have := bpow_ge_0 radix2 (- fraction A); rewrite /sign_share; nra.
Qed.

Let unit := bpow radix2 (E - fraction A).

(** A positive product loses a unit at most, another number nothing. *)
Lemma products_below (s' : seq nat) :
  \ssum_(i <- s') positive_part (t i - truncated (grid A E) (t i)) <= INR (count positive s') * unit.
Proof.
have unit_ge0 : 0 <= unit by exact: bpow_ge_0.
elim: s' => [|i s' IH]; first by rewrite big_nil /=; lra.
rewrite big_cons -[count _ _]/(positive i + count positive s')%N plus_INR; case sign: (positive i).
  have := positive_part_le (t i - truncated (grid A E) (t i)); have := lost_below A E (t i); rewrite -/unit /=; lra.
have t_le : t i <= 0 by apply: others; rewrite sign.
rewrite positive_part_none /=; first by lra.
by have := truncated_ge0 (grid A E) (- t i) ltac:(lra); rewrite truncated_opp; lra.
Qed.

Lemma instruction_below :
  loss_below A t s E c d <=
  sign_share (count positive s) * (Rabs c + \ssum_(i <- s) Rabs (t i) + bpow radix2 least).
Proof.
set a := _ + bpow _ _; set n := count positive s.
have least_ge0 := bpow_ge_0 radix2 least; have c_ge0 := Rabs_pos c.
have mass_ge0 : 0 <= \ssum_(i <- s) Rabs (t i) by apply: ssum_ge0 => i; exact: Rabs_pos.
have E_le : bpow radix2 E <= a.
  case: computed => _ [_ [[large|[[i [inside large]]|small]] _]]; rewrite /a; first by lra.
    by have := ssum_term s (fun i => Rabs (t i)) i (fun i => Rabs_pos _) inside; lra.
  by have := bpow_le radix2 _ _ small; lra.
have normal_le : bpow radix2 normal <= a by apply: Rle_trans E_le; apply: bpow_le; case: computed.
have sum_le := sum_below A t s E c; rewrite /= in sum_le.
have sum_a : Rabs (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i)) <= a by rewrite /a; lra.
have a_ge0 : 0 <= a by rewrite /a; lra.
have dropped := result_lost A least t s E c d computed a sum_a normal_le; rewrite -/unit in dropped.
have unit_a : unit <= bpow radix2 (- fraction A) * a.
  have -> : unit = bpow radix2 (- fraction A) * bpow radix2 E by rewrite /unit -bpow_plus; congr bpow; ring.
  by apply: Rmult_le_compat_l => //; exact: bpow_ge_0.
have F_min : bpow radix2 (- fraction A) <= bpow radix2 (- Z.min (fraction A) (result A)) by apply: bpow_le; lia.
have r_min : bpow radix2 (- result A) <= bpow radix2 (- Z.min (fraction A) (result A)) by apply: bpow_le; lia.
have F_a := Rmult_le_compat_r _ _ _ a_ge0 F_min; have r_a := Rmult_le_compat_r _ _ _ a_ge0 r_min.
have c_lost := Rle_trans _ _ _ (positive_part_le (c - truncated (grid A E) c)) (lost_below A E c).
have products := products_below s; rewrite -/n in products.
have n_unit := Rmult_le_compat_l (INR n) _ _ (pos_INR n) unit_a.
have d_lost := positive_part_le (truncated (grid A E) c + \ssum_(i <- s) truncated (grid A E) (t i) - d).
rewrite -/unit in c_lost; rewrite /loss_below /sign_share.
by case: dropped => dropped; lra.
Qed.

End Instruction.

(** ** Instructions one after the other *)

Section Instructions.
Variables (A : accumulator) (least : Z) (t : nat -> R) (first other : nat) (positive : nat -> bool).
Variables (blocks : seq (seq nat)) (c : nat -> R) (E : nat -> Z).
Hypothesis others : forall i, ~~ positive i -> t i <= 0.
Hypothesis first_gt0 : (0 < first)%N.
Hypothesis other_gt0 : (0 < other)%N.
Hypothesis first_lt : share A first < 1.
Hypothesis other_lt : share A other < 1.
Hypothesis c_0 : c 0%N = 0.
Hypothesis steps : forall k, (k < size blocks)%N ->
  instruction A least t (nth [::] blocks k) (E k) (c k) (c k.+1) /\
  loses_at_most A least (if k is 0 then first else other) t (nth [::] blocks k) (E k) (c k).

Let N := size blocks.
Let mass k := \rsum_(j < k) \ssum_(i <- nth [::] blocks j) Rabs (t i).
Let exact k := \rsum_(j < k) \ssum_(i <- nth [::] blocks j) t i.
Let lost k := \rsum_(j < k) loss A t (nth [::] blocks j) (E j) (c j) (c j.+1).
Let below k := \rsum_(j < k) loss_below A t (nth [::] blocks j) (E j) (c j) (c j.+1).
Let above k := \rsum_(j < k) loss_above A t (nth [::] blocks j) (E j) (c j) (c j.+1).

Lemma below_range k : 0 <= below k <= lost k.
Proof.
split; first by apply: rsum_ge0 => j; have [] := loss_below_le A t (nth [::] blocks j) (E j) (c j) (c j.+1).
by apply: rsum_le => j; have [] := loss_below_le A t (nth [::] blocks j) (E j) (c j) (c j.+1).
Qed.

Lemma sums_balance k : above k - below k = c k - exact k.
Proof.
elim: k => [|k IH]; first by rewrite /above /below /exact !big_ord0 c_0; ring.
rewrite /above /below /exact !big_ord_recr /= -/(above k) -/(below k) -/(exact k).
by have := losses_balance A t (nth [::] blocks k) (E k) (c k) (c k.+1); lra.
Qed.

Let shares_of k := \rsum_(j < k) sign_share A (count positive (nth [::] blocks j)).

Lemma shares_ofE : shares_of N = sign_shares A (count positive (flatten blocks)) N.
Proof.
rewrite /shares_of /sign_shares /sign_share rsum_add rsum_const rsum_mulr; congr (_ * _ + _).
rewrite /N; elim: blocks => [|s l IH]; first by rewrite big_ord0.
by rewrite big_ord_recl [flatten _]/= count_cat plus_INR -IH.
Qed.

Lemma step_below a k : (k < N)%N -> mass k.+1 - lost k + bpow radix2 least <= a ->
  loss_below A t (nth [::] blocks k) (E k) (c k) (c k.+1) <= sign_share A (count positive (nth [::] blocks k)) * a.
Proof.
move=> lt a_ge; have [step _] := steps k lt.
apply: Rle_trans (instruction_below _ _ _ _ _ _ _ _ step others) _; apply: Rmult_le_compat_l; first exact: sign_share_ge0.
have [shrunk _] := accumulator_shrinks A least t first other blocks c E c_0 steps k (ltnW lt).
by apply: Rle_trans a_ge; rewrite /mass big_ord_recr /= -/(mass k); move: shrunk; rewrite -/(mass k) -/(lost k); lra.
Qed.

Lemma below_shares a k : (k <= N)%N -> (forall j, (j < k)%N -> mass j.+1 - lost j + bpow radix2 least <= a) ->
  below k <= shares_of k * a.
Proof.
elim: k => [|k IH] lt large; first by rewrite /below /shares_of !big_ord0; lra.
rewrite /below /shares_of !big_ord_recr /= -/(below k) -/(shares_of k) Rmult_plus_distr_r.
apply: Rplus_le_compat; first by apply: IH => [|j lt_j]; [exact: ltnW | apply: large; exact: ltnW].
by apply: step_below => //; exact: large.
Qed.

Lemma mass_grows k : (k <= N)%N -> mass k <= mass N.
Proof. exact: (mass_le t blocks). Qed.

Lemma lost_ge0 k : 0 <= lost k.
Proof. by apply: rsum_ge0 => j; exact: loss_ge0. Qed.

Lemma below_slope : below N <= sign_slope A first other (count positive (flatten blocks)) N *
  (\ssum_(i <- flatten blocks) Rabs (t i) + bpow radix2 least).
Proof.
rewrite over_blocks -/(mass N); set total := mass N + _.
have total_ge0 : 0 <= total.
  have [ge0 _] := accumulator_shrinks A least t first other blocks c E c_0 steps N (leqnn _).
  have := Rabs_pos (c N); have := lost_ge0 N; have := bpow_ge_0 radix2 least.
  by move: ge0; rewrite /total -/(lost N) -/(mass N); lra.
have [_ le_lost] := below_range N.
have := lost_at_most A least t first other blocks c E first_gt0 other_gt0 first_lt other_lt c_0 steps N (leqnn _).
rewrite -/(mass _) -/(lost _) -/total => left.
have by_slope : below N <= slope A first other N * total by rewrite /slope; lra.
have by_shares : below N <= sign_shares A (count positive (flatten blocks)) N * total.
  rewrite -shares_ofE; apply: below_shares => // j lt_j.
  by have := mass_grows j.+1 lt_j; have := lost_ge0 j; rewrite /total; lra.
by rewrite /sign_slope /Rmin; case: Rle_dec.
Qed.

Hypothesis some : (0 < size blocks)%N.
Hypothesis even : fraction A = result A.
Hypothesis at_most : (first <= other)%N.

Lemma share_le : 0 <= share A first <= share A other.
Proof.
have [_ [_ r_le]] := share_parts A first first_gt0; have r_ge0 := bpow_ge_0 radix2 (- result A).
split; first by lra.
have le : INR first <= INR other by apply: le_INR; apply/leP.
by have := bpow_ge_0 radix2 (- fraction A); rewrite /share; nra.
Qed.

Lemma below_even : below N <= sign_even_slope A first other (count positive (flatten blocks)) N *
  (\ssum_(i <- flatten blocks) Rabs (t i) + (1 + INR N * share A other) * bpow radix2 least).
Proof.
rewrite over_blocks -/(mass N); set bound := mass N + _.
have [share_ge0 share_le_other] := share_le; have [below_ge0 le_lost] := below_range N.
set rest := bound - lost N; have y_lt : 0 < 1 - share A other by lra.
have all := lost_shares A least t first other blocks c E first_gt0 other_gt0 first_lt other_lt some c_0 steps even N (leqnn _).
have {}all : lost N <= shares_lost A first other N * rest := all.
have room j : (j < N)%N -> mass j.+1 - lost j + bpow radix2 least <= rest / (1 - share A other).
  move=> lt_j; set a := _ + bpow _ _; pose l := loss A t (nth [::] blocks j) (E j) (c j) (c j.+1).
  have step := step_lost A least t first other blocks c E first_gt0 other_gt0 first_lt other_lt c_0 steps j lt_j.
  have {}step : l <= share_of A first other j * a := step.
  have later := later_lost A least t first other blocks c E other_gt0 some c_0 steps even (N - j.+1) (leq_subr _ _).
  rewrite subKn // in later.
  have {}later : lost N - lost j.+1 <= mass N - mass j.+1 + INR (N - j.+1) * (share A other * bpow radix2 least) := later.
  have least_ge0 := bpow_ge_0 radix2 least;
    have lowest_ge0 : 0 <= share A other * bpow radix2 least by apply: Rmult_le_pos => //; lra.
  have fewer : INR (N - j.+1) * (share A other * bpow radix2 least) <= INR N * (share A other * bpow radix2 least).
    by apply: Rmult_le_compat_r => //; apply: le_INR; apply/leP; exact: leq_subr.
  have lostS : lost j.+1 = lost j + l by rewrite /lost big_ord_recr.
  have a_le : a <= rest + l by rewrite /a /rest /bound; move: fewer later; rewrite lostS; lra.
  have a_ge0 : 0 <= a.
    have [shrunk _] := accumulator_shrinks A least t first other blocks c E c_0 steps j (ltnW lt_j).
    have {}shrunk : Rabs (c j) + lost j <= mass j := shrunk; have := Rabs_pos (c j).
    have : mass j <= mass j.+1 by rewrite /mass big_ord_recr /=;
      have := ssum_ge0 (nth [::] blocks j) (fun i => Rabs (t i)) (fun i => Rabs_pos _); lra.
    by rewrite /a; lra.
  have share_j : share_of A first other j * a <= share A other * a.
    by apply: Rmult_le_compat_r => //; rewrite /share_of; case: (j) => [|j']; lra.
  apply: (Rmult_le_reg_r (1 - share A other)) => //; rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r; lra.
have rest_ge0 : 0 <= rest.
  have := room 0%N some; have [shrunk _] := accumulator_shrinks A least t first other blocks c E c_0 steps 0 (leq0n _).
  have {}shrunk : Rabs (c 0%N) + lost 0%N <= mass 0%N := shrunk; have := Rabs_pos (c 0%N); have := bpow_ge_0 radix2 least.
  have : mass 0%N <= mass 1%N by rewrite /mass big_ord_recr /=;
    have := ssum_ge0 (nth [::] blocks 0) (fun i => Rabs (t i)) (fun i => Rabs_pos _); lra.
  move=> ? ? ? quotient; have {}quotient : 0 <= rest / (1 - share A other) by lra.
  have := Rmult_le_pos _ _ quotient (Rlt_le _ _ y_lt); rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have by_sign : below N <= sign_shares A (count positive (flatten blocks)) N * (rest / (1 - share A other)).
  by rewrite -shares_ofE; exact: below_shares.
have by_all : below N <= all_shares A first other N * (rest / (1 - share A other)).
  apply: Rle_trans le_lost (Rle_trans _ _ _ all _).
  have -> : all_shares A first other N * (rest / (1 - share A other)) = all_shares A first other N
    / (1 - share A other) * rest by field; lra.
  apply: Rmult_le_compat_r => //; rewrite /shares_lost /all_shares; have := some; rewrite -/N; case: (N) => [//|n] _.
  rewrite -[INR n.+1]/(INR (S n)) S_INR.
  have -> : (share A first + (INR n + 1 - 1) * share A other) / (1 - share A other) = share A first
    / (1 - share A other) + INR n * (share A other / (1 - share A other)) by field; lra.
  apply: Rplus_le_compat_r; apply: Rmult_le_compat_l => //; apply: Rinv_le_contravar; lra.
pose x := Rmin (sign_shares A (count positive (flatten blocks)) N) (all_shares A first other N) / (1 - share A other).
have by_x : below N <= x * rest.
  have -> : x * rest = Rmin (sign_shares A (count positive (flatten blocks)) N) (all_shares A first other N) * (rest
    / (1 - share A other)).
    by rewrite /x; field; lra.
  by rewrite /Rmin; case: Rle_dec.
have x_ge0 : 0 <= x.
  apply: Rmult_le_pos; last by apply/Rlt_le/Rinv_0_lt_compat.
  apply: Rmin_glb; last first.
    rewrite /all_shares; have : 1 <= INR N by apply: (le_INR 1); apply/leP.
    by nra.
  rewrite /sign_shares; have := pos_INR N; have := pos_INR (count positive (flatten blocks)).
  have := bpow_ge_0 radix2 (- fraction A); have := bpow_ge_0 radix2 (- Z.min (fraction A) (result A)); nra.
rewrite /sign_even_slope -/x; have le_rest : rest <= bound - below N by rewrite /rest; lra.
have product : below N * (1 + x) <= x * bound by have := Rmult_le_compat_l x _ _ x_ge0 le_rest; lra.
apply: (Rmult_le_reg_r (1 + x)); first by lra.
have -> : x / (1 + x) * bound * (1 + x) = x * bound by field; lra.
exact: product.
Qed.

End Instructions.
