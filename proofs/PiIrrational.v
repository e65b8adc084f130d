(** * π is irrational

    What is claimed.  π is not a quotient of two integers, and therefore no
    nonzero integer, and no nonzero rational number, is a multiple of 2π.
    This is the fact that keeps the sinusoidal encoding from repeating at
    integer positions.

    Argument (Niven's, with a recurrence in place of his polynomial F).  Put
      hump n x == (x (π - x))^n / n!,
    which is positive between 0 and π and vanishes at both ends for n > 0.  Since
      hump n'' = π² hump (n-2) - (4n - 2) hump (n-1),
    the differences A n between the values at π and at 0 of an antiderivative of
    [hump n x * sin x] satisfy  A n = (4n - 2) A (n-1) - π² A (n-2),  A 0 = 2,  A 1 = 4.
    If π = p/q, then q^n * A n is an integer for every n; but it is positive, and
    below 1 as soon as n! outgrows the n-th power of q π², which is absurd.
    The mean value theorem stands in for the integral.

    Main results.
      PI_irrational         == q π <> p for all integers p and q with q <> 0
      rational_turn         == if a rational number x is 2πn, then n = 0
      integer_turn          == if an integer is 2πn, then it is 0

    Assumptions: the axioms of Coq's real numbers and, through Coquelicot's
    derivatives, excluded middle. *)

Set Warnings "-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import ssreflect.
From Coquelicot Require Import Coquelicot.

Local Open Scope R_scope.

(** ** The bell-shaped function and its derivatives *)

Definition hump (n : nat) (x : R) : R := (x * (PI - x)) ^ n / INR (fact n).

Definition hump_slope (n : nat) (x : R) : R := hump n x * (PI - 2 * x).

Lemma INR_fact_positive n : 0 < INR (fact n).
Proof. by apply: lt_0_INR; exact: lt_O_fact. Qed.

Lemma power_derivative n c x :
  is_derive (fun y => (y * (PI - y)) ^ S n / c) x
    (INR (S n) * (x * (PI - x)) ^ n * (PI - 2 * x) / c).
Proof.
auto_derive=> //; change (pred (S n)) with n.
change (match n with 0%nat => 1 | S _ => INR n + 1 end) with (INR (S n)); change (PI + - x) with (PI - x).
by rewrite /Rdiv; set power := (x * (PI - x)) ^ n; ring.
Qed.

Lemma hump_derivative n x : is_derive (hump (S n)) x (hump_slope n x).
Proof.
have -> : hump_slope n x = INR (S n) * (x * (PI - x)) ^ n * (PI - 2 * x) / INR (fact (S n)).
  rewrite /hump_slope /hump fact_simpl mult_INR S_INR.
  by have := INR_fact_positive n; have := pos_INR n => *; field; lra.
exact: power_derivative.
Qed.

Lemma hump_slope_derivative n x :
  is_derive (hump_slope (S n)) x
    (PI ^ 2 * hump n x - (4 * INR (S (S n)) - 2) * hump (S n) x).
Proof.
have -> : PI ^ 2 * hump n x - (4 * INR (S (S n)) - 2) * hump (S n) x
    = hump_slope n x * (PI - 2 * x) + hump (S n) x * - 2.
  rewrite /hump_slope /hump (fact_simpl n) mult_INR !S_INR.
  by have := INR_fact_positive n; have := pos_INR n => *; simpl pow; field; lra.
apply: (is_derive_mult (hump (S n)) (fun y => PI - 2 * y)); first exact: hump_derivative.
  by auto_derive=> //; ring.
by move=> *; exact: Rmult_comm.
Qed.

Lemma hump_at_0 n : hump (S n) 0 = 0.
Proof. by rewrite /hump /= /Rdiv; ring. Qed.

Lemma hump_at_PI n : hump (S n) PI = 0.
Proof. by rewrite /hump Rminus_eq_0 Rmult_0_r /= /Rdiv; ring. Qed.

(** ** Antiderivatives of hump n x * sin x

    The step: if [F0] and [F1] are antiderivatives for n and n+1, then
    [f' sin - f cos + (4(n+2) - 2) F1 - π² F0], with f = hump (n+2), is one for n+2. *)

Definition is_antiderivative (n : nat) (F : R -> R) : Prop :=
  forall x, is_derive F x (hump n x * sin x).

Definition next_antiderivative (n : nat) (F0 F1 : R -> R) (x : R) : R :=
  hump_slope (S n) x * sin x - hump (S (S n)) x * cos x
  + (4 * INR (S (S n)) - 2) * F1 x - PI ^ 2 * F0 x.

Lemma step_derivative (f g F0 F1 : R -> R) (f' g' F0' F1' a b x : R) :
  is_derive f x f' -> is_derive g x g' -> is_derive F0 x F0' -> is_derive F1 x F1' ->
  is_derive (fun y => g y * sin y - f y * cos y + a * F1 y - b * F0 y) x
    (g' * sin x + g x * cos x - (f' * cos x - f x * sin x) + a * F1' - b * F0').
Proof.
move=> /is_derive_Reals f_d /is_derive_Reals g_d /is_derive_Reals F0_d /is_derive_Reals F1_d.
apply/is_derive_Reals; have -> : f' * cos x - f x * sin x = f' * cos x + f x * - sin x by ring.
apply: (derivable_pt_lim_minus (fun y => g y * sin y - f y * cos y + a * F1 y) (fun y => b * F0 y)).
  apply: (derivable_pt_lim_plus (fun y => g y * sin y - f y * cos y) (fun y => a * F1 y)).
    apply: (derivable_pt_lim_minus (fun y => g y * sin y) (fun y => f y * cos y)).
      exact: (derivable_pt_lim_mult g sin x _ _ g_d (derivable_pt_lim_sin x)).
    exact: (derivable_pt_lim_mult f cos x _ _ f_d (derivable_pt_lim_cos x)).
  exact: (derivable_pt_lim_scal F1 a x _ F1_d).
exact: (derivable_pt_lim_scal F0 b x _ F0_d).
Qed.

Lemma next_antiderivative_correct n F0 F1 :
  is_antiderivative n F0 -> is_antiderivative (S n) F1 ->
  is_antiderivative (S (S n)) (next_antiderivative n F0 F1).
Proof.
move=> F0_ok F1_ok x; rewrite /next_antiderivative.
have same (f : R -> R) (d d' : R) : is_derive f x d -> d = d' -> is_derive f x d' by move=> f_d <-.
have step := step_derivative _ _ _ _ _ _ _ _ (4 * INR (S (S n)) - 2) (PI ^ 2) x
  (hump_derivative (S n) x) (hump_slope_derivative n x) (F0_ok x) (F1_ok x).
by apply: (same _ _ _ step); rewrite /hump_slope; ring.
Qed.

Lemma next_antiderivative_increment n F0 F1 :
  next_antiderivative n F0 F1 PI - next_antiderivative n F0 F1 0 =
  (4 * INR (S (S n)) - 2) * (F1 PI - F1 0) - PI ^ 2 * (F0 PI - F0 0).
Proof. by rewrite /next_antiderivative !hump_at_PI !hump_at_0 sin_PI sin_0; ring. Qed.

Lemma antiderivative_0 : is_antiderivative 0 (fun x => - cos x).
Proof. by move=> x; rewrite /hump; auto_derive=> //; rewrite /=; field. Qed.

Lemma antiderivative_1 :
  is_antiderivative 1 (fun x => (PI - 2 * x) * sin x - (x * (PI - x) + 2) * cos x).
Proof. by move=> x; rewrite /hump; auto_derive=> //; rewrite /=; field. Qed.

(** ** The increment is an integer over q^n, yet small and positive *)

Section PIRational.

Variables p q : Z.
Hypothesis q_positive : (0 < q)%Z.
Hypothesis PI_is_p_over_q : IZR q * PI = IZR p.

Lemma integer_increment n :
  exists F z, is_antiderivative n F /\ IZR q ^ n * (F PI - F 0) = IZR z.
Proof.
have [] // : (exists F z, is_antiderivative n F /\ IZR q ^ n * (F PI - F 0) = IZR z)
  /\ (exists F z, is_antiderivative (S n) F /\ IZR q ^ S n * (F PI - F 0) = IZR z).
elim: n => [|n [[F0 [z0 [F0_ok F0_int]]] [F1 [z1 [F1_ok F1_int]]]]].
  split.
    exists (fun x => - cos x), 2%Z; split; first exact: antiderivative_0.
    by rewrite cos_PI cos_0 /=; ring.
  exists (fun x => (PI - 2 * x) * sin x - (x * (PI - x) + 2) * cos x), (4 * q)%Z.
  split; first exact: antiderivative_1.
  by rewrite cos_PI cos_0 sin_PI sin_0 mult_IZR; simpl pow; ring.
split; first by exists F1, z1.
exists (next_antiderivative n F0 F1), ((4 * Z.of_nat (S (S n)) - 2) * q * z1 - p * p * z0)%Z.
split; first exact: next_antiderivative_correct.
rewrite next_antiderivative_increment minus_IZR !mult_IZR minus_IZR mult_IZR.
by rewrite -INR_IZR_INZ -F0_int -F1_int -PI_is_p_over_q; simpl pow; ring.
Qed.

Lemma hump_positive n x : 0 < x < PI -> 0 < hump n x.
Proof.
move=> [x_gt0 x_ltPI]; apply: Rdiv_lt_0_compat; last exact: INR_fact_positive.
by apply: pow_lt; apply: Rmult_lt_0_compat; lra.
Qed.

Lemma hump_upper_bound n x : 0 < x < PI -> hump n x <= (PI ^ 2) ^ n / INR (fact n).
Proof.
move=> [x_gt0 x_ltPI]; apply: Rmult_le_compat_r.
  by apply: Rlt_le; apply: Rinv_0_lt_compat; exact: INR_fact_positive.
apply: pow_incr; rewrite /=; split; first by apply: Rmult_le_pos; lra.
by rewrite Rmult_1_r; apply: Rmult_le_compat; lra.
Qed.

Lemma IZR_q_positive : 0 < IZR q.
Proof. exact: IZR_lt. Qed.

Lemma increment_bounds n F : is_antiderivative n F ->
  0 < IZR q ^ n * (F PI - F 0) <= PI * ((IZR q * PI ^ 2) ^ n / INR (fact n)).
Proof.
move=> F_ok; have pi_gt0 := PI_RGT_0.
have derived c : 0 <= c <= PI -> derivable_pt_lim F c (hump n c * sin c) by move=> _; apply/is_derive_Reals.
have [c [mean [c_gt0 c_ltPI]]] := MVT_cor2 F (fun x => hump n x * sin x) 0 PI PI_RGT_0 derived.
rewrite mean Rminus_0_r; have power_gt0 := pow_lt _ n IZR_q_positive.
have hump_gt0 := hump_positive n c (conj c_gt0 c_ltPI); have hump_le := hump_upper_bound n c (conj c_gt0 c_ltPI).
have sin_gt0 := sin_gt_0 c c_gt0 c_ltPI; have [_ sin_le1] := SIN_bound c.
split.
  apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat => //.
  exact: Rmult_lt_0_compat.
rewrite Rpow_mult_distr.
have -> : PI * (IZR q ^ n * (PI ^ 2) ^ n / INR (fact n)) = IZR q ^ n * ((PI ^ 2) ^ n / INR (fact n) * 1 * PI).
  by field; apply: Rgt_not_eq; exact: INR_fact_positive.
apply: Rmult_le_compat_l; first by lra.
apply: Rmult_le_compat_r; first by lra.
by apply: Rmult_le_compat; lra.
Qed.

Lemma PI_rational_absurd : False.
Proof.
have pi_gt0 := PI_RGT_0; have inverse_gt0 := Rinv_0_lt_compat _ PI_RGT_0.
have [N close] := cv_speed_pow_fact (IZR q * PI ^ 2) (/ PI) inverse_gt0.
move: (close N (le_n N)); rewrite /R_dist Rminus_0_r => near_0.
have small := Rle_lt_trans _ _ _ (Rle_abs _) near_0.
have [F [z [F_ok F_int]]] := integer_increment N.
have := increment_bounds N F F_ok; rewrite F_int => -[above_0 below].
have below_1 : IZR z < 1.
  apply: Rle_lt_trans below _; apply: (Rlt_le_trans _ (PI * / PI)); first exact: Rmult_lt_compat_l.
  by right; field; lra.
by move: (lt_IZR _ _ below_1) (lt_IZR _ _ above_0); lia.
Qed.

End PIRational.

(** ** Main results *)

Lemma PI_irrational (p q : Z) : q <> 0%Z -> IZR q * PI <> IZR p.
Proof.
move=> q_neq0 PI_rational; case: (Z_lt_le_dec 0 q) => [q_gt0|q_le0]; first exact: (PI_rational_absurd p q).
apply: (PI_rational_absurd (- p) (- q)); first by lia.
by rewrite !opp_IZR -PI_rational; ring.
Qed.

(** A rational number p/q that is a whole number of turns is none. *)
Lemma rational_turn (p q n : Z) : q <> 0%Z -> IZR p = IZR q * (2 * PI * IZR n) -> n = 0%Z.
Proof.
move=> q_neq0 turns; case: (Z.eq_dec n 0) => // n_neq0; exfalso.
apply: (PI_irrational p (q * 2 * n)); first by lia.
by rewrite !mult_IZR turns; ring.
Qed.

Lemma integer_turn (z n : Z) : IZR z = 2 * PI * IZR n -> z = 0%Z.
Proof.
move=> turns; have n_eq0 : n = 0%Z by apply: (rational_turn z 1) => //; rewrite turns; ring.
by apply: eq_IZR; rewrite turns n_eq0; ring.
Qed.
