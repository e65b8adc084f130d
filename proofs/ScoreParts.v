(** * The signs of a score at a million distances

  The score sum_(i<h) cos (m q^i) at the distances m = 1, 2, ..., from the table of cosines. The slow angles are looked up
  once in 512 distances, because their cosines change little. The others are looked up where it takes to: where the
  sum is well above 0 the distances around are passed over, because it changes by no more than the sum of the
  frequencies from one to the next; where it is so even with the cosines of the fastest angles at -1, further ones,
  because the sum of the others' frequencies is less. Elsewhere all angles are looked up at the distance itself, and where the table does not
  tell the sign, interval arithmetic does.

  Dictionary
    power_score h q m   == sum_(i<h) cos (m q^i)
    radian              == an enclosure of 2^33 / (2 PI)
    angles h qi         == enclosures of 2^33 q^i / (2 PI), the angles of one distance in 2^-33 of a turn
    steps h qi          == the integers below them
    part st theta m     == sum_(i<size st) cos (m theta_i)
    score_at p h qi m   == an enclosure of the score at m, by interval arithmetic
    times m ps          == the integers of a list m times
    advance ps qs       == the sums of the integers of two lists
    total t ps v        == v and the leaves of t at all the ps
    slope ps            == an integer that 2^10 times the sum of the frequencies does not pass
    position            == the next distance m, by how far the distance of the phases is ahead of it, the phases
    reach               == how far around the score is not negative
    scan                == the distance of the phases looked at, and with it those around
    block               == all of 512 distances, or those of them up to n
    nonnegative_to h qi n
                        == the scores at the distances 1 to n are not negative, as far as this computation tells

  Main results: [total_below] and [part_near], from which [nonnegative_toP] of the next file follows. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Density IntervalTactic Figures CosineTable.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition power_score (h : nat) (q : R) (m : Z) : R := \rsum_(i < h) cos (IZR m * q ^ i).

(** ** The computation *)

Definition radian : I.type := I.div prec (I.fromZ prec (2 ^ 33)) (I.mul prec (I.fromZ prec 2) (I.pi prec)).

Definition angles (h : nat) (qi : I.type) : seq I.type := @traject I.type (fun a => I.mul prec a qi) radian h.

Definition step_of (a : I.type) : positive := Z.to_pos (floor_below a).

Definition step_fits (a : I.type) : bool :=
  is_positive_interval (I.sub prec a (I.fromZ prec (Zpos (step_of a)))) &&
  is_positive_interval (I.sub prec (I.fromZ prec (Zpos (step_of a) + 1)) a).

Definition steps (h : nat) (qi : I.type) : seq positive := [seq step_of a | a <- angles h qi].

Definition times (m : Z) (ps : seq positive) : seq positive := [seq Pos.mul (Z.to_pos m) p | p <- ps].

Fixpoint advance (ps qs : seq positive) : seq positive :=
  match ps, qs with p :: ps, q :: qs => Pos.add p q :: advance ps qs | _, _ => [::] end.

Fixpoint total (t : tree) (ps : seq positive) (v : Z) : Z :=
  if ps is p :: ps then total t ps (v + look_positive t p)%Z else v.

(** 2 PI is below 6.2832. *)
Definition slope (ps : seq positive) : Z :=
  (foldr (fun p s => Zpos p + 1 + s) 0 ps * 62832 * 2 ^ 10 / (10000 * 2 ^ 33) + 1)%Z.

(** The cosine of m times the angle that a is, without its whole turns: the greater an angle, the dearer its cosine. An
    interval costs two cosines, a number one, and what is left of the angle changes it by no more than itself. *)
Definition turn_enclosure : I.type := I.mul prec (I.fromZ prec 2) (I.pi prec).
Definition unit_interval : I.type := interval_between (-1) 1 1.

Definition wave (p : I.precision) (m : Z) (a : I.type) : I.type :=
  let turns := I.div prec (I.mul prec (I.fromZ prec m) a) (I.fromZ prec (2 ^ 33)) in
  let angle := I.mul prec turn_enclosure (I.sub prec turns (I.fromZ prec (whole_part (I.lower turns)))) in
  let near := quotient (whole_part (I.lower (I.mul prec angle (I.fromZ prec (2 ^ 34))))) (2 ^ 34) in
  I.add p (I.cos p near) (I.mul p (I.sub prec angle near) unit_interval).

Definition score_at (p : I.precision) (h : nat) (qi : I.type) (m : Z) : I.type :=
  foldr (fun a s => I.add p (wave p m a) s) I.zero (angles h qi).

Definition finely_positive (h : nat) (qi : I.type) (m : Z) : bool := is_positive_interval (score_at coarse h qi m).

(** All angles by the table, at one distance. *)
Definition coarsely_positive (t : tree) (h : nat) (st : seq positive) (m : Z) : bool :=
  (Z.of_nat h * 2 ^ 10 <? total t (times m st) 0)%Z.

Definition longest : Z := 31.
Definition leap_count : nat := 48.
Definition block_length : Z := 512.

(** Of so many pairs a tenth are the fastest. *)
Definition head_count (h : nat) : nat := h %/ 10.

Definition position : Type := option (Z * Z * seq positive).

Section Scan.

Variables (t : tree) (h : nat) (qi : I.type) (st fast : seq positive) (leaps : seq (seq positive)).
Variables rise tail_rise : Z.

(** From phases at m + ahead on: e distances more are known there, and the next phases are ahead' beyond these. *)
Definition onward (m e ahead' : Z) (ps : seq positive) : position :=
  if (0 <=? e + ahead')%Z && (Z.to_nat (e + ahead') < leap_count)%N
  then Some (m + e + 1, ahead', advance ps (nth [::] leaps (Z.to_nat (e + ahead'))))%Z else None.

Definition guess (e left : Z) : Z := Z.max 0 (Z.min (Z.div2 e) left).

Definition reach (v0 : Z) (ps : seq positive) : Z :=
  let w := total t (drop (head_count h) ps) v0 in
  let v := total t (take (head_count h) ps) w in
  Z.max (v / rise) (w / tail_rise).

Definition scan (last v0 : Z) (p : position) : position :=
  if p is Some (m, ahead, ps) then
    if (last <? m)%Z then p else
    if ~~ ((m + ahead <=? last)%Z && (0 <=? ahead)%Z) then None else
    let far := reach v0 ps in
    if (ahead <=? far)%Z then
      let e := Z.min longest far in onward (m + ahead) e (guess e (last - (m + ahead + e + 1))) ps
    else if (ahead =? 0)%Z then if coarsely_positive t h st m || finely_positive h qi m then onward m 0 0 ps else None
    else Some (m, 0%Z, times m fast)
  else None.

Fixpoint repeated (A : Type) (f : A -> A) (k : nat) (a : A) : A :=
  if k is k.+1 then repeated f k (repeated f k a) else f a.

Definition passed (last : Z) (p : position) : bool := if p is Some (m, _, _) then (last <? m)%Z else false.

Definition block (v0 last m : Z) : bool :=
  passed last (repeated (scan last v0) 10 (Some (m, 0%Z, times m fast))).

(** The slow angles, and how much 512 distances lower the sum of their cosines. *)
Variables (slow : seq positive) (slow_rise n : Z).

Definition slow_total (m : Z) : Z :=
  total t (times m slow) (- (Z.of_nat h * 2 ^ 10) - block_length * slow_rise)%Z.

Definition next_block (m : option Z) : option Z :=
  if m is Some m then
    if (n <? m)%Z then Some m else
    if block (slow_total m) (Z.min n (m + block_length - 1)) m then Some (m + block_length)%Z else None
  else None.

End Scan.

(** How many angles are fast: as many as it takes for the others to be worth less than 1 in 512 distances. *)
Definition fast_count (st : seq positive) : nat :=
  find (fun k => (block_length * slope (drop k st) <=? 2 ^ 10)%Z) (iota 0 (size st)).

Definition all_blocks (h : nat) (qi : I.type) (st fast slow : seq positive) (n : Z) : bool :=
  if repeated (next_block cosine_tree h qi st fast (traject (advance fast) fast leap_count) (slope fast)
         (slope (drop (head_count h) fast)) slow (slope slow) n) 12 (Some 1%Z) is Some m then (n <? m)%Z else false.

Definition nonnegative_to (h : nat) (qi : I.type) (n : Z) : bool :=
  [&& (n <=? 2 ^ 20)%Z, all step_fits (angles h qi) &
  all_blocks h qi (steps h qi) (take (fast_count (steps h qi)) (steps h qi))
    (drop (fast_count (steps h qi)) (steps h qi)) n].

(** ** Parts of the sum *)

Lemma two_pi : 0 < 2 * PI < 6.2832.
Proof. by split; interval with (i_prec 40). Qed.

Lemma look_positiveE t p : look t (Zpos p) = look_positive t p.
Proof. by []. Qed.

Lemma total_le t ps v : IZR (total t ps v) <=
  IZR v + \rsum_(i < size ps) IZR (look_positive t (nth 1%positive ps i)).
Proof.
elim: ps v => [|p ps IHps] v /=; first by rewrite big_ord0; lra.
by apply: Rle_trans (IHps _) _; rewrite plus_IZR big_ord_recl /=; right; ring.
Qed.

Section Part.

Variables (st : seq positive) (theta : nat -> R).
Hypothesis theta_ge0 : forall i, 0 <= theta i.
Hypothesis theta_range : forall i, (i < size st)%N ->
  IZR (Zpos (nth 1%positive st i)) <= 2 ^ 33 * (theta i / (2 * PI)) <= IZR (Zpos (nth 1%positive st i)) + 1.

Definition part (m : Z) : R := \rsum_(i < size st) cos (IZR m * theta i).

(** The integers of the angles at a distance. *)
Definition phases_at (m : Z) (ps : seq positive) : Prop :=
  size ps = size st /\
  forall i, (i < size st)%N -> Zpos (nth 1%positive ps i) = (m * Zpos (nth 1%positive st i))%Z.

Lemma times_at m : (1 <= m)%Z -> phases_at m (times m st).
Proof.
move=> m_ge1; split=> [|i lt_i]; first by rewrite size_map.
by rewrite (nth_map 1%positive) // Pos2Z.inj_mul Z2Pos.id; [ | lia].
Qed.

Lemma advance_at m m' ps qs : phases_at m ps -> phases_at m' qs -> phases_at (m + m') (advance ps qs).
Proof.
have advanceE l l' : size l = size l' -> size (advance l l') = size l /\
    forall i, (i < size l)%N -> nth 1%positive (advance l l') i = Pos.add (nth 1%positive l i) (nth 1%positive l' i).
  elim: l l' => [|p l IHl] [|p' l'] //= [/IHl[-> each]]; split=> // -[|i] //=; exact: each.
move=> [size_p at_p] [size_q at_q]; have [size_pq each] := advanceE ps qs (etrans size_p (esym size_q)).
split=> [|i lt_i]; first by rewrite size_pq.
by rewrite each ?size_p // Pos2Z.inj_add at_p // at_q //; ring.
Qed.

Lemma leaps_at j : (j < leap_count)%N -> phases_at (Z.of_nat j.+1) (nth [::] (traject (advance st) st leap_count) j).
Proof.
move=> lt_j; rewrite (set_nth_default st) ?size_traject // nth_traject //; elim: j {lt_j} => [|j IHj].
  by split=> [//|i _]; rewrite Z.mul_1_l.
rewrite iterS (_ : Z.of_nat j.+2 = 1 + Z.of_nat j.+1)%Z; last by lia.
by apply: advance_at => //; split=> [//|i _]; rewrite Z.mul_1_l.
Qed.

Lemma rows_below (row : 'I_(size st) -> R) m :
  (forall i : 'I_(size st), row i <= 2 ^ 10 * (1 + cos (IZR m * theta i))) ->
  \rsum_i row i <= 2 ^ 10 * (INR (size st) + part m).
Proof.
move=> /rsum_le; rewrite rsum_mull rsum_add rsum_const Rmult_1_r => le; apply: Rle_trans le _; exact: Rle_refl.
Qed.

Lemma total_below m ps v : (1 <= m <= 2 ^ 20)%Z -> phases_at m ps ->
  IZR (total cosine_tree ps v) <= IZR v + 2 ^ 10 * (INR (size st) + part m).
Proof.
move=> m_range [size_p at_p]; apply: Rle_trans (total_le _ _ _) _; rewrite size_p; apply: Rplus_le_compat_l.
have m_ge1 : 1 <= IZR m by apply: IZR_le; lia.
have m_le : IZR m <= 2 ^ 20 by rewrite pow_IZR; apply: IZR_le; lia.
have each (i : 'I_(size st)) :
    IZR (look_positive cosine_tree (nth 1%positive ps i)) <= 2 ^ 10 * (1 + cos (IZR m * theta i)).
  have [ge le] := theta_range (ltn_ord i); pose t := IZR m * (theta i / (2 * PI)).
  have near : IZR (Zpos (nth 1%positive ps i)) <= 2 ^ phase_bits * t <= IZR (Zpos (nth 1%positive ps i)) + 2 ^ 20.
    rewrite at_p // mult_IZR /phase_bits (_ : 2 ^ 33 * t = IZR m * (2 ^ 33 * (theta i / (2 * PI)))).
      by split; nra.
    by rewrite /t; ring.
  have := cosine_tree_lower (Pos2Z.is_nonneg _) near; rewrite look_positiveE /raised (_ : 2 * PI * t = IZR m * theta i) //.
  by rewrite /t; field; have := PI_RGT_0; lra.
exact (rows_below each).
Qed.

Lemma slope_above : 2 ^ 10 * (\rsum_(i < size st) theta i) <= IZR (slope st).
Proof.
pose turns i := theta i / (2 * PI).
rewrite /slope; set s := foldr _ _ _; have s_le : 2 ^ 33 * (\rsum_(i < size st) turns i) <= IZR s.
  have foldE l : IZR (foldr (fun p s => Zpos p + 1 + s)%Z 0%Z l) = \rsum_(i < size l) (IZR (Zpos (nth 1%positive l i)) + 1).
    elim: l => [|p l IHl]; first by rewrite big_ord0.
    by cbn [foldr size]; rewrite big_ord_recl !plus_IZR IHl.
  rewrite /s foldE -rsum_mull; apply: rsum_le => i; have := theta_range (ltn_ord i); rewrite /turns; lra.
have sumE : \rsum_(i < size st) theta i = 2 * PI * \rsum_(i < size st) turns i.
  by rewrite -rsum_mull; apply: eq_bigr => i _; rewrite /turns; field; have := PI_RGT_0; lra.
have sum_ge0 : 0 <= \rsum_(i < size st) turns i.
  apply: rsum_ge0 => i; apply: Rmult_le_pos; first exact: theta_ge0.
  by apply/Rlt_le/Rinv_0_lt_compat; have := two_pi; lra.
have q_le : 2 ^ 10 * (\rsum_(i < size st) theta i) <= IZR (s * 62832 * 2 ^ 10) / IZR (10000 * 2 ^ 33).
  have e33 : 2 ^ 33 = 8589934592 by ring.
  have e10 : 2 ^ 10 = 1024 by ring.
  rewrite sumE (mult_IZR (s * 62832)) (mult_IZR s) (mult_IZR 10000) e10; change (IZR (2 ^ 10)) with 1024; change (IZR (2 ^ 33)) with 8589934592.
  move: s_le; rewrite e33; have := two_pi; set t := \rsum_(i < size st) turns i in sum_ge0 *.
  move=> [pi_gt0 pi_lt] s_le; have : 2 * PI * t <= 6.2832 * (IZR s / 8589934592) by nra.
  by lra.
apply: Rle_trans q_le _; rewrite plus_IZR; set a := (s * _ * _)%Z; set b := (10000 * 2 ^ 33)%Z.
have b_gt0 : (0 < b)%Z by [].
have b_pos : 0 < IZR b by exact: IZR_lt.
have : IZR a <= (IZR (a / b) + 1) * IZR b.
  rewrite -plus_IZR -mult_IZR; apply: IZR_le; have := Z.mul_succ_div_gt a b b_gt0; lia.
by move=> le; apply: (Rmult_le_reg_r (IZR b)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.

(** Over so many distances the sum falls by no more than the slope times their number. *)
Lemma part_near m m' k : (Z.abs (m' - m) <= k)%Z -> 2 ^ 10 * part m - IZR (k * slope st) <= 2 ^ 10 * part m'.
Proof.
move=> near; have sum_ge0 : 0 <= \rsum_(i < size st) theta i by apply: rsum_ge0 => i; exact: theta_ge0.
have step : part m - Rabs (IZR m' - IZR m) * (\rsum_(i < size st) theta i) <= part m'.
  rewrite /part -rsum_mull -rsum_sub; apply: rsum_le => i.
  have := cos_near (IZR m * theta i) (IZR m' * theta i).
  rewrite -Rmult_minus_distr_r Rabs_mult [Rabs (theta i)]Rabs_pos_eq // [Rabs (IZR m - _)]Rabs_minus_sym.
  by have := Rle_abs (cos (IZR m * theta i) - cos (IZR m' * theta i)); lra.
have k_ge : Rabs (IZR m' - IZR m) <= IZR k by rewrite -minus_IZR -abs_IZR; exact: IZR_le.
have := slope_above; rewrite mult_IZR; have := Rabs_pos (IZR m' - IZR m).
set a := Rabs _ in step k_ge *; set s := \rsum_(i < size st) theta i in sum_ge0 step *; set r := IZR (slope st).
have e10 : 2 ^ 10 = 1024 by ring.
move=> a_ge0; rewrite e10 => r_ge; have : a * s <= IZR k * s by nra.
have : IZR k * (1024 * s) <= IZR k * r by apply: Rmult_le_compat_l; lra.
by lra.
Qed.

Lemma part_ge m : - INR (size st) <= part m.
Proof.
have -> : - INR (size st) = \rsum_(i < size st) -1 by rewrite rsum_const; ring.
by apply: rsum_le => i; have [] := COS_bound (IZR m * theta i).
Qed.

End Part.

Lemma slope_gt0 ps : (0 < slope ps)%Z.
Proof.
have sum_ge0 : (0 <= foldr (fun p s => Zpos p + 1 + s) 0 ps)%Z by elim: ps => [|p ps IHps]; cbn [foldr]; lia.
rewrite /slope; have : (0 <= foldr (fun p s => Zpos p + 1 + s) 0 ps * 62832 * 2 ^ 10 / (10000 * 2 ^ 33))%Z.
  by apply: Z.div_pos => //; do 2!apply: Z.mul_nonneg_nonneg => //.
by lia.
Qed.

(** ** Some of the angles *)

Definition in_range (l : seq positive) (rate : nat -> R) : Prop := forall i, (i < size l)%N ->
  IZR (Zpos (nth 1%positive l i)) <= 2 ^ 33 * (rate i / (2 * PI)) <= IZR (Zpos (nth 1%positive l i)) + 1.

Definition shifted_rate (k : nat) (l : seq positive) (rate : nat -> R) (i : nat) : R := rate (size (take k l) + i)%N.

Section Split.
Variables (k : nat) (l : seq positive) (rate : nat -> R).
Hypothesis l_range : in_range l rate.

Lemma range_take : in_range (take k l) rate.
Proof.
move=> i; rewrite size_take; case: (ltnP k (size l)) => [lt_k lt_i | ge_k lt_i].
  by rewrite nth_take //; exact: l_range (ltn_trans lt_i lt_k).
by rewrite nth_take ?(leq_trans lt_i ge_k) //; exact: l_range.
Qed.

Lemma range_drop : in_range (drop k l) (shifted_rate k l rate).
Proof.
move=> i; rewrite size_drop ltn_subRL => lt_i; rewrite nth_drop /shifted_rate size_takel; first exact: l_range.
by apply: leq_trans (ltnW lt_i); exact: leq_addr.
Qed.

Lemma part_split m : part l rate m = part (take k l) rate m + part (drop k l) (shifted_rate k l rate) m.
Proof.
have -> : part l rate m = \rsum_(i < size (take k l) + size (drop k l)) cos (IZR m * rate i).
  by rewrite -size_cat cat_take_drop.
by rewrite big_split_ord.
Qed.

Lemma phases_take m ps : phases_at l m ps -> phases_at (take k l) m (take k ps).
Proof.
move=> [size_p at_p]; split=> [|i lt_i]; first by rewrite !size_take size_p.
have lt_k : (i < k)%N by apply: leq_trans lt_i _; rewrite size_take_min geq_minl.
by rewrite !nth_take //; apply: at_p; apply: leq_trans lt_i _; rewrite size_take_min geq_minr.
Qed.

Lemma phases_drop m ps : phases_at l m ps -> phases_at (drop k l) m (drop k ps).
Proof.
move=> [size_p at_p]; split=> [|i lt_i]; first by rewrite !size_drop size_p.
by rewrite !nth_drop; apply: at_p; rewrite -ltn_subRL -size_drop.
Qed.

End Split.
