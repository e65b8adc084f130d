(** * The scan of the distances tells the signs

  Main result: [nonnegative_toP], what the computation of the file before tells of the score. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix IntervalTactic Figures CosineTable ScoreParts.

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
Let fast_rate (i : nat) : R := q ^ i.
Let slow_rate (i : nat) : R := q ^ (size fast + i).

Lemma fast_ge0 i : 0 <= fast_rate i.
Proof. exact/Rlt_le/pow_lt. Qed.

Lemma slow_ge0 i : 0 <= slow_rate i.
Proof. exact/Rlt_le/pow_lt. Qed.

Lemma fast_range i : (i < size fast)%N -> IZR (Zpos (nth 1%positive fast i)) <= 2 ^ 33 * (fast_rate i / (2 * PI)) <=
  IZR (Zpos (nth 1%positive fast i)) + 1.
Proof.
rewrite /fast size_take; case: (ltnP k (size st)) => [lt_k lt_i | ge_k lt_i].
  by rewrite nth_take //; have := step_range (ltn_trans lt_i lt_k).
by rewrite nth_take ?(leq_trans lt_i ge_k) //; have := step_range lt_i.
Qed.

Lemma slow_range i : (i < size slow)%N -> IZR (Zpos (nth 1%positive slow i)) <= 2 ^ 33 * (slow_rate i / (2 * PI)) <=
  IZR (Zpos (nth 1%positive slow i)) + 1.
Proof.
rewrite /slow size_drop ltn_subRL => lt_i; rewrite nth_drop /slow_rate size_takel; first exact: step_range.
by apply: leq_trans (ltnW lt_i); exact: leq_addr.
Qed.

Lemma parts m : power_score h q m = part fast fast_rate m + part slow slow_rate m.
Proof.
have -> : power_score h q m = power_score (size fast + size slow) q m.
  by rewrite -size_cat cat_take_drop size_steps.
by rewrite /power_score big_split_ord.
Qed.

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
move=> positive; have := cos_sum_encloses fine h q_in (encloses_Z m) encloses_0.
by rewrite Rplus_0_l => sum_in; exact: (positive_interval sum_in).
Qed.

Lemma coarsely_positiveP m : (1 <= m <= 2 ^ 20)%Z -> coarsely_positive cosine_tree h st m -> 0 < power_score h q m.
Proof.
move=> m_range /Z.ltb_lt /IZR_lt; rewrite mult_IZR -INR_IZR_INZ -{1}size_steps => lt.
have := total_below step_range 0 m_range (times_at st (proj1 m_range)); rewrite /part size_steps -/(power_score h q m).
by move: lt; rewrite size_steps (_ : 2 ^ 10 = 1024); [change (IZR (2 ^ 10)) with 1024; lra | ring].
Qed.

Lemma scan_known p : known p -> known (scan cosine_tree h qi st fast leaps (slope fast) last v0 p).
Proof.
case: p => [[[m ahead] ps]|] // known_p; rewrite /scan; case: Z.ltb_spec => // m_le.
have [m_ge ahead_ge0 at_c before] := known_p.
case: ifP => // /negbFE /andP[/Z.leb_le c_le _]; have slope_pos := slope_ge0 fast_ge0 fast_range.
have c_range : (1 <= m + ahead <= 2 ^ 20)%Z by lia.
have := total_below fast_range v0 c_range at_c; move: (total cosine_tree ps v0) => v v_le.
case: ifP => [/andP[/Z.leb_le ahead_le /Z.leb_le v_ge0] | _].
  have e_ge0 : (0 <= Z.min longest (v / slope fast))%Z.
    have [-> | slope_gt0] : slope fast = 0%Z \/ (0 < slope fast)%Z by lia.
      by rewrite Zdiv_0_r.
    by apply: Z.min_glb => //; exact: Z.div_pos.
  have e_le : (Z.min longest (v / slope fast) * slope fast <= v)%Z.
    have [-> | slope_gt0] : slope fast = 0%Z \/ (0 < slope fast)%Z by lia.
      by rewrite Z.mul_0_r.
    by have := Z.mul_div_le v (slope fast) slope_gt0; have := Z.le_min_r longest (v / slope fast); nia.
  move: (Z.min longest _) e_ge0 e_le => e e_ge0 e_le.
  apply: (@onward_known m) => //; [lia | exact: Z.le_max_l | move=> j j_range j_le].
  pose far := Z.max ahead e; have far_ge : (Z.abs (j - (m + ahead)) <= far)%Z by lia.
  have near := part_near fast_ge0 fast_range far_ge.
  have far_le : IZR (far * slope fast) <= IZR v by apply: IZR_le; rewrite /far; case: (Z.max_spec ahead e) => -[_ ->].
  have j_in : (m0 <= j <= last)%Z by lia.
  have := slow_above j_in; rewrite parts; have e10 : 2 ^ 10 = 1024 by ring.
  by move: v_le near; rewrite e10; lra.
case: Z.eqb_spec at_c => [-> at_m | _ _]; last first.
  by split=> //; rewrite Z.add_0_r; apply: times_at; lia.
case: ifP => // tells; rewrite Z.add_0_r in at_m.
have positive : 0 < power_score h q m.
  by move: tells => /orP[]; [apply: coarsely_positiveP; lia | exact: finely_positiveP].
apply: (@onward_known m) => //; first by lia.
by move=> j j_range _; rewrite (_ : j = m); [exact: Rlt_le | lia].
Qed.

Lemma block_known : block cosine_tree h qi st fast leaps (slope fast) v0 last m0 ->
  forall m, (m0 <= m <= last)%Z -> 0 <= power_score h q m.
Proof.
have started : known (Some (m0, 0%Z, times m0 fast)).
  by split; [lia | lia | rewrite Z.add_0_r; exact: times_at | move=> j j_range; lia].
rewrite /block; have := @repeated_keeps position known _ 8 _ scan_known started.
move: (repeated _ 8 _) => [[[m ahead] ps]|] // [_ _ _ before] /Z.ltb_lt above j j_range; apply: before; lia.
Qed.

End Block.

Definition known_below (m : option Z) : Prop :=
  if m is Some m then (1 <= m)%Z /\ forall j, (1 <= j < m)%Z -> (j <= n)%Z -> 0 <= power_score h q j else True.

Lemma next_block_known m : known_below m ->
  known_below (next_block cosine_tree h qi st fast leaps (slope fast) slow (slope slow) n m).
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
have := @repeated_keeps (option Z) (known_below h q n) _ 14 _ (next_block_known q_in q_gt0 fits k n_le) started.
move: (repeated _ 14 _) => [m'|] // [_ before] /Z.ltb_lt above; apply: before; lia.
Qed.
