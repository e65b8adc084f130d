(** * A target and another token at every placement

  In one pair, what a target scores more than another token beside it changes sign as both move away from the
  query: no query keeps the target ahead at every placement.

  placed g q k x      == the score of query q and a key k that stands x positions on: the pair turns by g
  lead g q t o x      == the score of the target t less that of the other token o

  Main result: heads.semantic. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding AttentionLayer IntervalTactic Wavelengths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition placed (g : R) (q k : 'cV[R]_2) (x : R) : R := dot q (rotation (g * x) *m k).
Definition lead (g : R) (q t o : 'cV[R]_2) (x : R) : R := placed g q t x - placed g q o x.

Lemma placed_steps g q k x n : placed g q k (x + n) + placed g q k (x - n) = 2 * cos (n * g) * placed g q k x.
Proof.
have by_entries y : placed g q k y =
    cos (g * y) * dot q k +
    sin (g * y) * (q (bit true) ord0 * k (bit false) ord0 - q (bit false) ord0 * k (bit true) ord0).
  rewrite /placed /dot !rsum2 !mxE !rsum2 /rotation !mx22E; ring.
rewrite !by_entries (_ : g * (x + n) = g * x + n * g); last by ring.
rewrite (_ : g * (x - n) = g * x - n * g); last by ring.
by rewrite cos_plus cos_minus sin_plus sin_minus; ring.
Qed.

Lemma lead_steps g q t o x n : lead g q t o (x + n) + lead g q t o (x - n) = 2 * cos (n * g) * lead g q t o x.
Proof. by rewrite /lead; have := placed_steps g q t x n; have := placed_steps g q o x n; lra. Qed.

(** A token that scores no more than another one has at most half of the weight. *)
Lemma at_most_half n (A : 'rV[R]_n.+1) i j : i != j -> A ord0 i <= A ord0 j -> softmax A ord0 i <= 1 / 2.
Proof.
move=> i_ne_j A_le; have le : softmax A ord0 i <= softmax A ord0 j.
  rewrite !mxE; apply: Rmult_le_compat_r; first exact/Rlt_le/Rinv_0_lt_compat/softmax_denominator_gt0.
  by case: A_le => [/exp_increasing/Rlt_le // | ->]; exact: Rle_refl.
have := softmax_sum A ord0; rewrite (bigD1 i) //= (bigD1 j) /=; last by rewrite eq_sym.
set rest := \rsum_(l | _) _; have : 0 <= rest; last by lra.
by apply: (big_ind (Rle 0)) => [|x y|l _]; [exact: Rle_refl | lra | exact/Rlt_le/softmax_gt0].
Qed.

Lemma some_placement g q t o x n : cos (n * g) <= 0 ->
  exists y, (y = x - n \/ y = x \/ y = x + n) /\ lead g q t o y <= 0.
Proof.
move=> cos_le0; have := lead_steps g q t o x n => steps.
have [ahead | behind] := Rlt_or_le 0 (lead g q t o x); last by exists x; split; [right; left | ].
have [before | behind] := Rlt_or_le 0 (lead g q t o (x - n)); last by exists (x - n); split; [left | ].
by exists (x + n); split; [right; right | nra].
Qed.

(** heads.semantic: For d = 2, the score of a target less that of another token that keeps its place
    beside it, D(x) = Re(h·e^(igx)) when both are x positions on, obeys D(x+n) + D(x−n) = 2·cos(ng)·D(x)
    for all h, g, x and n: where cos(ng) ≤ 0, the target has a weight of at most 1/2 at one of the
    placements x−n, x, x+n. For d = 256 and base 10000 the slowest pair has cos(ng) < 0 at n = 29235,
    half a turn. A fixed placement can succeed: with D = 10 its weight is above 0.99. *)
Theorem heads_semantic :
  (forall (g : R) (q t o : 'cV[R]_2) (x n : R),
     lead g q t o (x + n) + lead g q t o (x - n) = 2 * cos (n * g) * lead g q t o x) /\
  (forall (g : R) (q t o : 'cV[R]_2) (x n : R) (N : nat) (A : R -> 'rV[R]_N.+1) (i j : 'I_N.+1), i != j ->
     (forall y, A y ord0 i = placed g q t y /\ A y ord0 j = placed g q o y) -> cos (n * g) <= 0 ->
     exists y, (y = x - n \/ y = x \/ y = x + n) /\ softmax (A y) ord0 i <= 1 / 2) /\
  (let slowest := frequency 10000 256 127 in
   cos (29235 * slowest) < 0 /\ 29234 * slowest < PI <= 29235 * slowest) /\
  (forall g : R, lead g (col2 1 0) (col2 10 0) (col2 0 0) 0 = 10) /\
  (forall a b : R, a - b = 10 -> 99 / 100 < exp a / (exp a + exp b)).
Proof.
split; first exact: lead_steps.
split=> [g q t o x n N A i j i_ne_j scores_are cos_le0 | ].
  have [y [y_is behind]] := some_placement q t o x cos_le0; exists y; split=> //.
  by apply: (at_most_half i_ne_j); have [-> ->] := scores_are y; rewrite /lead in behind; lra.
split.
  rewrite /= /frequency /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
  by repeat split; interval with (i_prec 60).
split=> [g | a b apart].
  by rewrite /lead /placed R_mulr0 /rotation !mx22_col2 !dot_col2 cos_0 sin_0; ring.
have -> : a = 10 + b by lra.
rewrite exp_plus; have b_gt0 := exp_pos b; have gt0 := exp_pos 10.
have -> : exp 10 * exp b / (exp 10 * exp b + exp b) = exp 10 / (exp 10 + 1) by field; nra.
by interval with (i_prec 60).
Qed.

(** heads.semantic, as written: For any ε > 0, at every placement the weight of the target is at most 1
    − ε: here for ε = 1/100. *)
Theorem heads_semantic_as_written_false :
  ~ (forall (g : R) (q t o : 'cV[R]_2) (x : R),
       exp (placed g q t x) / (exp (placed g q t x) + exp (placed g q o x)) <= 1 - 1 / 100).
Proof.
move=> /(_ 1 (col2 1 0) (col2 10 0) (col2 0 0) 0); have [_ [_ [_ [ahead weight]]]] := heads_semantic.
by have := weight _ _ (ahead 1); lra.
Qed.

(** Where the cosine of an angle is not negative, doubling the angle at least doubles 1 less the cosine. *)
Lemma doubled_cosine a : 0 <= cos a -> 2 * (1 - cos a) <= 1 - cos (2 * a).
Proof. by rewrite cos_2a_cos; have := COS_bound a; nra. Qed.

Lemma turns_away g : (forall z : Z, g <> 2 * PI * IZR z) -> exists n : nat, (0 < n)%N /\ cos (INR n * g) <= 0.
Proof.
move=> not_whole; have gap_gt0 : 0 < 1 - cos g.
  have [_ /Rle_lt_or_eq_dec[|cos_1]] := COS_bound g; first by lra.
  by have /cos_eq_1[z g_is] := cos_1; case: (not_whole z); rewrite g_is.
have doubling k : (exists n : nat, (0 < n)%N /\ cos (INR n * g) <= 0) \/
    0 < cos (INR (2 ^ k) * g) /\ INR k.+1 * (1 - cos g) <= 1 - cos (INR (2 ^ k) * g).
  elim: k => [|k [found | [ahead gap]]]; [ | by left | ].
    rewrite expn0 [INR 1]/= !Rmult_1_l; have [ahead | behind] := Rlt_or_le 0 (cos g); first by right; lra.
    by left; exists 1%N; rewrite /= Rmult_1_l.
  have [next | behind] := Rlt_or_le 0 (cos (INR (2 ^ k.+1) * g)); last first.
    by left; exists (2 ^ k.+1)%N; rewrite expn_gt0.
  right; split=> //; have doubled := doubled_cosine (Rlt_le _ _ ahead).
  have -> : INR (2 ^ k.+1) * g = 2 * (INR (2 ^ k) * g) by rewrite expnS mult_INR [INR 2]/=; ring.
  have k_ge1 : 1 <= INR k.+1 by rewrite S_INR; have := pos_INR k; lra.
  have more : 0 <= (INR k.+1 - 1) * (1 - cos g) by apply: Rmult_le_pos; lra.
  by rewrite (S_INR k.+1); lra.
have [m above] := INR_unbounded (/ (1 - cos g)); have [// | [ahead gap]] := doubling m.
have : 1 < INR m.+1 * (1 - cos g).
  apply: (Rmult_lt_reg_r (/ (1 - cos g))); first exact: Rinv_0_lt_compat.
  by rewrite Rmult_assoc Rinv_r ?S_INR; lra.
by lra.
Qed.

(** Such an n there is for every frequency that is no multiple of a whole turn: no query keeps the target
    above half of the weight at every placement, whatever tokens there are besides. *)
Corollary heads_semantic_every_frequency (g : R) : (forall z : Z, g <> 2 * PI * IZR z) ->
  exists n : nat, (0 < n)%N /\
  forall (q t o : 'cV[R]_2) (x : R) (N : nat) (A : R -> 'rV[R]_N.+1) (i j : 'I_N.+1), i != j ->
    (forall y, A y ord0 i = placed g q t y /\ A y ord0 j = placed g q o y) ->
    exists y, (y = x - INR n \/ y = x \/ y = x + INR n) /\ softmax (A y) ord0 i <= 1 / 2.
Proof.
move=> /turns_away[n [n_gt0 cos_le0]]; exists n; split=> // q t o x N A i j i_ne_j scores_are.
by have [_ [behind _]] := heads_semantic; exact: (behind g q t o x (INR n) N A i j).
Qed.
