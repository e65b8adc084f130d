(** * Large bases serve, and where bases in use stop

  With a base far above the length, all angles but the first few stay small, so that their cosines
  outweigh what the first can subtract: every length is served by all bases from some base on.

  negative_at base h m == the score is negative at the distance m
  fails_within base h m n
                      == the score is negative at the distance m, which is at most n
  first_failures      == base, number of pairs and the first distance at which the score is negative, for
                         bases in use
  fails_at row        == the score is negative there

  Main results: what of base.safe-from and base.released-models is proved. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures UnitScore.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The tail *)

Lemma cosine_of_small x : 0 <= x <= / 2 -> 7 / 8 <= cos x.
Proof. by move=> [x_ge0 x_le]; interval with (i_prec 30, i_autodiff x). Qed.

Lemma two_values (c k : nat) (a b : R) :
  \rsum_(i < c + k) (if (c <= i)%N then b else a) = INR c * a + INR k * b.
Proof.
rewrite big_split_ord /= -!rsum_const; congr (_ + _); apply: eq_bigr => i _; last by rewrite leq_addr.
by rewrite leqNgt ltn_ord.
Qed.

(** Where [c] pairs may be anything and the other angles are at most one half, 7/8 of the others outweigh them. *)
Lemma small_angles_serve base (h c n : nat) : 1 <= base -> (0 < h)%N -> (c <= h)%N ->
  INR c <= 7 / 8 * INR (h - c) -> INR n * Rpower base (- (INR c / INR h)) <= / 2 -> serves base h n.
Proof.
move=> base_ge1 h_pos c_le outweighed small m m_le; have h_gt0 : 0 < INR h by apply: lt_0_INR; apply/ltP.
set omega := frequency base h.*2; set x := INR m.
have x_ge0 : 0 <= x := pos_INR m; have x_le : x <= INR n by apply: le_INR; apply/leP.
pose term (i : nat) : R := if (c <= i)%N then 7 / 8 else -1.
have term_le (i : 'I_h) : term i <= cos (x * omega i).
  rewrite /term; case: ifP => [c_le_i | _]; last by have [] := COS_bound (x * omega i).
  apply: cosine_of_small; have rate_gt0 : 0 < omega i := frequency_gt0 _ _ _.
  split; first by apply: Rmult_le_pos => //; exact: Rlt_le.
  apply: Rle_trans small; apply: Rmult_le_compat => //; first exact: Rlt_le.
  rewrite /omega frequency_pairs; apply: Rle_Rpower => //; apply: Ropp_le_contravar.
  apply: Rmult_le_compat_r; first exact/Rlt_le/Rinv_0_lt_compat.
  by apply: le_INR; apply/leP.
apply: (Rle_trans _ (INR c * -1 + INR (h - c) * (7 / 8))); first by lra.
by have := two_values c (h - c) (-1) (7 / 8); rewrite subnKC // => <-; exact: (rsum_le term_le).
Qed.

(** An angle that the power of a base makes small. *)
Lemma angle_small base (c k n : nat) : (0 < c)%N -> (0 < k)%N -> (0 < n)%N -> (2 * INR n) ^ k <= base ->
  INR n * Rpower base (- (INR c / INR (c * k))) <= / 2.
Proof.
move=> c_pos k_pos n_pos power_le; have c_gt0 : 0 < INR c by apply: lt_0_INR; apply/ltP.
have k_gt0 : 0 < INR k by apply: lt_0_INR; apply/ltP.
have n_ge1 : 1 <= INR n by apply: (le_INR 1); apply/leP.
have -> : INR c / INR (c * k) = / INR k by rewrite mult_INR; field; lra.
have root : 2 * INR n <= Rpower base (/ INR k).
  have -> : 2 * INR n = Rpower ((2 * INR n) ^ k) (/ INR k).
    by rewrite -Rpower_pow ?Rpower_mult ?Rinv_r ?Rpower_1 //; lra.
  apply: Rle_Rpower_l; first exact/Rlt_le/Rinv_0_lt_compat.
  by split=> //; apply: pow_lt; lra.
rewrite Rpower_Ropp; apply: (Rmult_le_reg_r (Rpower base (/ INR k))); first by lra.
by rewrite Rmult_assoc Rinv_l; lra.
Qed.

Lemma power_base_ge1 (n k : nat) : (0 < n)%N -> 1 <= (2 * INR n) ^ k.
Proof.
move=> n_pos; apply: pow_R1_Rle; have : 1 <= INR n by apply: (le_INR 1); apply/leP.
by lra.
Qed.

(** ** Bases just below *)

(** That the score is negative at a distance: 32 bits tell it from 0 at all those below. *)
Definition negative_at (base : positive) (h : nat) (m : Z) : bool :=
  (0 < h)%N && is_positive_interval (I.neg (score_enclosure_to (StdZFloat.PtoP 32) base h m)).

Lemma negative_atP base h m : negative_at base h m -> unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR m) < 0.
Proof.
move=> /andP[h_pos /positive_interval negative].
by have := negative _ (encloses_neg (score_encloses_to (StdZFloat.PtoP 32) base m h_pos)); lra.
Qed.

(** A distance within the length at which a base fails, as an integer that is not counted out. *)
Definition fails_within (base : positive) (h : nat) (m : Z) (n : nat) : bool :=
  (0 <=? m)%Z && (m <=? Z.of_nat n)%Z && negative_at base h m.

Lemma fails_withinP base h m n : fails_within base h m n -> ~ serves (IZR (Zpos base)) h n.
Proof.
move=> /andP[/andP[/Z.leb_le m_ge0 /Z.leb_le m_le] /negative_atP negative].
move=> /(_ (Z.to_nat m)); rewrite INR_IZR_INZ Z2Nat.id // => at_m.
suff m_in : (Z.to_nat m <= n)%N by have := at_m m_in; lra.
by apply/leP; lia.
Qed.

Lemma not_serving_below : ~ serves 6018 64 1024 /\ ~ serves 22764 64 2048 /\ ~ serves 58789 64 4096 /\
  ~ serves 394327 64 (2 ^ 13) /\ ~ serves 1321077 64 (2 ^ 14).
Proof.
have at_1024 : fails_within 6018 64 903 1024 by vm_cast_no_check (erefl true).
have at_2048 : fails_within 22764 64 1946 2048 by vm_cast_no_check (erefl true).
have at_4096 : fails_within 58789 64 4000 4096 by vm_cast_no_check (erefl true).
have at_8192 : fails_within 394327 64 7626 (2 ^ 13) by vm_cast_no_check (erefl true).
have at_16384 : fails_within 1321077 64 16333 (2 ^ 14) by vm_cast_no_check (erefl true).
exact (conj (fails_withinP at_1024) (conj (fails_withinP at_2048) (conj (fails_withinP at_4096)
  (conj (fails_withinP at_8192) (fails_withinP at_16384))))).
Qed.

(** Of base.safe-from: every length has a base from which on all real bases serve it, (2L)^(d/2) for
    every even d >= 6 and (2L)^4 for d = 128; and the integers below its bases do not serve. *)
Corollary base_safe_from_tail :
  (forall h n : nat, (2 < h)%N -> (0 < n)%N -> forall base : R, (2 * INR n) ^ h <= base -> serves base h n) /\
  (forall n : nat, (0 < n)%N -> forall base : R, (2 * INR n) ^ 4 <= base -> serves base 64 n) /\
  ~ serves 6018 64 1024 /\ ~ serves 22764 64 2048 /\ ~ serves 58789 64 4096 /\
  ~ serves 394327 64 (2 ^ 13) /\ ~ serves 1321077 64 (2 ^ 14).
Proof.
split=> [h n h_gt2 n_pos base base_ge | ].
  have base_ge1 := power_base_ge1 h n_pos; have h_pos : (0 < h)%N by apply: leq_trans h_gt2.
  apply: (@small_angles_serve base h 1) => //; first by lra.
    have : INR 3 <= INR h by apply: le_INR; apply/leP.
    by rewrite minus_INR /=; [lra | apply/leP].
  by have := @angle_small base 1 h n isT h_pos n_pos base_ge; rewrite mul1n.
split=> [n n_pos base base_ge | ]; last exact: not_serving_below.
have base_ge1 := power_base_ge1 4 n_pos.
apply: (@small_angles_serve base 64 16) => //; first by lra.
  by rewrite !INR_IZR_INZ [Z.of_nat _]/= [Z.of_nat (_ - _)]/=; lra.
exact: (@angle_small base 16 4 n).
Qed.

(** ** Bases in use *)

Definition first_failures : seq (positive * nat * Z) :=
  [:: (10000, 32%N, 725%Z); (10000, 40%N, 1159%Z); (10000, 48%N, 1046%Z); (10000, 64%N, 1707%Z);
      (10000, 128%N, 2653%Z); (100000, 64%N, 7757%Z); (500000, 32%N, 9937%Z); (500000, 64%N, 18438%Z);
      (1000000, 64%N, 27115%Z); (1000000, 128%N, 71627%Z); (5000000, 64%N, 82999%Z); (10000000, 64%N, 144660%Z);
      (25000000, 64%N, 137077%Z); (150000, 32%N, 2774%Z); (160000, 32%N, 5205%Z)]%positive.

Definition fails_at (row : positive * nat * Z) : bool := negative_at row.1.1 row.1.2 row.2.

(** Of base.released-models: at the fifteen distances the score is negative, so that none of the
    fifteen pairs of base and dimension serves a longer context. *)
Corollary base_released_models_no_longer (base : positive) (h : nat) (first : Z) :
  List.In (base, h, first) first_failures ->
  unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR first) < 0.
Proof.
have all_fail : all fails_at first_failures by vm_cast_no_check (erefl true).
move=> listed; have : fails_at (base, h, first).
  elim: first_failures all_fail listed => [//|row rows IHrows] /= /andP[here later] [<- // | ].
  exact: IHrows.
exact: negative_atP.
Qed.
