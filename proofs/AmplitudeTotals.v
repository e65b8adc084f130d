(** * A(s) at all the distances below 2^15 as integers

  side_row near i     == of the rows near, that at the distance i - 128
  at_distance one near far s == what one says of the rows near and far, at 128 + 256 a, for the distance s
  blocks two near far == this at all distances, 256 for each row far, by what two says of a row and its mirrored
  code a i            == at the distance 256 a + i 1 where A(s) is above 128, 2 where it is between 81 and 128, 3 where it is
                         below 128, as far as the lower bound by the table t and the indices at the distances of near and far
                         tells, or a total of 16 or of 24 digits, else 0
  step t u s          == 2 where A(s) is below A(s + 1), 1 where it is above, as far as the totals t and u of 16
                         digits tell, or those of 24, else 0
  all_known t ms ns near far  == the table is good, and what the codes at the distances below 2^15 and the first 4096 steps are
  known r             == what they are from the row r at the distance 1 on

  Main results: [codesE], [blocksE] and [zip_next], what the lists have at each distance. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import Figures CosineRows Amplitudes AmplitudeLower.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** The computation *)

Definition side_row (near : seq (seq (Z * Z))) (i : nat) : seq (Z * Z) :=
  if (i < 128)%N then mirrored (nth [::] near (128 - i)) else nth [::] near (i - 128).

Definition at_block (one : seq (Z * Z) -> seq (Z * Z) -> Z) (near far : seq (seq (Z * Z))) (a i : nat) : Z :=
  one (nth [::] far a) (side_row near i).

Definition at_distance (one : seq (Z * Z) -> seq (Z * Z) -> Z) (near far : seq (seq (Z * Z))) (s : nat) : Z :=
  at_block one near far (s %/ 256) (s %% 256).

(** 256 distances at once. *)
Definition block (two : seq (Z * Z) -> seq (Z * Z) -> Z * Z) (near : seq (seq (Z * Z))) (r : seq (Z * Z)) : seq Z :=
  let l := [seq two r x | x <- take 129 near] in rev [seq x.2 | x <- behead l] ++ [seq x.1 | x <- take 128 l].

Definition blocks (two : seq (Z * Z) -> seq (Z * Z) -> Z * Z) (near far : seq (seq (Z * Z))) : seq Z :=
  flatten [seq block two near r | r <- far].

Section Codes.
Variables near far near' far' : seq (seq (Z * Z)).

(** 161/72 times 2^14 times 128, beyond the error of a lower bound. *)
Definition least : Z := (161 * (2 ^ 14 * 128 + 66 * (64 * 65 / 2)) / 72 + 1)%Z.

(** 2^10 times a number, beyond the error of a coarse total; 2^16 times, beyond that of a fine one. *)
Definition coarsely_above (n t : Z) : bool := (n * 2 ^ 10 + 517 <? t)%Z.
Definition coarsely_below (n t : Z) : bool := (t <? n * 2 ^ 10 - 517)%Z.
Definition finely_above (n t : Z) : bool := (n * 2 ^ 16 + 274 <? t)%Z.
Definition finely_below (n t : Z) : bool := (t <? n * 2 ^ 16 - 274)%Z.

Definition fine_code (t : Z) : nat :=
  if finely_above 128 t then 1%N else if finely_below 128 t then if finely_above 81 t then 2%N else 3%N else 0%N.

Definition coarse_code (t : Z) (a i : nat) : nat :=
  if coarsely_above 128 t then 1%N else if coarsely_below 128 t && coarsely_above 81 t then 2%N
  else fine_code (at_block (length_sum 32) near far a i).

Definition fine_step (t u : Z) : nat := if (548 <? u - t)%Z then 2%N else if (548 <? t - u)%Z then 1%N else 0%N.

Definition step (t u : Z) (s : nat) : nat :=
  if (1034 <? u - t)%Z then 2%N else if (1034 <? t - u)%Z then 1%N
  else fine_step (at_distance (length_sum 32) near far s) (at_distance (length_sum 32) near far s.+1).

Definition steps (l : seq Z) : seq nat := [seq step x.1.1 x.1.2 x.2 | x <- zip (zip l (behead l)) (iota 0 (2 ^ 12))].

Variables (t : table) (ms ns : seq (seq positive)).

Definition code (a i : nat) : nat :=
  if walked t (0, 0, - least)%Z (nth [::] ns a) (nth [::] ms i) then 1%N
  else coarse_code (at_block (length_sum 22) near' far' a i) a i.

(** One distance after the other: to divide a distance in unary numbers would take longer than its total. *)
Definition codes : seq nat := flatten [seq [seq code a i | i <- iota 0 256] | a <- iota 0 128].

End Codes.

(** Every step has a code; 2020 rise, and none of the first 18. *)
Definition steps_known (l : seq nat) : bool :=
  [&& all (leq 1) l, count (pred1 2%N) l == 2020%N & all (pred1 1%N) (take 18 l)].

(** Every distance has a code; the first 4861 have 1, the next one has not; 887 have 2 or 3, and 3 only that of 22297. *)
Definition codes_known (l : seq nat) : bool :=
  [&& all (leq 1) l, all (pred1 1%N) (take 4861 l), (1 < nth 0 l 4861)%N, count (leq 2) l == 887%N &
   all (leq^~ 2%N) (take (174 * 128 + 25) l) && all (leq^~ 2%N) (drop (174 * 128 + 26) l)].

Definition coarse_digits (r : seq (Z * Z)) : seq (Z * Z) := fewer_digits 8 r.

Definition crude_digits (r : seq (Z * Z)) : seq (Z * Z) := fewer_digits 10 r.

(** The indices fit rows. *)
Definition all_aimed (t : table) (ms ns : seq (seq positive)) (near far : seq (seq (Z * Z))) : bool :=
  all (fun i => aimed t (side_row near i) (nth [::] ms i)) (iota 0 256) &&
  all (fun a => aimed t (nth [::] far a) (nth [::] ns a)) (iota 0 128).

Definition all_known (t : table) (ms ns : seq (seq positive)) (near far : seq (seq (Z * Z))) : bool :=
  let near' := [seq coarse_digits r | r <- near] in
  let far' := [seq coarse_digits r | r <- far] in
  [&& all_aimed t ms ns [seq crude_digits r | r <- near] [seq crude_digits r | r <- far],
      steps_known (steps near far (blocks (length_sums 22) near' (take 17 far'))) &
      codes_known (codes near far near' far' t ms ns)].

(** The rows at the distances 0 to 128, and at 128 + 256 a, from that at 1, which has 60 digits: all but the doubled row are
    from 40 on. *)
Definition shorter (r : seq (Z * Z)) : seq (Z * Z) := fewer_digits 20 r.

Definition rows_near (r : seq (Z * Z)) : seq (seq (Z * Z)) :=
  rcons (rows 40 (row_0 40 64) (shorter r) 7) (shorter (doubled 60 7 r)).
Definition rows_far (r : seq (Z * Z)) : seq (seq (Z * Z)) := rows 40 (shorter (doubled 60 7 r)) (shorter (doubled 60 8 r)) 7.

(** The table of directions, and the indices at the distances of the rows. *)
Definition table_known (l : seq (Z * Z)) (t : table) : bool := seed_fits && agrees t 1 (behead l).

Definition indices_near (ws : seq Z) : seq (seq positive) := [seq indices ws (Z.of_nat i - 128) | i <- iota 0 256].
Definition indices_far (ws : seq Z) : seq (seq positive) := [seq indices ws (128 + Z.of_nat a * 256) | a <- iota 0 128].

Definition known (r : seq (I.type * I.type)) : bool :=
  let d := digits 60 r in
  let l := directions seed in
  let t := planted (behead l) in
  let ws := rates 64 (ratio_enclosure_to finest 10000 64) in
  [&& digits_fit 60 r, table_known l t &
      all_known t (indices_near ws) (indices_far ws) [seq fewer_digits 16 x | x <- rows_near d] [seq fewer_digits 16 x | x <- rows_far d]].

(** ** What it is at each distance *)

Lemma steps_knownP l : steps_known l ->
  [/\ all (leq 1) l, count (pred1 2%N) l = 2020%N & all (pred1 1%N) (take 18 l)].
Proof. by move=> /and3P[coded /eqP number falls]. Qed.

Lemma codes_knownP l : codes_known l ->
  [/\ all (leq 1) l, all (pred1 1%N) (take 4861 l), (1 < nth 0 l 4861)%N, count (leq 2) l = 887%N &
   all (leq^~ 2%N) (take (174 * 128 + 25) l) /\ all (leq^~ 2%N) (drop (174 * 128 + 26) l)].
Proof. by move=> /and5P[coded ones next /eqP number /andP[before after]]. Qed.

Lemma flattenE (T : Type) (f : nat -> nat -> T) m n :
  flatten [seq [seq f a c | c <- iota 0 n] | a <- iota 0 m] = [seq f (s %/ n) (s %% n) | s <- iota 0 (m * n)].
Proof.
case: n => [|n]; first by rewrite muln0; elim: (iota 0 m).
elim: m => [//|m IHm]; pose g a := [seq f a c | c <- iota 0 n.+1]; rewrite -/g in IHm *.
have -> : flatten [seq g a | a <- iota 0 m.+1] = flatten [seq g a | a <- iota 0 m] ++ g m.
  by rewrite -(addn1 m) iotaD map_cat flatten_cat -[flatten _ in X in _ ++ X]/(g (0 + m)%N ++ [::]) cats0 add0n.
rewrite IHm.
rewrite mulSn addnC iotaD map_cat add0n; congr (_ ++ _).
rewrite -[in RHS](addn0 (m * n.+1)%N) iotaDl -map_comp; apply/eq_in_map => c; rewrite mem_iota => /= lt_c.
by rewrite divnMDl // modnMDl divn_small // modn_small // addn0.
Qed.

Section Blocks.
Variables (two : seq (Z * Z) -> seq (Z * Z) -> Z * Z) (one : seq (Z * Z) -> seq (Z * Z) -> Z).
Hypothesis twoE : forall r x, two r x = (one r x, one r (mirrored x)).

Lemma blockE near r : (128 < size near)%N -> block two near r = [seq one r (side_row near i) | i <- iota 0 256].
Proof.
move=> size_near; rewrite /block; set l := [seq two r x | x <- take 129 near]; pose z := (0%Z, 0%Z).
have size_l : size l = 129%N by rewrite size_map size_take_min; apply/minn_idPl.
have at_l c : (c <= 128)%N -> nth z l c = (one r (nth [::] near c), one r (mirrored (nth [::] near c))).
  by move=> le_c; rewrite (nth_map [::]) ?size_take_min ?nth_take ?twoE // leq_min ltnS le_c (leq_trans _ size_near).
have size_down : size (rev [seq x.2 | x <- behead l]) = 128%N by rewrite size_rev size_map size_behead size_l.
apply: (@eq_from_nth _ 0%Z) => [|i]; first by rewrite size_cat size_down !size_map size_take size_l size_iota.
rewrite size_cat size_down size_map size_take size_l => lt_i.
rewrite nth_cat size_down (nth_map 0%N) ?size_iota // nth_iota // add0n /side_row; case: ltnP => [lt|ge].
  rewrite nth_rev ?size_map ?size_behead ?size_l // (nth_map z) ?size_behead ?size_l; last exact: leq_subr.
  by rewrite nth_behead subnSK // at_l // leq_subr.
have lt_rest : (i - 128 < 128)%N by rewrite ltn_subLR.
by rewrite (nth_map z) ?size_take ?size_l // nth_take // at_l // ltnW.
Qed.

Lemma blocksE n near far : (128 < size near)%N -> (n <= size far)%N ->
  blocks two near (take n far) = [seq at_distance one near far s | s <- iota 0 (n * 256)].
Proof.
move=> size_near size_far; have size_take : size (take n far) = n by rewrite size_take_min; apply/minn_idPl.
rewrite /blocks -[in LHS](mkseq_nth [::] (take n far)) size_take /mkseq -map_comp.
rewrite -(flattenE (fun a i => one (nth [::] far a) (side_row near i))); congr flatten.
apply/eq_in_map => a; rewrite mem_iota /= => lt_a; rewrite nth_take //; exact: blockE.
Qed.

End Blocks.

Lemma codesE near far near' far' t ms ns :
  codes near far near' far' t ms ns = [seq code near far near' far' t ms ns (s %/ 256) (s %% 256) | s <- iota 0 (128 * 256)].
Proof. exact: flattenE. Qed.

Lemma zip_next (T U : Type) (f : nat -> T) (g : T -> T -> nat -> U) m n N : (n < N)%N ->
  let l := [seq f s | s <- iota m N] in
  [seq g x.1.1 x.1.2 x.2 | x <- zip (zip l (behead l)) (iota m n)] = [seq g (f s) (f s.+1) s | s <- iota m n].
Proof.
elim: n m N => [m N _ l|n IHn m [|[|N]] //]; first by rewrite /=; case: (zip l _).
by move=> lt_n /=; congr (_ :: _); exact: (IHn m.+1 N.+1).
Qed.
