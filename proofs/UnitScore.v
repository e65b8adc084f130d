(** * The score of q = k = (1, 0, 1, 0, ...)

  The simplest score of rotary encoding: every pair contributes the cosine of the distance times
  its frequency. It is what papers on the base sum up.

  ones h            == the vector (1, 0, 1, 0, ...) of h pairs
  unit_score h w x  == sum_(i<h) cos (x w_i)
  serves base h n   == the score with the frequencies of base is not negative at any integer
                       distance from 0 to n

  Main results: [dot_ones] (the score of q = k = ones is unit_score) and [unit_score_between]
  (figures by interval arithmetic). *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary IntervalTactic Figures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition ones (h : nat) : 'cV[R]_(h.*2) := join_pairs (fun=> col2 1 0).
Definition unit_score (h : nat) (omega : nat -> R) (x : R) : R := \rsum_(i < h) cos (x * omega i).
Definition serves (base : R) (h : nat) (n : nat) : Prop :=
  forall m : nat, (m <= n)%N -> 0 <= unit_score h (frequency base h.*2) (INR m).

Lemma dot_ones h omega m n :
  dot (rotary omega (ones h) m) (rotary omega (ones h) n) = unit_score h omega (m - n).
Proof.
rewrite dot_pairs; apply: eq_bigr => i _.
rewrite !pair_of_rotary pair_of_join /rotate /rotation !mx22_col2 dot_col2.
by rewrite Rmult_minus_distr_r cos_minus; ring.
Qed.

(** The score of a vector and the same vector turned. *)
Lemma dot_rotation a (q : 'cV[R]_2) : dot (rotation a *m q) q = cos a * norm2 q.
Proof.
have -> : q = col2 (q (bit false) ord0) (q (bit true) ord0).
  by apply: rows2P => b j; rewrite (ord1 j) col2E; case: b.
by rewrite /rotation mx22_col2 /norm2 !dot_col2; ring.
Qed.

Lemma unit_score_le h omega x : unit_score h omega x <= INR h.
Proof.
rewrite -[INR h]Rmult_1_r -rsum_const; apply: rsum_le => i.
by have [] := COS_bound (x * omega i).
Qed.

(** ** Figures *)

(** An enclosure of the score at distance n, to a precision. *)
Definition score_enclosure_to (p : I.precision) (base : positive) (h : nat) (n : Z) : I.type :=
  cos_sum p h (ratio_enclosure base h) (I.fromZ prec n) I.zero.
Definition score_enclosure : positive -> nat -> Z -> I.type := score_enclosure_to prec.

Lemma score_encloses_to p base h n : (0 < h)%N ->
  encloses (score_enclosure_to p base h n) (unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR n)).
Proof.
move=> h_pos; have q_in := ratio_encloses base h_pos.
have := cos_sum_encloses p h q_in (encloses_Z n) encloses_0; rewrite Rplus_0_l.
set s := \rsum_(i < h) _; set s' := unit_score _ _ _; suff -> : s = s' by [].
by apply: eq_bigr => i _; rewrite frequency_ratio //; apply: IZR_lt.
Qed.

Lemma score_encloses base h n : (0 < h)%N ->
  encloses (score_enclosure base h n) (unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR n)).
Proof. exact: score_encloses_to. Qed.

Lemma unit_score_between base h n lo hi den : (0 < h)%N ->
  between lo hi den (score_enclosure base h n) ->
  IZR lo / IZR (Zpos den) < unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR n) <
  IZR hi / IZR (Zpos den).
Proof. by move=> h_pos; apply: betweenP; apply: score_encloses. Qed.

Lemma unit_score_negative base h n : (0 < h)%N ->
  is_positive_interval (I.neg (score_enclosure base h n)) ->
  unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR n) < 0.
Proof.
move=> h_pos /positive_interval negative.
by have := negative _ (encloses_neg (score_encloses base n h_pos)); lra.
Qed.

(** A base that violates the criterion at one distance serves no length from there on. *)
Lemma not_serving base h (m n : nat) : (0 < h)%N -> (m <= n)%N ->
  is_positive_interval (I.neg (score_enclosure base h (Z.of_nat m))) ->
  ~ serves (IZR (Zpos base)) h n.
Proof.
move=> h_pos m_le /(unit_score_negative h_pos); rewrite -INR_IZR_INZ => negative /(_ m m_le).
by lra.
Qed.
