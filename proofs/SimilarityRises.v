(** * Where the similarity of sinusoidal encodings first rises

  similarity h m      == the dot product of the sinusoidal encodings, base 10000, of h pairs at distance m
  sums h              == 2^34 times the similarities at the distances from 0 to 63, as far as integers tell
  falls_to h n        == the similarity falls at each of the distances below n and rises at n, by a computation

  Main result: uniqueness.monotone-stationary. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Toeplitz IntervalTactic Figures CosineRows Packing.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition similarity (h : nat) (m : nat) : R := \rsum_(i < h) cos (INR m * frequency 10000 h.*2 i).

(** ** Sums of rows *)

Definition p : I.precision := StdZFloat.PtoP 44.

Definition row_sum (r : seq (Z * Z)) : Z := foldr (fun x s => x.1 + s)%Z 0%Z r.

Definition sums (h : nat) (r : seq (I.type * I.type)) : seq Z :=
  [seq row_sum x | x <- rows 34 (row_0 34 h) (digits 34 r) 6].

(** The integers are apart by more than twice their error e. *)
Fixpoint falls (e : Z) (n : nat) (l : seq Z) : bool :=
  match n, l with
  | 0%N, a :: b :: _ => (2 * e <? b - a)%Z
  | n.+1, a :: (b :: _) as l' => (2 * e <? a - b)%Z && falls e n l'
  | _, _ => false
  end.

Definition falls_from (h n : nat) (r : seq (I.type * I.type)) : bool :=
  digits_fit 34 r && falls (Z.of_nat h * 8191) n (sums h r).

Definition falls_to (h n : nat) : bool :=
  [&& (0 < h)%N, (n < 62)%N & falls_from h n (row_1 p h (ratio_enclosure 10000 h))].

Lemma row_sum_near b e h q v r : within b e h q v r ->
  Rabs (IZR (row_sum r) - 2 ^ Z.to_nat b * (\rsum_(i < h) cos (v * q ^ i))) <= INR h * e.
Proof.
rewrite /within; move: (2 ^ Z.to_nat b) => P [<- at_r]; have {at_r} : forall i, (i < size r)%N ->
    Rabs (IZR (nth (0%Z, 0%Z) r i).1 - P * cos (v * q ^ i)) <= e by move=> i /(at_r (0%Z, 0%Z)) [].
suff summed (f : nat -> R) : (forall i, (i < size r)%N -> Rabs (IZR (nth (0%Z, 0%Z) r i).1 - P * f i) <= e) ->
    Rabs (IZR (row_sum r) - P * (\rsum_(i < size r) f i)) <= INR (size r) * e by apply: (summed (fun i => cos (v * q ^ i))).
elim: r f => [f _|x r IHr f each]; first by rewrite big_ord0 /= Rmult_0_r Rmult_0_l Rminus_0_r Rabs_R0; lra.
have {}IHr := IHr (fun i => f i.+1) (fun i lt_i => each i.+1 lt_i); have first := each 0%N isT.
rewrite big_ord_recl -[size (x :: r)]/(S (size r)) S_INR -[row_sum (x :: r)]/(x.1 + row_sum r)%Z plus_IZR.
set s := \rsum_(i < size r) f i.+1 in IHr; rewrite (_ : \rsum_(i < size r) f _ = s); last by apply: eq_bigr => i _.
rewrite [X in Rabs X](_ : _ = (IZR x.1 - P * f 0%N) + (IZR (row_sum r) - P * s)); last by rewrite [nat_of_ord _]/=; ring.
apply: Rle_trans (Rabs_triang _ _) _; move: first; rewrite [nth _ _ _]/=; lra.
Qed.

Lemma fallsP e n l (P : R) (f : nat -> R) : 0 < P ->
  (forall i, (i < n.+2)%N -> Rabs (IZR (nth 0%Z l i) - P * f i) <= IZR e) -> falls e n l ->
  (forall m, (m < n)%N -> f m.+1 < f m) /\ f n < f n.+1.
Proof.
move=> P_gt0; have ends (x y : R) : Rabs (x - y) <= IZR e -> - IZR e <= x - y <= IZR e.
  by have := Rle_abs (x - y); have := Rle_abs (- (x - y)); rewrite Rabs_Ropp; lra.
have apart (a b : Z) (x y : R) : Rabs (IZR a - P * x) <= IZR e -> Rabs (IZR b - P * y) <= IZR e -> (2 * e <? a - b)%Z -> y < x.
  move=> /ends a_near /ends b_near /Z.ltb_lt /IZR_lt; rewrite mult_IZR minus_IZR => lt.
  by apply: (Rmult_lt_reg_l P); lra.
elim: n l f => [|n IHn] [|a [|b l]] f each //=.
  by move=> rises; split=> //; exact: (apart _ _ _ _ (each 1%N isT) (each 0%N isT) rises).
move=> /andP[here later]; have falls_here := apart _ _ _ _ (each 0%N isT) (each 1%N isT) here.
have [falls_later rises] := IHn (b :: l) (fun i => f i.+1) (fun i lt_i => each i.+1 lt_i) later.
by split=> // -[_ | m lt_m]; [exact: falls_here | exact: falls_later].
Qed.

Lemma falls_toP h n : falls_to h n ->
  (forall m, (m < n)%N -> similarity h m.+1 < similarity h m) /\ similarity h n < similarity h n.+1.
Proof.
move=> /and3P[h_pos n_lt]; pose q := Rpower 10000 (- (1 / INR h)).
have := row_1_stands p h (@ratio_encloses 10000 h h_pos); rewrite -/q; move: (row_1 _ _ _) => r r_stands /andP[fits].
have one : within 34 (grown 0) h q 1 (digits 34 r).
  have := @digits_near 34 ltac:(lia) h q 1 r r_stands fits; apply: within_le; rewrite /grown /=; lra.
apply: (fallsP (P := 2 ^ 34)); first by apply: pow_lt; lra.
move=> i lt_i; have lt_64 : (i < 2 ^ 6)%N by apply: leq_trans lt_i _; apply: (@leq_trans 63).
have b_ge1 : (1 <= 34)%Z by lia.
have := @rows_within 34 h q b_ge1 0 6 0 1 _ _ isT (row_0_within h q b_ge1) one i lt_64.
rewrite Rplus_0_l Rmult_1_r => /row_sum_near; rewrite /sums (nth_map [::]) ?size_rows // mult_IZR -INR_IZR_INZ.
have -> : \rsum_(j < h) cos (INR i * q ^ j) = similarity h i.
  by apply: eq_bigr => j _; rewrite frequency_ratio //; lra.
by rewrite (_ : grown (0 + 6) = 8191) //; rewrite /grown /=; lra.
Qed.

Definition rise_at (row : nat * nat) : bool := falls_to (half row.1) row.2.

Lemma listed_rise d n rows : all rise_at rows -> List.In (d, n) rows -> falls_to (half d) n.
Proof. by elim: rows => [//|r rows IHrows] /andP[here later] [same | /IHrows]; [move: here; rewrite same | exact]. Qed.

Lemma all_rises : all rise_at [:: (512, 43); (768, 43); (128, 11); (64, 5)]%N.
Proof. by vm_cast_no_check (erefl true). Qed.

(** uniqueness.monotone-stationary: No encoding of all natural numbers by vectors of a fixed finite
    dimension has dot products that depend on the distance alone and decrease strictly with it; for
    sinusoidal encodings with base 10000 they first rise from distance 43 for d = 512 and d = 768,
    11 for d = 128, 5 for d = 64. *)
Theorem uniqueness_monotone_stationary :
  (forall (d : nat) (e : nat -> 'cV[R]_d) (K : nat -> R), stationary e K -> ~ (forall n, K n.+1 < K n)) /\
  (forall d n : nat, List.In (d, n) [:: (512, 43); (768, 43); (128, 11); (64, 5)]%N ->
     let K m := similarity (half d) m in
     (forall s : R, forall m : nat, dot (PE (half d) (frequency 10000 d) (s + INR m)) (PE (half d) (frequency 10000 d) s) = K m) /\
     (forall m, (m < n)%N -> K m.+1 < K m) /\ K n < K n.+1).
Proof.
split; first exact: uniqueness_monotone_stationary_impossible.
move=> d n listed K; have even_d : (half d).*2 = d.
  by case: listed => [[<- _]|[[<- _]|[[<- _]|[[<- _]|//]]]].
have told : falls_to (half d) n := listed_rise all_rises listed.
split; last exact: falls_toP.
move=> s m; rewrite toeplitz_dot_product /K /similarity even_d; apply: eq_bigr => i _; congr cos; ring.
Qed.
