(** * Rounded reciprocals

  Attention that is uniform over the t tokens that it sees gives each 1/t, which tells t; a format
  tells neighbouring reciprocals apart while t (t + 1) < 2^(2p - 1), by their distance, and beyond
  that for some more, which are looked at one by one in integers.

  nearest p t       == the integer nearest to 2^(2p-1) / t, 1/t in units of the last place of the
                       binade below 2^(1-p)
  is_nearest p t    == 2^(2p-1) / t is nearer to it than one half
  repeats_first F a t == the integers t and t + 1 are the first whose reciprocals round alike, seen by looking
                       at all from a on
  falling p n t     == nearest p decreases at each of the n steps from t on, all of them nearest
  first_token       == the values of which the first is 1 and all others 0

  Main results: precision.nope-inverse. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix Encoding AttentionLayer Heads RoundingFormat.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Uniform attention *)

Definition first_token (n : nat) : 'M[R]_(n, 1) := \matrix_(i, j) if i == 0%N :> nat then 1 else 0.

Lemma uniform_first_token n (A : 'M[R]_n) (i : 'I_n) : (forall k, A i k = A i i) ->
  (causal A *m first_token n) i ord0 = / INR i.+1.
Proof.
move=> same; have n_pos : (0 < n)%N by case: n i {A same} => [[]|].
rewrite mxE (rsum_one (i0 := Ordinal n_pos)).
  by rewrite (causal_constant same) // mxE /= Rmult_1_r.
by move=> k; rewrite -val_eqE /= => /negPf k_ne; rewrite [first_token _ _ _]mxE k_ne R_mulr0.
Qed.

Lemma inverse_decreasing (t t' : nat) : (0 < t)%N -> (t < t')%N -> / INR t' < / INR t.
Proof.
move=> /ltP /lt_INR t_gt0 /ltP /lt_INR t_lt; rewrite /= in t_gt0.
by apply: Rinv_lt_contravar => //; nra.
Qed.

(** ** Neighbours apart by their distance *)

Lemma reciprocals_apart F (t : Z) : (1 <= t)%Z -> (emin F <= 1 - 2 * precision F)%Z ->
  (t * (t + 1) < 2 ^ (2 * precision F - 1))%Z -> fl F (/ IZR (t + 1)) < fl F (/ IZR t).
Proof.
move=> t_ge1 emin_le below; have p_gt1 := precision_above_one F; set p := precision F in p_gt1 below emin_le.
have [k_ge k_lt] := Z.log2_spec t ltac:(lia); set k := Z.log2 t in k_ge k_lt.
have k_ge0 : (0 <= k)%Z := Z.log2_nonneg t.
have k_le : (k <= p - 1)%Z.
  have [// | beyond] : (k <= p - 1)%Z \/ (p <= k)%Z by lia.
  have large : (2 ^ p <= 2 ^ k)%Z by apply: Z.pow_le_mono_r; lia.
  have twice : (2 ^ (2 * p - 1) <= 2 ^ p * 2 ^ p)%Z by rewrite -Z.pow_add_r; try lia; apply: Z.pow_le_mono_r; lia.
  have : (0 < 2 ^ p)%Z by apply: Z.pow_pos_nonneg; lia.
  nia.
have product : (t * (t + 1) < 2 ^ (k + p))%Z.
  have [k_eq | k_ne] := Z.eq_dec k (p - 1).
    by move: below; rewrite k_eq (_ : p - 1 + p = 2 * p - 1)%Z; last by ring.
  apply: (Z.lt_le_trans _ (2 ^ Z.succ k * 2 ^ Z.succ k)); first by nia.
  by rewrite -Z.pow_add_r; try lia; apply: Z.pow_le_mono_r; lia.
have t_real : 1 <= IZR t by apply: IZR_le.
set a := / IZR t; set b := / IZR (t + 1).
have a_gt0 : 0 < a by apply: Rinv_0_lt_compat; lra.
have b_gt0 : 0 < b by apply: Rinv_0_lt_compat; rewrite plus_IZR; lra.
have b_lt : b < a by apply: Rinv_lt_contravar; rewrite plus_IZR; nra.
have power (e : Z) : (0 <= e)%Z -> IZR (2 ^ e) = bpow radix2 e by move=> e_ge0; rewrite -(IZR_Zpower radix2).
have a_le : Rabs a <= bpow radix2 (- k).
  rewrite Rabs_pos_eq; last exact: Rlt_le.
  rewrite bpow_opp -power //; apply: Rinv_le_contravar; last exact: IZR_le.
  by rewrite power //; exact: bpow_gt_0.
have spaced : spacing F a <= bpow radix2 (- (k + p)).
  by apply: Rle_trans (spacing_le_bpow _ _ _ a_le) _; apply: bpow_le; rewrite -/p; lia.
have distance : bpow radix2 (- (k + p)) < a - b.
  have -> : a - b = / IZR (t * (t + 1)).
    by rewrite /a /b mult_IZR plus_IZR; field; lra.
  rewrite bpow_opp -power; last by lia.
  apply: Rinv_lt_contravar; last exact: IZR_lt.
  by apply: Rmult_lt_0_compat; apply: IZR_lt; [nia | apply: Z.pow_pos_nonneg; lia].
have := half_spacing_le F a a (Rle_refl _).
have := half_spacing_le F b a ltac:(rewrite !Rabs_pos_eq; lra).
by move=> /Rabs_le_inv[_ high] /Rabs_le_inv[low _]; lra.
Qed.

(** ** Neighbours looked at one by one *)

Definition nearest (p t : Z) : Z := ((2 ^ (2 * p) + t) / (2 * t))%Z.

Definition is_nearest (p t : Z) : bool := (Z.abs (2 ^ (2 * p) - 2 * nearest p t * t) <? t)%Z.

Fixpoint falling (p : Z) (n : nat) (t : Z) : bool :=
  if n is m.+1 then
    is_nearest p t && is_nearest p (t + 1) && (nearest p (t + 1) <? nearest p t)%Z && falling p m (t + 1)
  else true.

Lemma fl_reciprocal F (t : Z) : let p := precision F in
  (2 ^ (p - 1) < t <= 2 ^ p)%Z -> (emin F <= 1 - 2 * p)%Z -> is_nearest p t ->
  fl F (/ IZR t) = IZR (nearest p t) * bpow radix2 (1 - 2 * p).
Proof.
move=> p [t_gt t_le] emin_le /Z.ltb_lt near; have p_gt1 := precision_above_one F; rewrite -/p in p_gt1.
have power (e : Z) : (0 <= e)%Z -> IZR (2 ^ e) = bpow radix2 e by move=> e_ge0; rewrite -(IZR_Zpower radix2).
have half_gt0 : 0 < IZR (2 ^ (p - 1)) by apply: IZR_lt; apply: Z.pow_pos_nonneg; lia.
have t_gt0 : 0 < IZR t by have := IZR_lt _ _ t_gt; lra.
have inv_gt0 : 0 < / IZR t := Rinv_0_lt_compat _ t_gt0.
have mag_eq : mag radix2 (/ IZR t) = (1 - p)%Z :> Z.
  apply: mag_unique; rewrite Rabs_pos_eq; last exact: Rlt_le.
  have -> : (1 - p - 1 = - p)%Z by ring.
  have -> : (1 - p = - (p - 1))%Z by ring.
  rewrite !bpow_opp -!power; try lia; split.
    by apply: Rinv_le_contravar => //; exact: IZR_le.
  by apply: Rinv_lt_contravar; [exact: Rmult_lt_0_compat | exact: IZR_lt].
have exponent : cexp radix2 (exponents F) (/ IZR t) = (1 - 2 * p)%Z.
  by rewrite /cexp mag_eq /FLT_exp -/p; lia.
rewrite /fl /round /F2R /= exponent; congr (IZR _ * _).
rewrite /scaled_mantissa exponent; apply: Znearest_imp.
have -> : (- (1 - 2 * p) = 2 * p - 1)%Z by ring.
have -> : / IZR t * bpow radix2 (2 * p - 1) - IZR (nearest p t) =
          IZR (2 ^ (2 * p) - 2 * nearest p t * t) / (2 * IZR t).
  rewrite minus_IZR power; last by lia.
  have -> : bpow radix2 (2 * p) = 2 * bpow radix2 (2 * p - 1).
    by rewrite -[X in X * _]/(bpow radix2 1) -bpow_plus; congr bpow; ring.
  by rewrite !mult_IZR; field; lra.
rewrite /Rdiv Rabs_mult -abs_IZR (Rabs_pos_eq (/ _)); last by apply/Rlt_le/Rinv_0_lt_compat; lra.
apply: (Rmult_lt_reg_r (2 * IZR t)); first by lra.
rewrite Rmult_assoc Rinv_l ?Rmult_1_r; last by lra.
by have := IZR_lt _ _ near; lra.
Qed.

Lemma fallingP F n t j : let p := precision F in (2 ^ (p - 1) < t)%Z -> (t + Z.of_nat n <= 2 ^ p)%Z ->
  (emin F <= 1 - 2 * p)%Z -> falling p n t -> (t <= j < t + Z.of_nat n)%Z ->
  fl F (/ IZR (j + 1)) < fl F (/ IZR j).
Proof.
move=> p; elim: n t => [|n IHn] t t_gt t_le emin_le; first by lia.
move=> /= /andP[/andP[/andP[here next] /Z.ltb_lt falls] later] range.
have [<- | ne] := Z.eq_dec t j; last by apply: (IHn (t + 1)%Z) => //; lia.
rewrite (fl_reciprocal _ emin_le here); last by rewrite -/p; lia.
rewrite (fl_reciprocal _ emin_le next); last by rewrite -/p; lia.
by apply: Rmult_lt_compat_r; [exact: bpow_gt_0 | exact: IZR_lt].
Qed.

(** The first reciprocal that rounds as the next one does. *)
Definition first_repeat (F : format) (first : Z) : Prop :=
  (forall t : Z, (1 <= t < first)%Z -> fl F (/ IZR (t + 1)) < fl F (/ IZR t)) /\
  fl F (/ IZR (first + 1)) = fl F (/ IZR first).

(** From a step [from] up to which the distance is enough, over [n] steps. *)
Lemma first_repeatP F (from : Z) (n : nat) : let p := precision F in let first := (from + Z.of_nat n)%Z in
  (2 ^ (p - 1) < from)%Z -> (first + 1 <= 2 ^ p)%Z -> (emin F <= 1 - 2 * p)%Z ->
  ((from - 1) * from < 2 ^ (2 * p - 1))%Z -> falling p n from ->
  is_nearest p first && is_nearest p (first + 1) && (nearest p (first + 1) =? nearest p first)%Z ->
  first_repeat F first.
Proof.
move=> p first from_gt first_le emin_le below falls /andP[/andP[here next] /Z.eqb_eq same].
have half_gt0 : (0 < 2 ^ (p - 1))%Z by apply: Z.pow_pos_nonneg; have := precision_above_one F; rewrite -/p; lia.
have from_le : (from <= first)%Z by rewrite /first; lia.
split=> [t [t_ge1 t_lt] | ]; last first.
  by rewrite (fl_reciprocal _ emin_le here) ?(fl_reciprocal _ emin_le next) -/p; try lia; rewrite same.
have [t_low | t_high] := Z_lt_le_dec t from; last first.
  by apply: (fallingP from_gt _ emin_le falls) => //; rewrite -/first -/p; lia.
by apply: reciprocals_apart => //; apply: Z.le_lt_trans below; nia.
Qed.

(** All of that in integers, for neighbours looked at from a number on. *)
Definition repeats_first (F : format) (from first : Z) : bool :=
  let p := precision F in
  (2 ^ (p - 1) <? from)%Z && (from <=? first)%Z && (first + 1 <=? 2 ^ p)%Z && (emin F <=? 1 - 2 * p)%Z &&
  ((from - 1) * from <? 2 ^ (2 * p - 1))%Z && falling p (Z.to_nat (first - from)) from &&
  (is_nearest p first && is_nearest p (first + 1) && (nearest p (first + 1) =? nearest p first)%Z).

Lemma repeats_firstP F from first : repeats_first F from first -> first_repeat F first.
Proof.
move=> /andP[/andP[/andP[/andP[/andP[/andP[from_gt from_le] first_le] emin_le] below] falls] same].
move: from_gt from_le first_le => /Z.ltb_lt from_gt /Z.leb_le from_le /Z.leb_le first_le.
move: emin_le below => /Z.leb_le emin_le /Z.ltb_lt below.
have first_is : first = (from + Z.of_nat (Z.to_nat (first - from)))%Z by rewrite Z2Nat.id; lia.
by rewrite first_is; apply: first_repeatP => //; rewrite -first_is.
Qed.

(** precision.nope-inverse: Uniform causal attention over t tokens writes 1/t, which is decreasing
    and so tells the position; rounded to a format, 1/t and 1/(t+1) are first equal at t = 190 in
    bfloat16, 1464 in binary16 and 11864338 in binary32. *)
Theorem precision_nope_inverse :
  (forall n (A : 'M[R]_n) (i : 'I_n), (forall k, A i k = A i i) ->
     (causal A *m first_token n) i ord0 = / INR i.+1) /\
  (forall t t' : nat, (0 < t)%N -> (t < t')%N -> / INR t' < / INR t) /\
  first_repeat bfloat16 190 /\ first_repeat binary16 1464 /\ first_repeat binary32 11864338.
Proof.
split; first exact: uniform_first_token.
split; first exact: inverse_decreasing.
have few : repeats_first bfloat16 181 190 by vm_cast_no_check (erefl true).
have some_more : repeats_first binary16 1448 1464 by vm_cast_no_check (erefl true).
have many : repeats_first binary32 11863283 11864338 by vm_cast_no_check (erefl true).
exact (conj (repeats_firstP few) (conj (repeats_firstP some_more) (repeats_firstP many))).
Qed.
