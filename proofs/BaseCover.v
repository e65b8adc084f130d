(** * Bases that fail, by intervals of the ratio of their frequencies

  That no base up to some one serves a length takes a distance for each of them at which the score is negative. With q = base^(-1/h)
  the score is sum_(i<h) cos (m q^i), which changes by no more than m / (1 - u)^2 times the change of q, for q up to u. So each
  distance serves an interval of q, and thousands of intervals have all bases in them. They are computed with integers: q and the
  ends of the intervals in 2^-40, angles in 2^-20 of a turn.

  Dictionary
    fails n q           == the score is negative at a distance up to n, for the ratio q
    weight h u          == sum_(i<h) i u^(i-1)
    falling_tree        == the table of whole numbers that 2^10 (1 - cos) does not fall below
    walk k c p v        == v and the leaves at the angle p, its product with c 2^-40 and so on, k of them
    depth fine m c      == an integer that -2^30 times the score at m, for q = c 2^-40, does not fall below, if positive
    rate u              == an integer above 1 / (1 - u)^2, for u in 2^-40
    step fine m s e st  == from the end and the width of an interval, those of the next, until the end e is passed
    run n st r          == the steps of one distance m up to n, of which r says how the depth is computed and where to end
    cover n st runs     == the end after all runs

  Main result: [cover_fails]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Density Wavelengths IntervalTactic Figures CosineTable ScoreParts ScoreScan.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition fails (n : Z) (q : R) : Prop := exists m : Z, (0 <= m <= n)%Z /\ power_score 64 q m < 0.

(** ** The score at two ratios *)

Definition weight (h : nat) (u : R) : R := \rsum_(i < h) (INR i * u ^ i.-1).

Lemma weightE h u : (1 - u) ^ 2 * weight h u = 1 + (INR h - 1) * u ^ h - INR h * u ^ h.-1.
Proof.
elim: h => [|h IHh]; first by rewrite /weight big_ord0 /=; ring.
have -> : weight h.+1 u = weight h u + INR h * u ^ h.-1 by exact: big_ord_recr.
rewrite Rmult_plus_distr_l IHh; case: h {IHh} => [|h]; first by rewrite /=; ring.
by rewrite -[h.+2.-1]/h.+1 -[h.+1.-1]/h -[INR h.+2]/(INR (S (S h))) !S_INR /=; ring.
Qed.

Lemma weight_le h u : 0 <= u < 1 -> (1 - u) ^ 2 * weight h u <= 1.
Proof.
move=> [u_ge0 u_lt1]; rewrite weightE; have := pos_INR h; case: h => [|h] h_ge0; first by rewrite /=; lra.
have p_ge0 : 0 <= u ^ h by exact: pow_le.
rewrite -[h.+1.-1]/h [u ^ h.+1]/=; set p := u ^ h in p_ge0 *; set n := INR h.+1 in h_ge0 *.
have : n * (p - u * p) >= 0 by apply: Rle_ge; apply: Rmult_le_pos => //; nra.
have : 0 <= u * p by exact: Rmult_le_pos.
by lra.
Qed.

Lemma power_near q q' u i : 0 <= q <= u -> 0 <= q' <= u -> Rabs (q ^ i - q' ^ i) <= INR i * u ^ i.-1 * Rabs (q - q').
Proof.
move=> q_range q'_range; elim: i => [|i IHi]; first by rewrite /= Rminus_diag_eq // Rabs_R0; lra.
have -> : q ^ i.+1 - q' ^ i.+1 = q * (q ^ i - q' ^ i) + q' ^ i * (q - q') by rewrite /=; ring.
apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult (Rabs_pos_eq q); last by lra.
rewrite (Rabs_pos_eq (q' ^ i)); last by apply: pow_le; lra.
have q'_le : q' ^ i <= u ^ i by exact: pow_incr.
have first : q * Rabs (q ^ i - q' ^ i) <= u * (INR i * u ^ i.-1 * Rabs (q - q')).
  by apply: Rmult_le_compat => //; [lra | exact: Rabs_pos | lra].
have second : q' ^ i * Rabs (q - q') <= u ^ i * Rabs (q - q') by apply: Rmult_le_compat_r => //; exact: Rabs_pos.
apply: Rle_trans (Rplus_le_compat _ _ _ _ first second) _; right; rewrite -[INR i.+1]/(INR (S i)) S_INR -[i.+1.-1]/i.
by case: i {IHi q'_le first second} => [|i]; rewrite ?[u ^ i.+1]/= -?[i.+1.-1]/i /=; ring.
Qed.

Lemma score_near h q q' u m : (0 <= m)%Z -> 0 <= q <= u -> 0 <= q' <= u ->
  power_score h q' m <= power_score h q m + IZR m * (Rabs (q - q') * weight h u).
Proof.
move=> m_ge0 q_range q'_range; have m_pos : 0 <= IZR m by exact: IZR_le.
rewrite /power_score /weight -!rsum_mull -rsum_add; apply: rsum_le => i.
have := cos_near (IZR m * q' ^ i) (IZR m * q ^ i); rewrite -Rmult_minus_distr_l Rabs_mult (Rabs_pos_eq (IZR m)) // => near.
have := power_near i q'_range q_range; rewrite (Rabs_minus_sym q') => /(Rmult_le_compat_l _ _ _ m_pos) power.
by have := Rle_abs (cos (IZR m * q' ^ i) - cos (IZR m * q ^ i)); lra.
Qed.

(** ** The computation *)

Definition falling_tree : tree := deepened 10 (tree_of (fun c => cell (c + 512)) table_bits 0 1).

(** 2^40 / (2 PI). *)
Definition turn : Z := 174992710547.

Section Walk.
Variable t : tree.

Fixpoint walk (k : nat) (c p v : Z) : Z :=
  if k is k'.+1 then walk k' c (Z.shiftr (p * c) 40) (v + look t p) else v.

End Walk.

Definition sharp : I.precision := StdZFloat.PtoP 34.

Definition depth (t : tree) (fine : bool) (m c : Z) : Z :=
  if fine then floor_below (I.mul sharp (I.fromZ prec (2 ^ 30))
                 (I.neg (score_at sharp 64 (quotient c (2 ^ 40)) m)))
  else ((walk t 64 c (Z.shiftr (m * turn) 20) 0 - 64 * 2 ^ 10) * 2 ^ 20)%Z.

Definition rate (u : Z) : Z := (2 ^ 80 / ((2 ^ 40 - u) * (2 ^ 40 - u)) + 1)%Z.

Definition step (t : tree) (fine : bool) (m s e : Z) (st : Z * Z) : Z * Z :=
  let (u, r) := st in
  if (u <=? e)%Z then st else
  let d := depth t fine m (u - r) in
  let r' := ((d - 1) * 2 ^ 10 / (m * s))%Z in
  if [&& (0 <? d)%Z, (0 <=? r)%Z, (r <=? r')%Z & (0 <=? u - r - r')%Z] then (u - r - r', if fine then r' / 2 else r' * 7 / 8)%Z
  else (u, if (0 <? r')%Z then Z.min r r' / 2 else r / 2)%Z.

(** A distance, its way of computing and the end of its run. *)
Definition run (n : Z) (t : tree) (st : Z * Z) (r : Z * bool * Z) : Z * Z :=
  if [&& (1 <=? r.1.1)%Z, (r.1.1 <=? n)%Z & (0 <=? st.1)%Z && (st.1 <? 2 ^ 40)%Z]
  then repeated (step t r.1.2 r.1.1 (rate st.1) r.2) 8 st else st.

Definition cover (n : Z) (st : Z * Z) (runs : seq (Z * bool * Z)) : Z := (foldl (run n falling_tree) st runs).1.

(** ** The depth *)

Lemma floor_below_pos xi x : encloses xi x -> (0 < floor_below xi)%Z -> IZR (floor_below xi) <= x.
Proof.
move=> x_in; rewrite /floor_below; set v := whole_part _; case: ifP => // positive _.
by have := positive_interval (encloses_sub x_in (encloses_Z v)) positive; lra.
Qed.

Lemma falling_tree_lower (p : Z) (turns : R) : (0 <= p)%Z -> IZR p <= 2 ^ 20 * turns <= IZR p + 2 ^ 7 ->
  IZR (look falling_tree p) <= 2 ^ 10 * (1 - cos (2 * PI * turns)).
Proof.
move=> p_ge0 near; pose g (x : R) := raised (2 * PI * ((x + 512) / 1024)).
pose f (x : R) := g (x / 2 ^ 10).
have -> : 2 ^ 10 * (1 - cos (2 * PI * turns)) = f (2 ^ 20 * turns).
  have e10 : 2 ^ 10 = 1024 by ring.
  have e20 : 2 ^ 20 = 1048576 by ring.
  rewrite /f /g /raised e10 e20 (_ : 2 * PI * ((1048576 * turns / 1024 + 512) / 1024) = 2 * PI * turns + PI); last by field.
  by rewrite neg_cos; ring.
suff tree_lower : lower (2 ^ 7) f falling_tree by exact: tree_lower.
rewrite /falling_tree; apply: lower_deepened.
have period x k : g (x + IZR (1024 * k)) = g x.
  rewrite /g /raised (_ : 2 * PI * _ = 2 * PI * ((x + 512) / 1024) + 2 * PI * IZR k); last by rewrite mult_IZR; field.
  by rewrite cos_add_turns.
have cells c x : IZR c <= x <= IZR c + 9 / 8 -> IZR (cell (c + 512)) <= g x.
  by move=> x_range; apply: cell_lower; rewrite plus_IZR; lra.
have cells_lower := @lower_tree_of (fun c => cell (c + 512)) g (9 / 8) 1024 table_bits 0 1 erefl period erefl cells.
move=> k x k_ge0 x_range; rewrite (_ : f _ = g (0 + 1 * x)); first by apply: cells_lower => //; lra.
by rewrite /f; congr g; field.
Qed.

Lemma turn_near : IZR turn <= 2 ^ 40 / (2 * PI) <= IZR turn + 1.
Proof. by rewrite /turn; split; interval with (i_prec 90). Qed.

Section Angles.
Variables (c m : Z).
Hypothesis c_range : (0 <= c <= 2 ^ 40)%Z.
Let q : R := IZR c / 2 ^ 40.
Let turns (i : nat) : R := IZR m * q ^ i / (2 * PI).

Lemma q_range : 0 <= q <= 1.
Proof.
have [ge le] : IZR 0 <= IZR c <= IZR (2 ^ 40) by split; apply: IZR_le; lia.
have p40 : 2 ^ 40 = IZR (2 ^ 40) by rewrite pow_IZR.
by rewrite /q p40; split; apply: (Rmult_le_reg_r (IZR (2 ^ 40))); rewrite /Rdiv ?Rmult_assoc ?Rinv_l; lra.
Qed.

Lemma shifted_below (x : Z) (k : Z) (y e : R) : (0 <= x)%Z -> (0 <= k)%Z ->
  IZR x <= 2 ^ Z.to_nat k * y <= IZR x + 2 ^ Z.to_nat k * e ->
  (0 <= Z.shiftr x k)%Z /\ IZR (Z.shiftr x k) <= y <= IZR (Z.shiftr x k) + e + 1.
Proof.
move=> x_ge0 k_ge0; rewrite Z.shiftr_div_pow2 // pow_IZR Z2Nat.id //; set N := (2 ^ k)%Z.
have N_gt0 : (0 < N)%Z by exact: Z.pow_pos_nonneg.
have N_pos : 0 < IZR N by exact: IZR_lt.
have := Z.mul_div_le x N N_gt0; have := Z.mul_succ_div_gt x N N_gt0.
have d_ge0 : (0 <= x / N)%Z by exact: Z.div_pos.
set d := (x / N)%Z in d_ge0 * => lt le [y_ge y_le]; split=> //.
have {}lt : IZR x <= IZR N * (IZR d + 1) by rewrite -plus_IZR -mult_IZR; apply: IZR_le; lia.
have {}le : IZR N * IZR d <= IZR x by rewrite -mult_IZR; exact: IZR_le.
by split; apply: (Rmult_le_reg_l (IZR N)) => //; lra.
Qed.

Lemma walk_near k i p v : (i + k <= 64)%N -> (0 <= p)%Z -> IZR p <= 2 ^ 20 * turns i <= IZR p + INR i + 2 ->
  IZR (walk falling_tree k c p v) <= IZR v + \rsum_(j < k) (2 ^ 10 * (1 - cos (IZR m * q ^ (i + j)))).
Proof.
have [q_ge0 q_le1] := q_range; elim: k i p v => [|k IHk] i p v; first by rewrite big_ord0 /=; lra.
rewrite addnS => le_64 p_ge0 near; rewrite big_ord_recl /= addn0.
have i_le : INR i + 2 <= 2 ^ 7.
  have : INR i <= INR 64 by apply: le_INR; apply/leP; apply: leq_trans (ltnW le_64); exact: leq_addr.
  by rewrite (INR_IZR_INZ 64) /=; lra.
have here : IZR (look falling_tree p) <= 2 ^ 10 * (1 - cos (IZR m * q ^ i)).
  rewrite (_ : IZR m * q ^ i = 2 * PI * turns i); first by apply: falling_tree_lower => //; lra.
  by rewrite /turns; field; have := PI_RGT_0; lra.
have pc : IZR (p * c) <= 2 ^ Z.to_nat 40 * (2 ^ 20 * turns i.+1) <= IZR (p * c) + 2 ^ Z.to_nat 40 * (INR i + 2).
  have p40 : 0 < 2 ^ 40 by apply: pow_lt; lra.
  have cE : IZR c = 2 ^ 40 * q by rewrite /q; field; lra.
  rewrite (_ : turns i.+1 = turns i * q); last by rewrite /turns /=; field; have := PI_RGT_0; lra.
  rewrite -[Z.to_nat 40]/40%N mult_IZR cE; move: near; set x := 2 ^ 20 * turns i; have := pos_INR i => i_ge0 [ge le].
  have scaled (a b : R) : a <= b -> 2 ^ 40 * q * a <= 2 ^ 40 * q * b.
    by move=> ab; apply: Rmult_le_compat_l => //; apply: Rmult_le_pos; lra.
  have := scaled _ _ ge; have := scaled _ _ le; have : 2 ^ 40 * (q * (INR i + 2)) <= 2 ^ 40 * (INR i + 2).
    by apply: Rmult_le_compat_l; [lra | nra].
  by rewrite /x; lra.
have [next_ge0 next] := @shifted_below (p * c) 40 _ _ (Z.mul_nonneg_nonneg p c p_ge0 (proj1 c_range)) ltac:(lia) pc.
have := IHk i.+1 _ (v + look falling_tree p)%Z le_64 next_ge0.
rewrite -[INR i.+1]/(INR (S i)) S_INR plus_IZR => /(_ ltac:(lra)) later; apply: Rle_trans later _.
rewrite Rplus_assoc; apply: Rplus_le_compat_l; apply: Rplus_le_compat => //; right; apply: eq_bigr => j _.
by rewrite /bump leq0n add1n addnS.
Qed.

Lemma depth_below fine : (0 <= m <= 2 ^ 20)%Z -> (0 < depth falling_tree fine m c)%Z ->
  2 ^ 30 * power_score 64 q m <= - IZR (depth falling_tree fine m c).
Proof.
move=> [m_ge0 m_le]; rewrite /depth; case: fine.
  have q_in : encloses (quotient c (2 ^ 40)) q.
    rewrite /q (_ : 2 ^ 40 = IZR (Zpos (2 ^ 40))); first exact: encloses_quotient.
    by rewrite pow_IZR.
  have score_in := score_at_encloses 64 q_in sharp m.
  have x_in := encloses_mul (p := sharp) (encloses_Z (2 ^ 30)) (encloses_neg score_in).
  move=> d_gt0; have x_ge := floor_below_pos x_in d_gt0; clear x_in score_in.
  have e30 : IZR (2 ^ 30) = 2 ^ 30 by rewrite pow_IZR.
  by move: (floor_below _) x_ge {d_gt0} => d; rewrite e30; lra.
have first : IZR (m * turn) <= 2 ^ Z.to_nat 20 * (2 ^ 20 * turns 0) <= IZR (m * turn) + 2 ^ Z.to_nat 20 * 1.
  have [ge le] := turn_near; have m_pos : 0 <= IZR m by exact: IZR_le.
  have m_top : IZR m <= 2 ^ 20 by rewrite pow_IZR; apply: IZR_le; lia.
  have -> : 2 ^ Z.to_nat 20 * (2 ^ 20 * turns 0) = IZR m * (2 ^ 40 / (2 * PI)).
    by rewrite /turns -[Z.to_nat 20]/20%N /= Rmult_1_r; field; have := PI_RGT_0; lra.
  by rewrite mult_IZR -[Z.to_nat 20]/20%N; nra.
have turn_ge0 : (0 <= m * turn)%Z by apply: Z.mul_nonneg_nonneg.
have [p_ge0 near] := @shifted_below (m * turn) 20 _ _ turn_ge0 ltac:(lia) first.
have := @walk_near 64 0 _ 0 isT p_ge0; rewrite [INR 0]/= => /(_ ltac:(lra)).
rewrite rsum_mull rsum_sub rsum_const (INR_IZR_INZ 64) [Z.of_nat 64]/= -/(power_score 64 q m) mult_IZR minus_IZR.
set w := IZR (walk _ _ _ _ _) => le _.
have {}le : w <= 1024 * (64 - power_score 64 q m).
  by move: le; rewrite (_ : 2 ^ 10 = 1024); [rewrite /power_score; lra | ring].
have -> : 2 ^ 30 = 1073741824 by ring.
change (IZR (64 * 2 ^ 10)) with 65536; change (IZR (2 ^ 20)) with 1048576.
by lra.
Qed.

End Angles.

(** ** The cover *)

Lemma rate_above u : (0 <= u < 2 ^ 40)%Z -> 1 <= IZR (rate u) * (1 - IZR u / 2 ^ 40) ^ 2.
Proof.
move=> u_range; rewrite /rate (_ : 2 ^ 40 = IZR (2 ^ 40)); last by rewrite pow_IZR.
set v := (2 ^ 40 - u)%Z; have v_gt0 : (0 < v)%Z by lia.
have vv_gt0 : (0 < v * v)%Z by exact: Z.mul_pos_pos.
have v_pos : 0 < IZR v by exact: IZR_lt.
have := Z.mul_succ_div_gt (2 ^ 80) (v * v) vv_gt0; set d := (2 ^ 80 / (v * v))%Z => lt.
have {}lt : IZR (2 ^ 80) <= IZR v * IZR v * (IZR d + 1) by rewrite -plus_IZR -!mult_IZR; apply: IZR_le; lia.
have p80 : IZR (2 ^ 80) = IZR (2 ^ 40) * IZR (2 ^ 40) by rewrite -mult_IZR.
have p_gt0 : 0 < IZR (2 ^ 40) by exact: IZR_lt.
have -> : 1 - IZR u / IZR (2 ^ 40) = IZR v / IZR (2 ^ 40) by rewrite /v minus_IZR; field; lra.
rewrite plus_IZR; set p := IZR (2 ^ 40) in lt p80 p_gt0 *.
have -> : (IZR d + 1) * (IZR v / p) ^ 2 = IZR v * IZR v * (IZR d + 1) * / (p * p) by field; lra.
apply: (Rmult_le_reg_r (p * p)); first exact: Rmult_lt_0_compat.
by rewrite Rmult_assoc Rinv_l; [lra | nra].
Qed.

Section Cover.
Variable n : Z.
Hypothesis n_range : (n <= 2 ^ 20)%Z.

(** From the ratio u down to the end of the state all fail. *)
Definition fails_from (u : Z) (st : Z * Z) : Prop :=
  (st.1 <= u)%Z /\ forall q, IZR st.1 <= 2 ^ 40 * q <= IZR u -> fails n q \/ 2 ^ 40 * q <= IZR st.1.

Lemma step_keeps fine m s e u st : (0 < m)%Z -> (m <= n)%Z -> (0 <= u < 2 ^ 40)%Z ->
  1 <= IZR s * (1 - IZR u / 2 ^ 40) ^ 2 -> fails_from u st -> fails_from u (step falling_tree fine m s e st).
Proof.
move=> m_gt0 m_le u_range s_ge; case: st => [v r] [v_le before]; rewrite /step; case: ifP => // _.
set d := depth _ _ _ _; set r' := (_ / _)%Z; case: ifP => // /and4P[/Z.ltb_lt d_gt0 /Z.leb_le r_ge0 /Z.leb_le r_le /Z.leb_le end_ge0].
set c := (v - r)%Z in d r' d_gt0 r_le end_ge0 *; rewrite [fst (v, r)]/= in v_le before.
split=> [|q q_range]; first by rewrite /=; lia.
have [q_before | q_here] := Rlt_or_le (IZR v) (2 ^ 40 * q).
  have [|q_end] := before q (conj (Rlt_le _ _ q_before) (proj2 q_range)); first by left.
  by lra.
left; exists m; split; first by lia.
have p_gt0 : 0 < 2 ^ 40 by apply: pow_lt; lra.
have c_range : (0 <= c <= 2 ^ 40)%Z by rewrite /c; lia.
have m_range : (0 <= m <= 2 ^ 20)%Z by lia.
have below := depth_below c_range m_range d_gt0; rewrite -/d in below.
set q0 := IZR c / 2 ^ 40 in below.
have u_pos : 0 <= IZR u / 2 ^ 40 < 1.
  have p40 : 2 ^ 40 = IZR (2 ^ 40) by rewrite pow_IZR.
  have [ge lt] : 0 <= IZR u < 2 ^ 40 by rewrite p40; split; [apply: IZR_le; lia | apply: IZR_lt; lia].
  by split; [apply: Rmult_le_pos => //; apply/Rlt_le/Rinv_0_lt_compat | apply: (Rmult_lt_reg_r (2 ^ 40)); rewrite // /Rdiv Rmult_assoc Rinv_l; lra].
have cE : IZR c = 2 ^ 40 * q0 by rewrite /q0; field; lra.
have uE : IZR u = 2 ^ 40 * (IZR u / 2 ^ 40) by field; lra.
have c_ge0 : 0 <= IZR c by apply: IZR_le; lia.
have c_le : IZR c <= IZR u by apply: IZR_le; lia.
have v_leR : IZR v <= IZR u by exact: IZR_le.
have end_ge : 0 <= IZR (v - r - r') by apply: IZR_le; lia.
have ends : IZR (v - r - r') = IZR c - IZR r' /\ IZR v <= IZR c + IZR r'.
  by rewrite /c !minus_IZR; split=> //; have := IZR_le _ _ r_le; lra.
have [q_ge q_le] : IZR (v - r - r') <= 2 ^ 40 * q <= IZR u by exact: q_range.
set w := IZR u / 2 ^ 40 in s_ge u_pos uE.
have q0_range : 0 <= q0 <= w by split; apply: (Rmult_le_reg_l (2 ^ 40)) => //; lra.
have qw_range : 0 <= q <= w by split; apply: (Rmult_le_reg_l (2 ^ 40)) => //; lra.
have near : Rabs (q0 - q) <= IZR r' / 2 ^ 40.
  by apply: Rabs_le; split; apply: (Rmult_le_reg_l (2 ^ 40)) => //; field_simplify; lra.
have m_pos : 0 < IZR m by exact: IZR_lt.
have weight_s : weight 64 w <= IZR s.
  have := weight_le 64 u_pos; have sq : 0 < (1 - w) ^ 2 by apply: pow_lt; lra.
  by move=> le; apply: (Rmult_le_reg_l ((1 - w) ^ 2)) => //; lra.
have weight_ge0 : 0 <= weight 64 w.
  by apply: rsum_ge0 => i; apply: Rmult_le_pos; [exact: pos_INR | apply: pow_le; lra].
have s_gt0 : (0 < m * s)%Z.
  apply: Z.mul_pos_pos => //; apply: lt_IZR; have sq : 0 < (1 - w) ^ 2 by apply: pow_lt; lra.
  by have [//|s_le0] := Rlt_le_dec 0 (IZR s); nra.
have slack : IZR m * (IZR r' * IZR s) <= (IZR d - 1) * 1024.
  rewrite -Rmult_assoc [IZR m * _]Rmult_comm Rmult_assoc -mult_IZR -minus_IZR -!mult_IZR; apply: IZR_le.
  by rewrite Z.mul_comm; exact: Z.mul_div_le.
have r'_ge0 : 0 <= IZR r' by apply: IZR_le; lia.
have := score_near 64 (Z.lt_le_incl _ _ m_gt0) q0_range qw_range.
have product : Rabs (q0 - q) * weight 64 w <= IZR r' / 2 ^ 40 * IZR s.
  by apply: Rmult_le_compat => //; exact: Rabs_pos.
have {}product := Rmult_le_compat_l _ _ _ (Rlt_le _ _ m_pos) product.
have scaled : 2 ^ 30 * (IZR m * (IZR r' / 2 ^ 40 * IZR s)) = IZR m * (IZR r' * IZR s) / 1024 by field.
have p30 : 0 < 2 ^ 30 by apply: pow_lt; lra.
move=> le; apply: (Rmult_lt_reg_l (2 ^ 30)) => //; rewrite Rmult_0_r.
have {}le := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p30) le; have {}product := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p30) product.
by rewrite Rmult_plus_distr_l in le; lra.
Qed.

Lemma run_keeps u st r : (0 <= u < 2 ^ 40)%Z -> fails_from u st -> fails_from u (run n falling_tree st r).
Proof.
move=> u_range before; rewrite /run; case: ifP => // /and4P[/Z.leb_le m_ge1 /Z.leb_le m_le /Z.leb_le v_ge0 /Z.ltb_lt v_lt].
have inner : fails_from st.1 st by split=> [|q]; [exact: Z.le_refl | move=> [_ le]; right].
have v_range : (0 <= st.1 < 2 ^ 40)%Z by [].
have := @repeated_keeps _ (fails_from st.1) (step falling_tree r.1.2 r.1.1 (rate st.1) r.2) 8 st.
move=> /(_ (fun st' => @step_keeps r.1.2 r.1.1 (rate st.1) r.2 st.1 st' ltac:(lia) m_le v_range (rate_above v_range)) inner).
set st' := repeated _ _ _; move=> [le after]; have [v_le earlier] := before.
split=> [|q [q_ge q_le]]; first exact: Z.le_trans v_le.
have [q_v | q_v] := Rle_or_lt (2 ^ 40 * q) (IZR st.1); first exact: after.
by have [| ] := earlier q (conj (Rlt_le _ _ q_v) q_le); [left | lra].
Qed.

(** All ratios between the end of a cover and its start fail. *)
Lemma cover_fails u r runs q : (0 <= u < 2 ^ 40)%Z -> IZR (cover n (u, r) runs) < 2 ^ 40 * q <= IZR u -> fails n q.
Proof.
move=> u_range [q_gt q_le]; have keeps st : fails_from u st -> fails_from u (foldl (run n falling_tree) st runs).
  by elim: runs {q_gt} st => [//|a l IHl] st before /=; apply: IHl; exact: run_keeps.
have [_ /(_ q)] : fails_from u (foldl (run n falling_tree) (u, r) runs).
  by apply: keeps; split=> [|q' [_ le]]; [exact: Z.le_refl | right].
by rewrite -/(cover n (u, r) runs) => /(_ (conj (Rlt_le _ _ q_gt) q_le)) [| ]; [ | lra].
Qed.

End Cover.
