(** * Scores by powers of a matrix are linear recurrences

  iterate G v s         == G^s v
  invertible G          == some matrix times G is 1
  recurrence n c a      == a(s + n) = sum_(i < n) c_i a(s + i) at every natural s, and c_0 is not 0

  Main results: uniqueness.linear-recurrence. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Determinant.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition iterate d (G : 'M[R]_d) (v : 'cV[R]_d) (s : nat) : 'cV[R]_d := iter s (fun x => G *m x) v.

Definition invertible d (G : 'M[R]_d) : Prop := exists H : 'M[R]_d, H *m G = idR d.

Definition recurrence (n : nat) (c : nat -> R) (a : nat -> R) : Prop :=
  ((0 < n)%N -> c 0%N <> 0) /\ forall s, a (s + n)%N = \rsum_(i < n) (c i * a (s + i)%N).

Lemma iterate_add d (G : 'M[R]_d) v s t : iterate G (iterate G v s) t = iterate G v (t + s).
Proof. by rewrite /iterate iterD. Qed.

(** ** Such scores obey a recurrence *)

Section Vanishing.

Variables (d m : nat) (x : 'I_m -> R).

Definition vanishes (W : 'I_m -> 'cV[R]_d) : Prop := forall i, \rsum_(j < m) (x j * W j i ord0) = 0.

Lemma vanishes_mul (A : 'M[R]_d) W : vanishes W -> vanishes (fun j => A *m W j).
Proof.
move=> zero i; transitivity (\rsum_(k < d) (A i k * (\rsum_(j < m) (x j * W j k ord0)))).
  under eq_bigr do rewrite mxE -rsum_mull.
  rewrite rsum_exchange; apply: eq_bigr => k _; rewrite -rsum_mull; apply: eq_bigr => j _; ring.
by rewrite big1 // => k _; rewrite zero; ring.
Qed.

Lemma vanishes_iterate (A : 'M[R]_d) W s : vanishes W -> vanishes (fun j => iterate A (W j) s).
Proof. by move=> zero; elim: s => [|s IHs] //; exact: vanishes_mul. Qed.

Lemma vanishes_ext W W' : (forall j, x j <> 0 -> W j = W' j) -> vanishes W -> vanishes W'.
Proof.
move=> same zero i; rewrite -[RHS](zero i); apply: eq_bigr => j _.
by have [-> | ne] := Req_dec (x j) 0; [ring | rewrite same].
Qed.

Lemma vanishes_dot (u : 'cV[R]_d) W : vanishes W -> \rsum_(j < m) (x j * dot u (W j)) = 0.
Proof.
move=> zero; transitivity (\rsum_(i < d) (u i ord0 * (\rsum_(j < m) (x j * W j i ord0)))).
  transitivity (\rsum_(j < m) \rsum_(i < d) (x j * (u i ord0 * W j i ord0))).
    by apply: eq_bigr => j _; rewrite rsum_mull.
  rewrite rsum_exchange; apply: eq_bigr => i _; rewrite -rsum_mull; apply: eq_bigr => j _; ring.
by rewrite big1 // => i _; rewrite zero; ring.
Qed.

End Vanishing.

Lemma iterate_inverse d (G H : 'M[R]_d) v l s : H *m G = idR d -> (l <= s)%N ->
  iterate H (iterate G v s) l = iterate G v (s - l).
Proof.
move=> inverse; elim: l s => [|l IHl] s le_s; first by rewrite subn0.
have -> : iterate H (iterate G v s) l.+1 = H *m iterate H (iterate G v s) l by [].
rewrite IHl; last exact: ltnW.
have -> : (s - l = (s - l.+1).+1)%N by rewrite subnSK.
by rewrite /iterate iterS mulR_A inverse mul1R.
Qed.

Lemma scores_recur d (G : 'M[R]_d) (u v : 'cV[R]_d) : invertible G ->
  exists (n : nat) (c : nat -> R), (n <= d)%N /\ recurrence n c (fun s => dot u (iterate G v s)).
Proof.
case=> H inverse; set a := fun s => dot u (iterate G v s).
have [|x [[j0 x_j0] [_ zero]]] := @underdetermined_in d.+1 d (fun i j => iterate G v j i ord0) setT.
  by rewrite cardsT card_ord.
have vanish : vanishes x (fun j => iterate G v j).
  by move=> i; rewrite -[RHS](zero i); apply: eq_bigr => j _; ring.
pose y j := if (j < d.+1)%N then x (inord j) else 0.
have yx (j : 'I_d.+1) : y j = x j by rewrite /y ltn_ord inord_val.
pose P j := (j < d.+1)%N && (if Req_EM_T (y j) 0 then false else true).
have P_iff j : P j <-> (j < d.+1)%N /\ y j <> 0.
  by rewrite /P; case: (Req_EM_T (y j) 0) => eq; rewrite ?andbT ?andbF; split=> [| [_ ne]] //; case.
have some : exists j, P j by exists j0; apply/P_iff; rewrite yx.
have bounded j : P j -> (j <= d)%N by move/P_iff => [].
case: (ex_minnP some) => l /P_iff[l_lt y_l] least; case: (ex_maxnP some bounded) => k /P_iff[k_lt y_k] greatest.
have below j : (j < l)%N -> y j = 0.
  move=> lt; have [//|ne] := Req_dec (y j) 0; have : P j by apply/P_iff; split=> //; exact: ltn_trans lt l_lt.
  by move/least; rewrite leqNgt lt.
have above j : (k < j)%N -> y j = 0.
  move=> lt; have [j_lt | j_ge] := ltnP j d.+1; last by rewrite /y ltnNge j_ge.
  have [//|ne] := Req_dec (y j) 0; have : P j by apply/P_iff.
  by move/greatest; rewrite leqNgt lt.
have l_le_k : (l <= k)%N by apply: least; apply/P_iff.
(* The combination, moved down by l, up by s, and seen from u. *)
have sums s : \rsum_(j < d.+1) (y j * a (s + (j - l))%N) = 0.
  have moved : vanishes x (fun j : 'I_d.+1 => iterate G (iterate G v (j - l)) s).
    apply: vanishes_iterate; apply: (vanishes_ext (W := fun j : 'I_d.+1 => iterate H (iterate G v j) l)).
      move=> j x_j; apply: iterate_inverse => //; rewrite leqNgt; apply/negP => lt.
      by apply: x_j; rewrite -yx; exact: below.
    exact: vanishes_iterate.
  rewrite -[RHS](vanishes_dot u moved); apply: eq_bigr => j _.
  by rewrite yx iterate_add.
have inner s : \rsum_(i < (k - l).+1) (y (l + i)%N * a (s + i)%N) = 0.
  pose F j := y j * a (s + (j - l))%N.
  have none A B : (forall j, (A <= j < B)%N -> y j = 0) -> \big[Rplus/0]_(A <= j < B) F j = 0.
    by move=> zeros; rewrite big_nat big1 // => j range; rewrite /F zeros //; ring.
  have total : \big[Rplus/0]_(0 <= j < d.+1) F j = 0 by rewrite big_mkord; exact: sums.
  rewrite (big_cat_nat _ (n := l)) //= in total; last by exact: ltnW.
  rewrite (big_cat_nat _ (m := l) (n := k.+1)) //= in total; last by exact: leqW.
  rewrite (none 0%N l) in total; last by move=> j; exact: below.
  rewrite (none k.+1 d.+1) in total; last by move=> j /andP[lt _]; exact: above.
  rewrite R_add0 R_addr0 -{1}[l]add0n big_addn big_mkord subSn // in total.
  by rewrite -[RHS]total; apply: eq_bigr => i _; rewrite /F addnK addnC.
exists (k - l)%N, (fun i => - (y (l + i)%N / y k)); split; first by rewrite leq_subLR; exact: leq_trans (leq_addl _ _).
split=> [_ | s].
  rewrite addn0; apply: Ropp_neq_0_compat; apply: Rmult_integral_contrapositive; split=> //; exact: Rinv_neq_0_compat.
have := inner s; rewrite big_ord_recr /= subnKC //; set S := \big[_/_]_(i < _) _ => total.
have last : y k * a (s + (k - l))%N = - S by lra.
apply: (Rmult_eq_reg_l (y k)) => //; apply: etrans last _.
by rewrite -rsum_mull /S -rsum_opp; apply: eq_bigr => i _; field.
Qed.

(** ** Such recurrences are scores *)

Section Companion.

Variables (n : nat) (c : nat -> R).
Hypothesis c_0 : c 0%N <> 0.

(** G moves n + 1 successive terms by one place, and H moves them back. *)
Definition companion : 'M[R]_n.+1 :=
  \matrix_(i, j) if (i < n)%N then (if j == i.+1 :> nat then 1 else 0) else c j.

Definition companion_inverse : 'M[R]_n.+1 :=
  \matrix_(i, j) if i == 0%N :> nat then (if (j < n)%N then - (c j.+1 / c 0%N) else / c 0%N)
                 else (if i == j.+1 :> nat then 1 else 0).

Lemma companionE i j : companion i j = if (i < n)%N then (if j == i.+1 :> nat then 1 else 0) else c j.
Proof. by rewrite /companion mxE. Qed.

Lemma companion_inverseE i j : companion_inverse i j =
  if i == 0%N :> nat then (if (j < n)%N then - (c j.+1 / c 0%N) else / c 0%N) else (if i == j.+1 :> nat then 1 else 0).
Proof. by rewrite /companion_inverse mxE. Qed.

(** The sum of the terms of which one at most has a factor that is not 0. *)
Lemma only_before (j : 'I_n.+1) (f : nat -> R) :
  \rsum_(k < n) (f k * (if j == k.+1 :> nat then 1 else 0)) = if (0 < j)%N then f j.-1 else 0.
Proof.
have [j_0 | j_pos] := posnP j; first by rewrite big1 // => k _; rewrite j_0 /=; ring.
have lt : (j.-1 < n)%N by rewrite -ltnS prednK.
rewrite (rsum_one (i0 := Ordinal lt)) /=; first by rewrite prednK // eqxx; ring.
move=> k ne; case: eqP => [eq | _]; last by ring.
by case/eqP: ne; apply: val_inj; rewrite /= eq.
Qed.

Lemma companion_invertible : invertible companion.
Proof.
exists companion_inverse; apply/matrixP => i j; rewrite mxE big_ord_recr /= companion_inverseE companionE /= ltnn mxE.
rewrite (eq_bigr (fun k : 'I_n => (if i == 0%N :> nat then - (c k.+1 / c 0%N) else (if i == k.+1 :> nat then 1 else 0)) *
    (if j == k.+1 :> nat then 1 else 0))); last first.
  by move=> k _; rewrite companion_inverseE companionE /= ltn_ord.
rewrite (only_before j (fun k => if i == 0%N :> nat then - (c k.+1 / c 0%N) else (if i == k.+1 :> nat then 1 else 0))).
rewrite -[i == j]val_eqE /=.
have [i_0 | i_pos] := posnP i.
  rewrite i_0; have [j_0 | j_pos] := posnP j; first by rewrite j_0 /=; field.
  by rewrite prednK // [0%N == _]eq_sym (gtn_eqF j_pos); field.
rewrite [i == n.+1 :> nat]ltn_eqF ?ltn_ord // R_mul0.
have [j_0 | j_pos] := posnP j; first by rewrite j_0 (gtn_eqF i_pos); ring.
by rewrite prednK // R_addr0.
Qed.

(** Successive terms in a column are moved by one place. *)
Lemma companion_terms (a : nat -> R) s : (forall s, a (s + n.+1)%N = \rsum_(i < n.+1) (c i * a (s + i)%N)) ->
  iterate companion (\matrix_(i, j) a i) s = \matrix_(i, j) a (s + i)%N.
Proof.
move=> recur; elim: s => [|s IHs]; first by apply/matrixP => i j; rewrite !mxE.
have -> : iterate companion (\matrix_(i, j) a i) s.+1 = companion *m iterate companion (\matrix_(i, j) a i) s by [].
rewrite IHs; apply/matrixP => i j; rewrite !mxE; have [lt | ge] := ltnP i n.
  have i_lt : (i.+1 < n.+1)%N by [].
  rewrite (rsum_one (i0 := Ordinal i_lt)).
    by rewrite companionE lt /= eqxx mxE /= addSn addnS R_mul1.
  move=> k ne; rewrite companionE lt mxE; case: eqP => [eq | _]; last by ring.
  by case/eqP: ne; apply: val_inj.
have -> : (s.+1 + i = s + n.+1)%N by rewrite addSnnS; congr addn; apply/eqP; rewrite eqSS eqn_leq ge -ltnS ltn_ord.
by rewrite recur; apply: eq_bigr => k _; rewrite companionE ltnNge ge mxE.
Qed.

End Companion.

(** uniqueness.linear-recurrence: The scores uᵀGˢv at natural distances s, for a d×d matrix G that has an inverse, obey a recurrence
    a(s+n) = Σ_{i<n} c_i·a(s+i) of some order n ≤ d with c_0 ≠ 0; and every sequence that obeys one of order n is such scores of
    an n×n matrix that has an inverse. *)
Theorem uniqueness_linear_recurrence :
  (forall (d : nat) (G : 'M[R]_d) (u v : 'cV[R]_d), invertible G ->
     exists (n : nat) (c : nat -> R), (n <= d)%N /\ recurrence n c (fun s => dot u (iterate G v s))) /\
  (forall (n : nat) (c a : nat -> R), recurrence n c a ->
     exists (G : 'M[R]_n) (u v : 'cV[R]_n), invertible G /\ forall s, a s = dot u (iterate G v s)).
Proof.
split=> [d G u v | [|n] c a [c_0 recur]]; first exact: scores_recur.
  exists (idR 0), zeroR, zeroR; split; first by exists (idR 0); rewrite mul1R.
  by move=> s; rewrite /dot !big_ord0 -[s]addn0 recur big_ord0.
exists (companion n c), (unit_column ord0), (\matrix_(i, j) a i); split; first by apply: companion_invertible; exact: c_0.
by move=> s; rewrite companion_terms // dot_unit_column mxE addn0.
Qed.
