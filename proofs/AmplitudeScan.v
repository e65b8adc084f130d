(** * A(s) at the distances below 2^15
  at_distances b near far == the rows near are at the distances 0 to 128, far at 128 + 256 a, with b digits.
  Main results: decay.monotone and interpolation.sum-exceeds-d. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding Gram Rotary IntervalTactic Figures UnitScore ComplexSum Decay.
From Posproof Require Import CosineRows Amplitudes AmplitudeLower AmplitudeTotals.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Open Scope R_scope.

Section Amplitude.
Let q : R := Rpower 10000 (- (1 / INR 64)).
Let A (s : R) : R := amplitude 64 (frequency 10000 128) s.

Lemma amplitude_powers s : amplitude 64 (fun i => q ^ i) s = A s.
Proof.
apply: eq_bigr => j _; congr Cmod; apply: eq_csum => i; rewrite -(@frequency_ratio 10000 64) //; lra.
Qed.

Lemma range s : (s < 128 * 256)%N -> (s %/ 256 < 128)%N /\ (s %% 256 < 256)%N.
Proof. by move=> lt_s; rewrite ltn_divLR // ltn_mod. Qed.
Lemma ends_of (x e : R) : Rabs x <= e -> - e <= x <= e.
Proof. by have := Rle_abs x; have := Rle_abs (- x); rewrite Rabs_Ropp; lra. Qed.
Lemma two_to_the (n : Z) (x : Z) : (2 ^ Z.of_nat (Z.to_nat n))%Z = x -> 2 ^ Z.to_nat n = IZR x.
Proof. by rewrite pow_IZR => ->. Qed.

(** Rows at all distances that are added or subtracted. *)
Definition at_distances (b : Z) (near far : seq (seq (Z * Z))) : Prop :=
  (forall c, (c <= 128)%N -> near_row b 64 q (INR c) (nth [::] near c)) /\
  (forall a, (a < 128)%N -> near_row b 64 q (INR (128 + a * 256)) (nth [::] far a)).

Lemma side_near b near far i : at_distances b near far -> (i < 256)%N ->
  near_row b 64 q (INR i - INR 128) (side_row near i).
Proof.
move=> [near_c _] lt_i; rewrite /side_row; case: ltnP => [lt|ge].
  rewrite (_ : INR i - INR 128 = - INR (128 - i)); last by rewrite minus_INR; [ring | apply/leP/ltnW].
  by apply: mirrored_near; apply: near_c; exact: leq_subr.
by rewrite -minus_INR; [apply: near_c; rewrite leq_subLR ltnW | apply/leP].
Qed.

Lemma distance s : INR (128 + s %/ 256 * 256) + (INR (s %% 256) - INR 128) = INR s.
Proof. by rewrite [in RHS](divn_eq s 256) !plus_INR; ring. Qed.

Lemma total_near b k near far s : (3 <= b)%Z -> (0 <= k)%Z -> at_distances b near far -> (s < 128 * 256)%N ->
  Rabs (IZR (at_distance (length_sum k) near far s) - 2 ^ Z.to_nat b * 2 ^ Z.to_nat b / 2 ^ Z.to_nat k * A (INR s)) <= length_error b k 64.
Proof.
move=> b_ge3 k_ge0 rows /range[lt_a lt_i]; have [_ /(_ _ lt_a) far_a] := rows.
have := length_sum_near b_ge3 k_ge0 far_a (side_near rows lt_i).
by rewrite amplitude_powers distance.
Qed.

(** Indices at all distances that are added. *)
Definition at_points (ms ns : seq (seq positive)) : Prop :=
  (forall i, (i < 256)%N -> points 64 q (INR i - INR 128) (nth [::] ms i)) /\
  (forall a, (a < 128)%N -> points 64 q (INR (128 + a * 256)) (nth [::] ns a)).

Lemma all_points t ms ns near far : lists t -> at_distances 14 near far -> all_aimed t ms ns near far -> at_points ms ns.
Proof.
move=> listed rows /andP[/allP near_aimed /allP far_aimed]; have [_ far_a] := rows; split=> i lt_i.
  by apply: aimed_points listed (side_near rows lt_i) _; apply: near_aimed; rewrite mem_iota.
by apply: aimed_points listed (far_a i lt_i) _; apply: far_aimed; rewrite mem_iota.
Qed.

Lemma walked_128 t ms ns s : lists t -> at_points ms ns -> (s < 128 * 256)%N ->
  walked t (0, 0, - least)%Z (nth [::] ns (s %/ 256)) (nth [::] ms (s %% 256)) -> 128 < A (INR s).
Proof.
move=> listed [ms_i ns_a] /range[lt_a lt_i] told.
have := walked_above listed (ns_a _ lt_a) (ms_i _ lt_i) told; rewrite amplitude_powers distance (INR_IZR_INZ 64) [Z.of_nat 64]/=.
have -> : P = 16384 by rewrite /P; ring.
by rewrite (_ : least = 4996439%Z) //; lra.
Qed.

(** What the rows tell. *)
Let facts : Prop :=
  (forall s : nat, (s <= 4860)%N -> 128 < A (INR s)) /\ A (INR 4861) < 128 /\
  (exists below : nat -> bool, count below (iota 0 (2 ^ 15)) = 887%N /\
    forall s : nat, (s < 2 ^ 15)%N -> if below s then A (INR s) < 128 else 128 < A (INR s)) /\
  (forall s : nat, (s < 2 ^ 15)%N -> INR s <> 22297 -> 81 < A (INR s)) /\
  exists rises : nat -> bool, count rises (iota 0 (2 ^ 12)) = 2020%N /\
    (forall s : nat, (s < 2 ^ 12)%N -> if rises s then A (INR s) < A (INR s.+1) else A (INR s.+1) < A (INR s)) /\
    (forall s : nat, (s < 18)%N -> A (INR s.+1) < A (INR s)).

Section Told.
Variables near far near' far' : seq (seq (Z * Z)).
Hypothesis rows_16 : at_distances 16 near far.
Hypothesis rows_24 : at_distances 24 near' far'.
Variables (dirs : table) (ms ns : seq (seq positive)).
Hypothesis listed : lists dirs.
Hypothesis pointed : at_points ms ns.

Let coarse (s : nat) : Z := at_distance (length_sum 22) near far s.
Let fine (s : nat) : Z := at_distance (length_sum 32) near' far' s.

Lemma fine_near s : (s < 128 * 256)%N -> Rabs (IZR (fine s) - 65536 * A (INR s)) <= 274.
Proof.
move=> lt_s; have := @total_near 24 32 near' far' s ltac:(lia) ltac:(lia) rows_24 lt_s.
rewrite -/(fine s) /length_error (@two_to_the 24 16777216 erefl) (@two_to_the 32 4294967296 erefl).
have -> : 16777216 * 16777216 / 4294967296 = 65536 by field.
by rewrite (INR_IZR_INZ 64) [Z.of_nat 64]/=; lra.
Qed.

Lemma coarse_near s : (s < 128 * 256)%N -> Rabs (IZR (coarse s) - 1024 * A (INR s)) <= 517.
Proof.
move=> lt_s; have := @total_near 16 22 near far s ltac:(lia) ltac:(lia) rows_16 lt_s.
rewrite -/(coarse s) /length_error (@two_to_the 16 65536 erefl) (@two_to_the 22 4194304 erefl).
have -> : 65536 * 65536 / 4194304 = 1024 by field.
by rewrite (INR_IZR_INZ 64) [Z.of_nat 64]/=; lra.
Qed.

Let code_at (s : nat) : nat := code near' far' near far dirs ms ns (s %/ 256) (s %% 256).

Lemma code_of s : (s < 128 * 256)%N ->
  match code_at s with
  | 0%N => True | 1%N => 128 < A (INR s) | 2%N => 81 < A (INR s) < 128 | _ => A (INR s) < 128
  end.
Proof.
move=> lt_s; have := coarse_near lt_s; have := fine_near lt_s; rewrite /code_at /code.
case: ifP => [/(walked_128 listed pointed lt_s) //|_].
rewrite /coarse_code /fine_code /coarsely_above /coarsely_below /finely_above /finely_below.
rewrite -/(at_distance _ near far s) -/(at_distance _ near' far' s) -/(fine s) -/(coarse s).
move: (coarse s) (fine s) => t u /ends_of fine_s /ends_of coarse_s.
case: Z.ltb_spec => [lt|_]; first by have : IZR 131589 < IZR t := IZR_lt _ _ lt; lra.
case: Z.ltb_spec => [lt|_] /=; last first.
  case: Z.ltb_spec => [lt|_]; first by have : IZR 8388882 < IZR u := IZR_lt _ _ lt; lra.
  case: Z.ltb_spec => [lt|//]; have below : IZR u < IZR 8388334 := IZR_lt _ _ lt.
  by case: Z.ltb_spec => [gt|_]; [have : IZR 5308690 < IZR u := IZR_lt _ _ gt; lra | lra].
have below : IZR t < IZR 130555 := IZR_lt _ _ lt.
case: Z.ltb_spec => [gt|_]; first by have : IZR 83461 < IZR t := IZR_lt _ _ gt; lra.
case: Z.ltb_spec => [gt|_]; first by have : IZR 8388882 < IZR u := IZR_lt _ _ gt; lra.
case: Z.ltb_spec => [gt|//]; have below' : IZR u < IZR 8388334 := IZR_lt _ _ gt.
by case: Z.ltb_spec => [gt'|_]; [have : IZR 5308690 < IZR u := IZR_lt _ _ gt'; lra | lra].
Qed.

Let step_at (s : nat) : nat := step near' far' (coarse s) (coarse s.+1) s.

Lemma step_of s : (s < 2 ^ 12)%N ->
  match step_at s with 0%N => True | 1%N => A (INR s.+1) < A (INR s) | _ => A (INR s) < A (INR s.+1) end.
Proof.
move=> lt_s; have lt_s' : (s.+1 < 128 * 256)%N by apply: leq_ltn_trans lt_s _.
have lt_s0 : (s < 128 * 256)%N by exact: ltnW.
have := coarse_near lt_s0; have := coarse_near lt_s'; have := fine_near lt_s0; have := fine_near lt_s'.
rewrite /step_at /step /fine_step -/(fine s) -/(fine s.+1).
move: (coarse s) (coarse s.+1) (fine s) (fine s.+1) => t u t' u' /ends_of fine_u /ends_of fine_t /ends_of coarse_u /ends_of coarse_t.
have apart (x y n : Z) : (n < y - x)%Z -> IZR n < IZR y - IZR x by rewrite -minus_IZR; exact: IZR_lt.
case: Z.ltb_spec => [/apart|_]; first by lra.
case: Z.ltb_spec => [/apart|_]; first by lra.
case: Z.ltb_spec => [/apart|_]; first by lra.
by case: Z.ltb_spec => [/apart|//]; lra.
Qed.

Lemma pow_15 : (2 ^ 15 = 128 * 256)%N.
Proof. by rewrite -[15%N]/(7 + 8)%N expnD. Qed.

Let first_totals : seq Z := blocks (length_sums 22) near (take 17 far).

Hypothesis enough_rows : (128 < size near)%N /\ size far = 128%N.

Lemma stepsE : steps near' far' first_totals = [seq step_at s | s <- iota 0 (2 ^ 12)].
Proof.
have [size_near size_far] := enough_rows; have le_far : (17 <= size far)%N by rewrite size_far.
by rewrite /first_totals (blocksE (length_sumsE 22) size_near le_far) /steps (zip_next coarse (step near' far')).
Qed.

Hypothesis all_codes : codes_known (codes near' far' near far dirs ms ns).

Let is_below (s : nat) : bool := (1 < code_at s)%N.

Lemma nth_codes s : (s < 128 * 256)%N -> nth 1%N (codes near' far' near far dirs ms ns) s = code_at s.
Proof. by move=> lt_s; rewrite codesE (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma size_codes : size (codes near' far' near far dirs ms ns) = (128 * 256)%N.
Proof. by rewrite codesE size_map size_iota. Qed.

Lemma coded s : (s < 128 * 256)%N -> (0 < code_at s)%N.
Proof.
move=> lt_s; have [coded _ _ _ _] := codes_knownP all_codes.
by rewrite -nth_codes //; move: coded => /(all_nthP 1%N); apply; rewrite size_codes.
Qed.

Lemma below_at s : (s < 2 ^ 15)%N -> if is_below s then A (INR s) < 128 else 128 < A (INR s).
Proof.
rewrite pow_15 => lt_s; have := code_of lt_s; have := coded lt_s; rewrite /is_below.
by case: (code_at s) => [|[|[|n]]] //=; lra.
Qed.

Lemma count_below : count is_below (iota 0 (2 ^ 15)) = 887%N.
Proof. by have [_ _ _ <- _] := codes_knownP all_codes; rewrite codesE count_map pow_15. Qed.

Lemma not_below s : (s <= 4860)%N -> ~~ is_below s.
Proof.
move=> le_s; have lt_s : (s < 128 * 256)%N by apply: leq_ltn_trans le_s _.
have [_ /(all_nthP 1%N) ones _ _ _] := codes_knownP all_codes.
have := ones s; rewrite size_take size_codes (_ : (4861 < 128 * 256)%N) // nth_take // nth_codes //= /is_below.
by move=> /(_ le_s) /eqP ->.
Qed.

Lemma below_4861 : is_below 4861.
Proof.
have [_ _ below _ _] := codes_knownP all_codes.
by rewrite (set_nth_default 1%N) ?size_codes // nth_codes in below.
Qed.

Lemma above_81 s : (s < 2 ^ 15)%N -> INR s <> 22297 -> 81 < A (INR s).
Proof.
rewrite pow_15 => lt_s other; have := code_of lt_s; have := coded lt_s.
have [_ _ _ _ [before after]] := codes_knownP all_codes.
have few : (code_at s <= 2)%N.
  rewrite -(nth_codes lt_s); set l := codes _ _ _ _ _ _ _ in before after *; have [lt|] := ltnP s (174 * 128 + 25).
    have -> : nth 1%N l s = nth 1%N (take (174 * 128 + 25) l) s by rewrite nth_take.
    move: before => /(all_nthP 1%N); apply.
    by rewrite size_take size_codes (_ : (174 * 128 + 25 < 128 * 256)%N).
  rewrite leq_eqVlt => /orP[/eqP same|gt].
    by case: other; rewrite -same plus_INR mult_INR !INR_IZR_INZ /=; ring.
  have -> : nth 1%N l s = nth 1%N (drop (174 * 128 + 26) l) (s - (174 * 128 + 26)) by rewrite nth_drop subnKC.
  by move: after => /(all_nthP 1%N); apply; rewrite size_drop size_codes; exact: ltn_sub2r.
by clear before after; case: (code_at s) few => [|[|[|n]]] //= _ _; lra.
Qed.

Hypothesis all_steps : steps_known (steps near' far' first_totals).

Let rises (s : nat) : bool := step_at s == 2%N.

Lemma nth_steps s : (s < 2 ^ 12)%N -> nth 1%N (steps near' far' first_totals) s = step_at s.
Proof. by move=> lt_s; rewrite stepsE (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma size_steps : size (steps near' far' first_totals) = (2 ^ 12)%N.
Proof. by rewrite stepsE size_map size_iota. Qed.

Lemma step_le2 s : (step_at s <= 2)%N.
Proof. by rewrite /step_at /step /fine_step; do 4![case: ifP => // _]. Qed.

Lemma rises_at s : (s < 2 ^ 12)%N ->
  if rises s then A (INR s) < A (INR s.+1) else A (INR s.+1) < A (INR s).
Proof.
move=> lt_s; have [coded _ _] := steps_knownP all_steps.
have : (0 < step_at s)%N by rewrite -nth_steps //; move: coded => /(all_nthP 1%N); apply; rewrite size_steps.
by have := step_of lt_s; have := step_le2 s; rewrite /rises; case: (step_at s) => [|[|[|n]]].
Qed.

Lemma count_rises : count rises (iota 0 (2 ^ 12)) = 2020%N.
Proof. by have [_ <- _] := steps_knownP all_steps; rewrite stepsE count_map. Qed.

Lemma falls_first s : (s < 18)%N -> ~~ rises s.
Proof.
move=> lt_s; have [_ _ falls] := steps_knownP all_steps.
have small : (18 < 2 ^ 12)%N by [].
have := (all_nthP 1%N falls) s; rewrite size_take size_steps small => /(_ lt_s).
by rewrite nth_take // nth_steps ?(ltn_trans lt_s) // /rises => /eqP ->.
Qed.

Lemma told : facts.
Proof.
split=> [s le_s|].
  have := @below_at s; rewrite (negbTE (not_below le_s)); apply; rewrite pow_15; exact: leq_ltn_trans le_s _.
split; first by have := @below_at 4861; rewrite below_4861; apply; rewrite pow_15.
split; first by exists is_below; split; [exact: count_below | exact: below_at].
split; first exact: above_81.
exists rises; split; first exact: count_rises.
split=> [|s lt_s]; first exact: rises_at.
have := @rises_at s; rewrite (negbTE (falls_first lt_s)); apply; exact: (ltn_trans lt_s).
Qed.

End Told.

Lemma fewer_at k b e near far : (0 <= b)%Z -> (1 <= k)%Z -> 2 * e <= 2 ^ Z.to_nat k ->
  (128 < size near)%N -> size far = 128%N ->
  (forall c, (c <= 128)%N -> within (b + k) e 64 q (INR c) (nth [::] near c)) ->
  (forall a, (a < 128)%N -> within (b + k) e 64 q (INR (128 + a * 256)) (nth [::] far a)) ->
  at_distances b [seq fewer_digits k r | r <- near] [seq fewer_digits k r | r <- far].
Proof.
move=> b_ge0 k_ge1 e_le size_near size_far near_c far_a; split=> i lt_i.
  by rewrite (nth_map [::]) ?(leq_ltn_trans lt_i) //; apply: (fewer_within b_ge0 k_ge1 e_le); exact: near_c.
by rewrite (nth_map [::]) ?size_far //; apply: (fewer_within b_ge0 k_ge1 e_le); exact: far_a.
Qed.

Lemma scanned : known (row_1 finest 64 (ratio_enclosure_to finest 10000 64)).
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma rows_at d : within 60 (grown 0) 64 q (INR 1) d ->
  at_distances 24 [seq fewer_digits 16 x | x <- rows_near d] [seq fewer_digits 16 x | x <- rows_far d].
Proof.
move=> one; have b_ge1 : (1 <= 60)%Z by lia.
have half := @doubled_within 60 64 q b_ge1 0 7 _ _ isT one; have block := @doubled_within 60 64 q b_ge1 0 8 _ _ isT one.
rewrite !add0n (_ : INR 1 = 1) // !Rmult_1_r in half block one.
have less n v r : (n <= 8)%N -> within 60 (grown n) 64 q v r -> within 40 (grown 0) 64 q v (shorter r).
  move=> le_n near; have e_le : 2 * grown n <= 2 ^ Z.to_nat 20.
    by have := grown_le le_n; rewrite /grown /=; lra.
  by apply: within_le (@fewer_within 40 20 _ _ _ _ _ ltac:(lia) ltac:(lia) e_le near); exact: grown_ge1.
have {}one := less 0%N _ _ isT one; have {}half := less 7%N _ _ isT half; have {}block := less 8%N _ _ isT block.
have b_ge1' : (1 <= 40)%Z by lia.
have e_le : 2 * grown 7 <= 2 ^ Z.to_nat 16 by rewrite /grown /=; lra.
apply: (@fewer_at 16 24 (grown 7)) => [//|//|//| | | |].
- by rewrite size_rcons size_rows.
- exact: size_rows.
- move=> c le_c; rewrite nth_rcons size_rows; case: ltnP => lt_c.
    have := @rows_within 40 64 q b_ge1' 0 7 _ _ _ _ isT (row_0_within 64 q b_ge1') one c lt_c.
    by rewrite Rplus_0_l Rmult_1_r.
  have -> : c = 128%N by apply/eqP; rewrite eqn_leq le_c.
  by rewrite eqxx; apply: within_le half; exact: grown_le.
move=> a lt_a; have := @rows_within 40 64 q b_ge1' 0 7 _ _ _ _ isT half block a lt_a.
by rewrite (_ : INR (128 + a * 256) = INR (2 ^ 7) + INR a * INR (2 ^ 8)) // plus_INR mult_INR.
Qed.

Lemma fewer_of k b near far : (0 <= b)%Z -> (1 <= k)%Z -> (b + k = 24)%Z -> (128 < size near)%N -> size far = 128%N ->
  at_distances 24 near far -> at_distances b [seq fewer_digits k r | r <- near] [seq fewer_digits k r | r <- far].
Proof.
move=> b_ge0 k_ge1 sum size_near size_far [near_24 far_24]; apply: (@fewer_at k b 1) => //; rewrite ?sum //.
by have := @Rle_pow 2 1 (Z.to_nat k) ltac:(lra) ltac:(lia); rewrite pow_1 Rmult_1_r.
Qed.

Lemma told_at t ms ns near far : lists t -> size near = 129%N -> size far = 128%N -> at_distances 24 near far ->
  all_known t ms ns near far -> facts.
Proof.
move=> listed size_near size_far rows_24.
have wide : (128 < size near)%N by rewrite size_near.
have rows_16 := @fewer_of 8 16 near far ltac:(lia) ltac:(lia) erefl wide size_far rows_24.
have rows_14 := @fewer_of 10 14 near far ltac:(lia) ltac:(lia) erefl wide size_far rows_24.
move=> /and3P[/(all_points listed rows_14) pointed steps_fit codes_fit].
apply: (told rows_16 rows_24 listed pointed _ codes_fit steps_fit).
by rewrite !size_map size_near size_far.
Qed.

Lemma table_lists l t : l = directions seed -> table_known l t -> lists t.
Proof. by move=> -> /andP[/seed_near d_near]; exact: agrees_lists. Qed.

Lemma told_of r : stands 64 q r 1 -> known r -> facts.
Proof.
have sixty : (0 <= 60)%Z by lia.
move=> r_stands; rewrite /known; move E: (directions seed) => l; move: (planted _) (indices_near _) (indices_far _) => t ms ns.
move=> /and3P[fits /(table_lists (esym E)) listed].
have d_within := @digits_near 60 sixty 64 q 1 r r_stands fits.
have /rows_at rows_24 : within 60 (grown 0) 64 q (INR 1) (digits 60 r).
  by apply: within_le d_within; exact: grown_ge1.
apply: (told_at listed _ _ rows_24); first by rewrite size_map size_rcons size_rows.
by rewrite size_map size_rows.
Qed.

Lemma all_told : facts.
Proof. exact: (told_of (row_1_stands _ 64 (@ratio_encloses_to finest 10000 64 isT)) scanned). Qed.

(** interpolation.sum-exceeds-d: For d = 128 and base 10000, A(s) > d at every integer 0 ≤ s ≤ 4860 and
    A(4861) < d; among the distances below 32768 it is below d at 887. *)
Theorem interpolation_sum_exceeds_d :
  (forall s : nat, (s <= 4860)%N -> 128 < A (INR s)) /\ A (INR 4861) < 128 /\
  exists below : nat -> bool, count below (iota 0 (2 ^ 15)) = 887%N /\
    forall s : nat, (s < 2 ^ 15)%N -> if below s then A (INR s) < 128 else 128 < A (INR s).
Proof.
by have [above [below [count _]]] := all_told.
Qed.

(** The least of all these is that at 22297. *)
Corollary interpolation_sum_exceeds_d_least :
  80.53 < A 22297 < 80.54 /\ forall s : nat, (s < 2 ^ 15)%N -> INR s <> 22297 -> 81 < A (INR s).
Proof.
split.
  have enclosed : between 8053 8054 100 (amplitude_enclosure 10000 64 22297) by vm_cast_no_check (erefl true).
  have : 8053 / 100 < A 22297 < 8054 / 100 := @amplitude_between 10000 64 22297 _ _ _ isT enclosed.
  by lra.
by have [_ [_ [_ [least _]]]] := all_told.
Qed.

(** decay.monotone: For d = 128 and base 10000 neither decays with the distance: the bound rises from A(18) to
    A(19), A(s) = Σ_{j=1}^{64} |Σ_{i<j} e^(isθ_i)|, and the score of q = k = (1, 0, 1, 0, …) from B(11) to
    B(12), B(m) = Σ_i cos(mθ_i); A rises at 2020 of the 4096 steps from 0 to 4096, first from 18 to 19. *)
Theorem decay_monotone : let omega := frequency 10000 128 in
  let score x := dot (rotary omega (ones 64) x) (rotary omega (ones 64) 0) in
  score 11 < score 12 /\ A 18 < A 19 /\
  exists rises : nat -> bool, count rises (iota 0 (2 ^ 12)) = 2020%N /\
    (forall s : nat, (s < 2 ^ 12)%N -> if rises s then A (INR s) < A (INR s.+1) else A (INR s.+1) < A (INR s)) /\
    (forall s : nat, (s < 18)%N -> A (INR s.+1) < A (INR s)).
Proof.
have [score_rises bound_rises] := decay_monotone_rises; split; [exact: score_rises | split; [exact: bound_rises | ]].
by have [_ [_ [_ [_ rises]]]] := all_told.
Qed.

(** Their figures. *)
Corollary decay_monotone_figures : let B := unit_score 64 (frequency 10000 128) in
  15.348745 < A 18 / 64 < 15.348746 /\ 15.390799 < A 19 / 64 < 15.390801 /\
  42.344323 < B 11 < 42.344324 /\ 42.381386 < B 12 < 42.381387.
Proof.
move=> B; have bound s lo hi : between lo hi 1000000 (amplitude_enclosure 10000 64 s) ->
  IZR lo / 1000000 < A (IZR s) < IZR hi / 1000000.
  by move=> enclosed; exact: (@amplitude_between 10000 64 s _ _ _ isT enclosed).
have score s lo hi : between lo hi 1000000 (score_enclosure 10000 64 s) -> IZR lo / 1000000 < B (IZR s) < IZR hi / 1000000.
  by move=> enclosed; exact: (@unit_score_between 10000 64 s _ _ _ isT enclosed).
have at_18 : between 982319680 982319744 1000000 (amplitude_enclosure 10000 64 18) by vm_cast_no_check (erefl true).
have at_19 : between 985011136 985011264 1000000 (amplitude_enclosure 10000 64 19) by vm_cast_no_check (erefl true).
have at_11 : between 42344323 42344324 1000000 (score_enclosure 10000 64 11) by vm_cast_no_check (erefl true).
have at_12 : between 42381386 42381387 1000000 (score_enclosure 10000 64 12) by vm_cast_no_check (erefl true).
have := bound _ _ _ at_18; have := bound _ _ _ at_19; have := score _ _ _ at_11; have := score _ _ _ at_12.
by lra.
Qed.

End Amplitude.
