(** * Certified sums of cosines

    Dot products of encodings are sums of hundreds of cosines whose frequencies form
    a geometric progression.  Here such a sum is enclosed by one computation in
    interval arithmetic over unbounded binary floating-point numbers, proved to
    contain the real number it stands for.

    Dictionary
      I                     == CoqInterval's interval arithmetic over StdZFloat
      finest, prec, coarse  == the precisions of computations: 80, 68 and 24 bits
      encloses xi x         == the interval xi contains the real x
      cos_sum p m q a acc   == an enclosure of acc + sum_(i<m) cos (a q^i)
      ratio_enclosure base h == an enclosure of base^(-1/h), the ratio of the frequencies, to 68 bits;
                               ratio_enclosure_to p is to p bits
      similarity_enclosure base h o n
                            == an enclosure of sum_(i<h) cos (n w_(i+o)), the similarity at
                               distance n with pairs counted from o
      between lo hi den xi  == xi lies strictly between lo/den and hi/den
      cosines_below base h m c den lo n
                            == wherever y is between lo/den and (lo+n)/den, the m cosines of
                               the angles y, y w_1, y w_1^2, ... add up to less than c

    Main results: [similarity_between], which turns a computation into bounds on a sum of
    cosines; [cosines_belowP], the same for a first angle that is known by an interval
    alone. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Interval Require Import Xreal Basic Specific_ops Interval Float_full.
From Posproof Require Import RealMatrix Pairs Encoding IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Module I := FloatIntervalFull StdZFloat.

Definition finest := StdZFloat.PtoP 80.
Definition prec := StdZFloat.PtoP 68.
Definition coarse := StdZFloat.PtoP 24.

(** ** Enclosures *)

Definition encloses (xi : I.type) (x : R) : Prop := contains (I.convert xi) (Xreal x).

Lemma encloses_Z n : encloses (I.fromZ prec n) (IZR n).
Proof. exact: I.fromZ_correct. Qed.

Lemma encloses_Z_to p n : encloses (I.fromZ p n) (IZR n).
Proof. exact: I.fromZ_correct. Qed.

Lemma encloses_0 : encloses I.zero 0.
Proof. by rewrite /encloses I.zero_correct /=; lra. Qed.

Lemma encloses_add p xi yi x y : encloses xi x -> encloses yi y -> encloses (I.add p xi yi) (x + y).
Proof. exact: I.add_correct. Qed.

Lemma encloses_sub p xi yi x y : encloses xi x -> encloses yi y -> encloses (I.sub p xi yi) (x - y).
Proof. exact: I.sub_correct. Qed.

Lemma encloses_mul p xi yi x y : encloses xi x -> encloses yi y -> encloses (I.mul p xi yi) (x * y).
Proof. exact: I.mul_correct. Qed.

Lemma encloses_neg xi x : encloses xi x -> encloses (I.neg xi) (- x).
Proof. exact: I.neg_correct. Qed.

Lemma encloses_cos p xi x : encloses xi x -> encloses (I.cos p xi) (cos x).
Proof. exact: I.cos_correct. Qed.

Lemma encloses_exp_to p xi x : encloses xi x -> encloses (I.exp p xi) (exp x).
Proof. exact: I.exp_correct. Qed.

Lemma encloses_exp xi x : encloses xi x -> encloses (I.exp prec xi) (exp x).
Proof. exact: encloses_exp_to. Qed.

Arguments encloses_add {p xi yi x y}.
Arguments encloses_sub {p xi yi x y}.
Arguments encloses_mul {p xi yi x y}.
Arguments encloses_cos {p xi x}.

Lemma encloses_div_to p xi yi x y :
  y <> 0 -> encloses xi x -> encloses yi y -> encloses (I.div p xi yi) (x / y).
Proof.
move=> y_ne0 x_in y_in; have := I.div_correct p _ _ _ _ x_in y_in.
by rewrite /Xdiv' /=; case: is_zero_spec => [/y_ne0 | _].
Qed.

Lemma encloses_div xi yi x y :
  y <> 0 -> encloses xi x -> encloses yi y -> encloses (I.div prec xi yi) (x / y).
Proof. exact: encloses_div_to. Qed.

Lemma encloses_ln_to p xi x : 0 < x -> encloses xi x -> encloses (I.ln p xi) (ln x).
Proof.
move=> x_gt0 x_in; have := I.ln_correct p _ _ x_in.
rewrite /Xln' /=; case: is_positive_spec => // x_le0; exfalso; lra.
Qed.

Lemma encloses_ln xi x : 0 < x -> encloses xi x -> encloses (I.ln prec xi) (ln x).
Proof. exact: encloses_ln_to. Qed.

(** ** Comparisons *)

Definition is_positive_interval (xi : I.type) : bool :=
  if I.sign_strict xi is Xgt then true else false.

Lemma positive_interval xi x : encloses xi x -> is_positive_interval xi -> 0 < x.
Proof.
move=> x_in; rewrite /is_positive_interval.
by have := I.sign_strict_correct xi; case: (I.sign_strict xi) => // /(_ _ x_in) [].
Qed.

Definition quotient (num : Z) (den : positive) : I.type :=
  I.div prec (I.fromZ prec num) (I.fromZ prec (Zpos den)).

Lemma encloses_quotient num den : encloses (quotient num den) (IZR num / IZR (Zpos den)).
Proof. by apply: encloses_div; [exact: IZR_neq | exact: encloses_Z | exact: encloses_Z]. Qed.

Definition between (lo hi : Z) (den : positive) (xi : I.type) : bool :=
  is_positive_interval (I.sub prec xi (quotient lo den)) &&
  is_positive_interval (I.sub prec (quotient hi den) xi).

Lemma betweenP lo hi den xi x : encloses xi x -> between lo hi den xi ->
  IZR lo / IZR (Zpos den) < x < IZR hi / IZR (Zpos den).
Proof.
move=> x_in /andP[/positive_interval above /positive_interval below].
have := above _ (encloses_sub x_in (encloses_quotient lo den)).
have := below _ (encloses_sub (encloses_quotient hi den) x_in); lra.
Qed.

(** ** Sums of cosines of a geometric progression *)

Fixpoint cos_sum (p : I.precision) (m : nat) (q a acc : I.type) : I.type :=
  if m is m'.+1 then
    cos_sum p m' q (I.mul p a q) (I.add p acc (I.cos p a))
  else acc.

Lemma cos_sum_encloses p m qi ai si q a s : encloses qi q -> encloses ai a -> encloses si s ->
  encloses (cos_sum p m qi ai si) (s + \rsum_(i < m) cos (a * q ^ i)).
Proof.
move=> q_in; elim: m ai si a s => [|m IHm] ai si a s a_in s_in /=.
  by rewrite big_ord0 Rplus_0_r.
rewrite big_ord_recl /= Rmult_1_r -Rplus_assoc.
suff -> : \rsum_(i < m) cos (a * q ^ bump 0 i) = \rsum_(i < m) cos (a * q * q ^ i).
  by apply: IHm; [exact: encloses_mul | apply: encloses_add => //; exact: encloses_cos].
by apply: eq_bigr => i _; rewrite /bump add1n /=; congr cos; ring.
Qed.

(** ** The similarity at distance n *)

Definition ratio_enclosure_to (p : I.precision) (base : positive) (h : nat) : I.type :=
  I.exp p (I.neg (I.div p (I.ln p (I.fromZ prec (Zpos base))) (I.fromZ prec (Z.of_nat h)))).

Definition ratio_enclosure : positive -> nat -> I.type := ratio_enclosure_to prec.

Lemma ratio_encloses_to p base h : (0 < h)%N ->
  encloses (ratio_enclosure_to p base h) (Rpower (IZR (Zpos base)) (- (1 / INR h))).
Proof.
move=> h_pos; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
have -> : Rpower (IZR (Zpos base)) (- (1 / INR h)) = exp (- (ln (IZR (Zpos base)) / INR h)).
  by rewrite /Rpower; congr exp; field; lra.
apply: encloses_exp_to; apply: encloses_neg; apply: encloses_div_to; first by lra.
  by apply: encloses_ln_to; [exact: IZR_lt | exact: encloses_Z].
by rewrite INR_IZR_INZ; apply: encloses_Z.
Qed.

Lemma ratio_encloses base h : (0 < h)%N ->
  encloses (ratio_enclosure base h) (Rpower (IZR (Zpos base)) (- (1 / INR h))).
Proof. exact: ratio_encloses_to. Qed.

(** The frequencies are the powers of their ratio. *)
Lemma frequency_ratio base h i : (0 < h)%N -> 0 < base ->
  frequency base h.*2 i = Rpower base (- (1 / INR h)) ^ i.
Proof.
move=> h_pos base_gt0; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
rewrite frequency_pairs -Rpower_pow; last exact: exp_pos.
by rewrite Rpower_mult; congr Rpower; field; lra.
Qed.

Definition similarity_enclosure (base : positive) (h o n : nat) : I.type :=
  let q := ratio_enclosure base h in
  let first := iter o (fun a => I.mul prec a q) (I.fromZ prec (Z.of_nat n)) in
  cos_sum prec h q first I.zero.

Lemma similarity_encloses base h o n : (0 < h)%N ->
  encloses (similarity_enclosure base h o n)
           (\rsum_(i < h) cos (INR n * frequency (IZR (Zpos base)) h.*2 (o + i))).
Proof.
move=> h_pos; have q_in := ratio_encloses base h_pos.
set q := Rpower _ _ in q_in.
have first_in :
    encloses (iter o (fun a => I.mul prec a (ratio_enclosure base h)) (I.fromZ prec (Z.of_nat n)))
             (INR n * q ^ o).
  elim: o => [|o IHo] /=; first by rewrite Rmult_1_r INR_IZR_INZ; apply: encloses_Z.
  have -> : INR n * (q * q ^ o) = INR n * q ^ o * q by ring.
  exact: encloses_mul.
have := cos_sum_encloses prec h q_in first_in encloses_0; rewrite Rplus_0_l.
suff -> : \rsum_(i < h) cos (INR n * q ^ o * q ^ i) =
          \rsum_(i < h) cos (INR n * frequency (IZR (Zpos base)) h.*2 (o + i)) by [].
apply: eq_bigr => i _; rewrite frequency_ratio //; last exact: IZR_lt.
by rewrite -/q pow_add; congr cos; ring.
Qed.

Lemma similarity_between base h o n lo hi den : (0 < h)%N ->
  between lo hi den (similarity_enclosure base h o n) ->
  IZR lo / IZR (Zpos den) <
  \rsum_(i < h) cos (INR n * frequency (IZR (Zpos base)) h.*2 (o + i)) <
  IZR hi / IZR (Zpos den).
Proof. by move=> h_pos; apply: betweenP; apply: similarity_encloses. Qed.

(** ** Cosines whose first angle lies anywhere in an interval *)

Definition interval_between (lo hi : Z) (den : positive) : I.type :=
  I.join (quotient lo den) (quotient hi den).

Lemma encloses_between lo hi den y :
  IZR lo / IZR (Zpos den) <= y <= IZR hi / IZR (Zpos den) -> encloses (interval_between lo hi den) y.
Proof.
move=> y_range; apply: (contains_connected _ _ _ _ _ _ y_range).
  by apply: I.join_correct; left; apply: encloses_quotient.
by apply: I.join_correct; right; apply: encloses_quotient.
Qed.

(** The interval is cut into n pieces of length 1/den, and each is looked at by itself. *)
Fixpoint pieces_below (m : nat) (c : Z) (q : I.type) (den : positive) (lo : Z) (n : nat) : bool :=
  if n is n'.+1 then
    is_positive_interval (I.sub coarse (I.fromZ prec c)
      (cos_sum coarse m q (interval_between lo (Z.succ lo) den) I.zero)) &&
    pieces_below m c q den (Z.succ lo) n'
  else true.

Lemma pieces_belowP m c qi q den lo n y : encloses qi q -> (0 < n)%N ->
  IZR lo / IZR (Zpos den) <= y <= IZR (lo + Z.of_nat n) / IZR (Zpos den) ->
  pieces_below m c qi den lo n -> \rsum_(i < m) cos (y * q ^ i) < IZR c.
Proof.
move=> q_in; elim: n lo => // n IHn lo _ y_range /andP[here later].
have [y_here | y_later] := Rle_or_lt y (IZR (Z.succ lo) / IZR (Zpos den)).
  have y_in := encloses_between (conj (proj1 y_range) y_here).
  have sum_in := cos_sum_encloses coarse m q_in y_in encloses_0.
  have := positive_interval (encloses_sub (encloses_Z c) sum_in) here.
  by rewrite Rplus_0_l => ?; lra.
case: n IHn later y_range => [|n] IHn later [y_ge y_le].
  by have := Rlt_le_trans _ _ _ y_later y_le; rewrite [Z.of_nat 1]/= Z.add_1_r; lra.
apply: (IHn (Z.succ lo)) => //; split; first exact: Rlt_le.
by rewrite -Z.add_1_l -Z.add_assoc [(1 + _)%Z]Z.add_shuffle3 Z.add_1_l -Nat2Z.inj_succ.
Qed.

Definition cosines_below (base : positive) (h m : nat) (c : Z) (den : positive) (lo : Z) (n : nat) : bool :=
  pieces_below m c (ratio_enclosure base h) den lo n.

Lemma cosines_belowP base h m c den lo n y : (0 < h)%N -> (0 < n)%N ->
  cosines_below base h m c den lo n ->
  IZR lo / IZR (Zpos den) <= y <= IZR (lo + Z.of_nat n) / IZR (Zpos den) ->
  \rsum_(i < m) cos (y * Rpower (IZR (Zpos base)) (- (1 / INR h)) ^ i) < IZR c.
Proof.
move=> h_pos n_pos below y_range.
exact: (pieces_belowP (ratio_encloses base h_pos) n_pos y_range below).
Qed.
