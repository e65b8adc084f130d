(** * The Gram matrix of encodings, and similarity against distance

    The matrix of dot products of encodings at any positions is positive
    semidefinite and factors through d columns.  Similarity is not a decreasing
    function of distance: it returns as close as one likes to its greatest value
    d/2 at distances as great as one likes, by Dirichlet's argument with boxes.
    For the documents' d = 512 and base 10000 it grows from distance 43 to 44.

    Dictionary (D, PE and frequency are in Toeplitz.v and Encoding.v)
      gram h w t       == the n x n matrix of the D h w (t i) (t j), for positions t 0 ... t (n-1)
      encodings h w t  == the n x d matrix whose row i is PE(t i)
      quadratic_form A c == sum_i sum_j c_i A_ij c_j
      rank_at_most r A == A is a product of a matrix with r columns and one with r rows

    Main results: [gram_factors], [similarity_returns], [similarity_not_decreasing]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import ZArith Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Toeplitz Figures UnitScore.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The Gram matrix *)

Definition gram h (omega : nat -> R) n (t : 'I_n -> R) : 'M[R]_n :=
  \matrix_(i, j) D h omega (t i) (t j).
Definition encodings h (omega : nat -> R) n (t : 'I_n -> R) : 'M[R]_(n, h.*2) :=
  \matrix_(i, l) PE h omega (t i) l ord0.
Definition quadratic_form n (A : 'M[R]_n) (c : 'I_n -> R) : R :=
  \rsum_i \rsum_j (c i * A i j * c j).
Definition rank_at_most r n (A : 'M[R]_n) : Prop :=
  exists (B : 'M[R]_(n, r)) (C : 'M[R]_(r, n)), A = B *m C.

Section Gram.

Variables (h : nat) (omega : nat -> R) (n : nat) (t : 'I_n -> R).

Lemma gram_factors : gram h omega t = encodings h omega t *m (encodings h omega t)^T.
Proof. by entries; apply: eq_bigr => l _; rewrite !mxE. Qed.

(** The quadratic form is the squared length of the combination of the encodings. *)
Lemma gram_form c : quadratic_form (gram h omega t) c =
  \rsum_(l < h.*2) ((\rsum_i (c i * PE h omega (t i) l ord0)) *
                    (\rsum_i (c i * PE h omega (t i) l ord0))).
Proof.
under [RHS]eq_bigr do rewrite -rsum_mulr.
rewrite rsum_exchange; apply: eq_bigr => i _.
under [RHS]eq_bigr do rewrite -rsum_mull.
rewrite rsum_exchange; apply: eq_bigr => j _.
rewrite [gram _ _ _ _ _]mxE /D /dot -rsum_mull -rsum_mulr.
by apply: eq_bigr => l _; ring.
Qed.

Lemma gram_semidefinite c : 0 <= quadratic_form (gram h omega t) c.
Proof. by rewrite gram_form; apply: rsum_ge0 => l; nra. Qed.

End Gram.

(** ** Dirichlet: multiples of real numbers that are all nearly integers *)

Section Dirichlet.

Variables (h M : nat) (alpha : 'I_h -> R).
Hypothesis M_pos : (0 < M)%N.

Let frac (a : nat) (i : 'I_h) : R := frac_part (INR a * alpha i).

(** The box of a multiple: its fractional parts in units of 1/M, rounded down. *)
Let box (a : nat) : {ffun 'I_h -> 'I_M} :=
  [ffun i => insubd (Ordinal M_pos) (Z.to_nat (Int_part (INR M * frac a i)))].

Lemma M_gt0 : 0 < INR M.
Proof. by apply: lt_0_INR; apply/ltP. Qed.

Lemma box_side a i : INR (box a i) <= INR M * frac a i < INR (box a i) + 1.
Proof.
have M_gt0 := M_gt0; have [/Rge_le frac_ge0 frac_lt1] := base_fp (INR a * alpha i).
rewrite -/(frac a i) in frac_ge0 frac_lt1.
have y_ge0 : 0 <= INR M * frac a i by nra.
have [int_le int_gt] := base_Int_part (INR M * frac a i).
have int_ge0 : (0 <= Int_part (INR M * frac a i))%Z.
  by apply: Zlt_succ_le; apply: lt_IZR; rewrite succ_IZR; lra.
have int_INR : INR (Z.to_nat (Int_part (INR M * frac a i))) = IZR (Int_part (INR M * frac a i)).
  by rewrite INR_IZR_INZ Z2Nat.id.
have lt_M : (Z.to_nat (Int_part (INR M * frac a i)) < M)%N.
  by apply/ltP; apply: INR_lt; rewrite int_INR; nra.
by rewrite ffunE val_insubd lt_M int_INR; lra.
Qed.

(** Two of M^h + 1 multiples lie in one box. *)
Lemma same_box : exists a b : nat, (a < b)%N /\ box a = box b.
Proof.
pose f (a : 'I_(M ^ h).+1) := box a.
have /injectivePn [a [b a_ne_b same]] : ~~ injectiveb f.
  apply/negP => /injectiveP /leq_card.
  by rewrite card_ffun !card_ord ltnn.
case: (ltngtP a b) => [lt_ab | lt_ba | eq_ab].
- by exists a, b; split; [exact: lt_ab | exact: same].
- by exists b, a; split; [exact: lt_ba | exact: esym same].
- by case/eqP: a_ne_b; apply: val_inj.
Qed.

Lemma dirichlet : exists n : nat, (0 < n)%N /\
  forall i, exists k : Z, Rabs (INR n * alpha i - IZR k) <= / INR M.
Proof.
have [a [b [lt_ab same]]] := same_box; exists (b - a)%N; split; first by rewrite subn_gt0.
move=> i; exists (Int_part (INR b * alpha i) - Int_part (INR a * alpha i))%Z.
have M_gt0 := M_gt0; have := box_side a i; have := box_side b i; rewrite same.
set x := INR (box b i) => in_b in_a.
have -> : INR (b - a) * alpha i - IZR (Int_part (INR b * alpha i) - Int_part (INR a * alpha i))
          = frac b i - frac a i.
  rewrite minus_INR; last by apply/leP/ltnW.
  by rewrite (minus_IZR (Int_part _) (Int_part _)) /frac /frac_part; ring.
have close : Rabs (INR M * (frac b i - frac a i)) <= 1 by apply: Rabs_le; lra.
rewrite Rabs_mult (Rabs_pos_eq (INR M)) in close; last by lra.
by apply: (Rmult_le_reg_l (INR M) _ _ M_gt0); rewrite Rinv_r; [exact: close | exact: Rgt_not_eq M_gt0].
Qed.

End Dirichlet.

(** ** Similarity returns *)

Lemma cos_ge x : 1 - x * x / 2 <= cos x.
Proof.
have sin_le y : Rabs (sin y) <= Rabs y.
  have pos z : 0 <= z -> Rabs (sin z) <= z.
    move=> z_ge0; case: (Rle_lt_dec 1 z) => [z_ge1 | z_lt1].
      by have [sin_ge sin_le] := SIN_bound z; apply: Rabs_le; lra.
    case: z_ge0 => [z_gt0 | <-]; last by rewrite sin_0 Rabs_R0; lra.
    have sin_gt0 : 0 < sin z by apply: sin_gt_0 => //; have := PI2_1; lra.
    by have := sin_lt_x z z_gt0; rewrite Rabs_pos_eq; lra.
  case: (Rle_lt_dec 0 y) => [y_ge0 | y_lt0]; first by rewrite [Rabs y]Rabs_pos_eq //; exact: pos.
  rewrite -(Ropp_involutive y) sin_neg !Rabs_Ropp (Rabs_left y) //.
  by apply: pos; lra.
have -> : x = 2 * (x / 2) by field.
rewrite cos_2a_sin; set y := x / 2.
have := Rsqr_le_abs_1 _ _ (sin_le y); rewrite /Rsqr; lra.
Qed.

Lemma cos_turns x k : cos (x - 2 * PI * IZR k) = cos x.
Proof.
have sin_half : sin (IZR k * PI) = 0 by apply: sin_eq_0_1; exists k.
have -> : 2 * PI * IZR k = 2 * (IZR k * PI) by ring.
by rewrite cos_minus sin_2a cos_2a_sin sin_half; ring.
Qed.

(** At some multiple of any step the similarity is within epsilon of its greatest value. *)
Lemma similarity_returns h (omega : nat -> R) step epsilon : 0 < epsilon ->
  exists n : nat, (0 < n)%N /\ INR h - epsilon < D h omega 0 (INR n * step).
Proof.
move=> eps_gt0; have pi_gt0 := PI_RGT_0.
have h_ge0 : 0 <= INR h * (2 * PI * PI).
  by apply: Rmult_le_pos; [exact: pos_INR | nra].
have quotient_ge0 : 0 <= INR h * (2 * PI * PI) / epsilon.
  by apply: Rmult_le_pos => //; apply/Rlt_le/Rinv_0_lt_compat.
set B := 1 + INR h * (2 * PI * PI) / epsilon.
have [M [M_inv /ltP M_pos]] : exists M, / INR M < / B /\ (0 < M)%coq_nat.
  by apply: archimed_cor1; apply: Rinv_0_lt_compat; rewrite /B; lra.
have M_large : B < INR M.
  apply: Rnot_le_lt => /(Rinv_le_contravar _ _ (M_gt0 M_pos)); lra.
rewrite {}/B in M_inv M_large.
have [n [n_pos near]] := dirichlet (fun i : 'I_h => step * omega i / (2 * PI)) M_pos.
exists n; split=> //; rewrite D_0.
have term (i : 'I_h) : 1 - 2 * PI * PI / INR M <= cos (INR n * step * omega i).
  have [k k_near] := near i; set r := INR n * _ - _ in k_near.
  have -> : cos (INR n * step * omega i) = cos (2 * PI * r).
    rewrite -(cos_turns _ k); congr cos; rewrite /r; field; lra.
  apply: Rle_trans (cos_ge _).
  have inv_gt0 : 0 < / INR M by apply: Rinv_0_lt_compat; lra.
  have inv_le1 : / INR M <= 1 by rewrite -Rinv_1; apply: Rinv_le_contravar; lra.
  have [r_le r_ge] : r <= / INR M /\ - / INR M <= r.
    by have := Rle_abs r; have := Rle_abs (- r); rewrite Rabs_Ropp; lra.
  have r2 : r * r <= / INR M * / INR M by nra.
  have r2' : r * r <= / INR M by nra.
  have -> : 2 * PI * r * (2 * PI * r) / 2 = 2 * PI * PI * (r * r) by field.
  have two_pi2 : 0 < 2 * PI * PI by nra.
  by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ two_pi2) r2'; rewrite /Rdiv; lra.
apply: (Rlt_le_trans _ (INR h * (1 - 2 * PI * PI / INR M))); last first.
  by rewrite -rsum_const; apply: rsum_le.
suff : INR h * (2 * PI * PI) / INR M < epsilon by rewrite /Rdiv; lra.
apply: (Rmult_lt_reg_r (INR M)); first by lra.
have -> : INR h * (2 * PI * PI) / INR M * INR M = INR h * (2 * PI * PI) by field; lra.
have -> : INR h * (2 * PI * PI) = INR h * (2 * PI * PI) / epsilon * epsilon by field; lra.
by rewrite (Rmult_comm epsilon); apply: Rmult_lt_compat_r => //; lra.
Qed.

(** If the similarity at distance step is not the greatest, it is greater farther on. *)
Lemma similarity_not_decreasing h (omega : nat -> R) step : D h omega 0 step < INR h ->
  exists n : nat, (1 < n)%N /\ D h omega 0 step < D h omega 0 (INR n * step).
Proof.
move=> below; have gap : 0 < INR h - D h omega 0 step by lra.
have [n [n_pos greater]] := similarity_returns h omega step gap.
exists n; split; last by lra.
case: n n_pos greater => [|[|n]] //= _; rewrite Rmult_1_l; lra.
Qed.

Lemma similarity_below h (omega : nat -> R) step (i0 : 'I_h) :
  cos (step * omega i0) < 1 -> D h omega 0 step < INR h.
Proof.
move=> cos_lt1; rewrite D_0 -[INR h]Rmult_1_r -rsum_const.
suff : 0 < \rsum_(i < h) (1 - cos (step * omega i)).
  by rewrite rsum_sub => gap; exact: Rminus_gt_0_lt.
apply: (Rlt_le_trans _ (1 - cos (step * omega i0))); first by lra.
apply: (rsum_ge_term (F := fun i : 'I_h => 1 - cos (step * omega i))) => i.
by have [] := COS_bound (step * omega i); lra.
Qed.

(** ** The claim *)

(** toeplitz.gram: D is positive semidefinite of rank at most d for any set of positions, and where
    the frequencies are not all 0, D_0t is not a decreasing function of the distance t. *)
Theorem toeplitz_gram :
  (forall (h : nat) (omega : nat -> R) (n : nat) (t : 'I_n -> R),
     (forall c : 'I_n -> R, 0 <= quadratic_form (gram h omega t) c) /\
     rank_at_most h.*2 (gram h omega t)) /\
  (forall (h : nat) (omega : nat -> R), (exists i : 'I_h, omega i <> 0) ->
     exists s t, 0 < s < t /\ D h omega 0 s < D h omega 0 t) /\
  (forall (base : R) (h : nat), 0 < base -> (0 < h)%N ->
     let omega := frequency base h.*2 in
     exists n : nat, (1 < n)%N /\ D h omega 0 1 < D h omega 0 (INR n)) /\
  D 256 (frequency 10000 512) 0 43 < D 256 (frequency 10000 512) 0 44.
Proof.
split; last split; last split.
- move=> h omega n t; split; first exact: gram_semidefinite.
  by exists (encodings h omega t), (encodings h omega t)^T; apply: gram_factors.
- move=> h omega [i omega_ne0]; have pi_gt0 := PI_RGT_0.
  have abs_gt0 := Rabs_pos_lt _ omega_ne0.
  have step_gt0 : 0 < PI / Rabs (omega i) by apply: Rdiv_lt_0_compat.
  have [|n [n_gt1 greater]] := @similarity_not_decreasing h omega (PI / Rabs (omega i)).
    apply: (similarity_below (i0 := i)); suff -> : cos (PI / Rabs (omega i) * omega i) = -1 by lra.
    rewrite -cos_PI; case: (Rle_lt_dec 0 (omega i)) => sign.
      by congr cos; rewrite Rabs_pos_eq //; field.
    by rewrite -cos_neg; congr cos; rewrite Rabs_left //; field.
  have n_gt1R : 1 < INR n by apply: (lt_INR 1); apply/ltP.
  exists (PI / Rabs (omega i)), (INR n * (PI / Rabs (omega i))); split=> //; split=> //.
  by nra.
- move=> base h base_gt0 h_pos omega.
  have [|n [n_gt1 greater]] := @similarity_not_decreasing h omega 1.
    apply: (similarity_below (i0 := Ordinal h_pos)).
    rewrite /omega frequency_0 // Rmult_1_r -[X in _ < X]cos_0.
    by apply: cos_decreasing_1; have := PI2_1; lra.
  by exists n; split=> //; rewrite Rmult_1_r in greater.
- (* 24 bits tell the two apart. *)
  have score n : D 256 (frequency 10000 512) 0 n = unit_score 256 (frequency 10000 256.*2) n by exact: D_0.
  have enclosed n := @score_encloses_to coarse 10000 256 n isT; rewrite !score; apply: Rminus_gt_0_lt.
  apply: (positive_interval (encloses_sub (p := coarse) (enclosed 44%Z) (enclosed 43%Z))).
  by vm_cast_no_check (erefl true).
Qed.
