(** * The error of a sum, in any order

  What is claimed.  A sum of N numbers of a format, added in any order (one
  after the other, pairwise, blocked), errs by at most (N - 1) v Σ|p_i|, with
  no condition on N; a tree of depth h by at most ((1 + v)^h - 1) Σ|p_i|; and
  by at most half the spacings of the sums as they occur.

  Dictionary:
  - [order] == a binary tree of additions whose leaves name the terms;
  - [sequential n] == the order (((p_0 + p_1) + p_2) + ...) + p_n;
  - [terms o] == the list of the leaves; [count o], [depth o] as they say;
  - [exact_sum p o] == Σ p_i over the leaves i of o;
  - [computed_sum F p o] == the same with every addition rounded to F;
  - [in_range F p o] == all terms and partial sums are at most Ω;
  - [running_sum F p o] == Σ spacing(s)/2 over the additions, s the number rounded.

  Formulas, with S = Σ|p_i| and N terms:
    |computed - exact| <= (N - 1) v S                [rounding_sum_any_order]
    |computed - exact| <= ((1 + v)^h - 1) S          [rounding_sum_depth]
    |computed - exact| <= running_sum                [rounding_sum_running]

    (1 + (N - 1) v) S <= Ω implies that nothing overflows  [rounding_sum_range]

  The first is the theorem of Jeannerod and Rump (2013), with v for u: an
  addition errs by no more than either operand, since both are in the format.
  Assumes: the terms are numbers of the format; no overflow (see
  rounding_sum_range).  Underflow is harmless: additions are exact there. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel.

Open Scope R_scope.

Inductive order := Term (i : nat) | Add (l r : order).

Fixpoint terms (o : order) : seq nat :=
  match o with Term i => [:: i] | Add l r => terms l ++ terms r end.

Fixpoint count (o : order) : nat :=
  match o with Term _ => 1 | Add l r => count l + count r end%N.

Fixpoint depth (o : order) : nat :=
  match o with Term _ => 0 | Add l r => (maxn (depth l) (depth r)).+1 end%N.

Fixpoint sequential (n : nat) : order :=
  match n with O => Term 0 | S n => Add (sequential n) (Term n.+1) end.

Fixpoint exact_sum (p : nat -> R) (o : order) : R :=
  match o with Term i => p i | Add l r => exact_sum p l + exact_sum p r end.

Fixpoint computed_sum (F : format) (p : nat -> R) (o : order) : R :=
  match o with
  | Term i => p i
  | Add l r => fl F (computed_sum F p l + computed_sum F p r)
  end.

Fixpoint running_sum (F : format) (p : nat -> R) (o : order) : R :=
  match o with
  | Term i => 0
  | Add l r => running_sum F p l + running_sum F p r
               + / 2 * spacing F (computed_sum F p l + computed_sum F p r)
  end.

(** Every term and every partial sum is at most the largest finite number. *)
Fixpoint in_range (F : format) (p : nat -> R) (o : order) : Prop :=
  match o with
  | Term i => Rabs (p i) <= largest F
  | Add l r => in_range F p l /\ in_range F p r /\
               Rabs (computed_sum F p (Add l r)) <= largest F
  end.

(** ** Orders and sums *)

Lemma count_pos o : 1 <= INR (count o).
Proof.
elim: o => [i|l IHl r IHr] /=; first exact: Rle_refl.
by rewrite plus_INR; lra.
Qed.

Lemma size_terms o : size (terms o) = count o.
Proof. by elim: o => [i|l IHl r IHr] //=; rewrite size_cat IHl IHr. Qed.

Lemma exact_sum_big p o : exact_sum p o = \big[Rplus/0]_(i <- terms o) p i.
Proof.
elim: o => [i|l IHl r IHr] /=; first by rewrite big_seq1.
by rewrite big_cat IHl IHr.
Qed.

(** An order that names each of 0 ... n-1 once sums p_0 ... p_(n-1). *)
Lemma exact_sum_permutation p o n :
  perm_eq (terms o) (iota 0 n) -> exact_sum p o = \rsum_(i < n) p i.
Proof.
move=> each_once; rewrite exact_sum_big (perm_big _ each_once) /=.
by rewrite -{1}(subn0 n) -[iota _ _]/(index_iota 0 n) big_mkord.
Qed.

Lemma count_permutation o n : perm_eq (terms o) (iota 0 n) -> count o = n.
Proof. by move=> each_once; rewrite -size_terms (perm_size each_once) size_iota. Qed.

Lemma terms_sequential n : terms (sequential n) = iota 0 n.+1.
Proof.
elim: n => [|n IH] //.
by rewrite -(addn1 n.+1) iotaD -IH.
Qed.

Lemma exact_sum_ge0 p o : (forall i, 0 <= p i) -> 0 <= exact_sum p o.
Proof.
move=> p_ge0; elim: o => [i|l IHl r IHr] /=; first exact: p_ge0.
by lra.
Qed.

Lemma exact_sum_abs p o : Rabs (exact_sum p o) <= exact_sum (fun i => Rabs (p i)) o.
Proof.
elim: o => [i|l IHl r IHr] /=; first exact: Rle_refl.
by move: (Rabs_triang (exact_sum p l) (exact_sum p r)); lra.
Qed.

(** Termwise bounds add up. *)
Lemma exact_sum_near rho sigma p' p o :
  (forall i, near rho sigma (p' i) (p i)) ->
  Rabs (exact_sum p' o - exact_sum p o)
  <= rho * exact_sum (fun i => Rabs (p i)) o + INR (count o) * sigma.
Proof.
move=> p'_near; elim: o => [i|l IHl r IHr] /=.
  by move: (p'_near i); rewrite /near; lra.
have -> : exact_sum p' l + exact_sum p' r - (exact_sum p l + exact_sum p r)
  = (exact_sum p' l - exact_sum p l) + (exact_sum p' r - exact_sum p r) by ring.
move: (Rabs_triang (exact_sum p' l - exact_sum p l) (exact_sum p' r - exact_sum p r)).
by rewrite plus_INR; lra.
Qed.

Lemma exact_sum_le p q o : (forall i, p i <= q i) -> exact_sum p o <= exact_sum q o.
Proof.
move=> le_pq; elim: o => [i|l IHl r IHr] /=; first exact: le_pq.
by lra.
Qed.

Lemma exact_sum_affine a c p o :
  exact_sum (fun i => a * p i + c) o = a * exact_sum p o + INR (count o) * c.
Proof.
elim: o => [i|l IHl r IHr]; cbn [exact_sum count]; first by rewrite /=; ring.
by rewrite IHl IHr plus_INR; ring.
Qed.

Lemma exact_sum_ext p q o : (forall i, p i = q i) -> exact_sum p o = exact_sum q o.
Proof. by move=> eq_pq; elim: o => [i|l IHl r IHr] //=; rewrite IHl IHr. Qed.

(** ** The bounds *)

Section Addition.
Variable F : format.

Lemma computed_sum_float p o :
  (forall i, is_float F (p i)) -> is_float F (computed_sum F p o).
Proof. by move=> Fp; case: o => [i|l r] /=; [exact: Fp | exact: fl_float]. Qed.

(** Splitting the error of a node: the errors of its operands and its own. *)
Lemma node_error (l r sl sr a : R) :
  Rabs (a - (sl + sr)) <= Rabs (l - sl) + Rabs (r - sr) + Rabs (a - (l + r)).
Proof.
have -> : a - (sl + sr) = (l - sl) + ((r - sr) + (a - (l + r))) by ring.
move: (Rabs_triang (l - sl) ((r - sr) + (a - (l + r)))).
by move: (Rabs_triang (r - sr) (a - (l + r))); lra.
Qed.

(** The step of the induction, in numbers only. *)
Lemma any_order_step (w m n Sl Sr el er d al ar : R) :
  0 <= w <= 1 -> 0 <= m -> 0 <= n -> 0 <= Sl -> 0 <= Sr ->
  el <= m * w * Sl -> er <= n * w * Sr ->
  al <= Sl + el -> ar <= Sr + er ->
  d <= w * (al + ar) -> d <= al -> d <= ar ->
  el + er + d <= (m + n + 1) * w * (Sl + Sr).
Proof.
move=> [w0 w1] m0 n0 Sl0 Sr0 el_le er_le al_le ar_le d_le d_al d_ar.
have mw : 0 <= m * w by exact: Rmult_le_pos.
have nw : 0 <= n * w by exact: Rmult_le_pos.
case: (Rle_lt_dec Sl (w * Sr)) => [small_l|big_l].
  have H1 : m * w * Sl <= m * w * (w * Sr) by exact: Rmult_le_compat_l.
  have H2 : m * w * (w * Sr) <= m * w * Sr by apply: Rmult_le_compat_l => //; nra.
  have H3 : 0 <= n * w * Sl by exact: Rmult_le_pos.
  have H4 : 0 <= w * Sl by exact: Rmult_le_pos.
  by lra.
case: (Rle_lt_dec Sr (w * Sl)) => [small_r|big_r].
  have H1 : n * w * Sr <= n * w * (w * Sl) by exact: Rmult_le_compat_l.
  have H2 : n * w * (w * Sl) <= n * w * Sl by apply: Rmult_le_compat_l => //; nra.
  have H3 : 0 <= m * w * Sr by exact: Rmult_le_pos.
  have H4 : 0 <= w * Sr by exact: Rmult_le_pos.
  by lra.
have H1 : m * w * (w * Sl) <= m * w * Sr by apply: Rmult_le_compat_l => //; lra.
have H2 : n * w * (w * Sr) <= n * w * Sl by apply: Rmult_le_compat_l => //; lra.
have H3 : w * (al + ar) <= w * (Sl + m * w * Sl + (Sr + n * w * Sr)).
  by apply: Rmult_le_compat_l => //; lra.
by lra.
Qed.

(** rounding.sum-any-order: a sum of N numbers of the format, added in any order, errs by at most
    (N - 1) v Σ|p_i|. *)
Theorem rounding_sum_any_order (p : nat -> R) (o : order) :
  (forall i, is_float F (p i)) ->
  Rabs (computed_sum F p o - exact_sum p o)
  <= (INR (count o) - 1) * v F * exact_sum (fun i => Rabs (p i)) o.
Proof.
move=> Fp; elim: o => [i|l IHl r IHr].
  by rewrite /= Rminus_eq_0 Rabs_R0; lra.
have [v0 v1] := (v_pos F, v_lt_1 F).
cbn [computed_sum exact_sum count]; rewrite plus_INR.
set L := computed_sum F p l; set Q := computed_sum F p r.
have FL : is_float F L by exact: computed_sum_float.
have FQ : is_float F Q by exact: computed_sum_float.
apply: Rle_trans (node_error L Q _ _ _) _.
have -> : INR (count l) + INR (count r) - 1
  = (INR (count l) - 1) + (INR (count r) - 1) + 1 by ring.
have [cl cr] := (count_pos l, count_pos r).
have abs_ge0 o : 0 <= exact_sum (fun i => Rabs (p i)) o
  by apply: exact_sum_ge0 => i; exact: Rabs_pos.
apply: (any_order_step (v F) _ _ _ _ _ _ _ (Rabs L) (Rabs Q)) => //; try lra.
- by move: (Rabs_by_diff L (exact_sum p l)) (exact_sum_abs p l); lra.
- by move: (Rabs_by_diff Q (exact_sum p r)) (exact_sum_abs p r); lra.
- apply: Rle_trans (addition_relative F _ _ FL FQ) _.
  by apply: Rmult_le_compat_l; [lra | exact: Rabs_triang].
- exact: addition_left.
- exact: addition_right.
Qed.

(** rounding.sum-range: if (1 + (N - 1)v) Σ|p_i| <= Ω then no partial sum overflows. *)
Theorem rounding_sum_range (p : nat -> R) (o : order) :
  (forall i, is_float F (p i)) ->
  (1 + (INR (count o) - 1) * v F) * exact_sum (fun i => Rabs (p i)) o <= largest F ->
  in_range F p o.
Proof.
move=> Fp; have v0 := v_pos F.
have abs_ge0 o' : 0 <= exact_sum (fun i => Rabs (p i)) o'
  by apply: exact_sum_ge0 => i; exact: Rabs_pos.
have whole o' : (1 + (INR (count o') - 1) * v F) * exact_sum (fun i => Rabs (p i)) o' <= largest F ->
    Rabs (computed_sum F p o') <= largest F.
  move: (rounding_sum_any_order p o' Fp) (exact_sum_abs p o').
  by move: (Rabs_by_diff (computed_sum F p o') (exact_sum p o')); lra.
elim: o => [i|l IHl r IHr] le_largest; first by exact: (whole (Term i) le_largest).
have part o' : (count o' <= count (Add l r))%N ->
    exact_sum (fun i => Rabs (p i)) o' <= exact_sum (fun i => Rabs (p i)) (Add l r) ->
    (1 + (INR (count o') - 1) * v F) * exact_sum (fun i => Rabs (p i)) o' <= largest F.
  move=> /leP /le_INR le_count le_sum; apply: Rle_trans le_largest.
  have cv_ge0 : 0 <= (INR (count o') - 1) * v F.
    by apply: Rmult_le_pos; move: (count_pos o'); lra.
  apply: Rmult_le_compat => //; first by lra.
  by apply: Rplus_le_compat_l; apply: Rmult_le_compat_r; lra.
have [sum_l sum_r] := (abs_ge0 l, abs_ge0 r).
split; last split; last exact: whole.
- by apply: IHl; apply: part => /=; [exact: leq_addr | lra].
- by apply: IHr; apply: part => /=; [exact: leq_addl | lra].
Qed.

(** rounding.sum-depth: a sum of numbers of the format, added along a tree of depth h, errs by at most
    ((1 + v)^h - 1) Σ|p_i|. *)
Theorem rounding_sum_depth (p : nat -> R) (o : order) :
  (forall i, is_float F (p i)) ->
  Rabs (computed_sum F p o - exact_sum p o)
  <= ((1 + v F) ^ depth o - 1) * exact_sum (fun i => Rabs (p i)) o.
Proof.
move=> Fp; have v0 := v_pos F.
have grow m n : (m <= n)%N -> (1 + v F) ^ m <= (1 + v F) ^ n.
  by move=> /leP le_mn; apply: Rle_pow; [lra | exact: le_mn].
have abs_ge0 o' : 0 <= exact_sum (fun i => Rabs (p i)) o'
  by apply: exact_sum_ge0 => i; exact: Rabs_pos.
elim: o => [i|l IHl r IHr]; first by rewrite /= Rminus_eq_0 Rabs_R0; lra.
cbn [computed_sum exact_sum depth].
set L := computed_sum F p l; set Q := computed_sum F p r.
have FL : is_float F L by exact: computed_sum_float.
have FQ : is_float F Q by exact: computed_sum_float.
apply: Rle_trans (node_error L Q _ _ _) _.
have gl := grow _ _ (leq_maxl (depth l) (depth r)).
have gr := grow _ _ (leq_maxr (depth l) (depth r)).
have -> : (1 + v F) ^ (maxn (depth l) (depth r)).+1
  = (1 + v F) * (1 + v F) ^ maxn (depth l) (depth r) by [].
set g := (1 + v F) ^ maxn _ _ in gl gr *.
set Sl := exact_sum (fun i => Rabs (p i)) l in IHl *.
set Sr := exact_sum (fun i => Rabs (p i)) r in IHr *.
have Hl : Rabs (L - exact_sum p l) <= (g - 1) * Sl.
  apply: Rle_trans IHl _; apply: Rmult_le_compat_r; [exact: abs_ge0 | lra].
have Hr : Rabs (Q - exact_sum p r) <= (g - 1) * Sr.
  apply: Rle_trans IHr _; apply: Rmult_le_compat_r; [exact: abs_ge0 | lra].
have abs_LQ : Rabs (L + Q) <= g * (Sl + Sr).
  move: (Rabs_triang L Q) (Rabs_by_diff L (exact_sum p l)) (exact_sum_abs p l).
  by move: (Rabs_by_diff Q (exact_sum p r)) (exact_sum_abs p r); rewrite -/Sl -/Sr; lra.
move: (addition_relative F _ _ FL FQ) (Rmult_le_compat_l _ _ _ (Rlt_le _ _ v0) abs_LQ).
by lra.
Qed.

(** rounding.sum-running: a sum, added in any order, errs by at most Σ spacing(s)/2 over the additions,
    s the number that is rounded. *)
Theorem rounding_sum_running (p : nat -> R) (o : order) :
  Rabs (computed_sum F p o - exact_sum p o) <= running_sum F p o.
Proof.
elim: o => [i|l IHl r IHr]; first by rewrite /= Rminus_eq_0 Rabs_R0; lra.
cbn [computed_sum exact_sum running_sum].
apply: Rle_trans (node_error (computed_sum F p l) (computed_sum F p r) _ _ _) _.
by move: (rounding_half_spacing F (computed_sum F p l + computed_sum F p r)); lra.
Qed.

End Addition.
