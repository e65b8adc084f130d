(** * NTK-aware interpolation and LongRoPE: a larger base

  The base b' = b s^(d/(d-2)) slows pair i by s^(2i/(d-2)): not at all for the first pair, by the
  scale s for the last. Counting pairs from 1 loses both.

  ntk_base b s d      == b s^(d/(d-2))
  slowdown s d i      == s^(2i/(d-2)), by which pair i turns more slowly
  rescaled n s t      == position t as LongRoPE has it: unscaled below n, divided by s from there

  Dimensions are d = h.*2 with h > 1. Main results: [ntk_frequency]; ntk.endpoints,
  ntk.effective-scale, ntk.longrope-exponent, ntk.dynamic-cache, longrope.start-tokens. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary IntervalTactic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition ntk_base (b s : R) (d : nat) : R := b * Rpower s (INR d / (INR d - 2)).
Definition slowdown (s : R) (d i : nat) : R := Rpower s (2 * INR i / (INR d - 2)).

Lemma INR_double h : INR h.*2 = 2 * INR h.
Proof. by rewrite -muln2 mult_INR [INR 2]/=; ring. Qed.

Lemma slowdown_gt0 s d i : 0 < slowdown s d i.
Proof. exact: exp_pos. Qed.

Section Rescaling.

Variables (b s : R) (h : nat).
Hypotheses (b_gt0 : 0 < b) (s_gt1 : 1 < s) (h_gt1 : (1 < h)%N).

Let d := h.*2.

Lemma h_ge2 : 2 <= INR h.
Proof. by apply: (le_INR 2); apply/leP. Qed.

Lemma ntk_frequency i : frequency (ntk_base b s d) d i = frequency b d i / slowdown s d i.
Proof.
have h_ge2 := h_ge2; rewrite /frequency /ntk_base /slowdown /Rdiv -(Rpower_Ropp s).
rewrite -Rpower_mult_distr //; last exact: exp_pos.
rewrite Rpower_mult; congr (_ * Rpower s _).
by rewrite /d INR_double; field; lra.
Qed.

Lemma slowdown_0 : slowdown s d 0 = 1.
Proof.
rewrite /slowdown (_ : _ / _ = 0); first by apply: Rpower_O; lra.
by rewrite /= /Rdiv !Rmult_0_r R_mul0.
Qed.

Lemma slowdown_last : slowdown s d h.-1 = s.
Proof.
have h_ge2 := h_ge2; rewrite /slowdown (_ : _ / _ = 1); first by apply: Rpower_1; lra.
rewrite /d INR_double -subn1 minus_INR /=; first by field; lra.
by apply/leP/ltnW.
Qed.

Lemma slowdown_le i j : (i <= j)%N -> slowdown s d i <= slowdown s d j.
Proof.
move=> /leP /le_INR le_ij; have h_ge2 := h_ge2; apply: Rle_Rpower; first by lra.
apply: Rmult_le_compat_r; last by lra.
by apply/Rlt_le/Rinv_0_lt_compat; rewrite /d INR_double; lra.
Qed.

Lemma slowdown_gt1 i : (0 < i)%N -> 1 < slowdown s d i.
Proof.
move=> /ltP /lt_0_INR i_gt0; have h_ge2 := h_ge2; rewrite -(Rpower_O s); last by lra.
by apply: Rpower_lt => //; apply: Rdiv_lt_0_compat; rewrite /d ?INR_double; lra.
Qed.

End Rescaling.

(** ** The ends *)

Lemma slowdown_128 : 8 / 0.968 < slowdown 8 128 64.
Proof.
rewrite /slowdown /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
by interval with (i_prec 40).
Qed.

(** ntk.endpoints: For b′ = b·s^(d/(d−2)) and pairs counted from 0, as in equation (23), the first
    frequency b^0 is unchanged and the last, of index d/2−1, is divided by s exactly; with pairs
    counted from 1 to d/2, as in equation (5), the first is changed and the last is divided by
    s^(d/(d−2)), for s = 8 and d = 128 more than 1/0.968 times s. *)
Theorem ntk_endpoints :
  (forall (b s : R) (h : nat), 0 < b -> 1 < s -> (1 < h)%N ->
     let d := h.*2 in
     let b' := ntk_base b s d in
     frequency b' d 0 = frequency b d 0 /\
     frequency b' d h.-1 = frequency b d h.-1 / s /\
     frequency_from_1 b' d 0 <> frequency_from_1 b d 0 /\
     frequency_from_1 b' d h.-1 = frequency_from_1 b d h.-1 / Rpower s (INR d / (INR d - 2))) /\
  8 * / 0.968 < Rpower 8 (INR 128 / (INR 128 - 2)).
Proof.
split=> [b s h b_gt0 s_gt1 h_gt1 /= | ]; last first.
  have := slowdown_128; rewrite /slowdown (_ : 2 * INR 64 = INR 128) //.
  by rewrite !INR_IZR_INZ -[IZR (Z.of_nat 64)]/64 -[IZR (Z.of_nat 128)]/128; lra.
have divided i := ntk_frequency s b_gt0 h_gt1 i.
split; first by rewrite divided slowdown_0 //; field.
split; first by rewrite divided slowdown_last.
split; rewrite /frequency_from_1 divided.
  have := slowdown_gt1 s_gt1 h_gt1 (ltn0Sn 0); have := frequency_gt0 b h.*2 1.
  set f := frequency _ _ _; set q := slowdown _ _ _ => f_gt0 q_gt1 same.
  have : f = f * q by rewrite -[X in X * q]same; field; lra.
  by nra.
rewrite /slowdown prednK; last exact: ltnW.
by rewrite INR_double.
Qed.

(** ntk.endpoints, as written: With θ_1 … θ_{d/2} as in equation (5), b′ leaves the first frequency
    and divides the last by s exactly. *)
Theorem ntk_endpoints_as_written_false (b s : R) (h : nat) : 0 < b -> 1 < s -> (1 < h)%N ->
  let d := h.*2 in
  let b' := ntk_base b s d in
  ~ (frequency_from_1 b' d 0 = frequency_from_1 b d 0) /\
  ~ (frequency_from_1 b' d h.-1 = frequency_from_1 b d h.-1 / s).
Proof.
move=> b_gt0 s_gt1 h_gt1; have [_ [_ [first_changed last_divided]]] :=
  proj1 ntk_endpoints b s h b_gt0 s_gt1 h_gt1.
split=> // /=; rewrite last_divided; have := frequency_gt0 b h.*2 h.-1.+1.
rewrite -/(frequency_from_1 b h.*2 h.-1); set f := frequency_from_1 _ _ _ => f_gt0 same.
have more : s < Rpower s (INR h.*2 / (INR h.*2 - 2)).
  rewrite -{1}(Rpower_1 s); last by lra.
  have := h_ge2 h_gt1 => h_ge2; apply: Rpower_lt => //; rewrite INR_double.
  by apply: (Rmult_lt_reg_r (2 * INR h - 2)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
move: more same; set p := Rpower _ _ => more same.
have left_side : f / p * (p * s) = f * s by field; lra.
have right_side : f / s * (p * s) = f * p by field; lra.
by rewrite same right_side in left_side; nra.
Qed.

(** ** The effective scale *)

(** ntk.effective-scale: With b′ = b·s^(d/(d−2)) pair i is slowed by s^(2i/(d−2)), so that all pairs
    of wavelength above L stay in the range of their trained angles at positions up to
    s^(2c/(d−2))·L only, c the first such pair; for L = 2048, b = 10000, d = 128 that is c = 41, s =
    8 serves a scale of 3.870…, and a scale of 8 needs s between 24 and 25. *)
Theorem ntk_effective_scale :
  (forall (b s : R) (h : nat), 0 < b -> 1 < s -> (1 < h)%N ->
     let d := h.*2 in
     let b' := ntk_base b s d in
     (forall i, frequency b' d i = frequency b d i / slowdown s d i) /\
     (forall (c : nat) (L t : R), (c < h)%N -> 0 < L ->
        (forall i, (c <= i < h)%N -> t * frequency b' d i <= L * frequency b d i) <->
        t <= slowdown s d c * L)) /\
  wavelength (frequency 10000 128 40) < 2048 < wavelength (frequency 10000 128 41) /\
  3.870 < slowdown 8 128 41 < 3.871 /\
  slowdown 24 128 41 < 8 < slowdown 25 128 41.
Proof.
split=> [b s h b_gt0 s_gt1 h_gt1 d b' | ]; last first.
  rewrite /wavelength /frequency /slowdown /Rpower !INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ].
  by repeat split; interval with (i_prec 60).
have divided i := ntk_frequency s b_gt0 h_gt1 i; split=> // c L t c_lt L_gt0.
have pair_ok i : t * frequency b' d i <= L * frequency b d i <-> t <= slowdown s d i * L.
  rewrite divided; have := frequency_gt0 b d i; have := slowdown_gt0 s d i.
  rewrite -/d; set f := frequency _ _ _; set q := slowdown _ _ _ => q_gt0 f_gt0.
  have -> : t * (f / q) = t / q * f by field; lra.
  have t_eq : t / q * q = t by field; lra.
  split=> [le_f | le_q].
    have := Rmult_le_compat_r q _ _ (Rlt_le _ _ q_gt0) (Rmult_le_reg_r _ _ _ f_gt0 le_f).
    by rewrite t_eq; lra.
  apply: Rmult_le_compat_r; first by lra.
  by apply: (Rmult_le_reg_r q) => //; rewrite t_eq; lra.
split=> [all_ok | t_le i /andP[le_ci _]]; first by apply/pair_ok/all_ok; rewrite leqnn.
apply/pair_ok; have := slowdown_le s_gt1 h_gt1 le_ci; rewrite -/d; nra.
Qed.

(** ** LongRoPE's unified form *)

(** ntk.longrope-exponent: In the unified form n/(λ_i·β^i), NTK interpolation with scale s has λ_i =
    s^(2i/(d−2)), which is s at the last pair; for d = 128 and s = 8, s^i is larger at every pair i
    ≥ 1, and above 10^56 at the last. *)
Theorem ntk_longrope_exponent :
  (forall (b s n : R) (h i : nat), 0 < b -> 1 < s -> (1 < h)%N ->
     let d := h.*2 in
     let beta := Rpower b (2 / INR d) in
     n * frequency (ntk_base b s d) d i = n / (slowdown s d i * beta ^ i) /\
     slowdown s d h.-1 = s) /\
  (forall i, (0 < i)%N -> slowdown 8 128 i < 8 ^ i) /\ 10 ^ 56 < 8 ^ 63.
Proof.
split=> [b s n h i b_gt0 s_gt1 h_gt1 d beta | ]; last first.
  split=> [i i_pos | ]; last by lra.
  rewrite -Rpower_pow; last by lra.
  have i_gt0 : 0 < INR i by apply: lt_0_INR; apply/ltP.
  apply: Rpower_lt; first by lra.
  by rewrite INR_IZR_INZ [INR 128]INR_IZR_INZ -[IZR (Z.of_nat 128)]/128 -INR_IZR_INZ; lra.
split; last exact: slowdown_last.
rewrite ntk_frequency // -/d /frequency Rpower_Ropp.
have d_gt0 : 0 < INR d by rewrite /d INR_double; have := h_ge2 h_gt1; lra.
have -> : beta ^ i = Rpower b (2 * INR i / INR d).
  rewrite -Rpower_pow; last exact: exp_pos.
  by rewrite Rpower_mult; congr Rpower; field; lra.
have := slowdown_gt0 s d i; have : 0 < Rpower b (2 * INR i / INR d) by exact: exp_pos.
by move=> ? ?; field; lra.
Qed.

(** ntk.longrope-exponent, as written: In the unified form n/(λ_i·β^i), NTK interpolation has λ_i =
    s^i. *)
Theorem ntk_longrope_exponent_as_written_false (b s : R) (h i : nat) :
  0 < b -> 1 < s -> (2 < h)%N -> (0 < i)%N ->
  let d := h.*2 in
  ~ (frequency (ntk_base b s d) d i = / (s ^ i * Rpower b (2 / INR d) ^ i)).
Proof.
move=> b_gt0 s_gt1 h_gt2 i_pos /=; have h_gt1 : (1 < h)%N by exact: ltnW.
have [form _] := proj1 ntk_longrope_exponent b s 1 h i b_gt0 s_gt1 h_gt1.
rewrite -[frequency _ _ _]Rmult_1_l form /Rdiv Rmult_1_l => /(congr1 Rinv).
have less : slowdown s h.*2 i < s ^ i.
  rewrite -Rpower_pow; last by lra.
  have i_gt0 : 0 < INR i by apply: lt_0_INR; apply/ltP.
  have h_ge3 : 3 <= INR h by rewrite (_ : 3 = INR 3); [apply: le_INR; apply/leP | rewrite /=; ring].
  apply: Rpower_lt => //; rewrite INR_double.
  by apply: (Rmult_lt_reg_r (2 * INR h - 2)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; nra].
have beta_gt0 : 0 < Rpower b (2 / INR h.*2) ^ i by apply: pow_lt; exact: exp_pos.
rewrite !Rinv_inv; nra.
Qed.

(** ** Caching *)

(** ntk.dynamic-cache: With a scale that changes, keys must be cached before they are rotated: the
    score of a query rotated with frequency 2ω and a key rotated earlier with ω is no function of m
    − n, as its values at (m, n) = (0, 0) and (2, 2) differ, while with one frequency for both it
    is. *)
Theorem ntk_dynamic_cache :
  let unit := col2 1 0 in
  (forall omega : R, cos (2 * omega) <> 1 ->
     let score m n := dot (rotate (2 * omega) unit m) (rotate omega unit n) in
     score 0 0 <> score 2 2 /\ ~ (exists g : R -> R, forall m n, score m n = g (m - n))) /\
  cos (2 * (1 / 2)) <> 1 /\
  (forall (omega : R) (q k : 'cV[R]_2), exists g : R -> R, forall m n : R,
     dot (rotate omega q m) (rotate omega k n) = g (m - n)).
Proof.
have score_unit a b m n :
    dot (rotate a (col2 1 0) m) (rotate b (col2 1 0) n) = cos (m * a - n * b).
  by rewrite /rotate /rotation !mx22_col2 dot_col2 cos_minus; ring.
split=> [omega not_whole score | ]; last split.
- have differ : score 0 0 <> score 2 2.
    rewrite /score !score_unit !R_mul0 Rminus_0_r cos_0 => same; apply: not_whole.
    by rewrite same; congr cos; ring.
  by split=> // -[g depends]; apply: differ; rewrite !depends; congr g; ring.
- have less : cos (2 * (1 / 2)) < 1 by interval with (i_prec 60).
  by lra.
- move=> omega q k; exists (fun x => (q^T *m rotation (- x * omega) *m k) ord0 ord0) => m n.
  by rewrite dot_rotate; congr ((_ *m rotation _ *m _) _ _); ring.
Qed.

(** ** LongRoPE's unscaled start *)

Definition rescaled (n : nat) (s : R) (t : nat) : R := if (t < n)%N then INR t else INR t / s.

(** longrope.start-tokens: Leaving the first n positions unscaled and interpolating the rest by s =
    2 gives positions m and 2m one rotation in every pair, for n/2 ≤ m < n: 128 collisions for n =
    256, and position n is turned by less than n − 1. *)
Theorem longrope_start_tokens :
  (forall (n m : nat) (h : nat) (omega : nat -> R), (n <= m.*2)%N -> (m < n)%N ->
     rotary_matrix h omega (rescaled n 2 m) = rotary_matrix h omega (rescaled n 2 m.*2)) /\
  #|[pred m : 'I_256 | (256 <= m.*2)%N]| = 128%N /\
  (forall n : nat, (2 < n)%N -> rescaled n 2 n < INR n - 1).
Proof.
split=> [n m h omega le_n lt_m | ]; last split=> [ | n n_gt2].
- congr rotary_matrix; rewrite /rescaled lt_m ltnNge le_n /= INR_double; field.
- rewrite -sum1_card -(big_mkord (fun m => 256 <= m.*2)%N (fun=> 1%N)).
  by rewrite unlock.
- rewrite /rescaled ltnn; have : INR 2 < INR n by apply: lt_INR; apply/ltP.
  by rewrite /=; lra.
Qed.

(** At the seam the order is lost, and so is the distance: with the frequency 1, positions 256 and 128 have the score of
    equal positions, which 128 and 0 have not. *)
Corollary longrope_start_tokens_seam :
  let turn t := rotate 1 (col2 1 0) (rescaled 256 2 t) in
  dot (turn 256%N) (turn 128%N) = 1 /\ dot (turn 128%N) (turn 0%N) < 1 /\
  rescaled 256 2 256 < rescaled 256 2 129 /\
  ~ (exists g : R -> R, forall s t : nat, dot (turn s) (turn t) = g (INR s - INR t)).
Proof.
move=> turn; have score s t : dot (turn s) (turn t) = cos (rescaled 256 2 s - rescaled 256 2 t).
  have -> : rescaled 256 2 s - rescaled 256 2 t = rescaled 256 2 s * 1 - rescaled 256 2 t * 1 by ring.
  by rewrite /turn /rotate /rotation !mx22_col2 dot_col2 cos_minus; ring.
have at_0 : rescaled 256 2 0 = 0 by rewrite /rescaled /=.
have at_128 : rescaled 256 2 128 = 128 by rewrite /rescaled (_ : (128 < 256)%N) // INR_IZR_INZ.
have at_129 : rescaled 256 2 129 = 129 by rewrite /rescaled (_ : (129 < 256)%N) // INR_IZR_INZ.
have at_256 : rescaled 256 2 256 = 128.
  by rewrite /rescaled (_ : (256 < 256)%N = false) // INR_IZR_INZ [Z.of_nat _]/=; field.
have seam : dot (turn 256%N) (turn 128%N) = 1 by rewrite score at_256 at_128 Rminus_diag_eq // cos_0.
have apart : dot (turn 128%N) (turn 0%N) < 1.
  by rewrite score at_128 at_0; interval with (i_prec 60).
split=> //; split=> //; split; first by rewrite at_256 at_129; lra.
case=> g depends; move: seam apart; rewrite !depends.
have -> : INR 256 - INR 128 = INR 128 - INR 0 by rewrite !INR_IZR_INZ ![Z.of_nat _]/=; lra.
by move=> ->; lra.
Qed.
