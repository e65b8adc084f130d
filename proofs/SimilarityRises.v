(** * Where the similarity of sinusoidal encodings first rises

  similarity h m      == the dot product of the sinusoidal encodings, base 10000, of h pairs at distance m
  row                 == enclosures of a cosine and a sine for each pair
  turned r s          == the rows of the sums of the angles
  falls_to h n        == the similarity falls at each of the distances below n and rises at n, by a computation

  Main result: uniqueness.monotone-stationary. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Toeplitz IntervalTactic Figures Packing.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition similarity (h : nat) (m : nat) : R := \rsum_(i < h) cos (INR m * frequency 10000 h.*2 i).

(** ** Angles by addition *)

Definition p : I.precision := StdZFloat.PtoP 40.

Definition row : Type := seq (I.type * I.type).

Definition turned (r s : row) : row :=
  [seq (I.sub p (I.mul p x.1.1 x.2.1) (I.mul p x.1.2 x.2.2), I.add p (I.mul p x.1.2 x.2.1) (I.mul p x.1.1 x.2.2))
  | x <- zip r s].

Definition row_0 (h : nat) : row := nseq h (I.fromZ prec 1, I.zero).

Definition row_1 (h : nat) : row :=
  [seq (I.cos p a, I.sin p a) | a <- @traject I.type (fun a => I.mul prec a (ratio_enclosure 10000 h)) (I.fromZ prec 1) h].

Definition row_sum (r : row) : I.type := foldr (fun x s => I.add p x.1 s) I.zero r.

(** The similarities at the first n + 2 distances. *)
Definition sums (h n : nat) : seq I.type := [seq row_sum r | r <- traject (turned (row_1 h)) (row_0 h) n.+2].

Fixpoint falls (n : nat) (l : seq I.type) : bool :=
  match n, l with
  | 0%N, a :: b :: _ => is_positive_interval (I.sub p b a)
  | n.+1, a :: (b :: _) as l' => is_positive_interval (I.sub p a b) && falls n l'
  | _, _ => false
  end.

Definition falls_to (h n : nat) : bool := (0 < h)%N && falls n (sums h n).

Section Sums.

Variable h : nat.
Hypothesis h_pos : (0 < h)%N.

Let q := Rpower 10000 (- (1 / INR h)).
Let z : I.type * I.type := (I.fromZ prec 1, I.zero).

Definition stands (r : row) (m : nat) : Prop := size r = h /\ forall i, (i < h)%N ->
  encloses (nth z r i).1 (cos (INR m * q ^ i)) /\ encloses (nth z r i).2 (sin (INR m * q ^ i)).

Lemma turned_stands r s m n : stands r m -> stands s n -> stands (turned r s) (m + n)%N.
Proof.
move=> [size_r r_in] [size_s s_in]; have size_rs : size (zip r s) = h by rewrite size_zip size_r size_s minnn.
split=> [|i lt_i]; first by rewrite size_map.
rewrite (nth_map (z, z)) ?size_rs // nth_zip ?size_r // plus_INR Rmult_plus_distr_r cos_plus sin_plus.
have [c_r s_r] := r_in i lt_i; have [c_s s_s] := s_in i lt_i; split.
  exact (encloses_sub (encloses_mul c_r c_s) (encloses_mul s_r s_s)).
exact (encloses_add (encloses_mul s_r c_s) (encloses_mul c_r s_s)).
Qed.

Lemma row_0_stands : stands (row_0 h) 0.
Proof.
split=> [|i lt_i]; first by rewrite size_nseq.
rewrite nth_nseq lt_i R_mul0 cos_0 sin_0; split; [exact (encloses_Z 1) | exact encloses_0].
Qed.

Lemma row_1_stands : stands (row_1 h) 1.
Proof.
split=> [|i lt_i]; first by rewrite size_map size_traject.
have angle_in : encloses (nth (I.fromZ prec 1)
    (@traject I.type (fun a => I.mul prec a (ratio_enclosure 10000 h)) (I.fromZ prec 1) h) i) (INR 1 * q ^ i).
  rewrite (nth_traject _ lt_i) Rmult_1_l; elim: i {lt_i} => [|i IHi]; first exact (encloses_Z 1).
  rewrite iterS [q ^ _]/= Rmult_comm; exact (encloses_mul IHi (@ratio_encloses 10000 h h_pos)).
rewrite (nth_map (I.fromZ prec 1)) ?size_traject //.
split; [exact (encloses_cos angle_in) | exact (I.sin_correct p _ _ angle_in)].
Qed.

Lemma row_sum_encloses r m : stands r m -> encloses (row_sum r) (similarity h m).
Proof.
have summed (l : row) (f : nat -> R) : (forall i, (i < size l)%N -> encloses (nth z l i).1 (f i)) ->
    encloses (row_sum l) (\rsum_(i < size l) f i).
  elim: l f => [|x l IHl] f each; first by rewrite big_ord0; exact encloses_0.
  rewrite big_ord_recl; apply: encloses_add; first exact (each 0%N isT).
  by apply: (IHl (fun i => f i.+1)) => i; exact: (each i.+1).
move=> [size_r r_in]; have -> : similarity h m = \rsum_(i < size r) cos (INR m * q ^ i).
  by rewrite size_r; apply: eq_bigr => i _; rewrite frequency_ratio //; lra.
apply: (summed r (fun i => cos (INR m * q ^ i))) => i; rewrite size_r => lt_i; by case: (r_in i lt_i).
Qed.

Lemma sums_enclose n i : (i < n.+2)%N -> encloses (nth I.zero (sums h n) i) (similarity h i).
Proof.
move=> lt_i; rewrite /sums (nth_map (row_0 h)) ?size_traject // nth_traject //.
have at_i : stands (iter i (turned (row_1 h)) (row_0 h)) i.
  elim: i {lt_i} => [|i IHi]; first exact row_0_stands.
  by rewrite iterS -add1n; exact (turned_stands row_1_stands IHi).
exact (row_sum_encloses at_i).
Qed.

Lemma fallsP n l (f : nat -> R) : (forall i, (i < n.+2)%N -> encloses (nth I.zero l i) (f i)) -> falls n l ->
  (forall m, (m < n)%N -> f m.+1 < f m) /\ f n < f n.+1.
Proof.
elim: n l f => [|n IHn] [|a [|b l]] f each //=.
  move=> positive; split=> //; have a_in := each 0%N isT; have b_in := each 1%N isT.
  by have := positive_interval (encloses_sub b_in a_in) positive; lra.
move=> /andP[positive later]; have a_in := each 0%N isT; have b_in := each 1%N isT.
have here := positive_interval (encloses_sub a_in b_in) positive.
have [falls_later rises] := IHn (b :: l) (fun i => f i.+1) (fun i lt_i => each i.+1 lt_i) later.
by split=> // -[_ | m lt_m]; [lra | exact: falls_later].
Qed.

End Sums.

Lemma falls_toP h n : falls_to h n ->
  (forall m, (m < n)%N -> similarity h m.+1 < similarity h m) /\ similarity h n < similarity h n.+1.
Proof. by move=> /andP[h_pos told]; apply: fallsP told => i; exact: sums_enclose. Qed.

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
