(** * In two dimensions: rotations, or what comes back after two positions

  Main result: uniqueness.plane. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Phasor Rotary Solutions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** An orthogonal matrix of two rows is a rotation, or its own inverse. *)
Lemma orthogonal_plane (A : 'M[R]_2) : orthogonal A ->
  (determinant2 A = 1 /\ exists theta, A = rotation theta) \/ (determinant2 A = -1 /\ A *m A = idR 2).
Proof.
rewrite (mx22_of A); set a := A _ _; set b := A _ _; set c := A _ _; set d := A _ _.
rewrite /orthogonal mx22_tr mx22_mul mx22_id => entries.
have entry i j := congr1 (fun M : 'M[R]_2 => M (bit i) (bit j)) entries.
have := entry false false; have := entry false true; have := entry true true; rewrite !mx22E => bd ab ac.
have determinantE : determinant2 (mx22 a b c d) = a * d - b * c by rewrite /determinant2 !mx22E.
have square : (a * d - b * c) * (a * d - b * c) = 1.
  have -> : (a * d - b * c) * (a * d - b * c) = (a * a + c * c) * (b * b + d * d) - (a * b + c * d) * (a * b + c * d).
    by ring.
  by rewrite ac bd ab; ring.
have zero x y : x * x + y * y = 0 -> x = 0 /\ y = 0.
  by move=> sum; split; apply: Rsqr_0_uniq; rewrite /Rsqr; have := Rle_0_sqr x; have := Rle_0_sqr y; rewrite /Rsqr; lra.
have [det | det] : a * d - b * c = 1 \/ a * d - b * c = -1.
  have : (a * d - b * c - 1) * (a * d - b * c + 1) = 0 by lra.
  by move=> /Rmult_integral[]; [left | right]; lra.
- left; rewrite determinantE; split=> //.
  have [d_is b_is] : a - d = 0 /\ b + c = 0 by apply: zero; lra.
  have [theta [cos_is sin_is]] := unit_circle_angle ac.
  by exists theta; rewrite /rotation cos_is sin_is; congr mx22; lra.
right; rewrite determinantE; split=> //.
have [d_is b_is] : a + d = 0 /\ b - c = 0 by apply: zero; lra.
have dE : d = - a by lra.
have bE : b = c by lra.
by rewrite mx22_mul dE bE; congr mx22; lra.
Qed.

Lemma power_rotation theta (m : Z) : integer_power (rotation theta) m = rotation (IZR m * theta).
Proof.
have powerE a n : power (rotation a) n = rotation (INR n * a).
  elim: n => [|n IHn]; first by rewrite /= Rmult_0_l rotation_0.
  by rewrite [power _ _]/= IHn rope_composition S_INR; congr rotation; ring.
rewrite /integer_power; case: Z.leb_spec => m_range; rewrite ?rotation_tr powerE INR_IZR_INZ Z2Nat.id; try lia.
  by [].
by rewrite opp_IZR; congr rotation; ring.
Qed.

(** uniqueness.plane: In two dimensions a relative encoding f_q = f_k = f with f(x, 0) = x, for
    which ⟨f(x, m), f(y, n)⟩ = g(x, y, n − m) for all integers m and n, is f(x, m) = R(mθ)x for some
    θ, or it comes back after two positions, f(x, m + 2) = f(x, m), and f(·, 1) has the determinant
    −1. *)
Theorem uniqueness_plane (f : 'cV[R]_2 -> Z -> 'cV[R]_2) : solves f f ->
  (exists theta, forall x m, f x m = rotation (IZR m * theta) *m x) \/
  ((forall x m, f x (m + 2)%Z = f x m) /\
   exists A : 'M[R]_2, determinant2 A = -1 /\ forall x, f x 1%Z = A *m x).
Proof.
move=> /solution_is_power[A [A_orthogonal f_is]].
have [[_ [theta A_is]] | [det involution]] := orthogonal_plane A_orthogonal.
  by left; exists theta => x m; rewrite f_is A_is power_rotation.
right; split=> [x m|]; last first.
  exists A; split=> // x; rewrite f_is (_ : 1%Z = Z.succ 0) // integer_power_succ // integer_power_0.
  by rewrite mulR1.
rewrite !f_is (_ : (m + 2)%Z = Z.succ (Z.succ m)); last by lia.
by rewrite !integer_power_succ // mulR_A involution mul1R.
Qed.
