(** * Distances as products of positions, rounded

  The score of (1, -n) and (m, 1) is the distance m - n. In a format it is so as far as the format has every integer, and at the
  next position it is wrong.

  factored F m n    == the dot product of (1, -n) and (m, 1), the entries, both products and their sum rounded to F

  Main results: precision.factored-recency. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix Pairs Encoding RoundingFormat.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition factored (F : format) (m n : R) : R :=
  fl F (fl F (fl F 1 * fl F m) + fl F (fl F (- n) * fl F 1)).

Section Format.

Variable F : format.
Let p := precision F.

Lemma power_IZR (e : Z) : (0 <= e)%Z -> IZR (2 ^ e) = bpow radix2 e.
Proof. by move=> e_ge0; rewrite -(IZR_Zpower radix2). Qed.

(** A format of p bits has every integer up to 2^p. *)
Lemma integer_float (z : Z) : (Z.abs z <= 2 ^ p)%Z -> is_float F (IZR z).
Proof.
move=> z_le; have := precision_above_one F; have := emin_small F; rewrite -/p => emin_le p_gt1.
have [below | at_end] : (Z.abs z < 2 ^ p)%Z \/ Z.abs z = (2 ^ p)%Z by lia.
  apply: (generic_format_FLT _ _ _ _ (FLT_spec radix2 (emin F) p (IZR z) (Float radix2 z 0) _ _ _)) => //=; last by lia.
  by rewrite /F2R /= Rmult_1_r.
suff : is_float F (Rabs (IZR z)).
  by rewrite /Rabs; case: Rcase_abs => // _ /is_float_opp; rewrite Ropp_involutive.
by rewrite -abs_IZR at_end power_IZR; [apply: bpow_float; lia | lia].
Qed.

Lemma fl_integer (z : Z) : (Z.abs z <= 2 ^ p)%Z -> fl F (IZR z) = IZR z.
Proof. by move=> z_le; apply/fl_exact/integer_float. Qed.

(** The integer after 2^p is half way between two numbers of the format, and goes to 2^p, which is even. *)
Lemma fl_next : fl F (IZR (2 ^ p + 1)) = IZR (2 ^ p).
Proof.
have := precision_above_one F; have := emin_small F; rewrite -/p => emin_le p_gt1.
have half_gt0 : (0 < 2 ^ (p - 1))%Z by apply: Z.pow_pos_nonneg; lia.
have twice : (2 ^ p = 2 * 2 ^ (p - 1))%Z.
  by rewrite -Z.pow_succ_r; [congr (2 ^ _)%Z; lia | lia].
have mag_eq : mag radix2 (IZR (2 ^ p + 1)) = (p + 1)%Z :> Z.
  apply: mag_unique; rewrite Rabs_pos_eq; last by apply: IZR_le; lia.
  have -> : (p + 1 - 1 = p)%Z by ring.
  rewrite -!power_IZR; [split; [apply: IZR_le | apply: IZR_lt] | lia | lia]; first by lia.
  by rewrite Z.pow_add_r; lia.
have exponent : cexp radix2 (exponents F) (IZR (2 ^ p + 1)) = 1%Z.
  by rewrite /cexp mag_eq /FLT_exp -/p; lia.
rewrite /fl /round /F2R /= exponent /scaled_mantissa exponent.
have -> : IZR (2 ^ p + 1) * bpow radix2 (- (1)) = IZR (2 ^ (p - 1)) + / 2.
  by rewrite (_ : bpow radix2 (- (1)) = / 2) // twice plus_IZR mult_IZR; field.
have floor : Zfloor (IZR (2 ^ (p - 1)) + / 2) = (2 ^ (p - 1))%Z by apply: Zfloor_imp; rewrite plus_IZR; lra.
have even : Z.even (2 ^ (p - 1)) = true by rewrite Z.even_pow //; lia.
rewrite /Znearest floor even /= (Rcompare_Eq (_ - _)); last by ring.
by rewrite twice mult_IZR /Z.pow_pos /= Rmult_comm.
Qed.

Lemma factored_exact (m n : Z) : (0 <= m <= 2 ^ p)%Z -> (0 <= n <= 2 ^ p)%Z -> factored F (IZR m) (IZR n) = IZR (m - n).
Proof.
move=> m_range n_range; have pow_ge1 : (1 <= 2 ^ p)%Z.
  by have := precision_above_one F; rewrite -/p => p_gt1; apply: (Z.pow_le_mono_r 2 0 p); lia.
rewrite /factored (fl_exact F 1 (is_float_1 F)) -opp_IZR !fl_integer ?Rmult_1_l ?Rmult_1_r; try lia.
rewrite !fl_integer -?plus_IZR; try lia.
by rewrite fl_integer; [congr IZR; lia | lia].
Qed.

Lemma factored_next : factored F (IZR (2 ^ p + 1)) (IZR (2 ^ p)) = 0.
Proof.
have pow_ge1 : (1 <= 2 ^ p)%Z.
  by have := precision_above_one F; rewrite -/p => p_gt1; apply: (Z.pow_le_mono_r 2 0 p); lia.
rewrite /factored (fl_exact F 1 (is_float_1 F)) fl_next -opp_IZR fl_integer ?Rmult_1_l ?Rmult_1_r; last by lia.
rewrite !fl_integer; try lia.
by rewrite -plus_IZR Z.add_opp_diag_r; exact: fl_0.
Qed.

End Format.

(** precision.factored-recency: q = (1, −n) and k = (m, 1) give ⟨q, k⟩ = m − n for all real positions. In a format of p bits,
    entries, products and sum rounded, they do so at all positions up to 2^p, and not at the next: 2^p + 1 and 2^p have the
    score 0. In bfloat16 that is at position 257, in binary16 at 2049. *)
Theorem precision_factored_recency :
  (forall m n : R, dot (col2 1 (- n)) (col2 m 1) = m - n) /\
  (forall (F : format) (m n : Z), (0 <= m <= 2 ^ precision F)%Z -> (0 <= n <= 2 ^ precision F)%Z ->
     factored F (IZR m) (IZR n) = IZR (m - n)) /\
  (forall F : format, factored F (IZR (2 ^ precision F + 1)) (IZR (2 ^ precision F)) = 0) /\
  factored bfloat16 257 256 = 0 /\ factored binary16 2049 2048 = 0.
Proof.
split=> [m n|]; first by rewrite dot_col2; ring.
split=> [F m n|]; first exact: factored_exact.
split=> [F|]; first exact: factored_next.
by split; [exact: (factored_next bfloat16) | exact: (factored_next binary16)].
Qed.

(** precision.factored-recency, as written: From absolute positions attention can realise the distance m − n, in bfloat16
    too. *)
Theorem precision_factored_recency_as_written_false :
  ~ (forall m n : Z, (0 <= m)%Z -> (0 <= n)%Z -> factored bfloat16 (IZR m) (IZR n) = IZR (m - n)).
Proof.
move=> /(_ 257%Z 256%Z ltac:(lia) ltac:(lia)).
by have [_ [_ [_ [-> _]]]] := precision_factored_recency; rewrite /=; lra.
Qed.
