(** * What scores can fit

  The scores of rotary encoding at consecutive positions obey a linear recurrence whose coefficients the
  frequencies alone determine. So a fixed dimension d fits d values and not d + 1, while as d grows the
  scores come near to every continuous function (Density.v).

  coefficient omega h j == c_j, the coefficient of z^j in the product over i < h of z^2 - 2 cos (omega i) z + 1
  recurrence omega h a s
                        == sum_(j <= 2h) c_j a(s + j)
  parts h q             == the real and imaginary parts of q 0 ... q (h-1)
  wave_matrix omega h n == the matrix that makes of them the scores at positions 0 ... n-1

  Main result: interpolation.universal. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Determinant Encoding Phasor ComplexSum Density.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The recurrence *)

(** A sequence of coefficients, moved up by one place. *)
Definition raised (c : nat -> R) (j : nat) : R := if j is j'.+1 then c j' else 0.

Fixpoint coefficient (omega : nat -> R) (h : nat) : nat -> R :=
  if h is h'.+1 then
    fun j => raised (raised (coefficient omega h')) j - 2 * cos (omega h') * raised (coefficient omega h') j +
             coefficient omega h' j
  else fun j => if j is 0%N then 1 else 0.

Definition recurrence (omega : nat -> R) (h : nat) (a : R -> R) (s : R) : R :=
  \rsum_(j < h.*2.+1) (coefficient omega h j * a (s + INR j)).

(** Beyond the degree there is nothing; the ends are 1. *)
Lemma coefficient_beyond omega h j : (h.*2 < j)%N -> coefficient omega h j = 0.
Proof.
elim: h j => [|h IHh] [|[|j]] //; rewrite doubleS !ltnS => lt_j.
have lt_j1 := leqW lt_j; have lt_j2 := leqW lt_j1.
by rewrite /= !IHh //; ring.
Qed.

Lemma coefficient_first omega h : coefficient omega h 0 = 1.
Proof. by elim: h => [|h IHh] //=; rewrite IHh; ring. Qed.

Lemma coefficient_last omega h : coefficient omega h h.*2 = 1.
Proof.
elim: h => [|h IHh] //; rewrite doubleS /= IHh.
by rewrite !coefficient_beyond //; ring.
Qed.

Lemma rsum_combination n (A B D : nat -> R) k :
  \rsum_(j < n) (A j - k * B j + D j) = \rsum_(j < n) A j - k * (\rsum_(j < n) B j) + \rsum_(j < n) D j.
Proof. by rewrite rsum_add rsum_sub rsum_mull. Qed.

(** Sums against the coefficients of h + 1 pairs, by those of h. *)
Lemma rsum_raised n (c : nat -> R) (f : nat -> R) :
  \rsum_(j < n.+1) (raised c j * f j) = \rsum_(j < n) (c j * f j.+1).
Proof. by rewrite big_ord_recl /= R_mul0 R_add0. Qed.

Lemma rsum_beyond n (c f : nat -> R) : c n = 0 -> \rsum_(j < n.+1) (c j * f j) = \rsum_(j < n) (c j * f j).
Proof. by move=> c_n; rewrite big_ord_recr /= c_n R_mul0 R_addr0. Qed.

Lemma rsum_step omega h (f : nat -> R) :
  \rsum_(j < h.+1.*2.+1) (coefficient omega h.+1 j * f j) =
  \rsum_(j < h.*2.+1) (coefficient omega h j * (f j.+2 - 2 * cos (omega h) * f j.+1 + f j)).
Proof.
have c_end : coefficient omega h h.*2.+1 = 0 by apply: coefficient_beyond.
have c_end' : coefficient omega h h.*2.+2 = 0 by apply: coefficient_beyond; rewrite ltnS leqnSn.
set c := coefficient omega h in c_end c_end' *; rewrite doubleS.
transitivity (\rsum_(j < h.*2.+3) (raised (raised c) j * f j - 2 * cos (omega h) * (raised c j * f j) + c j * f j)).
  by apply: eq_bigr => j _; rewrite /= -/c; ring.
rewrite rsum_add rsum_sub rsum_mull.
have -> : \rsum_(j < h.*2.+3) (raised (raised c) j * f j) = \rsum_(j < h.*2.+1) (c j * f j.+2) :=
  etrans (rsum_raised _ _ _) (rsum_raised _ _ (fun j => f j.+1)).
have -> : \rsum_(j < h.*2.+3) (raised c j * f j) = \rsum_(j < h.*2.+1) (c j * f j.+1) :=
  etrans (rsum_raised _ _ _) (rsum_beyond (fun j => f j.+1) c_end).
have -> : \rsum_(j < h.*2.+3) (c j * f j) = \rsum_(j < h.*2.+1) (c j * f j) :=
  etrans (rsum_beyond f c_end') (rsum_beyond f c_end).
rewrite -(rsum_combination _ (fun j => c j * f j.+2) (fun j => c j * f j.+1) (fun j => c j * f j)).
by apply: eq_bigr => j _; ring.
Qed.

(** The coefficients are those of the product of the quadratic factors. *)
Lemma coefficient_product omega h z :
  \rsum_(j < h.*2.+1) (coefficient omega h j * z ^ j) = \rprod_(i < h) (z ^ 2 - 2 * cos (omega i) * z + 1).
Proof.
elim: h => [|h IHh]; first by rewrite big_ord_recl !big_ord0 /=; ring.
rewrite rsum_step [RHS]big_ord_recr [in RHS]/=; transitivity
  ((\rsum_(j < h.*2.+1) (coefficient omega h j * z ^ j)) * (z ^ 2 - 2 * cos (omega h) * z + 1)).
  by rewrite -rsum_mulr; apply: eq_bigr => j _; rewrite /=; ring.
by rewrite IHh; congr (_ * _); rewrite /=; ring.
Qed.

(** ** Scores obey it *)

Lemma recurrence_step omega h a s : recurrence omega h.+1 a s =
  recurrence omega h a (s + 2) - 2 * cos (omega h) * recurrence omega h a (s + 1) + recurrence omega h a s.
Proof.
set c := coefficient omega h; rewrite {1}/recurrence (rsum_step omega h (fun j => a (s + INR j))) /recurrence -/c.
rewrite -(rsum_combination _ (fun j => c j * a (s + 2 + INR j)) (fun j => c j * a (s + 1 + INR j))
  (fun j => c j * a (s + INR j))); apply: eq_bigr => j _; rewrite !S_INR.
have -> : s + (INR j + 1 + 1) = s + 2 + INR j by ring.
by have -> : s + (INR j + 1) = s + 1 + INR j; ring.
Qed.

Lemma recurrence_add omega h a b s :
  recurrence omega h (fun x => a x + b x) s = recurrence omega h a s + recurrence omega h b s.
Proof. by rewrite /recurrence -rsum_add; apply: eq_bigr => j _; ring. Qed.

(** One pair is annihilated by its own factor. *)
Lemma pair_annihilated (c : C) omega s :
  let a x := Re (c * phasor (x * omega))%C in a (s + 2) - 2 * cos omega * a (s + 1) + a s = 0.
Proof.
have e x : Re (c * phasor x)%C = Re c * cos x - Im c * sin x by rewrite phasorE.
have -> : s = s + 1 - 1 by ring.
set x := s + 1 => a; rewrite /a !e.
have -> : (x - 1 + 2) * omega = x * omega + omega by ring.
have -> : (x - 1 + 1) * omega = x * omega by ring.
have -> : (x - 1) * omega = x * omega - omega by ring.
by rewrite cos_plus sin_plus cos_minus sin_minus; ring.
Qed.

Lemma recurrence_pair omega h (a : R -> R) s :
  (forall s, a (s + 2) - 2 * cos (omega h) * a (s + 1) + a s = 0) -> recurrence omega h.+1 a s = 0.
Proof.
move=> annihilated; rewrite /recurrence (rsum_step omega h (fun j => a (s + INR j))).
rewrite big1 // => j _; rewrite !S_INR.
have -> : s + (INR j + 1 + 1) = s + INR j + 2 by ring.
have -> : s + (INR j + 1) = s + INR j + 1 by ring.
by rewrite annihilated; ring.
Qed.

Lemma recurrence_score omega h (c : nat -> C) s : recurrence omega h (rope_score h c omega) s = 0.
Proof.
elim: h s => [|h IHh] s; first by rewrite /recurrence big1 // => j _; rewrite /rope_score /=; ring.
have last_apart x : rope_score h.+1 c omega x = rope_score h c omega x + Re (c h * phasor (x * omega h))%C.
  by [].
rewrite {1}/recurrence; under eq_bigr do rewrite last_apart.
rewrite -/(recurrence omega h.+1 (fun x => rope_score h c omega x + Re (c h * phasor (x * omega h))%C) s).
rewrite recurrence_add recurrence_step !IHh recurrence_pair; first by ring.
by move=> s'; exact: pair_annihilated.
Qed.

Lemma score_two omega c :
  rope_score 1 c omega 2 = 2 * cos (omega 0%N) * rope_score 1 c omega 1 - rope_score 1 c omega 0.
Proof.
have := recurrence_score omega 1 c 0; rewrite recurrence_step /recurrence !big_ord_recl !big_ord0 /=.
by rewrite !Rplus_0_r !R_add0 !Rmult_1_l; lra.
Qed.

(** The scores at n positions from 0 on are a linear image of the d real parts and imaginary parts. *)
Definition parts (h : nat) (q : nat -> C) : 'cV[R]_(h.*2) := vector_re_im (fun i : 'I_h => q i).

Definition wave_matrix (omega : nat -> R) (h n : nat) : 'M[R]_(n, h.*2) :=
  \matrix_(t, j) (if odd j then - sin (INR t * omega j./2) else cos (INR t * omega j./2)).

Lemma score_image omega h n q (t : 'I_n) :
  rope_score h q omega (INR t) = (wave_matrix omega h n *m parts h q) t ord0.
Proof.
rewrite /rope_score Re_csum mxE rsum_pairs; apply: eq_bigr => i _.
have at_first : (at_pair i false : nat)./2 = i by rewrite /= addn0 doubleK.
have at_second : (at_pair i true : nat)./2 = i by rewrite /= addn1 /= uphalf_double.
rewrite ![wave_matrix _ _ _ _ _]mxE !odd_at at_first at_second /parts /vector_re_im ![join_pairs _ _ _]mxE.
by rewrite !pair_no_at !odd_at /re_im !col2E phasorE /Re /Im /=; ring.
Qed.

(** interpolation.universal: For every base > 1, L > 0, ε > 0 and continuous function on [0, L], every
    sufficiently large even d has h whose scores stay within ε of the function on all of [0, L]. But for
    every fixed even d, all h and all frequencies, the scores at positions 0 … n are a linear image of d
    real numbers, and the scores at d + 1 consecutive positions obey one linear recurrence, Σ_j
    c_j·a(s+j) = 0 with Σ_j c_j·z^j = Π_i (z² − 2·cos θ_i·z + 1) and c_0 = c_d = 1, so that values 1, 0,
    …, 0 at positions 0 … d are the scores of no q and k; for d = 2, a(0) = 1 and a(1) = 0 force a(2) =
    −1. *)
Theorem interpolation_universal :
  (forall (base L epsilon : R) (f : R -> R), 1 < base -> 0 < L -> 0 < epsilon ->
     (forall s, 0 <= s <= L -> continuity_pt f s) ->
     exists least : nat, forall h : nat, (least <= h)%N -> exists q : nat -> C,
       forall s, 0 <= s <= L -> Rabs (f s - rope_score h q (frequency base h.*2) s) <= epsilon) /\
  (forall (h : nat) (omega : nat -> R),
     let c := coefficient omega h in
     (forall n : nat, exists A : 'M[R]_(n, h.*2), forall q : nat -> C, exists x : 'cV[R]_(h.*2),
        forall t : 'I_n, rope_score h q omega (INR t) = (A *m x) t ord0) /\
     (forall (q : nat -> C) (s : R),
        \rsum_(j < h.*2.+1) (c j * rope_score h q omega (s + INR j)) = 0) /\
     (forall z : R, \rsum_(j < h.*2.+1) (c j * z ^ j) = \rprod_(i < h) (z ^ 2 - 2 * cos (omega i) * z + 1)) /\
     c 0%N = 1 /\ c h.*2 = 1 /\
     ~ (exists q : nat -> C, rope_score h q omega 0 = 1 /\
          forall j : nat, (0 < j <= h.*2)%N -> rope_score h q omega (INR j) = 0)) /\
  (forall (omega : nat -> R) (q : nat -> C),
     rope_score 1 q omega 0 = 1 -> rope_score 1 q omega 1 = 0 -> rope_score 1 q omega 2 = -1).
Proof.
split=> [base L epsilon f base_gt1 L_gt0 eps_gt0 f_continuous | ].
  exact: (scores_dense base_gt1 L_gt0 f_continuous).
split=> [h omega c | omega q at_0 at_1]; last by rewrite score_two at_0 at_1; ring.
split; first by move=> n; exists (wave_matrix omega h n) => q; exists (parts h q) => t; exact: score_image.
split; first by move=> q s; exact: recurrence_score.
split; first exact: coefficient_product.
split; first exact: coefficient_first.
split; first exact: coefficient_last.
move=> [q [at_0 later]]; have := recurrence_score omega h q 0; rewrite /recurrence (rsum_one (i0 := ord0)).
  by rewrite /= coefficient_first Rplus_0_r at_0; lra.
case=> [[|j] lt_j] // _; rewrite R_add0 later ?R_mulr0 //.
Qed.

(** interpolation.universal, as written: The family can fit arbitrary functions: some q and k of d = 2
    have the scores 1, 0, 0. *)
Theorem interpolation_universal_as_written_false :
  ~ (exists (omega : nat -> R) (q : nat -> C),
       rope_score 1 q omega 0 = 1 /\ rope_score 1 q omega 1 = 0 /\ rope_score 1 q omega 2 = 0).
Proof. by move=> [omega [q [at_0 [at_1 at_2]]]]; have [_ [_ /(_ omega q at_0 at_1)]] := interpolation_universal; lra. Qed.
