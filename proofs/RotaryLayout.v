(** * The two layouts of rotary pairs

  RoPE turns pairs of coordinates. Interleaved, pair i is (2i, 2i+1), as in Rotary; split in
  halves, it is (i, i+h), where d = h.*2. Programs use both, and weights made for one give
  wrong scores with the other.

  at_half i b           == coordinate i (b = false) or i + h (b = true), in 'I_(h.*2)
  half_no j, in_second j == the pair of coordinate j in halves, and whether it is its second
  half_split_matrix h omega m == the rotation by m ω_i of the pairs (i, i+h)
  half_split omega x m  == that matrix times the column x
  regroup h             == the permutation of coordinates that takes at_half i b to at_pair i b
  to_halves x           == x moved from pairs (2i, 2i+1) to pairs (i, i+h)

  Main results: [half_split_component] spells the half-split rotation out by coordinates, and
  [rope_pair_layout] relates the layouts. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Section HalfSplit.

Variable h : nat.

Lemma at_half_subproof (i : 'I_h) (b : bool) : ((if b then i + h else i) < h.*2)%N.
Proof. by rewrite -addnn; case: b; [rewrite ltn_add2r | apply: ltn_addr]. Qed.

Definition at_half (i : 'I_h) (b : bool) : 'I_(h.*2) := Ordinal (at_half_subproof i b).

Definition in_second (j : 'I_(h.*2)) : bool := (h <= j)%N.

Lemma half_no_subproof (j : 'I_(h.*2)) : ((if (h <= j)%N then j - h else j) < h)%N.
Proof. by case: (leqP h j) => // le_hj; rewrite -(ltn_add2r h) subnK // addnn. Qed.

Definition half_no (j : 'I_(h.*2)) : 'I_h := Ordinal (half_no_subproof j).

Lemma in_second_at i b : in_second (at_half i b) = b.
Proof. by case: b; rewrite /in_second /= ?leq_addl // leqNgt ltn_ord. Qed.

Lemma half_no_at i b : half_no (at_half i b) = i.
Proof.
apply: val_inj; rewrite /= -/(in_second (at_half i b)) in_second_at.
by case: b => //=; rewrite addnK.
Qed.

Lemma at_halfK j : at_half (half_no j) (in_second j) = j.
Proof. by apply: val_inj; rewrite /= /in_second; case: leqP => // /subnK. Qed.

(** Every coordinate is the first or the second of a half-split pair. *)
Lemma halfP j : exists i b, j = at_half i b.
Proof. by exists (half_no j), (in_second j); rewrite at_halfK. Qed.

(** The permutation from one layout to the other. *)
Definition regroup_fun (j : 'I_(h.*2)) : 'I_(h.*2) := at_pair (half_no j) (in_second j).

Lemma regroup_inj : injective regroup_fun.
Proof.
move=> j k eq_jk; rewrite -(at_halfK j) -(at_halfK k); congr at_half.
  by rewrite -[LHS](pair_no_at _ (in_second j)) -/(regroup_fun j) eq_jk pair_no_at.
by rewrite -[LHS](odd_at (half_no j)) -/(regroup_fun j) eq_jk odd_at.
Qed.

Definition regroup : 'S_(h.*2) := perm regroup_inj.

Lemma regroup_at i b : regroup (at_half i b) = at_pair i b.
Proof. by rewrite permE /regroup_fun half_no_at in_second_at. Qed.

Definition to_halves (x : 'cV[R]_(h.*2)) : 'cV[R]_(h.*2) := perm_matrix regroup *m x.

Lemma to_halves_at x i b : to_halves x (at_half i b) ord0 = x (at_pair i b) ord0.
Proof. by rewrite perm_matrix_mul_entry regroup_at. Qed.

Definition half_split_matrix (omega : nat -> R) (m : R) : 'M[R]_(h.*2) :=
  \matrix_(j, k) if half_no j == half_no k
    then rotation (m * omega (half_no j)) (bit (in_second j)) (bit (in_second k)) else 0.
Definition half_split (omega : nat -> R) (x : 'cV[R]_(h.*2)) (m : R) : 'cV[R]_(h.*2) :=
  half_split_matrix omega m *m x.

Lemma half_split_matrix_regroup omega m :
  half_split_matrix omega m =
  perm_matrix regroup *m rotary_matrix h omega m *m (perm_matrix regroup)^T.
Proof.
apply/matrixP => j k; have [i [b ->]] := halfP j; have [i' [b' ->]] := halfP k.
rewrite mul_tr_perm_matrix_entry perm_matrix_mul_entry !regroup_at block_diagE.
by rewrite mxE !half_no_at !in_second_at.
Qed.

(** Moving the coordinates before the half-split rotation, or after the interleaved one. *)
Lemma half_split_to_halves omega x m :
  half_split omega (to_halves x) m = to_halves (rotary omega x m).
Proof.
rewrite /half_split half_split_matrix_regroup /to_halves /rotary !mulR_A; congr (_ *m _).
by rewrite -!mulR_A tr_perm_matrix_mul mulR1.
Qed.

Lemma dot_to_halves x y : dot (to_halves x) (to_halves y) = dot x y.
Proof. by rewrite dot_mulR_l mulR_A tr_perm_matrix_mul mul1R. Qed.

(** Coordinates i and i + h turn together. *)
Lemma half_split_component (omega : nat -> R) x m (i : 'I_h) :
  let a := m * omega i in
  half_split omega x m (at_half i false) ord0 =
    cos a * x (at_half i false) ord0 - sin a * x (at_half i true) ord0 /\
  half_split omega x m (at_half i true) ord0 =
    sin a * x (at_half i false) ord0 + cos a * x (at_half i true) ord0.
Proof.
have x_regrouped : x = to_halves ((perm_matrix regroup)^T *m x).
  by rewrite /to_halves mulR_A perm_matrix_mul_tr mul1R.
rewrite x_regrouped half_split_to_halves !to_halves_at; exact: rotary_component.
Qed.

End HalfSplit.

(** Where pairs interleaved meet pairs in halves: dimension 4, a quarter turn per position. *)
Definition quarter_turn (i : nat) : R := PI / 2.
Definition first_axis : 'cV[R]_(2.*2) := unit_column ord0.

Lemma first_axis_to_halves : to_halves first_axis = first_axis.
Proof.
apply/matrixP => j k; have [i [b ->]] := halfP j.
rewrite (ord1 k) to_halves_at !mxE.
by case: i => [[|[|//]]] ?; case: b.
Qed.

(** With both vectors on the first axis and at one position, interleaved for one and in halves
    for the other: the first goes to the second axis, the second to the third. *)
Lemma mixed_score m :
  dot (rotary quarter_turn first_axis m) (half_split quarter_turn first_axis m) =
  cos (m * (PI / 2)) ^ 2.
Proof.
pose i0 : 'I_2 := ord0; pose i1 : 'I_2 := lift ord0 ord0.
have [r0 r1] := rotary_component quarter_turn first_axis m i0.
have [r2 r3] := rotary_component quarter_turn first_axis m i1.
have [s0 s2] := half_split_component quarter_turn first_axis m i0.
have [s1 s3] := half_split_component quarter_turn first_axis m i1.
have at1 : at_pair i0 true = at_half i1 false by apply: val_inj.
have at2 : at_pair i1 false = at_half i0 true by apply: val_inj.
have at3 : at_pair i1 true = at_half i1 true by apply: val_inj.
have at0 : at_pair i0 false = at_half i0 false by apply: val_inj.
have x0 : first_axis (at_half i0 false) ord0 = 1 by rewrite mxE.
have x1 : first_axis (at_half i1 false) ord0 = 0 by rewrite mxE.
have x2 : first_axis (at_half i0 true) ord0 = 0 by rewrite mxE.
have x3 : first_axis (at_half i1 true) ord0 = 0 by rewrite mxE.
rewrite /dot rsum_pairs !big_ord_recl big_ord0 -/i0 -/i1 /= r0 r1 r2 r3.
rewrite at0 at1 at2 at3 s0 s1 s2 s3 x0 x1 x2 x3 /quarter_turn; ring.
Qed.

(** rope.pair-layout: The interleaved layout and the half-split layout are one rotation up to a
    fixed permutation of coordinates, so scores agree when q and k use the same layout, and
    need not when they use different ones. *)
Theorem rope_pair_layout :
  (forall h (i : 'I_h) b, regroup h (at_half i b) = at_pair i b) /\
  (forall h (omega : nat -> R) m,
     half_split_matrix h omega m =
     perm_matrix (regroup h) *m rotary_matrix h omega m *m (perm_matrix (regroup h))^T) /\
  (forall h (omega : nat -> R) (q k : 'cV[R]_(h.*2)) m n,
     dot (half_split omega (to_halves q) m) (half_split omega (to_halves k) n) =
     dot (rotary omega q m) (rotary omega k n)) /\
  (exists h (omega : nat -> R) (q k : 'cV[R]_(h.*2)) m n,
     dot (rotary omega q m) (half_split omega (to_halves k) n) <>
       dot (rotary omega q m) (rotary omega k n) /\
     dot (rotary omega q m) (half_split omega (to_halves k) n) <>
       dot (rotary omega q (m + 1)) (half_split omega (to_halves k) (n + 1))).
Proof.
split; first by move=> *; apply: regroup_at.
split; first by move=> *; apply: half_split_matrix_regroup.
split=> [h omega q k m n | ]; first by rewrite !half_split_to_halves dot_to_halves.
exists 2%N, quarter_turn, first_axis, first_axis, 1, 1.
rewrite first_axis_to_halves !mixed_score R_mul1 cos_PI2.
have -> : (1 + 1) * (PI / 2) = PI by field.
rewrite cos_PI -/(norm2 _) norm2_rotary /norm2 dot_unit_column mxE eqxx; lra.
Qed.
