(** * Sums that are rescaled in a register, and parts of a sum that are combined

  What is claimed.  Online softmax adds exponentials to a register, and multiplies it by a factor where a
  larger logit appears.  The register errs as a sum does, with one rounding more for each factor.  Parts of
  a sum, each with a factor of its own, are multiplied and added: together they err by what each does.

  Dictionary:
  - [Plus e], [Times f] == a number is added to the register, or the register is multiplied by a factor;
  - [computed F c l] == the register after the steps l from c on, each rounded;
  - [after l] == the product of all factors of l;
  - [mass x l] == x and all numbers of l, each times the factors after it; with magnitudes, Σ.

  Formulas, k steps, R of them factors from 0 to 1, h = η/2:
    |computed - exact| <= ((1 + v)^k - 1) Σ + R (1 + v)^k h              [rounding_rescaled_sum]
    |product of k factors f (1 + δ) - product of f| <= ((1 + v)^k - 1) product of f, |δ| <= v
                                                                     [rounding_rescaled_factors]
    n parts within a(Σ_k + b), Σ_k their masses, scaled by f_k (1 + δ_k), Σ of those so scaled:
    |register - exact| <= a (Σ + n (1 + v) b) + n h + (n - 1) v (Σ + n h)   [rounding_scaled_parts]

  Assumes: no overflow. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.

Open Scope R_scope.

(** ** A register *)

Inductive step := Plus (e : R) | Times (f : R).

Definition is_factor (s : step) : bool := if s is Times _ then true else false.

Fixpoint computed (F : format) (c : R) (l : seq step) : R :=
  match l with
  | [::] => c
  | Plus e :: l' => computed F (fl F (c + e)) l'
  | Times f :: l' => computed F (fl F (c * f)) l'
  end.

Fixpoint mass (x : R) (l : seq step) : R :=
  match l with
  | [::] => x
  | Plus e :: l' => mass (x + e) l'
  | Times f :: l' => mass (x * f) l'
  end.

Definition magnitude (s : step) : step := match s with Plus e => Plus (Rabs e) | Times f => Times f end.

(** Numbers of the format are added, and factors are from 0 to 1. *)
Definition allowed (F : format) (s : step) : Prop :=
  match s with Plus e => is_float F e | Times f => 0 <= f <= 1 end.

Lemma grown F k : 1 <= (1 + v F) ^ k.
Proof. by apply: pow_R1_Rle; have := v_pos F; lra. Qed.

Lemma register_near (F : format) (l : seq step) : (forall s, List.In s l -> allowed F s) ->
  forall (c x M : R) (k r : nat), is_float F c -> Rabs x <= M ->
  Rabs (c - x) <= ((1 + v F) ^ k - 1) * M + INR r * (1 + v F) ^ k * (eta F / 2) ->
  Rabs (computed F c l - mass x l)
  <= ((1 + v F) ^ (k + size l) - 1) * mass M [seq magnitude s | s <- l]
     + INR (r + seq.count is_factor l) * (1 + v F) ^ (k + size l) * (eta F / 2).
Proof.
elim: l => [|s l IH] all c x M k r c_float x_le near; first by rewrite /= !addn0.
have v_gt0 := v_pos F; have eta_gt0 := eta_pos F; have g_ge1 := grown F k; have r_ge0 := pos_INR r.
have all_l t : List.In t l -> allowed F t by move=> t_in; apply: all; right.
have M_ge0 : 0 <= M by have := Rabs_pos x; lra.
have step : (1 + v F) ^ k.+1 = (1 + v F) * (1 + v F) ^ k by [].
set g := (1 + v F) ^ k in near g_ge1 step.
have c_le : Rabs c <= M + Rabs (c - x) by have := Rabs_by_diff c x; lra.
have lost_ge0 : 0 <= INR r * g * (eta F / 2) by apply: Rmult_le_pos; [apply: Rmult_le_pos => //; lra | lra].
have := all s (or_introl erefl); case: s all => [e|f] all /= ok.
  have -> : (k + (size l).+1 = k.+1 + size l)%N by rewrite addnS addSn.
  rewrite add0n; apply: IH => //; first exact: fl_float.
    by have := Rabs_triang x e; lra.
  have rounded := addition_relative F c e c_float ok.
  have sum_le : Rabs (c + e) <= M + Rabs e + Rabs (c - x) by have := Rabs_triang c e; lra.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ v_gt0) sum_le; have := Rabs_diff_triangle (fl F (c + e)) (c + e) (x + e).
  have -> : c + e - (x + e) = c - x by ring.
  rewrite step; have e_ge0 := Rabs_pos e; have := Rmult_le_compat_l (1 + v F) _ _ ltac:(lra) near.
  have : 0 <= (g - 1) * (1 + v F) * Rabs e by apply: Rmult_le_pos => //; nra.
  by lra.
have -> : (k + (size l).+1 = k.+1 + size l)%N by rewrite addnS addSn.
have -> : (r + (1 + seq.count is_factor l) = r.+1 + seq.count is_factor l)%N by rewrite addnA addn1.
apply: IH => //; first exact: fl_float.
  by rewrite Rabs_mult (Rabs_pos_eq f); [apply: Rmult_le_compat_r; lra | lra].
have [rounded _] := rounding_standard_model F (c * f).
have scaled : Rabs (c * f - x * f) = Rabs (c - x) * f.
  by rewrite -Rmult_minus_distr_r Rabs_mult (Rabs_pos_eq f) //; lra.
rewrite Rabs_mult (Rabs_pos_eq f) in rounded; last by lra.
have := Rabs_diff_triangle (fl F (c * f)) (c * f) (x * f); rewrite scaled step S_INR => triangle.
have c_f := Rmult_le_compat_r f _ _ ltac:(lra) c_le.
have grows : v F * (Rabs c * f) <= v F * ((M + Rabs (c - x)) * f) by apply: Rmult_le_compat_l; lra.
have near_f := Rmult_le_compat_r f _ _ ltac:(lra) near.
have twice := Rmult_le_compat_l (1 + v F) _ _ ltac:(lra) near_f.
have less : INR r * g * (eta F / 2) * f <= INR r * g * (eta F / 2) * 1 by apply: Rmult_le_compat_l; lra.
have twice_less := Rmult_le_compat_l (1 + v F) _ _ ltac:(lra) less.
have one : eta F / 2 <= (1 + v F) * g * (eta F / 2).
  by have : 1 <= (1 + v F) * g by [nra]; have := Rmult_le_compat_r (eta F / 2) 1 ((1 + v F) * g) ltac:(lra); lra.
by lra.
Qed.

(** rounding.rescaled-sum: a number e of the format, to which numbers of the format are added one after the other, the sum multiplied by
    factors from 0 to 1 in between, each of the k steps rounded: within ((1 + v)^k - 1) Σ + R (1 + v)^k η/2 of the exact
    result, Σ that of the magnitudes, R the number of factors. *)
Theorem rounding_rescaled_sum (F : format) (e : R) (l : seq step) :
  is_float F e -> (forall s, List.In s l -> allowed F s) ->
  Rabs (computed F e l - mass e l)
  <= ((1 + v F) ^ size l - 1) * mass (Rabs e) [seq magnitude s | s <- l]
     + INR (seq.count is_factor l) * (1 + v F) ^ size l * (eta F / 2).
Proof.
move=> e_float all; apply: (register_near F l all e e (Rabs e) 0 0 e_float (Rle_refl _)).
by rewrite Rminus_eq_0 Rabs_R0 /=; lra.
Qed.

(** ** Factors *)

Fixpoint factor_product (f : nat -> R) (k : nat) : R := if k is k'.+1 then factor_product f k' * f k' else 1.

(** rounding.rescaled-factors: k factors that are not negative, each within v of itself: their product is within (1 + v)^k - 1 of the
    exact one, relatively. *)
Theorem rounding_rescaled_factors (F : format) (f delta : nat -> R) (k : nat) :
  (forall j, (j < k)%N -> 0 <= f j) -> (forall j, (j < k)%N -> Rabs (delta j) <= v F) ->
  near ((1 + v F) ^ k - 1) 0 (factor_product (fun j => f j * (1 + delta j)) k) (factor_product f k).
Proof.
rewrite /near; elim: k => [|k IH] f_ge0 small; first by rewrite /= Rminus_eq_0 Rabs_R0 Rabs_R1; lra.
have {IH} := IH (fun j lt => f_ge0 j (ltnW lt)) (fun j lt => small j (ltnW lt)).
have g_ge1 := grown F k; have v_gt0 := v_pos F; have fk := f_ge0 k (ltnSn k); have dk := small k (ltnSn k).
rewrite -[(1 + v F) ^ k.+1]/((1 + v F) * (1 + v F) ^ k) /=.
set P := factor_product f k; set P' := factor_product _ k; set g := (1 + v F) ^ k in g_ge1 * => near.
have -> : P' * (f k * (1 + delta k)) - P * f k = f k * ((P' - P) * (1 + delta k) + P * delta k) by ring.
rewrite !Rabs_mult (Rabs_pos_eq (f k)) //.
have inner : Rabs ((P' - P) * (1 + delta k) + P * delta k) <= ((1 + v F) * g - 1) * Rabs P.
  apply: Rle_trans (Rabs_triang _ _) _; rewrite !Rabs_mult.
  have one : Rabs (1 + delta k) <= 1 + v F by have := Rabs_triang 1 (delta k); rewrite Rabs_R1; lra.
  have first := Rmult_le_compat _ _ _ _ (Rabs_pos _) (Rabs_pos _) near one.
  have second := Rmult_le_compat_l (Rabs P) _ _ (Rabs_pos _) dk.
  by lra.
by have := Rmult_le_compat_l _ _ _ fk inner; lra.
Qed.

(** ** Parts *)

(** A rounding moves a number in proportion, or by half of the smallest one. *)
Lemma rounding_split (F : format) (x : R) : exists delta epsilon : R,
  Rabs delta <= v F /\ Rabs epsilon <= eta F / 2 /\ fl F x = x * (1 + delta) + epsilon.
Proof.
have [_ [normal tiny]] := rounding_standard_model F x; have v_gt0 := v_pos F; have eta_gt0 := eta_pos F.
case: (Rle_or_lt (Rabs x) (smallest_normal F)) => [small|large].
  exists 0, (fl F x - x); rewrite Rabs_R0; split; first by lra.
  by split; [exact: tiny | ring].
have x_ne0 : x <> 0 by move=> x0; move: large; rewrite x0 Rabs_R0 /smallest_normal; have := bpow_gt_0 radix2 (emin F + precision F - 1); lra.
exists ((fl F x - x) / x), 0; rewrite Rabs_R0; split; last by split; [lra | field].
rewrite /Rdiv Rabs_mult Rabs_inv; apply: (Rmult_le_reg_r (Rabs x)); first exact: Rabs_pos_lt.
by rewrite Rmult_assoc Rinv_l ?Rmult_1_r; [apply: normal; right; lra | exact: Rabs_no_R0].
Qed.

(** rounding.scaled-parts: parts N k within a(Σ_k + b) of their exact sums and no larger than Σ_k, each multiplied by a factor
    from 0 to 1 and rounded, added to a register in any order: there are δ_k of at most v so that, with factors f_k (1 + δ_k), the
    register is within a(Σ + n (1 + v) b) + n η/2 + (n - 1) v (Σ + n η/2) of the exact sum, Σ that of the scaled Σ_k. *)
Theorem rounding_scaled_parts (F : format) (n : nat) (a b : R) (N exact M f : nat -> R) (o : order) :
  perm_eq (terms o) (iota 0 n) -> (0 < n)%N -> 0 <= a -> 0 <= b ->
  (forall k, 0 <= f k <= 1) ->
  (forall k, Rabs (N k - exact k) <= a * (M k + b) /\ Rabs (N k) <= M k) ->
  exists delta : nat -> R, (forall k, Rabs (delta k) <= v F) /\
  let scaled k := f k * (1 + delta k) in
  let S := \rsum_(k < n) (scaled k * M k) in
  Rabs (computed_sum F (fun k => fl F (f k * N k)) o - \rsum_(k < n) (scaled k * exact k))
  <= a * (S + INR n * (1 + v F) * b) + INR n * (eta F / 2) + (INR n - 1) * v F * (S + INR n * (eta F / 2)).
Proof.
move=> each_once n_gt0 a_ge0 b_ge0 f_range parts.
pose h := eta F / 2; have v_gt0 := v_pos F; have v_lt1 := v_lt_1 F; have h_ge0 : 0 <= h by rewrite /h; have := eta_pos F; lra.
pose delta k := if Rle_dec (Rabs (f k * N k)) (smallest_normal F) then 0 else (fl F (f k * N k) - f k * N k) / (f k * N k).
have split k : Rabs (delta k) <= v F /\ Rabs (fl F (f k * N k) - f k * N k * (1 + delta k)) <= h.
  rewrite /delta; set x := f k * N k; have [_ [normal tiny]] := rounding_standard_model F x.
  case: Rle_dec => [small|large].
    by rewrite Rabs_R0 Rplus_0_r Rmult_1_r; split; [lra | exact: tiny].
  have large' : smallest_normal F < Rabs x by lra.
  have x_ne0 : x <> 0.
    move=> x0; move: large'; rewrite x0 Rabs_R0 /smallest_normal.
    by have := bpow_gt_0 radix2 (emin F + precision F - 1); lra.
  split.
    rewrite /Rdiv Rabs_mult Rabs_inv; apply: (Rmult_le_reg_r (Rabs x)); first exact: Rabs_pos_lt.
    by rewrite Rmult_assoc Rinv_l ?Rmult_1_r; [apply: normal; right; lra | exact: Rabs_no_R0].
  have -> : fl F x - x * (1 + (fl F x - x) / x) = 0 by field.
  by rewrite Rabs_R0.
exists delta; split=> [k|scaled S]; first by have [] := split k.
have scaled_range k : 0 <= scaled k <= 1 + v F.
  have [small _] := split k; have [f_ge0 f_le1] := f_range k; have [low high] := Rabs_le_inv _ _ small.
  by rewrite /scaled; split; [apply: Rmult_le_pos; lra | apply: Rle_trans (Rmult_le_compat_r (1 + delta k) _ _ ltac:(lra) f_le1) _; lra].
pose g k := fl F (f k * N k).
have near k : Rabs (g k - scaled k * exact k) <= scaled k * (a * (M k + b)) + h /\ Rabs (g k) <= scaled k * M k + h.
  have [_ lost] := split k; have [close small] := parts k; have [s_ge0 _] := scaled_range k.
  have same : f k * N k * (1 + delta k) = scaled k * N k by rewrite /scaled; ring.
  rewrite same -/(g k) in lost; split.
    have := Rabs_diff_triangle (g k) (scaled k * N k) (scaled k * exact k).
    have -> : scaled k * N k - scaled k * exact k = scaled k * (N k - exact k) by ring.
    by rewrite Rabs_mult (Rabs_pos_eq (scaled k)) //; have := Rmult_le_compat_l _ _ _ s_ge0 close; lra.
  have := Rabs_by_diff (g k) (scaled k * N k); rewrite Rabs_mult (Rabs_pos_eq (scaled k)) //.
  by have := Rmult_le_compat_l _ _ _ s_ge0 small; lra.
have floats k : is_float F (g k) by exact: fl_float.
have sums := rounding_sum_any_order F g o floats.
rewrite (exact_sum_permutation _ _ _ each_once) (exact_sum_permutation _ _ _ each_once) in sums.
rewrite (count_permutation _ _ each_once) in sums.
have n_ge1 : 1 <= INR n by apply: (le_INR 1); apply/leP.
have size_le : \rsum_(k < n) Rabs (g k) <= S + INR n * h.
  apply: (Rle_trans _ (\rsum_(k < n) (scaled k * M k + h))); first by apply: rsum_le => k; have [] := near k.
  by rewrite rsum_add rsum_const; exact: Rle_refl.
have total : Rabs (\rsum_(k < n) g k - \rsum_(k < n) (scaled k * exact k)) <= a * (S + INR n * (1 + v F) * b) + INR n * h.
  rewrite -rsum_sub; apply: (Rle_trans _ (\rsum_(k < n) (a * (scaled k * M k) + (a * ((1 + v F) * b) + h)))).
    apply: (rsum_abs_le (fun k => g k - scaled k * exact k) (fun k => a * (scaled k * M k) + (a * ((1 + v F) * b) + h))) => k _.
    have [close _] := near k; have [_ s_le] := scaled_range k.
    by have := Rmult_le_compat_r (a * b) _ _ (Rmult_le_pos _ _ a_ge0 b_ge0) s_le; lra.
  by rewrite rsum_add rsum_const rsum_mull -/S; right; ring.
have factor_ge0 : 0 <= (INR n - 1) * v F by apply: Rmult_le_pos; lra.
have := Rmult_le_compat_l _ _ _ factor_ge0 size_le.
have := Rabs_diff_triangle (computed_sum F g o) (\rsum_(k < n) g k) (\rsum_(k < n) (scaled k * exact k)).
by rewrite -/h -[computed_sum F _ o]/(computed_sum F g o); lra.
Qed.
