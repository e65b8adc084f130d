(** * Rotary encoding: which positions share a map

  What is claimed.  For the documents' frequencies base^(-2i/d) no two integer positions share a
  map; over the reals two positions do exactly when d = 2 or base^(2/d) is rational, for base
  10000 exactly in dimensions 2, 4 and 8.  For head sizes in use the maps at neighbouring
  positions are the nearest to each other of all below 131072.

  rotary ω x m      == f(x, m), x with pair i turned by m ω_i (Rotary)
  injective_maps T h ω == f(., m) = f(., n) for m and n in T only if m = n
  unit_pairs x      == every pair of x has length 1
  apart base x m n  == the distance of f(x, m) and f(x, n)

  Main results: the corollaries of rope.aliasing; [same_map_PE] (positions share a map when
  they share an encoding); [distance2_rotary].

  Assumptions: the axioms of Coq's real numbers and excluded middle. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Sinusoid RationalPower Wavelengths Cycles.
From Posproof Require Import Rotary IntervalTactic Figures Chords.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Maps and encodings *)

Definition same_map (h : nat) (omega : nat -> R) (m n : R) : Prop :=
  forall x : 'cV[R]_(h.*2), rotary omega x m = rotary omega x n.

(** Both say that every pair has turned by whole turns. *)
Lemma same_map_PE h omega m n : same_map h omega m n <-> PE h omega m = PE h omega n.
Proof.
rewrite PE_eq; split=> [same i | same x].
  suff /matrixP eq_rotation : rotation (m * omega i) = rotation (n * omega i).
    by split; [move: (eq_rotation (bit true) (bit false)) | move: (eq_rotation (bit false) (bit false))];
      rewrite !mx22E.
  apply: mx22P => b c; have /matrixP/(_ (at_pair i b) (at_pair i c)) := mulR_ext same.
  by rewrite !block_diagE eqxx.
apply: pairs_eq => i; rewrite !pair_of_rotary /rotate /rotation.
by have [-> ->] := same i.
Qed.

(** ** Integer positions *)

(** At integer positions no two maps agree, whatever the base and the dimension. *)
Corollary rope_aliasing_integers (base : R) (h : nat) (m n : Z) : 0 < base -> (0 < h)%N ->
  same_map h (frequency base h.*2) (IZR m) (IZR n) -> m = n.
Proof. by move=> base_gt0 h_gt0 /same_map_PE; apply: sinusoid_no_integer_cycle_any_base. Qed.

(** ** Real positions *)

Lemma same_map_period h omega : (exists m n, m <> n /\ same_map h omega m n) <->
  (exists p, is_period (PE h omega) p).
Proof.
split=> [[m [n [m_neq_n /same_map_PE same]]] | [p [p_gt0 same]]]; last first.
  by exists (0 + p), 0; split; [lra | apply/same_map_PE; apply: same].
wlog lt_nm : m n m_neq_n same / n < m.
  move=> sym; have [lt_nm | [eq_nm | lt_mn]] := Rtotal_order n m; first exact: sym lt_nm.
    by case: m_neq_n.
  by apply: (sym n m) => //; apply: not_eq_sym.
exists (m - n); split=> [|t]; first lra.
move/PE_eq_turns: same => turns; apply/PE_eq_turns => i; have [z turn] := turns i.
by exists z; rewrite -turn; congr (_ * _); ring.
Qed.

Lemma injective_period h omega :
  (forall m n : R, same_map h omega m n -> m = n) <-> ~ (exists p, is_period (PE h omega) p).
Proof.
rewrite -same_map_period; split=> [injective [m [n [m_neq_n /injective]]] // | none m n same].
by have [//|m_neq_n] := Req_dec m n; case: none; exists m, n.
Qed.

(** The ratios of base^(-2i/d) are the powers of base^(2/d). *)
Lemma frequency_quotient base h i j : (0 < h)%N ->
  frequency base h.*2 i / frequency base h.*2 j = Rpower base (1 / INR h * (INR j - INR i)).
Proof.
move=> h_gt0; have hR_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite /Rdiv !frequency_pairs -Rpower_Ropp -Rpower_plus; congr Rpower; field; lra.
Qed.

Lemma rational_power x (z : Z) : 0 < x -> rational x -> rational (powerRZ x z).
Proof.
move=> x_gt0 x_rational; have power_neq0 n : x ^ n <> 0 by apply/pow_nonzero/Rgt_not_eq.
have inverse n : rational (x ^ n) -> rational (/ x ^ n).
  by move=> ?; rewrite -(Rmult_1_l (/ _)); apply: rational_div (rational_IZR 1) _ (power_neq0 n).
have power n : rational (x ^ n).
  elim: n => [|n IHn]; first exact: (rational_IZR 1).
  have -> : x ^ n.+1 = x / (/ x ^ n) by rewrite /= /Rdiv Rinv_inv.
  by apply: rational_div => //; [exact: inverse | exact: Rinv_neq_0_compat].
case: z => [|n|n]; [exact: (rational_IZR 1) | exact: power | exact/inverse/power].
Qed.

(** Over the reals, for d >= 4: every position has its own map exactly when base^(2/d) is
    irrational; for d = 2 the one frequency repeats. *)
Corollary rope_aliasing_any_base (base : R) (h : nat) : 0 < base -> (1 < h)%N ->
  (forall m n : R, same_map h (frequency base h.*2) m n -> m = n) <->
  ~ rational (Rpower base (1 / INR h)).
Proof.
move=> base_gt0 h_gt1; have h_gt0 := ltnW h_gt1.
have freq_neq0 (i : 'I_h) : frequency base h.*2 i <> 0 by apply/Rgt_not_eq/frequency_gt0.
rewrite injective_period (common_period_rational freq_neq0).
suff same : (forall i j : 'I_h, rational (frequency base h.*2 i / frequency base h.*2 j)) <->
    rational (Rpower base (1 / INR h)) by tauto.
split=> [/(_ (Ordinal h_gt0) (Ordinal h_gt1)) | root_rational i j]; rewrite frequency_quotient //.
  by rewrite [INR _]/= [INR _]/= Rminus_0_r Rmult_1_r.
rewrite -Rpower_mult [INR j]INR_IZR_INZ [INR i]INR_IZR_INZ -minus_IZR -powerRZ_Rpower; last exact: exp_pos.
by apply: rational_power => //; apply: exp_pos.
Qed.

(** The documents' base: over the reals maps repeat in dimensions 2, 4 and 8 alone. *)
Corollary rope_aliasing_10000 (h : nat) : (0 < h)%N ->
  (forall m n : R, same_map h (frequency 10000 h.*2) m n -> m = n) <->
  ~ [\/ h.*2 = 2%N, h.*2 = 4%N | h.*2 = 8%N].
Proof. by move=> h_gt0; rewrite injective_period real_cycle_10000. Qed.

(** ** How far apart the maps are *)

Definition unit_pairs (h : nat) (x : 'cV[R]_(h.*2)) : Prop := forall i, norm2 (pair_of x i) = 1.

Definition apart (base : positive) (h : nat) (x : 'cV[R]_(h.*2)) (m n : Z) : R :=
  let omega := frequency (IZR (Zpos base)) h.*2 in
  distance (rotary omega x (IZR m)) (rotary omega x (IZR n)).

(** Of all positions m <> n in [0, length) neighbours have the nearest maps, and only they. *)
Definition nearest_at_neighbours (base : positive) (h : nat) (length : Z) : Prop :=
  forall x : 'cV[R]_(h.*2), unit_pairs x ->
  forall m n : Z, (0 <= m < length)%Z -> (0 <= n < length)%Z -> m <> n ->
    apart base x 0 1 <= apart base x m n /\
    (apart base x m n = apart base x 0 1 <-> Z.abs (m - n) = 1%Z).

Lemma dot_rotated_pair a b (v : 'cV[R]_2) : norm2 v = 1 ->
  dot (rotation a *m v) (rotation b *m v) = cos (a - b).
Proof.
have -> : v = col2 (v (bit false) ord0) (v (bit true) ord0).
  by apply: rows2P => c j; rewrite col2E (ord1 j); case: c.
rewrite /norm2 !mx22_col2 !dot_col2 cos_minus => unit.
by rewrite -[RHS]Rmult_1_r -unit; ring.
Qed.

Lemma distance2_rotary h omega (x : 'cV[R]_(h.*2)) m n : unit_pairs x ->
  distance2 (rotary omega x m) (rotary omega x n) = \rsum_(i < h) (2 - 2 * cos ((m - n) * omega i)).
Proof.
move=> unit; have norm_x : norm2 x = INR h.
  rewrite /norm2 dot_pairs -[RHS]Rmult_1_r -rsum_const.
  by apply: eq_bigr => i _; rewrite -/(norm2 _) unit.
rewrite distance2_dot !norm2_rotary norm_x dot_pairs rsum_sub rsum_mull rsum_const.
have -> : \rsum_(i < h) dot (pair_of (rotary omega x m) i) (pair_of (rotary omega x n) i) =
          \rsum_(i < h) cos ((m - n) * omega i).
  by apply: eq_bigr => i _; rewrite !pair_of_rotary dot_rotated_pair // Rmult_minus_distr_r.
by congr (_ - _); ring.
Qed.

Section Heads.

Variables (base : positive) (h : nat) (length : Z).
Hypotheses (h_gt0 : (0 < h)%N) (base_gt1 : 1 < IZR (Zpos base)).

Lemma apart_chords (x : 'cV[R]_(h.*2)) m n : unit_pairs x ->
  apart base x m n = sqrt (chords base h (IZR (Z.abs (m - n)))).
Proof.
move=> unit; rewrite /apart /distance distance2_rotary //; congr sqrt.
transitivity (chords base h (IZR (m - n))).
  by apply: eq_bigr => i _; rewrite minus_IZR frequency_is_power.
by case: (Z.abs_spec (m - n)) => -[_ ->] //; rewrite opp_IZR chords_even.
Qed.

Lemma chords_nearest :
  (forall x, 2 <= x <= IZR length -> chords base h 1 < chords base h x) ->
  nearest_at_neighbours base h length.
Proof.
move=> beyond x unit m n m_range n_range m_neq_n; rewrite !apart_chords // [Z.abs (0 - 1)]/=.
have [-> | far] : Z.abs (m - n) = 1%Z \/ (2 <= Z.abs (m - n) <= length)%Z by lia.
  by split; [exact: Rle_refl | split].
have chord_1 : 0 <= chords base h 1 by apply: rsum_ge0 => i; apply: chord_ge0.
have less : sqrt (chords base h 1) < sqrt (chords base h (IZR (Z.abs (m - n)))).
  by case: far => /IZR_le far /IZR_le near; apply: sqrt_lt_1_alt; split=> //; apply: beyond.
by split; [exact: Rlt_le | split=> [same | one]; [lra | lia]].
Qed.

End Heads.

(** Three heads in use: d = 64, 128 and 256 with base 10000, 500000 and 1000000. *)

Lemma power_at base h n : (0 < h)%N -> 1 < IZR (Zpos base) ->
  ratio base h ^ n = exp (- (IZR (Z.of_nat n) / IZR (Z.of_nat h) * ln (IZR (Zpos base)))).
Proof. by move=> h_gt0 base_gt1; rewrite ratio_power // !INR_IZR_INZ. Qed.

(** Encloses a power of the ratio. *)
Ltac power_bound base h base_gt1 :=
  rewrite (@power_at base h _ isT base_gt1); cbv [Z.of_nat Pos.of_succ_nat Pos.succ subn subn_rec Nat.sub];
  interval with (i_prec 60).

Lemma head_64 : nearest_at_neighbours 10000 32 131072.
Proof.
have base_gt1 : 1 < 10000 by lra.
apply: chords_nearest => // x x_range.
have enclosed : between 30916 30917 1000 (similarity_enclosure 10000 32 0 1)
  by vm_cast_no_check (erefl true).
have := @chords_enclosed 10000 32 isT base_gt1 1 _ _ _ enclosed.
rewrite [INR 1]/= [INR 32]INR_IZR_INZ /= => chords_1.
have r_ge : 0.7498 <= ratio 10000 32 ^ 1 by power_bound 10000%positive 32%N base_gt1.
rewrite pow_1 in r_ge; have [near | far] := Rle_or_lt x 3000.
  have cosines : cosines_below 10000 32 6 4 20 29 11 by vm_cast_no_check (erefl true).
  have small : x * ratio 10000 32 ^ (32 - 6) <= 2 by power_bound 10000%positive 32%N base_gt1.
  have := @chords_range 10000 32 isT base_gt1 x 6 4 20 29 11 isT isT cosines.
  rewrite [INR 6]INR_IZR_INZ -[IZR (29 + _)]/40 -[IZR (Z.of_nat 6)]/6 => bound.
  by apply: (Rlt_trans _ _ _ _ (bound _ _ _)); lra.
have cosines : cosines_below 10000 32 9 7 1 131 45 by vm_cast_no_check (erefl true).
have small : x * ratio 10000 32 ^ (32 - 9) <= 176 by power_bound 10000%positive 32%N base_gt1.
have := @chords_range 10000 32 isT base_gt1 x 9 7 1 131 45 isT isT cosines.
rewrite [INR 9]INR_IZR_INZ -[IZR (131 + _)]/176 -[IZR (Z.of_nat 9)]/9 => bound.
by apply: (Rlt_trans _ _ _ _ (bound _ _ _)); lra.
Qed.

Lemma head_128 : nearest_at_neighbours 500000 64 131072.
Proof.
have base_gt1 : 1 < 500000 by lra.
apply: chords_nearest => // x x_range.
have enclosed : between 62586 62587 1000 (similarity_enclosure 500000 64 0 1)
  by vm_cast_no_check (erefl true).
have := @chords_enclosed 500000 64 isT base_gt1 1 _ _ _ enclosed.
rewrite [INR 1]/= [INR 64]INR_IZR_INZ /= => chords_1.
have r_ge : 0.814 <= ratio 500000 64 ^ 1 by power_bound 500000%positive 64%N base_gt1.
rewrite pow_1 in r_ge.
have cosines : cosines_below 500000 64 9 6 20 32 8 by vm_cast_no_check (erefl true).
have small : x * ratio 500000 64 ^ (64 - 9) <= 2 by power_bound 500000%positive 64%N base_gt1.
have := @chords_range 500000 64 isT base_gt1 x 9 6 20 32 8 isT isT cosines.
rewrite [INR 9]INR_IZR_INZ -[IZR (32 + _)]/40 -[IZR (Z.of_nat 9)]/9 => bound.
by apply: (Rlt_trans _ _ _ _ (bound _ _ _)); lra.
Qed.

Lemma head_256 : nearest_at_neighbours 1000000 128 131072.
Proof.
have base_gt1 : 1 < 1000000 by lra.
apply: chords_nearest => // x x_range.
have enclosed : between 125540 125541 1000 (similarity_enclosure 1000000 128 0 1)
  by vm_cast_no_check (erefl true).
have := @chords_enclosed 1000000 128 isT base_gt1 1 _ _ _ enclosed.
rewrite [INR 1]/= [INR 128]INR_IZR_INZ /= => chords_1.
have r_ge : 0.897 <= ratio 1000000 128 ^ 1 by power_bound 1000000%positive 128%N base_gt1.
rewrite pow_1 in r_ge.
have cosines : cosines_below 1000000 128 8 4 20 35 5 by vm_cast_no_check (erefl true).
have small : x * ratio 1000000 128 ^ (128 - 8) <= 2 by power_bound 1000000%positive 128%N base_gt1.
have := @chords_range 1000000 128 isT base_gt1 x 8 4 20 35 5 isT isT cosines.
rewrite [INR 8]INR_IZR_INZ -[IZR (35 + _)]/40 -[IZR (Z.of_nat 8)]/8 => bound.
by apply: (Rlt_trans _ _ _ _ (bound _ _ _)); lra.
Qed.

(** For three heads in use (d = 64, 128, 256 with base 10000, 500000, 1000000) the maps at
    neighbouring positions are the nearest to each other of all positions below 131072: no
    distance up to there aliases. *)
Corollary rope_aliasing_heads :
  [/\ nearest_at_neighbours 10000 32 131072, nearest_at_neighbours 500000 64 131072
    & nearest_at_neighbours 1000000 128 131072].
Proof. by split; [exact: head_64 | exact: head_128 | exact: head_256]. Qed.

Lemma neighbours_apart base h lo hi den low high : (0 < h)%N -> 1 < IZR (Zpos base) ->
  between lo hi den (similarity_enclosure base h 0 1) ->
  0 <= low -> 0 <= high ->
  low * low <= 2 * (INR h - IZR hi / IZR (Zpos den)) ->
  2 * (INR h - IZR lo / IZR (Zpos den)) <= high * high ->
  forall x : 'cV[R]_(h.*2), unit_pairs x -> low < apart base x 0 1 < high.
Proof.
move=> h_gt0 base_gt1 enclosed low_ge0 high_ge0 low_le high_ge x unit; rewrite apart_chords //.
have := @chords_enclosed base h h_gt0 base_gt1 1 _ _ _ enclosed.
rewrite [INR 1]/= [Z.abs (0 - 1)]/= => range.
have low_root := sqrt_square low low_ge0; have high_root := sqrt_square high high_ge0.
have : 0 <= low * low := Rmult_le_pos _ _ low_ge0 low_ge0.
by split; [rewrite -low_root | rewrite -high_root]; apply: sqrt_lt_1_alt; lra.
Qed.

(** How far apart they are, for a vector whose pairs have length 1: no two positions below 131072 are
    nearer than the neighbours. *)
Corollary rope_aliasing_separation :
  let apart_by base h low high := forall x : 'cV[R]_(h.*2), unit_pairs x ->
    low < apart base x 0 1 < high /\
    forall m n : Z, (0 <= m < 131072)%Z -> (0 <= n < 131072)%Z -> m <> n -> low < apart base x m n in
  [/\ apart_by 10000%positive 32%N 1.47184804 1.47184805, apart_by 500000%positive 64%N 1.68155264 1.68155265
    & apart_by 1000000%positive 128%N 2.21777282 2.21777283].
Proof.
have [nearest_64 nearest_128 nearest_256] := rope_aliasing_heads; move=> apart_by.
have all_pairs base h low high : nearest_at_neighbours base h 131072 ->
    (forall x : 'cV[R]_(h.*2), unit_pairs x -> low < apart base x 0 1 < high) -> apart_by base h low high.
  move=> nearest neighbours x unit; have range := neighbours x unit; split=> // m n m_range n_range m_neq_n.
  by have [at_least _] := nearest x unit m n m_range n_range m_neq_n; lra.
split; apply: all_pairs => //.
- have enclosed : between 30916831661 30916831662 1000000000 (similarity_enclosure 10000 32 0 1)
    by vm_cast_no_check (erefl true).
  by apply: (@neighbours_apart 10000 32 30916831661 30916831662 1000000000 1.47184804 1.47184805 isT _ enclosed);
  rewrite ?INR_IZR_INZ ?[Z.of_nat _]/=; lra.
- have enclosed : between 62586190346 62586190347 1000000000 (similarity_enclosure 500000 64 0 1)
    by vm_cast_no_check (erefl true).
  by apply: (@neighbours_apart 500000 64 62586190346 62586190347 1000000000 1.68155264 1.68155265 isT _ enclosed);
  rewrite ?INR_IZR_INZ ?[Z.of_nat _]/=; lra.
have enclosed : between 125540741857 125540741858 1000000000 (similarity_enclosure 1000000 128 0 1)
  by vm_cast_no_check (erefl true).
by apply: (@neighbours_apart 1000000 128 125540741857 125540741858 1000000000 2.21777282 2.21777283 isT _ enclosed);
  rewrite ?INR_IZR_INZ ?[Z.of_nat _]/=; lra.
Qed.
