(** * The scan of the distances tells the signs

  Main result: [nonnegative_toP], what the computation of the file before tells of the score. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Density Wavelengths IntervalTactic Figures CosineTable ScoreParts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** The scan *)

Lemma repeated_keeps (A : Type) (P : A -> Prop) (f : A -> A) k a : (forall a, P a -> P (f a)) -> P a -> P (repeated f k a).
Proof. by move=> keeps; elim: k a => [|k IHk] a P_a; [exact: keeps | apply/IHk/IHk]. Qed.

Section Told.

Variables (h : nat) (qi : I.type) (q : R).
Hypothesis q_in : encloses qi q.
Hypothesis q_gt0 : 0 < q.
Hypothesis fits : all step_fits (angles h qi).

Let st := steps h qi.

Lemma size_steps : size st = h.
Proof. by rewrite /st /steps size_map size_traject. Qed.

Lemma radian_encloses : encloses radian (IZR (2 ^ 33) / (2 * PI)).
Proof.
have nonzero : 2 * PI <> 0 by have := two_pi; lra.
exact (encloses_div nonzero (encloses_Z (2 ^ 33)) (encloses_mul (encloses_Z 2) (I.pi_correct prec))).
Qed.

Lemma angle_encloses i : (i < h)%N -> encloses (nth radian (angles h qi) i) (2 ^ 33 * (q ^ i / (2 * PI))).
Proof.
move=> lt_i; rewrite /angles (nth_traject _ lt_i); elim: i {lt_i} => [|i IHi].
  have -> : 2 ^ 33 * (q ^ 0 / (2 * PI)) = IZR (2 ^ 33) / (2 * PI).
    by rewrite -(pow_IZR 2 33) [q ^ 0]/=; field; have := PI_RGT_0; lra.
  exact radian_encloses.
have -> : 2 ^ 33 * (q ^ i.+1 / (2 * PI)) = 2 ^ 33 * (q ^ i / (2 * PI)) * q.
  by rewrite [q ^ i.+1]/=; field; have := PI_RGT_0; lra.
rewrite iterS; exact (encloses_mul IHi q_in).
Qed.

Lemma wave_encloses p m a t : encloses a (2 ^ 33 * (t / (2 * PI))) -> encloses (wave p m a) (cos (IZR m * t)).
Proof.
move=> a_in; have nonzero : IZR (2 ^ 33) <> 0 by exact: IZR_neq.
have turns_in := encloses_div nonzero (encloses_mul (p := prec) (encloses_Z m) a_in) (encloses_Z (2 ^ 33)).
rewrite /wave; move: (I.div _ _ _) turns_in => turns turns_in; set k := whole_part (I.lower turns); set n := whole_part _.
have -> : IZR m * t = 2 * PI * (IZR m * (2 ^ 33 * (t / (2 * PI))) / IZR (2 ^ 33) - IZR k) + 2 * PI * IZR k.
  by rewrite -(pow_IZR 2 33); field; have := PI_RGT_0; lra.
have two_pi_in := encloses_mul (p := prec) (encloses_Z 2) (I.pi_correct prec).
have angle_in := encloses_mul (p := prec) two_pi_in (encloses_sub (p := prec) turns_in (encloses_Z k)).
rewrite cos_add_turns; move: (2 * PI * _) angle_in => x angle_in; pose x0 := IZR n / IZR (2 ^ 34).
have near_in : encloses (quotient n (2 ^ 34)) x0 := encloses_quotient n (2 ^ 34).
have [c [c_range ->]] : exists c, -1 <= c <= 1 /\ cos x = cos x0 + (x - x0) * c.
  have [same | apart] := Req_dec x x0; first by exists 0; rewrite same; split; [lra | ring].
  exists ((cos x - cos x0) / (x - x0)); split; last by field; lra.
  have := cos_near x x0; have gt0 : 0 < Rabs (x - x0) by apply: Rabs_pos_lt; lra.
  move=> /(Rmult_le_compat_r (/ Rabs (x - x0)) _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ gt0))); rewrite Rinv_r; last by lra.
  rewrite -Rabs_Rinv; last by lra.
  rewrite -Rabs_mult -/(Rdiv _ _) => le; have := Rle_abs ((cos x - cos x0) / (x - x0)).
  by have := Rle_abs (- ((cos x - cos x0) / (x - x0))); rewrite Rabs_Ropp; lra.
have c_in : encloses unit_interval c by apply: (@encloses_between (-1) 1 1); lra.
exact (encloses_add (p := p) (encloses_cos (p := p) near_in) (encloses_mul (p := p) (encloses_sub (p := prec) angle_in near_in) c_in)).
Qed.

Lemma score_at_encloses p m : encloses (score_at p h qi m) (power_score h q m).
Proof.
have summed l (f : nat -> R) : (forall i, (i < size l)%N -> encloses (nth radian l i) (2 ^ 33 * (f i / (2 * PI)))) ->
    encloses (foldr (fun a s => I.add p (wave p m a) s) I.zero l) (\rsum_(i < size l) cos (IZR m * f i)).
  elim: l f => [|a l IHl] f each; first by rewrite big_ord0; exact encloses_0.
  rewrite big_ord_recl; have here := wave_encloses p m (each 0%N isT).
  have later := IHl (fun i => f i.+1) (fun i lt_i => each i.+1 lt_i).
  exact (encloses_add (p := p) here later).
have := summed (angles h qi) (fun i => q ^ i); rewrite size_traject; apply; exact: angle_encloses.
Qed.

Lemma step_range i : (i < size st)%N ->
  IZR (Zpos (nth 1%positive st i)) <= 2 ^ 33 * (q ^ i / (2 * PI)) <= IZR (Zpos (nth 1%positive st i)) + 1.
Proof.
rewrite size_steps => lt_i; rewrite /st /steps (nth_map radian) ?size_traject //; set a := nth _ _ i.
have a_in : encloses a (2 ^ 33 * (q ^ i / (2 * PI))) := angle_encloses lt_i.
have /andP[above below] : step_fits a by move: fits => /(all_nthP radian); apply; rewrite size_traject.
have := positive_interval (encloses_sub a_in (encloses_Z (Zpos (step_of a)))) above.
by have := positive_interval (encloses_sub (encloses_Z (Zpos (step_of a) + 1)) a_in) below; rewrite plus_IZR; lra.
Qed.

Variables (k : nat) (n : Z).
Hypothesis n_le : (n <= 2 ^ 20)%Z.

Let fast := take k st.
Let slow := drop k st.
Let rate (i : nat) : R := q ^ i.
Let slow_rate : nat -> R := shifted_rate k st rate.
Let heads := take (head_count h) fast.
Let tails := drop (head_count h) fast.
Let tail_rate : nat -> R := shifted_rate (head_count h) fast rate.

Lemma rate_ge0 i : 0 <= rate i.
Proof. exact/Rlt_le/pow_lt. Qed.

Lemma slow_ge0 i : 0 <= slow_rate i.
Proof. exact: rate_ge0. Qed.

Lemma tail_ge0 i : 0 <= tail_rate i.
Proof. exact: rate_ge0. Qed.

Let fast_range : in_range fast rate := range_take step_range.
Let slow_range : in_range slow slow_rate := range_drop step_range.
Let head_range : in_range heads rate := range_take fast_range.
Let tail_range : in_range tails tail_rate := range_drop fast_range.

Lemma parts m : power_score h q m = part fast rate m + part slow slow_rate m.
Proof. by rewrite -[RHS](part_split k st rate) /part size_steps. Qed.

Let leaps := traject (advance fast) fast leap_count.

(** Of a block from m0 on: below its last distance the slow angles give at least v0. *)
Section Block.

Variables (last v0 m0 : Z).
Hypothesis m0_ge1 : (1 <= m0)%Z.
Hypothesis last_le : (last <= 2 ^ 20)%Z.
Hypothesis slow_above : forall m, (m0 <= m <= last)%Z -> IZR v0 + 2 ^ 10 * INR (size fast) <= 2 ^ 10 * part slow slow_rate m.

Let known_to (m : Z) : Prop := forall j, (m0 <= j < m)%Z -> (j <= last)%Z -> 0 <= power_score h q j.

Definition known (p : position) : Prop :=
  if p is Some (m, ahead, ps) then
    [/\ (m0 <= m)%Z, (0 <= ahead)%Z, phases_at fast (m + ahead) ps & known_to m]
  else True.

Lemma onward_known m c e ahead' ps : (m0 <= m <= c)%Z -> (0 <= e)%Z -> (0 <= ahead')%Z -> phases_at fast c ps -> known_to m ->
  (forall j, (m <= j <= c + e)%Z -> (j <= last)%Z -> 0 <= power_score h q j) -> known (onward leaps c e ahead' ps).
Proof.
move=> m_range e_ge0 ahead_ge0 at_c before here; rewrite /onward; case: ifP => // /andP[/Z.leb_le sum_ge0 lt_count].
split; [lia | by [] | | move=> j j_range j_le].
  have -> : (c + e + 1 + ahead' = c + Z.of_nat (Z.to_nat (e + ahead')).+1)%Z.
    by rewrite Nat2Z.inj_succ Z2Nat.id //; ring.
  by apply: advance_at => //; exact: leaps_at.
have [lt_j | ge_j] := Z.lt_ge_cases j m; first by apply: before; lia.
by apply: here; lia.
Qed.

Lemma finely_positiveP m : finely_positive h qi m -> 0 < power_score h q m.
Proof.
exact: (positive_interval (score_at_encloses coarse m)).
Qed.

Lemma coarsely_positiveP m : (1 <= m <= 2 ^ 20)%Z -> coarsely_positive cosine_tree h st m -> 0 < power_score h q m.
Proof.
move=> m_range /Z.ltb_lt /IZR_lt; rewrite mult_IZR -INR_IZR_INZ -{1}size_steps => lt.
have := total_below step_range 0 m_range (times_at st (proj1 m_range)); rewrite /part size_steps -/(power_score h q m).
by move: lt; rewrite size_steps (_ : 2 ^ 10 = 1024); [change (IZR (2 ^ 10)) with 1024; lra | ring].
Qed.

Lemma reach_tells c ps : (1 <= c <= 2 ^ 20)%Z -> phases_at fast c ps ->
  forall j, (Z.abs (j - c) <= reach cosine_tree h (slope fast) (slope tails) v0 ps)%Z -> (m0 <= j <= last)%Z -> 0 <= power_score h q j.
Proof.
move=> c_range at_c; rewrite /reach.
have := total_below tail_range v0 c_range (@phases_drop (head_count h) fast c ps at_c); move: (total _ (drop _ _) _) => w w_le.
have := total_below head_range w c_range (@phases_take (head_count h) fast c ps at_c); move: (total _ _ w) => v v_le j near j_in.
have e10 : 2 ^ 10 = 1024 by ring.
have sizes : INR (size fast) = INR (size heads) + INR (size tails) by rewrite -plus_INR plusE -size_cat cat_take_drop.
have split_at i : part fast rate i = part heads rate i + part tails tail_rate i := part_split (head_count h) fast rate i.
have := slow_above j_in; rewrite parts.
have within (rise x : Z) : (0 < rise)%Z -> (Z.abs (j - c) <= x / rise)%Z -> IZR (Z.abs (j - c) * rise) <= IZR x.
  move=> rise_gt0 le; apply: IZR_le; have := Z.mul_div_le x rise rise_gt0; nia.
have [le_v | le_w] : (Z.abs (j - c) <= v / slope fast)%Z \/ (Z.abs (j - c) <= w / slope tails)%Z by lia.
  have far_le := within _ _ (slope_gt0 fast) le_v; have := part_near rate_ge0 fast_range (Z.le_refl (Z.abs (j - c))).
  by move: v_le w_le; rewrite e10 split_at sizes; lra.
have far_le := within _ _ (slope_gt0 tails) le_w; have := part_near tail_ge0 tail_range (Z.le_refl (Z.abs (j - c))).
have := part_ge heads rate j; move: w_le; rewrite e10 (split_at j) sizes; lra.
Qed.

Lemma scan_known p : known p -> known (scan cosine_tree h qi st fast leaps (slope fast) (slope tails) last v0 p).
Proof.
case: p => [[[m ahead] ps]|] // known_p; rewrite /scan; case: Z.ltb_spec => // m_le.
have [m_ge ahead_ge0 at_c before] := known_p.
case: ifP => // /negbFE /andP[/Z.leb_le c_le _].
have c_range : (1 <= m + ahead <= 2 ^ 20)%Z by lia.
case: ifP => [/Z.leb_le ahead_le | _].
  move: (reach _ _ _ _ _ _) ahead_le (@reach_tells (m + ahead)%Z ps c_range at_c) => far ahead_le tells.
  have e_ge0 : (0 <= Z.min longest far)%Z by apply: Z.min_glb; [ | lia].
  have e_le := Z.le_min_r longest far; move: (Z.min longest _) e_ge0 e_le => e e_ge0 e_le.
  apply: (@onward_known m) => //; [lia | exact: Z.le_max_l | move=> j j_range j_le].
  by apply: tells; lia.
case: Z.eqb_spec at_c => [-> at_m | _ _]; last first.
  by split=> //; rewrite Z.add_0_r; apply: times_at; lia.
case: ifP => // tells; rewrite Z.add_0_r in at_m.
have positive : 0 < power_score h q m.
  by move: tells => /orP[]; [apply: coarsely_positiveP; lia | exact: finely_positiveP].
apply: (@onward_known m) => //; first by lia.
by move=> j j_range _; rewrite (_ : j = m); [exact: Rlt_le | lia].
Qed.

Lemma block_known : block cosine_tree h qi st fast leaps (slope fast) (slope tails) v0 last m0 ->
  forall m, (m0 <= m <= last)%Z -> 0 <= power_score h q m.
Proof.
have started : known (Some (m0, 0%Z, times m0 fast)).
  by split; [lia | lia | rewrite Z.add_0_r; exact: times_at | move=> j j_range; lia].
rewrite /block; have := @repeated_keeps position known _ 10 _ scan_known started.
move: (repeated _ 10 _) => [[[m ahead] ps]|] // [_ _ _ before] /Z.ltb_lt above j j_range; apply: before; lia.
Qed.

End Block.

Definition known_below (m : option Z) : Prop :=
  if m is Some m then (1 <= m)%Z /\ forall j, (1 <= j < m)%Z -> (j <= n)%Z -> 0 <= power_score h q j else True.

Lemma next_block_known m : known_below m ->
  known_below (next_block cosine_tree h qi st fast leaps (slope fast) (slope tails) slow (slope slow) n m).
Proof.
case: m => [m known_m | _]; last by [].
rewrite /next_block; case: Z.ltb_spec => [_ | m_le]; first exact: known_m.
have [m_ge1 before] := known_m; case: ifP => [told | _]; last by [].
have m_range : (1 <= m <= 2 ^ 20)%Z by lia.
have lowest := total_below slow_range (- (Z.of_nat h * 2 ^ 10) - block_length * slope slow) m_range (times_at slow m_ge1).
have slow_above j : (m <= j <= Z.min n (m + block_length - 1))%Z ->
    IZR (slow_total cosine_tree h slow (slope slow) m) + 2 ^ 10 * INR (size fast) <= 2 ^ 10 * part slow slow_rate j.
  move=> j_range; have near_j : (Z.abs (j - m) <= block_length)%Z by move: j_range; rewrite /block_length; lia.
  have := part_near slow_ge0 slow_range near_j; move: lowest; rewrite /slow_total.
  move: (total cosine_tree _ _) => v; rewrite minus_IZR opp_IZR (mult_IZR (Z.of_nat h)) -INR_IZR_INZ.
  have -> : INR h = INR (size fast) + INR (size slow) by rewrite -plus_INR plusE -size_cat cat_take_drop size_steps.
  have e10 : 2 ^ 10 = 1024 by ring.
  by rewrite e10; change (IZR (2 ^ 10)) with 1024; lra.
have last_le : (Z.min n (m + block_length - 1) <= 2 ^ 20)%Z by rewrite /block_length; lia.
have here := block_known m_ge1 last_le slow_above told; rewrite /block_length in here *.
split=> [|j j_range j_le]; first by lia.
have [lt_j | ge_j] := Z.lt_ge_cases j m; first by apply: before; lia.
by apply: here; lia.
Qed.

End Told.

Lemma nonnegative_toP h qi q n : encloses qi q -> 0 < q -> nonnegative_to h qi n ->
  forall m, (0 <= m <= n)%Z -> 0 <= power_score h q m.
Proof.
move=> q_in q_gt0 /and3P[/Z.leb_le n_le fits told] m m_range.
have [-> | m_ge1] : m = 0%Z \/ (1 <= m)%Z by lia.
  apply: rsum_ge0 => i; rewrite Rmult_0_l cos_0; lra.
have started : known_below h q n (Some 1%Z) by split; [exact: Z.le_refl | move=> j j_range; lia].
move: told; rewrite /all_blocks; move: (fast_count _) => k.
have := @repeated_keeps (option Z) (known_below h q n) _ 12 _ (next_block_known q_in q_gt0 fits k n_le) started.
move: (repeated _ 12 _) => [m'|] // [_ before] /Z.ltb_lt above; apply: before; lia.
Qed.
