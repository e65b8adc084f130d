(** * A(s) at all the distances below 2^15 as integers

  side_row near i     == of the rows near, that at the distance i - 128
  total_of k near far s == 2^(2b-k) A(s), as far as the digits of near and of far, at 128 + 256 a, tell
  totals k near far   == these at all distances below 2^15
  code t s            == 1 where A(s) is above 128, 2 where it is between 81 and 128, 3 where it is below 128, as
                         far as the total t of 14 digits tells, or else one of 24, else 0
  step t u s          == 2 where A(s) is below A(s + 1), 1 where it is above, as far as those tell, else 0
  all_known near far  == what the codes and the first 4096 steps are
  known r             == what they are from the row r at the distance 1 on

  Main results: [totalsE] and [zip_next], what the lists have at each distance. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import Figures CosineRows Amplitudes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** ** The computation *)

Definition side_row (near : seq (seq (Z * Z))) (i : nat) : seq (Z * Z) :=
  if (i < 128)%N then mirrored (nth [::] near (128 - i)) else nth [::] near (i - 128).

Definition total_of (k : Z) (near far : seq (seq (Z * Z))) (s : nat) : Z :=
  length_sum k (nth [::] far (s %/ 256)) (side_row near (s %% 256)).

(** 256 distances at once. *)
Definition block (k : Z) (near : seq (seq (Z * Z))) (r : seq (Z * Z)) : seq Z :=
  let l := [seq length_sums k r x | x <- take 129 near] in rev [seq x.2 | x <- behead l] ++ [seq x.1 | x <- take 128 l].

Definition totals (k : Z) (near far : seq (seq (Z * Z))) : seq Z := flatten [seq block k near r | r <- far].

Section Codes.
Variables near far : seq (seq (Z * Z)).

Let fine (s : nat) : Z := total_of 32 near far s.

(** 2^10 times a number, beyond the error of a coarse total; 2^16 times, beyond that of a fine one. *)
Definition coarsely_above (n t : Z) : bool := (n * 2 ^ 10 + 1492 <? t)%Z.
Definition coarsely_below (n t : Z) : bool := (t <? n * 2 ^ 10 - 1492)%Z.
Definition finely_above (n t : Z) : bool := (n * 2 ^ 16 + 274 <? t)%Z.
Definition finely_below (n t : Z) : bool := (t <? n * 2 ^ 16 - 274)%Z.

Definition fine_code (t : Z) : nat :=
  if finely_above 128 t then 1%N else if finely_below 128 t then if finely_above 81 t then 2%N else 3%N else 0%N.

Definition code (t : Z) (s : nat) : nat :=
  if coarsely_above 128 t then 1%N else if coarsely_below 128 t && coarsely_above 81 t then 2%N else fine_code (fine s).

Definition fine_step (t u : Z) : nat := if (548 <? u - t)%Z then 2%N else if (548 <? t - u)%Z then 1%N else 0%N.

Definition step (t u : Z) (s : nat) : nat :=
  if (2984 <? u - t)%Z then 2%N else if (2984 <? t - u)%Z then 1%N else fine_step (fine s) (fine s.+1).

Definition codes (l : seq Z) : seq nat := [seq code x.1 x.2 | x <- zip l (iota 0 (128 * 256))].
Definition steps (l : seq Z) : seq nat := [seq step x.1.1 x.1.2 x.2 | x <- zip (zip l (behead l)) (iota 0 (2 ^ 12))].

End Codes.

(** Every step has a code; 2020 rise, and none of the first 18. *)
Definition steps_known (l : seq nat) : bool :=
  [&& all (leq 1) l, count (pred1 2%N) l == 2020%N & all (pred1 1%N) (take 18 l)].

(** Every distance has a code; the first 4861 have 1, the next one has not; 887 have 2 or 3, and 3 only that of 22297. *)
Definition codes_known (l : seq nat) : bool :=
  [&& all (leq 1) l, all (pred1 1%N) (take 4861 l), (1 < nth 0 l 4861)%N, count (leq 2) l == 887%N &
   all (leq^~ 2%N) (take (174 * 128 + 25) l) && all (leq^~ 2%N) (drop (174 * 128 + 26) l)].

Definition coarse_digits (r : seq (Z * Z)) : seq (Z * Z) := fewer_digits 10 r.

Definition all_known (near far : seq (seq (Z * Z))) : bool :=
  let l := totals 18 [seq coarse_digits r | r <- near] [seq coarse_digits r | r <- far] in
  steps_known (steps near far l) && codes_known (codes near far l).

(** The rows at the distances 0 to 128, and at 128 + 256 a, from that at 1, which has 60 digits. *)
Definition rows_near (r : seq (Z * Z)) : seq (seq (Z * Z)) := rcons (rows 60 (row_0 60 64) r 7) (doubled 60 7 r).
Definition rows_far (r : seq (Z * Z)) : seq (seq (Z * Z)) := rows 60 (doubled 60 7 r) (doubled 60 8 r) 7.

Definition known (r : seq (I.type * I.type)) : bool :=
  let d := digits 60 r in
  digits_fit 60 r && all_known [seq fewer_digits 36 x | x <- rows_near d] [seq fewer_digits 36 x | x <- rows_far d].

(** ** What it is at each distance *)

Lemma steps_knownP l : steps_known l ->
  [/\ all (leq 1) l, count (pred1 2%N) l = 2020%N & all (pred1 1%N) (take 18 l)].
Proof. by move=> /and3P[coded /eqP number falls]. Qed.

Lemma codes_knownP l : codes_known l ->
  [/\ all (leq 1) l, all (pred1 1%N) (take 4861 l), (1 < nth 0 l 4861)%N, count (leq 2) l = 887%N &
   all (leq^~ 2%N) (take (174 * 128 + 25) l) /\ all (leq^~ 2%N) (drop (174 * 128 + 26) l)].
Proof. by move=> /and5P[coded ones next /eqP number /andP[before after]]. Qed.

Lemma blocksE (T : Type) (f : nat -> nat -> T) m n :
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

Lemma blockE k near r : (128 < size near)%N -> block k near r = [seq length_sum k r (side_row near i) | i <- iota 0 256].
Proof.
move=> size_near; rewrite /block; set l := [seq length_sums k r x | x <- take 129 near]; pose z := (0%Z, 0%Z).
have size_l : size l = 129%N by rewrite size_map size_take_min; apply/minn_idPl.
have at_l c : (c <= 128)%N -> nth z l c = (length_sum k r (nth [::] near c), length_sum k r (mirrored (nth [::] near c))).
  by move=> le_c; rewrite (nth_map [::]) ?size_take_min ?nth_take ?length_sumsE // leq_min ltnS le_c (leq_trans _ size_near).
have size_down : size (rev [seq x.2 | x <- behead l]) = 128%N by rewrite size_rev size_map size_behead size_l.
apply: (@eq_from_nth _ 0%Z) => [|i]; first by rewrite size_cat size_down !size_map size_take size_l size_iota.
rewrite size_cat size_down size_map size_take size_l => lt_i.
rewrite nth_cat size_down (nth_map 0%N) ?size_iota // nth_iota // add0n /side_row; case: ltnP => [lt|ge].
  rewrite nth_rev ?size_map ?size_behead ?size_l // (nth_map z) ?size_behead ?size_l; last exact: leq_subr.
  by rewrite nth_behead subnSK // at_l // leq_subr.
have lt_rest : (i - 128 < 128)%N by rewrite ltn_subLR.
by rewrite (nth_map z) ?size_take ?size_l // nth_take // at_l // ltnW.
Qed.

Lemma totalsE k near far : (128 < size near)%N -> size far = 128%N ->
  totals k near far = [seq total_of k near far s | s <- iota 0 (128 * 256)].
Proof.
move=> size_near size_far; rewrite /totals -[in LHS](mkseq_nth [::] far) size_far /mkseq -map_comp.
rewrite -(blocksE (fun a i => length_sum k (nth [::] far a) (side_row near i))); congr flatten; apply: eq_map => a /=.
exact: blockE.
Qed.

Lemma zip_iota (T U : Type) (f : nat -> T) (g : T -> nat -> U) l :
  [seq g x.1 x.2 | x <- zip [seq f s | s <- l] l] = [seq g (f s) s | s <- l].
Proof. by elim: l => [//|s l IHl] /=; rewrite IHl. Qed.

Lemma zip_next (T U : Type) (f : nat -> T) (g : T -> T -> nat -> U) m n N : (n < N)%N ->
  let l := [seq f s | s <- iota m N] in
  [seq g x.1.1 x.1.2 x.2 | x <- zip (zip l (behead l)) (iota m n)] = [seq g (f s) (f s.+1) s | s <- iota m n].
Proof.
elim: n m N => [m N _ l|n IHn m [|[|N]] //]; first by rewrite /=; case: (zip l _).
by move=> lt_n /=; congr (_ :: _); exact: (IHn m.+1 N.+1).
Qed.
