(** * Attending to the diagonal

  Where queries and keys are one vector before rotation, the score of two positions is a sum of
  cosines of their distance, largest on the diagonal; the longer the vector, the more of the weight
  is there.

  rotated_scores h w psi n == (R(i) psi) . (R(j) psi) at (i, j)
  diagonal h w psi n i     == the weight that row i of causal attention gives to its own position
  row_sum S n              == sum_(j<n) e^(S (cos j - 1))

  Main results: heads.diagonal. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Interval Require Import Xreal Interval Float_full.
From Posproof Require Import RealMatrix Pairs Encoding Rotary AttentionLayer Heads Turns Figures IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition rotated_scores (h : nat) (omega : nat -> R) (psi : 'cV[R]_(h.*2)) (n : nat) : 'M[R]_n :=
  \matrix_(i, j) dot (rotary omega psi (INR i)) (rotary omega psi (INR j)).

Definition diagonal (h : nat) (omega : nat -> R) (psi : 'cV[R]_(h.*2)) (n : nat) (i : 'I_n) : R :=
  causal (rotated_scores omega psi n) i i.

Definition row_sum (S : R) (n : nat) : R := \rsum_(j < n) exp (S * (cos (INR j) - 1)).

(** ** The weight of the diagonal *)

(** The pair of frequency 1 is the only one that is not zero. *)
Definition alone (h : nat) (i0 : 'I_h) (psi : 'cV[R]_(h.*2)) : Prop :=
  forall i, i != i0 -> pair_of psi i = zeroR.

Lemma norm2_0 n : norm2 (zeroR : 'cV[R]_n) = 0.
Proof. by rewrite /norm2 /dot big1 // => i _; rewrite mxE R_mul0. Qed.

Lemma alone_score h (omega : nat -> R) (i0 : 'I_h) psi m n : omega i0 = 1 -> alone i0 psi ->
  dot (rotary omega psi m) (rotary omega psi n) = norm2 psi * cos (m - n).
Proof.
move=> omega_1 others_0; rewrite dot_pairs (rsum_one (i0 := i0)).
  rewrite !pair_of_rotary /rotate dot_rotation_pair omega_1 !Rmult_1_r; congr (_ * _).
  rewrite /norm2 dot_pairs (rsum_one (i0 := i0)) // => i /others_0 ->; exact: norm2_0.
by move=> i /others_0 pair_0; rewrite !pair_of_rotary /rotate dot_rotation_pair pair_0 norm2_0 R_mul0.
Qed.

Lemma alone_diagonal h (omega : nat -> R) (i0 : 'I_h) psi n (i : 'I_n) : omega i0 = 1 -> alone i0 psi ->
  diagonal omega psi i = / row_sum (norm2 psi) i.+1.
Proof.
move=> omega_1 others_0; rewrite /diagonal mxE leqnn; set S := norm2 psi.
have scoreE (k : 'I_n) : rotated_scores omega psi n i k = S * cos (INR i - INR k).
  by rewrite mxE (alone_score _ _ omega_1 others_0).
under eq_bigr do rewrite scoreE.
have -> : \big[Rplus/0]_(k < n | (k <= i)%N) exp (S * cos (INR i - INR k)) = exp S * row_sum S i.+1.
  rewrite -(big_ord_widen n (fun k => exp (S * cos (INR i - INR k))) (ltn_ord i)).
  rewrite (reindex_inj rev_ord_inj) /row_sum -rsum_mull; apply: eq_bigr => j _.
  rewrite -exp_plus; congr exp; rewrite /= subSS minus_INR; last by apply/leP; rewrite -ltnS.
  by rewrite (_ : INR i - (INR i - INR j) = INR j); ring.
rewrite scoreE Rminus_eq_0 cos_0 Rmult_1_r; have exp_gt0 := exp_pos S.
have sum_gt0 : 0 < row_sum S i.+1.
  rewrite /row_sum big_ord_recl; apply: Rplus_lt_le_0_compat; first exact: exp_pos.
  by apply: rsum_ge0 => j; apply: Rlt_le; exact: exp_pos.
by field; lra.
Qed.

(** ** Some norm is enough *)

Lemma cosines_apart (n : nat) : exists gap, 0 < gap /\ forall j : nat, (0 < j <= n)%N -> cos (INR j) <= 1 - gap.
Proof.
elim: n => [|n [gap [gap_gt0 apart]]].
  by exists 1; split=> [|[]//]; lra.
have next_lt : cos (INR n.+1) < 1 by rewrite INR_IZR_INZ; apply: cos_lt_1.
exists (Rmin gap (1 - cos (INR n.+1))); split=> [|j /andP[j_gt0]].
  by apply: Rmin_glb_lt; lra.
have := Rmin_l gap (1 - cos (INR n.+1)); have := Rmin_r gap (1 - cos (INR n.+1)).
rewrite leq_eqVlt ltnS => ? ? /orP[/eqP -> | j_le]; first by lra.
by have := apart j; rewrite j_gt0 j_le => /(_ isT); lra.
Qed.

Lemma row_sum_le (S gap : R) (n : nat) : 0 < S -> 0 < gap ->
  (forall j : nat, (0 < j <= n)%N -> cos (INR j) <= 1 - gap) -> row_sum S n.+1 <= 1 + INR n / (S * gap).
Proof.
move=> S_gt0 gap_gt0 apart; rewrite /row_sum big_ord_recl /= cos_0 Rminus_eq_0 Rmult_0_r exp_0.
apply: Rplus_le_compat_l; rewrite /Rdiv -rsum_const; apply: rsum_le => j.
have := apart (bump 0 j); rewrite /bump add1n ltn_ord => /(_ isT) cos_le.
have product_gt0 : 0 < S * gap by apply: Rmult_lt_0_compat.
apply: (Rle_trans _ (exp (- (S * gap)))).
  have : S * (cos (INR j.+1) - 1) <= - (S * gap) by nra.
  by case=> [/exp_increasing /Rlt_le // | ->]; exact: Rle_refl.
rewrite exp_Ropp; apply: Rinv_le_contravar => //.
by have := exp_ineq1_le (S * gap); lra.
Qed.

Lemma diagonal_above h (omega : nat -> R) (i0 : 'I_h) (epsilon : R) (N : nat) : omega i0 = 1 -> 0 < epsilon ->
  exists psi : 'cV[R]_(h.*2), forall i : 'I_N, 1 - epsilon < diagonal omega psi i.
Proof.
move=> omega_1 eps_gt0; have [gap [gap_gt0 apart]] := cosines_apart N.
set S := INR N.+1 / (epsilon * gap); have N_gt0 : 0 < INR N.+1 by apply: lt_0_INR; apply/ltP.
have S_gt0 : 0 < S by apply: Rdiv_lt_0_compat => //; exact: Rmult_lt_0_compat.
pose psi : 'cV[R]_(h.*2) := join_pairs (fun i => if i == i0 then col2 (sqrt S) 0 else zeroR).
have others_0 : alone i0 psi by move=> i /negPf i_ne; rewrite pair_of_join i_ne.
have norm_S : norm2 psi = S.
  rewrite /norm2 dot_pairs (rsum_one (i0 := i0)) => [|i /others_0 ->]; last exact: norm2_0.
  by rewrite pair_of_join eqxx dot_col2 sqrt_sqrt; [ring | exact: Rlt_le].
exists psi => i; rewrite (alone_diagonal i omega_1 others_0) norm_S.
have seen (j : nat) : (0 < j <= i)%N -> cos (INR j) <= 1 - gap.
  by move=> /andP[j_gt0 j_le]; apply: apart; rewrite j_gt0 (leq_trans j_le) // ltnW.
have := row_sum_le S_gt0 gap_gt0 seen.
have -> : INR i / (S * gap) = epsilon * (INR i / INR N.+1) by rewrite /S; field; lra.
have share : INR i / INR N.+1 < 1.
  apply: (Rmult_lt_reg_r (INR N.+1)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; last by lra.
  by rewrite Rmult_1_r Rmult_1_l; apply: lt_INR; apply/ltP; rewrite ltnW // ltnS ltn_ord.
have one_le : 1 <= row_sum S i.+1.
  rewrite /row_sum big_ord_recl /= cos_0 Rminus_eq_0 Rmult_0_r exp_0.
  have : 0 <= \rsum_(j < i) exp (S * (cos (INR (bump 0 j)) - 1)).
    by apply: rsum_ge0 => j; apply: Rlt_le; exact: exp_pos.
  by rewrite /bump /=; lra.
set D := row_sum S i.+1 in one_le * => D_le.
apply: (Rmult_lt_reg_r D); first by lra.
by rewrite Rinv_l; [nra | lra].
Qed.

(** ** Figures *)

(** An enclosure of e^x for x <= 0: where x is far below 0 by 0 and 1/(1 - x), whose exponents stay small. *)
Definition decay_enclosure (xi : I.type) : I.type :=
  if is_positive_interval (I.sub prec (I.fromZ prec (-64)) xi) then
    I.join I.zero (I.div prec (I.fromZ prec 1) (I.sub prec (I.fromZ prec 1) xi))
  else I.exp prec xi.

Lemma decay_encloses xi x : encloses xi x -> encloses (decay_enclosure xi) (exp x).
Proof.
rewrite /decay_enclosure => x_in; case: ifP => [below | _]; last exact: encloses_exp.
have x_lt : x < -64 by have := positive_interval (encloses_sub (encloses_Z (-64)) x_in) below; lra.
have range : 0 <= exp x <= 1 / (1 - x).
  split; first exact/Rlt_le/exp_pos.
  rewrite -(Ropp_involutive x) exp_Ropp /Rdiv Rmult_1_l; apply: Rinv_le_contravar; first by lra.
  by have := exp_ineq1_le (- x); lra.
apply: (contains_connected _ _ _ _ _ _ range).
  by apply: I.join_correct; left; exact: encloses_0.
apply: I.join_correct; right; apply: encloses_div; first by lra.
  exact: encloses_Z.
exact: encloses_sub (encloses_Z 1) x_in.
Qed.

Fixpoint row_enclosure (S : Z) (n : nat) : I.type :=
  if n is m.+1 then
    I.add prec (row_enclosure S m)
      (decay_enclosure (I.mul prec (I.fromZ prec S)
                              (I.sub prec (I.cos prec (I.fromZ prec (Z.of_nat m))) (I.fromZ prec 1))))
  else I.zero.

Lemma row_encloses S n : encloses (row_enclosure S n) (row_sum (IZR S) n).
Proof.
rewrite /row_sum; elim: n => [|n IHn]; first by rewrite big_ord0; exact: encloses_0.
rewrite big_ord_recr; apply: (encloses_add (p := prec)); first exact: IHn.
have position : encloses (I.fromZ prec (Z.of_nat n)) (INR n) by rewrite INR_IZR_INZ; exact: encloses_Z.
exact: decay_encloses (encloses_mul (encloses_Z S) (encloses_sub (encloses_cos position) (encloses_Z 1))).
Qed.

Lemma row_between S n lo hi den : between lo hi den (row_enclosure S n) ->
  IZR lo / IZR (Zpos den) < row_sum (IZR S) n < IZR hi / IZR (Zpos den).
Proof. by apply: betweenP; exact: row_encloses. Qed.

(** heads.diagonal: Where one pair has frequency 1, as the first of RoPE has, there are for every ε
    > 0 and N vectors q = k = ψ with which each of N tokens gives its own position a weight above 1
    − ε; with that pair alone the weight in row N = 45 is below 1/2 for ‖ψ‖² = 100 and above 0.99
    for ‖ψ‖² = 100000, and for N = 711 it passes 0.9 between ‖ψ‖² = 1.209·10^9 and 1.5·10^9. *)
Theorem heads_diagonal :
  (forall (h : nat) (omega : nat -> R) (i0 : 'I_h), omega i0 = 1 -> forall (epsilon : R) (N : nat), 0 < epsilon ->
     exists psi : 'cV[R]_(h.*2), forall i : 'I_N, 1 - epsilon < diagonal omega psi i) /\
  (forall (h : nat) (omega : nat -> R) (i0 : 'I_h) (psi : 'cV[R]_(h.*2)), omega i0 = 1 -> alone i0 psi ->
     let weight N := diagonal omega psi (ord_max : 'I_N.-1.+1) in
     (norm2 psi = 100 -> weight 45%N < 1 / 2) /\ (norm2 psi = 100000 -> 0.99 < weight 45%N) /\
     (norm2 psi = 1209000000 -> weight 711%N < 0.9) /\ (norm2 psi = 1500000000 -> 0.9 < weight 711%N)).
Proof.
split=> [h omega i0 omega_1 epsilon N | h omega i0 psi omega_1 others_0 weight]; first exact: (diagonal_above N omega_1).
have weightE N : weight N.+1 = / row_sum (norm2 psi) N.+1 by exact: (@alone_diagonal h omega i0 psi N.+1 ord_max).
have figure (lo hi : Z) (den : positive) (S : Z) (N : nat) : between lo hi den (row_enclosure S N.+1) ->
    (0 < lo)%Z -> norm2 psi = IZR S -> IZR (Zpos den) / IZR hi < weight N.+1 < IZR (Zpos den) / IZR lo.
  move=> /row_between[low high] /IZR_lt lo_gt0 norm_S; rewrite weightE norm_S.
  have den_gt0 : 0 < IZR (Zpos den) by apply: IZR_lt.
  have low_gt0 : 0 < IZR lo / IZR (Zpos den) by apply: Rdiv_lt_0_compat.
  have sum_gt0 : 0 < row_sum (IZR S) N.+1 by lra.
  have -> : IZR (Zpos den) / IZR lo = / (IZR lo / IZR (Zpos den)) by field; lra.
  have hi_gt0 : 0 < IZR hi.
    apply: (Rmult_lt_reg_r (/ IZR (Zpos den))); first exact: Rinv_0_lt_compat.
    by rewrite R_mul0; rewrite /Rdiv in high; lra.
  have -> : IZR (Zpos den) / IZR hi = / (IZR hi / IZR (Zpos den)) by field; lra.
  by split; apply: Rinv_lt_contravar => //; apply: Rmult_lt_0_compat => //; lra.
(* 710/113 is so near to 2 pi that the integers below 710, which are none of its multiples, are at least 1/115 away
   from those of 2 pi: in the row of 711 they add next to nothing, and what counts is the cosine of 710 alone. *)
have apart (j : nat) : (0 < j <= 709)%N -> cos (INR j) <= 1 - 1 / 30000.
  move=> /andP[/ltP j_gt0 /leP j_le].
  pose q := ((113 * Z.of_nat j + 355) / 710)%Z; pose k := Z.to_nat q; pose y := INR j - 2 * INR k * PI.
  have k_range : (0 <= Z.of_nat k <= 113)%Z /\ (-355 <= 113 * Z.of_nat j - 710 * Z.of_nat k <= 355)%Z.
    have := Z.div_mod (113 * Z.of_nat j + 355) 710 ltac:(lia).
    by have := Z.mod_pos_bound (113 * Z.of_nat j + 355) 710 erefl; rewrite -/q /k; lia.
  have k_near : (1 <= Z.abs (113 * Z.of_nat j - 710 * Z.of_nat k) <= 355)%Z /\ (0 <= Z.of_nat k <= 113)%Z.
    have [ | ] := Z.eq_dec (113 * Z.of_nat j) (Z.of_nat k * 710); last by lia.
    move=> same; have := Z.gauss 710 113 (Z.of_nat j) (ex_intro _ _ same) erefl.
    by case=> z; lia.
  have [[near_lo near_hi] [k_ge0 k_le]] := k_near.
  move: near_lo near_hi => /IZR_le + /IZR_le.
  rewrite abs_IZR minus_IZR !mult_IZR -!INR_IZR_INZ => near_lo near_hi.
  move: k_ge0 k_le => /IZR_le + /IZR_le; rewrite -!INR_IZR_INZ => k_ge0 k_le.
  have yE : y = (113 * INR j - 710 * INR k) / 113 + 2 * INR k * (355 / 113 - PI) by rewrite /y; field.
  have pi_near : 0 <= 355 / 113 - PI <= 1 / 3000000 by split; interval with (i_prec 40).
  have wander : 0 <= 2 * INR k * (355 / 113 - PI) <= 2 * 113 * (1 / 3000000) by nra.
  have -> : cos (INR j) = cos (Rabs y).
    have -> : cos (Rabs y) = cos y by rewrite /Rabs; case: Rcase_abs => // _; exact: cos_neg.
    by rewrite -(cos_period y k) /y; congr cos; ring.
  have : 1 / 115 <= Rabs y <= 3.142.
    by rewrite yE; move: near_lo near_hi; split_Rabs; lra.
  by move: (Rabs y) => z z_range; have [z_le | z_ge] := Rle_or_lt z 1; interval with (i_prec 30, i_autodiff z).
have row_last S n : row_sum S n.+1 = row_sum S n + exp (S * (cos (INR n) - 1)).
  by rewrite /row_sum big_ord_recr.
have row_ge1 S n : 1 <= row_sum S n.+1.
  rewrite /row_sum big_ord_recl cos_0 Rminus_eq_0 Rmult_0_r exp_0 -{1}[1]Rplus_0_r; apply: Rplus_le_compat_l.
  by apply: rsum_ge0 => j; exact/Rlt_le/exp_pos.
have row_711 S : 0 < S -> 1 + exp (S * (cos 710 - 1)) <= row_sum S 711 <=
    1 + 709 / (S * (1 / 30000)) + exp (S * (cos 710 - 1)).
  have -> : 710 = INR 710 by rewrite INR_IZR_INZ.
  have -> : 709 = INR 709 by rewrite INR_IZR_INZ.
  have gap_gt0 : 0 < 1 / 30000 by lra.
  move=> S_gt0; have := row_sum_le S_gt0 gap_gt0 apart; have := row_ge1 S 709%N.
  by rewrite (row_last S 710%N); lra.
have short : between 2 100 1 (row_enclosure 100 45) by vm_cast_no_check (erefl true).
have long : between 1 101 100 (row_enclosure 100000 45) by vm_cast_no_check (erefl true).
split=> [/(figure 2%Z 100%Z 1%positive 100%Z 44%N short erefl) | ]; first by lra.
split=> [/(figure 1%Z 101%Z 100%positive 100000%Z 44%N long erefl) | ]; first by lra.
split=> norm_S; rewrite (weightE 710%N) norm_S.
  have [enough _] := row_711 1209000000 ltac:(lra).
  have : 10 / 9 < 1 + exp (1209000000 * (cos 710 - 1)) by interval with (i_prec 80).
  move: (row_sum _ _) enough => D enough high; have : D * / D = 1 by apply: Rinv_r; lra.
  by have : 0 < / D by [apply: Rinv_0_lt_compat; lra]; nra.
have [least enough] := row_711 1500000000 ltac:(lra).
have : 1 + 709 / (1500000000 * (1 / 30000)) + exp (1500000000 * (cos 710 - 1)) < 10 / 9 by interval with (i_prec 80).
have := row_ge1 1500000000 710%N.
move: (row_sum _ _) enough least => D enough _ one_le low; have : D * / D = 1 by apply: Rinv_r; lra.
by have : 0 < / D by [apply: Rinv_0_lt_compat; lra]; nra.
Qed.

(** The price of the diagonal with that pair alone: from row 711 on no weight is above 0.9 without a square of the length beyond
    ln 9/(1 - cos 710). *)
Corollary heads_diagonal_price :
  (forall (h : nat) (omega : nat -> R) (i0 : 'I_h) (psi : 'cV[R]_(h.*2)) (N : nat), omega i0 = 1 -> alone i0 psi ->
     (711 <= N)%N -> 0.9 < diagonal omega psi (ord_max : 'I_N.-1.+1) -> ln 9 / (1 - cos 710) < norm2 psi) /\
  1209017281 < ln 9 / (1 - cos 710) < 1209017282.
Proof.
have gap : 0 < 1 - cos 710 by interval with (i_prec 80).
split=> [h omega i0 psi N omega_1 others_0 far | ]; last by split; interval with (i_prec 100).
set S := norm2 psi.
have term_gt0 n : 0 < exp (S * (cos (INR n) - 1)) by exact: exp_pos.
have row_last n : row_sum S n.+1 = row_sum S n + exp (S * (cos (INR n) - 1)).
  by rewrite /row_sum big_ord_recr.
have row_ge1 n : 1 <= row_sum S n.+1.
  elim: n => [|n IHn]; last by rewrite row_last; have := term_gt0 n.+1; lra.
  rewrite row_last /row_sum big_ord0 cos_0 Rminus_eq_0 Rmult_0_r exp_0; lra.
have row_far m : 1 + exp (S * (cos 710 - 1)) <= row_sum S (711 + m).
  elim: m => [|m IHm]; last by rewrite addnS row_last; have := term_gt0 (711 + m)%N; lra.
  rewrite addn0 (row_last 710%N); have -> : INR 710 = 710 by rewrite INR_IZR_INZ.
  by have := row_ge1 709%N; lra.
have predN : N.-1.+1 = N by rewrite prednK //; apply: leq_trans far.
rewrite (alone_diagonal _ omega_1 others_0) /= -/S => above.
have := row_far (N - 711)%N; rewrite subnKC // -predN => least.
move: (row_sum _ _) above least => D above least.
have e_gt0 := exp_pos (S * (cos 710 - 1)).
have D_gt0 : 0 < D by lra.
have D_inv : D * / D = 1 by apply: Rinv_r; lra.
have small : exp (S * (cos 710 - 1)) < / 9 by nra.
have := ln_increasing _ _ e_gt0 small; rewrite ln_exp ln_Rinv; last by lra.
move=> far_enough; apply: (Rmult_lt_reg_r (1 - cos 710)) => //.
by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
Qed.
