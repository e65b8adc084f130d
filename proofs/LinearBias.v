(** * A bias linear in the distance is no score of an orthogonal family

  shear               == the matrix (1, 1; 0, 1)

  Main result: uniqueness.linear-bias. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Solutions LinearRecurrences.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition shear : 'M[R]_2 := mx22 1 1 0 1.

Lemma iterate_shear (c : R) s : iterate shear (col2 0 c) s = col2 (INR s * c) c.
Proof.
elim: s => [|s IHs]; first by rewrite /iterate /= Rmult_0_l.
by rewrite /iterate iterS -/(iterate _ _ s) IHs /shear mx22_col2 S_INR; congr col2; ring.
Qed.

(** Twice a product is at most the sum of the squares of the norms. *)
Lemma dot_le d (u v : 'cV[R]_d) : 2 * Rabs (dot u v) <= norm2 u + norm2 v.
Proof.
have plus : 0 <= norm2 u + norm2 v + 2 * dot u v.
  have -> : norm2 u + norm2 v + 2 * dot u v = \rsum_i ((u i ord0 + v i ord0) * (u i ord0 + v i ord0)).
    by rewrite /norm2 /dot -rsum_mull -!rsum_add; apply: eq_bigr => i _; ring.
  by apply: rsum_ge0 => i; exact: Rle_0_sqr.
have minus : 0 <= norm2 u + norm2 v - 2 * dot u v.
  have -> : norm2 u + norm2 v - 2 * dot u v = \rsum_i ((u i ord0 - v i ord0) * (u i ord0 - v i ord0)).
    by rewrite /norm2 /dot -rsum_mull -rsum_add -rsum_sub; apply: eq_bigr => i _; ring.
  by apply: rsum_ge0 => i; exact: Rle_0_sqr.
by rewrite /Rabs; case: Rcase_abs => _; lra.
Qed.

Lemma norm2_iterate d (O : 'M[R]_d) v s : orthogonal O -> norm2 (iterate O v s) = norm2 v.
Proof.
move=> O_orthogonal; elim: s => [//|s IHs].
by rewrite /iterate iterS -/(iterate _ _ s) /norm2 dot_mulR_l mulR_A O_orthogonal mul1R.
Qed.

(** uniqueness.linear-bias: A bias −m·s that is linear in the distance s is the score uᵀGˢv of G =
    (1, 1; 0, 1), u = (1, 0) and v = (0, −m), at every natural s. Of an orthogonal matrix it is not,
    in any dimension, for m ≠ 0: uᵀOˢv is at most (‖u‖² + ‖v‖²)/2 in modulus at every s. *)
Theorem uniqueness_linear_bias (m : R) :
  (forall s : nat, dot (col2 1 0) (iterate shear (col2 0 (- m)) s) = - m * INR s) /\
  (forall (d : nat) (O : 'M[R]_d) (u v : 'cV[R]_d), orthogonal O ->
     (forall s : nat, Rabs (dot u (iterate O v s)) <= (norm2 u + norm2 v) / 2) /\
     (m <> 0 -> ~ (forall s : nat, dot u (iterate O v s) = - m * INR s))).
Proof.
split=> [s | d O u v O_orthogonal]; first by rewrite iterate_shear dot_col2; ring.
have bounded s : Rabs (dot u (iterate O v s)) <= (norm2 u + norm2 v) / 2.
  by have := dot_le u (iterate O v s); rewrite norm2_iterate //; lra.
split=> // m_ne0 linear; have m_gt0 := Rabs_pos_lt _ m_ne0.
have [s above] := INR_unbounded ((norm2 u + norm2 v) / 2 / Rabs m).
have := bounded s; rewrite linear Rabs_mult Rabs_Ropp (Rabs_pos_eq (INR s)); last exact: pos_INR.
have : (norm2 u + norm2 v) / 2 / Rabs m * Rabs m < INR s * Rabs m by apply: Rmult_lt_compat_r.
by rewrite {1}/Rdiv Rmult_assoc Rinv_l; lra.
Qed.
