(** * What larger bases serve, and similarity at neighbouring positions

  hermitian_sine omega x == the imaginary part of the Hermitian product over the pairs of x and its
                         rotation by one position, |x|^2 sin of the angle between them

  Main results: base.similarity-bound, and what refutes base.upward-closed, base.larger-is-longer and
  base.power-law. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary IntervalTactic Figures UnitScore BaseChoice.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** A base that serves, and a larger one that does not *)

Lemma serves_204 : serves 640 64 204.
Proof.
(* The cosines and sines at the distances 15 a and b, in rows over the 64 pairs, give by products the cosines at
   15 a + b, and products cost far less than cosines. *)
pose p := coarse; pose q := Rpower 640 (- (1 / INR 64)); pose ratio := ratio_enclosure 640 64.
pose cosine (x : (I.type * I.type) * (I.type * I.type)) := I.sub p (I.mul p x.1.1 x.2.1) (I.mul p x.1.2 x.2.2).
pose sine (x : (I.type * I.type) * (I.type * I.type)) := I.add p (I.mul p x.1.2 x.2.1) (I.mul p x.1.1 x.2.2).
pose turn r s := [seq (cosine x, sine x) | x <- zip r s].
pose angles := traject (fun a => I.mul p a ratio) (I.fromZ prec 1) 64.
pose row_1 := [seq (I.cos p a, I.sin p a) | a <- angles]; pose row_0 := nseq 64 (I.fromZ prec 1, I.zero).
pose small := traject (turn row_1) row_0 16; pose large := traject (turn (nth row_0 small 15)) row_0 14.
pose terms m := [seq cosine x | x <- zip (nth row_0 large (m %/ 15)) (nth row_0 small (m %% 15))].
pose stands (r : seq (I.type * I.type)) (m : nat) := size r = 64%N /\ forall z i, (i < 64)%N ->
  encloses (nth z r i).1 (cos (INR m * q ^ i)) /\ encloses (nth z r i).2 (sin (INR m * q ^ i)).
have turned r s m n : stands r m -> stands s n -> stands (turn r s) (m + n)%N.
  move=> [size_r r_in] [size_s s_in]; have size_rs : size (zip r s) = 64%N by rewrite size_zip size_r size_s.
  split=> [|z i lt_i]; first by rewrite size_map.
  rewrite (nth_map (z, z)) ?size_rs // nth_zip ?size_r // plus_INR Rmult_plus_distr_r cos_plus sin_plus.
  have [c_r s_r] := r_in z i lt_i; have [c_s s_s] := s_in z i lt_i; split.
    exact: encloses_sub (encloses_mul c_r c_s) (encloses_mul s_r s_s).
  exact: encloses_add (encloses_mul s_r c_s) (encloses_mul c_r s_s).
have at_0 : stands row_0 0%N.
  split=> [|z i lt_i]; first by rewrite size_nseq.
  by rewrite nth_nseq lt_i R_mul0 cos_0 sin_0; split; [exact: encloses_Z | exact: encloses_0].
have at_1 : stands row_1 1%N.
  split=> [|z i lt_i]; first by rewrite size_map size_traject.
  have angle_in : encloses (nth (I.fromZ prec 1) angles i) (INR 1 * q ^ i).
    rewrite nth_traject // Rmult_1_l; elim: i {lt_i} => [|i IHi]; first exact: encloses_Z.
    rewrite iterS [q ^ _]/= Rmult_comm; exact: (encloses_mul IHi (@ratio_encloses 640 64 isT)).
  rewrite (nth_map (I.fromZ prec 1)) ?size_traject //.
  by split; [exact: encloses_cos | exact: (I.sin_correct p _ _ angle_in)].
have rows r m n k : stands r m -> (k < n)%N -> stands (nth row_0 (traject (turn r) row_0 n) k) (k * m)%N.
  by move=> r_in lt_k; rewrite nth_traject //; elim: k {lt_k} => [//|k IHk]; rewrite mulSn; exact: turned.
have summed l (f : nat -> R) : (forall i, (i < size l)%N -> encloses (nth I.zero l i) (f i)) ->
    encloses (foldr (I.add p) I.zero l) (\rsum_(i < size l) f i).
  elim: l f => [|x l IHl] f each; first by rewrite big_ord0; exact: encloses_0.
  rewrite big_ord_recl; apply: encloses_add; first exact: (each 0%N).
  by apply: (IHl (fun i => f i.+1)) => i; exact: (each i.+1).
move=> m m_le; have lt_m : (m < 205)%N by rewrite ltnS.
have [size_low low] : stands (nth row_0 small (m %% 15)) (m %% 15 * 1)%N.
  by apply: (rows) => //; apply: (@ltn_trans 15) => //; rewrite ltn_pmod.
have [size_high high] : stands (nth row_0 large (m %/ 15)) (m %/ 15 * (15 * 1))%N.
  by apply: (rows); [exact: rows | apply: (@leq_ltn_trans (204 %/ 15)); [exact: leq_div2r | ]].
have size_zip : size (zip (nth row_0 large (m %/ 15)) (nth row_0 small (m %% 15))) = 64%N.
  by rewrite size_zip size_high size_low.
have each i : (i < size (terms m))%N -> encloses (nth I.zero (terms m) i) (cos (INR m * q ^ i)).
  rewrite size_map size_zip => lt_i; pose z := (I.zero, I.zero).
  rewrite (nth_map (z, z)) ?size_zip // nth_zip ?size_high //.
  have -> : INR m = INR (m %/ 15 * (15 * 1)) + INR (m %% 15 * 1) by rewrite -plus_INR !muln1 [in LHS](divn_eq m 15).
  rewrite Rmult_plus_distr_r cos_plus.
  have [c_h s_h] := high z i lt_i; have [c_l s_l] := low z i lt_i.
  exact: (encloses_sub (encloses_mul c_h c_l) (encloses_mul s_h s_l)).
have := summed _ _ each; rewrite size_map size_zip => sum_in; apply: Rlt_le.
have -> : unit_score 64 (frequency 640 64.*2) (INR m) = \rsum_(i < 64) cos (INR m * q ^ i).
  by apply: eq_bigr => i _; rewrite (@frequency_ratio 640 64) //; lra.
apply: (positive_interval sum_in); have {lt_m} : m \in iota 0 205 by rewrite mem_iota.
move: m {m_le size_low low size_high high size_zip each sum_in}; apply/allP.
by vm_cast_no_check (erefl true).
Qed.

Lemma not_serves_204 : ~ serves 720 64 204.
Proof.
move=> /(_ 204%N isT); rewrite INR_IZR_INZ; apply: Rlt_not_le; apply: Ropp_lt_cancel; rewrite Ropp_0.
apply: (positive_interval (encloses_neg (@score_encloses_to coarse 720 64 (Z.of_nat 204) isT))).
by vm_cast_no_check (erefl true).
Qed.

(** The larger of two bases fails where the smaller serves. *)
Corollary base_upward_closed_204 : serves 640 64 204 /\ ~ serves 720 64 204.
Proof. by split; [exact: serves_204 | exact: not_serves_204]. Qed.

(** Two bases above 84000 that fail within 8192 positions. *)
Corollary base_upward_closed_8192 : ~ serves 85000 64 (2 ^ 13) /\ ~ serves 100000 64 (2 ^ 13).
Proof.
split; first by apply: (@not_serving_at 85000 64 8166 13 isT ltac:(lia)); vm_cast_no_check (erefl true).
by apply: (@not_serving_at 100000 64 7757 13 isT ltac:(lia)); vm_cast_no_check (erefl true).
Qed.

(** base.upward-closed, as written: There is an absolute lower bound: a base above it serves the
    length. *)
Theorem base_upward_closed_as_written_false :
  ~ (forall n : nat, exists lowest : R, forall base : R, 1 < base -> (serves base 64 n <-> lowest <= base)).
Proof.
move=> /(_ 204%N)[lowest bounds].
have /bounds le_640 : serves 640 64 204 := serves_204.
by apply: not_serves_204; apply/bounds; have := le_640 ltac:(lra); lra.
Qed.

(** A larger base that serves less. *)
Corollary base_larger_is_longer_204 : 640 < 720 /\ serves 640 64 204 /\ ~ serves 720 64 204.
Proof. by split; [lra | exact: base_upward_closed_204]. Qed.

(** base.larger-is-longer, as written: A larger base serves at least the distances that a smaller one
    serves. *)
Theorem base_larger_is_longer_as_written_false :
  ~ (forall (base base' : R) (n : nat), 1 < base -> base < base' -> serves base 64 n -> serves base' 64 n).
Proof. by move=> /(_ 640 720 204%N ltac:(lra) ltac:(lra) serves_204); exact: not_serves_204. Qed.

(** A base above the line that fails. *)
Corollary base_power_law_1024 : 0.0424 * Rpower 1024 1.628 < 3400 /\ ~ serves 3400 64 (2 ^ 10).
Proof.
split; first by rewrite /Rpower; interval with (i_prec 50).
by apply: (@not_serving_at 3400 64 952 10 isT ltac:(lia)); vm_cast_no_check (erefl true).
Qed.

(** base.power-law, as written: The lower bound of the base for a length x is y = 0.0424·x^1.628. *)
Theorem base_power_law_as_written_false :
  ~ (forall (base : R) (n : nat), 1 < base -> 0.0424 * Rpower (INR n) 1.628 <= base -> serves base 64 n).
Proof.
have [above fails] := base_power_law_1024; move=> /(_ 3400 (2 ^ 10)%N) suffices; apply: fails; apply: suffices.
  by lra.
by rewrite INR_IZR_INZ power_2; exact: Rlt_le.
Qed.

(** ** Similarity at neighbouring positions *)

Definition hermitian_sine (h : nat) (omega : nat -> R) (x : 'cV[R]_(h.*2)) : R :=
  let y := rotary omega x 1 in
  \rsum_(i < h) (x (at_pair i false) ord0 * y (at_pair i true) ord0 -
                 x (at_pair i true) ord0 * y (at_pair i false) ord0).

Definition all_ones (h : nat) : 'cV[R]_(h.*2) := \matrix_(i, j) 1.

Lemma hermitian_sineE h omega (x : 'cV[R]_(h.*2)) :
  hermitian_sine omega x =
  \rsum_(i < h) ((x (at_pair i false) ord0 ^ 2 + x (at_pair i true) ord0 ^ 2) * sin (omega i)).
Proof.
apply: eq_bigr => i _; have /= [-> ->] := rotary_component omega x 1 i.
by rewrite Rmult_1_l; ring.
Qed.

Lemma hermitian_sine_ones h omega : hermitian_sine omega (all_ones h) = 2 * \rsum_(i < h) sin (omega i).
Proof. by rewrite hermitian_sineE -rsum_mull; apply: eq_bigr => i _; rewrite !mxE; ring. Qed.

(** base.similarity-bound: With C_d = Σ_{j<d/2} sin θ_j, where all θ_j are at most π, 2·min x_k²·C_d
    ≤ ‖x‖²·sin∠(x, R(1)x) ≤ 2·max x_k²·C_d, sin∠ being the imaginary part of the Hermitian product
    over the pairs; for x = (1, …, 1) both are equalities, so that without the factor 2 the upper
    bound fails: 2·C_d > C_d. *)
Theorem base_similarity_bound (h : nat) (omega : nat -> R) :
  (forall i : 'I_h, 0 < omega i <= PI) ->
  let C := \rsum_(i < h) sin (omega i) in
  (forall (x : 'cV[R]_(h.*2)) (least greatest : R),
     (forall j, least <= x j ord0 ^ 2 <= greatest) ->
     2 * least * C <= hermitian_sine omega x <= 2 * greatest * C) /\
  hermitian_sine omega (all_ones h) = 2 * C /\
  ((exists i : 'I_h, omega i < PI) -> C < 2 * C).
Proof.
move=> range C; have sin_ge0 (i : 'I_h) : 0 <= sin (omega i) by apply: sin_ge_0; have := range i; lra.
split=> [x least greatest squares | ].
  rewrite hermitian_sineE /C -!rsum_mull; split; apply: rsum_le => i;
    have := squares (at_pair i false); have := squares (at_pair i true); have := sin_ge0 i;
    set a := x _ _ ^ 2; set b := x _ _ ^ 2; nra.
split=> [|[i below]]; first exact: hermitian_sine_ones.
have : 0 < sin (omega i) by apply: sin_gt_0; have := range i; lra.
have : sin (omega i) <= C by exact: (rsum_ge_term (F := fun i : 'I_h => sin (omega i)) i sin_ge0).
by lra.
Qed.

(** base.similarity-bound, as written: sin∠ ≤ max x_k²·C_d/‖x‖²: for x = (1, …, 1), ‖x‖²·sin∠ ≤ C_d. *)
Theorem base_similarity_bound_as_written_false (base : R) (h : nat) : 1 < base -> (0 < h)%N ->
  let omega := frequency base h.*2 in
  ~ (hermitian_sine omega (all_ones h) <= \rsum_(i < h) sin (omega i)).
Proof.
move=> base_gt1 h_pos omega; have pi_gt3 := PI2_3_2.
have range (i : 'I_h) : 0 < omega i <= PI.
  by split; [exact: frequency_gt0 | have [_] := frequency_range i base_gt1; rewrite -/omega; lra].
have [_ [-> exceeds]] := base_similarity_bound range.
apply: Rlt_not_le; apply: exceeds; exists (Ordinal h_pos); rewrite /omega /= frequency_0; lra.
Qed.
