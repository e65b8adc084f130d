(** * Circular shifts of the entries

  To move the entries of a vector round by as many places as its position says is a relative encoding by orthogonal
  matrices, and none that a change of basis makes of rotations.

  roll d            == the permutation of 'I_d that takes i to i + 1, and the last to 0
  circular d m      == the d x d matrix that moves entries round by m places
  determinant       == that of Determinant.v

  Main results: uniqueness.circular-roll. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Determinant.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Lemma some_entry d (i : 'I_d) : (0 < d)%N.
Proof. exact: leq_ltn_trans (leq0n i) (ltn_ord i). Qed.

Definition next d (i : 'I_d) : 'I_d := Ordinal (ltn_pmod i.+1 (some_entry i)).

Lemma next_inj d : injective (@next d).
Proof.
move=> i j /(congr1 val) /= /eqP; rewrite -[i.+1]addn1 -[j.+1]addn1 eqn_modDr !modn_small // => /eqP.
exact: val_inj.
Qed.

Definition roll d : 'S_d := perm (@next_inj d).

Definition circular d (m : nat) : 'M[R]_d := perm_matrix (roll d ^+ m)%g.

Lemma val_roll_power d m (i : 'I_d) : val ((roll d ^+ m)%g i) = ((i + m) %% d)%N.
Proof.
rewrite permX; elim: m => [|m IHm]; first by rewrite addn0 modn_small.
by rewrite iterS permE /= IHm -addn1 modnDml addn1 addnS.
Qed.

Lemma roll_period d : (roll d ^+ d)%g = 1%g.
Proof. by apply/permP => i; apply: val_inj; rewrite val_roll_power modnDr modn_small // perm1. Qed.

Lemma roll_orbits d : (0 < d)%N -> #|porbits (roll d)| = 1%N.
Proof.
move=> d_pos; pose i0 := Ordinal d_pos.
have one i : porbit (roll d) i = porbit (roll d) i0.
  apply/eqP; rewrite eq_porbit_mem; apply/porbitP; exists i; apply: val_inj.
  by rewrite val_roll_power add0n modn_small.
suff -> : porbits (roll d) = [set porbit (roll d) i0] by rewrite cards1.
apply/setP => A; rewrite inE; apply/imsetP/eqP => [[i _ ->] | ->]; first exact: one.
by exists i0.
Qed.

Lemma roll_sign d : (0 < d)%N -> ~~ odd d -> sgn (roll d) = -1.
Proof. by move=> d_pos /negPf even; rewrite /sgn /odd_perm card_ord even roll_orbits. Qed.

Lemma det_perm_matrix d (s : 'S_d) : det (perm_matrix s) = sgn s.
Proof.
rewrite /det (rsum_one (i0 := s)) => [|t t_ne].
  by rewrite big1 ?R_mulr1 // => i _; rewrite mxE eqxx.
have [i moved] : exists i, t i != s i.
  apply/existsP; rewrite -negb_forall; apply: contra t_ne => /forallP same.
  by apply/eqP/permP => i; apply/eqP.
by rewrite (bigD1 i) //= mxE eq_sym (negPf moved) R_mul0 R_mulr0.
Qed.

Lemma det_rotary h omega t : det (rotary_matrix h omega t) = 1.
Proof.
have nonneg : 0 <= det (rotary_matrix h omega t).
  have -> : t = t / 2 + t / 2 by field.
  by rewrite -rotary_matrix_mul det_mulR; nra.
have : det (rotary_matrix h omega t) * det (rotary_matrix h omega t) = 1.
  rewrite -{2}det_tr -det_mulR rotary_matrix_tr rotary_matrix_mul Rplus_opp_r rotary_matrix_0.
  exact: det_idR.
by nra.
Qed.

(** uniqueness.circular-roll: To move the d entries of a vector round by m places is orthogonal, and relative: for all m,
    k, x and y the score of x at m and y at m + k is that of x at 0 and y at k. But it is no RoPE, in any basis: for even d
    the matrix that moves by one place has the determinant −1, where rotations have 1, so that B⁻¹R(t)B is another matrix
    for all frequencies, every t and every B; and after d places all is as before, so that positions d apart are alike. *)
Theorem uniqueness_circular_roll :
  (forall (d m k : nat) (x y : 'cV[R]_d),
     dot (circular d m *m x) (circular d (m + k) *m y) = dot (circular d 0 *m x) (circular d k *m y)) /\
  (forall d m : nat, (circular d m)^T *m circular d m = idR d) /\
  (forall h : nat, (0 < h)%N -> det (circular h.*2 1) = -1) /\
  (forall (h : nat) (omega : nat -> R) (t : R) (B B' : 'M[R]_(h.*2)), (0 < h)%N -> B' *m B = idR h.*2 ->
     circular h.*2 1 <> B' *m rotary_matrix h omega t *m B) /\
  (forall d m : nat, circular d (m + d) = circular d m).
Proof.
have minus_one h : (0 < h)%N -> det (circular h.*2 1) = -1.
  by move=> h_pos; rewrite det_perm_matrix expg1 roll_sign ?double_gt0 // odd_double.
split=> [d m k x y | ]; last split=> [d m | ]; last split=> [|]; first 1 last.
- exact: tr_perm_matrix_mul.
- exact: minus_one.
- split=> [h omega t B B' h_pos inverse same | d m]; last by rewrite /circular expgD roll_period mulg1.
  have := minus_one h h_pos; rewrite same !det_mulR det_rotary R_mulr1 -det_mulR inverse det_idR; lra.
- rewrite !dot_mulR_l !mulR_A /circular !tr_perm_matrix !perm_matrix_mul expgD mulgA mulVg mul1g.
  by rewrite expg0 invg1 mul1g.
Qed.

(** uniqueness.circular-roll, as written: The equations of a relative encoding lead to rotations: the map of position 1
    has determinant 1, here for moving the entries round. *)
Theorem uniqueness_circular_roll_as_written_false :
  ~ (forall d : nat, (0 < d)%N -> det (circular d 1) = 1).
Proof.
move=> /(_ 2%N isT); have [_ [_ [minus_one _]]] := uniqueness_circular_roll.
by rewrite (minus_one 1%N isT); lra.
Qed.
