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

From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Coquelicot.

Local Open Scope R_scope.

(** ** The bell-shaped function and its derivatives *)

Definition hump (n : nat) (x : R) : R := (x * (PI - x)) ^ n / INR (fact n).

Definition hump_slope (n : nat) (x : R) : R := hump n x * (PI - 2 * x).

Lemma INR_fact_positive n : 0 < INR (fact n).
Proof. apply lt_0_INR, lt_O_fact. Qed.

Lemma power_derivative n c x :
  is_derive (fun y => (y * (PI - y)) ^ S n / c) x
    (INR (S n) * (x * (PI - x)) ^ n * (PI - 2 * x) / c).
Proof.
auto_derive; [exact I|]; change (pred (S n)) with n.
change (match n with 0%nat => 1 | S _ => INR n + 1 end) with (INR (S n)).
change (PI + - x) with (PI - x).
unfold Rdiv; set (power := (x * (PI - x)) ^ n); ring.
Qed.

Lemma hump_derivative n x : is_derive (hump (S n)) x (hump_slope n x).
Proof.
replace (hump_slope n x)
  with (INR (S n) * (x * (PI - x)) ^ n * (PI - 2 * x) / INR (fact (S n))).
- apply power_derivative.
- unfold hump_slope, hump.
  pose proof (INR_fact_positive n).
  pose proof (pos_INR n).
  rewrite fact_simpl, mult_INR, S_INR; field; lra.
Qed.

Lemma hump_slope_derivative n x :
  is_derive (hump_slope (S n)) x
    (PI ^ 2 * hump n x - (4 * INR (S (S n)) - 2) * hump (S n) x).
Proof.
unfold hump_slope.
pose proof (INR_fact_positive n) as fact_pos.
replace (PI ^ 2 * hump n x - (4 * INR (S (S n)) - 2) * hump (S n) x)
  with (hump_slope n x * (PI - 2 * x) + hump (S n) x * - 2).
- apply (is_derive_mult (hump (S n)) (fun y => PI - 2 * y)).
  + apply hump_derivative.
  + auto_derive; [exact I|ring].
  + intros; apply Rmult_comm.
- unfold hump_slope, hump.
  rewrite (fact_simpl n), mult_INR, !S_INR.
  pose proof (pos_INR n).
  simpl pow; field; lra.
Qed.

Lemma hump_at_0 n : hump (S n) 0 = 0.
Proof. unfold hump; simpl; unfold Rdiv; ring. Qed.

Lemma hump_at_PI n : hump (S n) PI = 0.
Proof. unfold hump; replace (PI * (PI - PI)) with 0 by ring; simpl; unfold Rdiv; ring. Qed.

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
intros f_d g_d F0_d F1_d.
apply is_derive_Reals in f_d; apply is_derive_Reals in g_d.
apply is_derive_Reals in F0_d; apply is_derive_Reals in F1_d.
apply is_derive_Reals.
replace (f' * cos x - f x * sin x) with (f' * cos x + f x * - sin x) by ring.
apply (derivable_pt_lim_minus (fun y => g y * sin y - f y * cos y + a * F1 y) (fun y => b * F0 y)).
- apply (derivable_pt_lim_plus (fun y => g y * sin y - f y * cos y) (fun y => a * F1 y)).
  + apply (derivable_pt_lim_minus (fun y => g y * sin y) (fun y => f y * cos y)).
    * exact (derivable_pt_lim_mult g sin x _ _ g_d (derivable_pt_lim_sin x)).
    * exact (derivable_pt_lim_mult f cos x _ _ f_d (derivable_pt_lim_cos x)).
  + exact (derivable_pt_lim_scal F1 a x _ F1_d).
- exact (derivable_pt_lim_scal F0 b x _ F0_d).
Qed.

Lemma next_antiderivative_correct n F0 F1 :
  is_antiderivative n F0 -> is_antiderivative (S n) F1 ->
  is_antiderivative (S (S n)) (next_antiderivative n F0 F1).
Proof.
intros F0_ok F1_ok x; unfold next_antiderivative.
pose proof (step_derivative _ _ _ _ _ _ _ _ (4 * INR (S (S n)) - 2) (PI ^ 2) x
  (hump_derivative (S n) x) (hump_slope_derivative n x) (F0_ok x) (F1_ok x)) as step.
match type of step with is_derive _ _ ?slope => replace (hump (S (S n)) x * sin x) with slope end.
- exact step.
- unfold hump_slope; ring.
Qed.

Lemma next_antiderivative_increment n F0 F1 :
  next_antiderivative n F0 F1 PI - next_antiderivative n F0 F1 0 =
  (4 * INR (S (S n)) - 2) * (F1 PI - F1 0) - PI ^ 2 * (F0 PI - F0 0).
Proof.
unfold next_antiderivative.
rewrite !hump_at_PI, !hump_at_0, sin_PI, sin_0; ring.
Qed.

Lemma antiderivative_0 : is_antiderivative 0 (fun x => - cos x).
Proof. intro x; unfold hump; auto_derive; [exact I|simpl; field]. Qed.

Lemma antiderivative_1 :
  is_antiderivative 1 (fun x => (PI - 2 * x) * sin x - (x * (PI - x) + 2) * cos x).
Proof. intro x; unfold hump; auto_derive; [exact I|simpl; field]. Qed.

(** ** The increment is an integer over q^n, yet small and positive *)

Section PIRational.

Variables p q : Z.
Hypothesis q_positive : (0 < q)%Z.
Hypothesis PI_is_p_over_q : IZR q * PI = IZR p.

Lemma integer_increment n :
  exists F z, is_antiderivative n F /\ IZR q ^ n * (F PI - F 0) = IZR z.
Proof.
enough (both : (exists F z, is_antiderivative n F /\ IZR q ^ n * (F PI - F 0) = IZR z)
  /\ (exists F z, is_antiderivative (S n) F /\ IZR q ^ S n * (F PI - F 0) = IZR z))
  by exact (proj1 both).
induction n as [|n [[F0 [z0 [F0_ok F0_int]]] [F1 [z1 [F1_ok F1_int]]]]].
- split.
  + exists (fun x => - cos x), 2%Z; split; [exact antiderivative_0|].
    rewrite cos_PI, cos_0; simpl; ring.
  + eexists; exists (4 * q)%Z; split; [exact antiderivative_1|].
    cbv beta; rewrite cos_PI, cos_0, sin_PI, sin_0, mult_IZR; simpl pow; ring.
- split; [exists F1, z1; now split|].
  exists (next_antiderivative n F0 F1).
  exists ((4 * Z.of_nat (S (S n)) - 2) * q * z1 - p * p * z0)%Z.
  split; [now apply next_antiderivative_correct|].
  rewrite next_antiderivative_increment, minus_IZR, !mult_IZR, minus_IZR, mult_IZR.
  rewrite <- INR_IZR_INZ, <- F0_int, <- F1_int, <- PI_is_p_over_q.
  simpl pow; ring.
Qed.

Lemma hump_positive n x : 0 < x < PI -> 0 < hump n x.
Proof.
intros [x_pos x_below_PI]; apply Rdiv_lt_0_compat; [|apply INR_fact_positive].
apply pow_lt, Rmult_lt_0_compat; lra.
Qed.

Lemma hump_upper_bound n x : 0 < x < PI -> hump n x <= (PI ^ 2) ^ n / INR (fact n).
Proof.
intros [x_pos x_below_PI]; apply Rmult_le_compat_r.
- left; apply Rinv_0_lt_compat, INR_fact_positive.
- apply pow_incr; simpl; split; [apply Rmult_le_pos|rewrite Rmult_1_r; apply Rmult_le_compat]; lra.
Qed.

Lemma IZR_q_positive : 0 < IZR q.
Proof. now apply IZR_lt. Qed.

Lemma increment_bounds n F : is_antiderivative n F ->
  0 < IZR q ^ n * (F PI - F 0) <= PI * ((IZR q * PI ^ 2) ^ n / INR (fact n)).
Proof.
intro F_ok.
destruct (MVT_cor2 F (fun x => hump n x * sin x) 0 PI PI_RGT_0) as [c [mean [c_pos c_below_PI]]].
  now intros x _; apply is_derive_Reals.
rewrite mean, Rminus_0_r.
pose proof (pow_lt _ n IZR_q_positive) as power_pos.
pose proof (hump_positive n c (conj c_pos c_below_PI)) as hump_pos.
pose proof (hump_upper_bound n c (conj c_pos c_below_PI)) as hump_small.
pose proof (sin_gt_0 c c_pos c_below_PI) as sin_pos.
destruct (SIN_bound c) as [_ sin_small].
pose proof PI_RGT_0.
split.
- apply Rmult_lt_0_compat, Rmult_lt_0_compat; [assumption| |assumption].
  now apply Rmult_lt_0_compat.
- rewrite Rpow_mult_distr.
  replace (PI * (IZR q ^ n * (PI ^ 2) ^ n / INR (fact n)))
    with (IZR q ^ n * ((PI ^ 2) ^ n / INR (fact n) * 1 * PI))
    by (field; apply Rgt_not_eq, INR_fact_positive).
  apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_r; [lra|].
  apply Rmult_le_compat; lra.
Qed.

Lemma PI_rational_absurd : False.
Proof.
pose proof PI_RGT_0.
destruct (cv_speed_pow_fact (IZR q * PI ^ 2) (/ PI)) as [N close].
  now apply Rinv_0_lt_compat.
specialize (close N (le_n N)); unfold R_dist in close; rewrite Rminus_0_r in close.
pose proof (Rle_lt_trans _ _ _ (Rle_abs _) close) as small.
destruct (integer_increment N) as [F [z [F_ok F_int]]].
pose proof (increment_bounds N F F_ok) as [above_0 below].
rewrite F_int in above_0, below.
assert (IZR z < 1).
  apply Rle_lt_trans with (1 := below).
  apply Rlt_le_trans with (PI * / PI).
    now apply Rmult_lt_compat_l.
  right; field; lra.
apply lt_IZR in H0; apply lt_IZR in above_0; lia.
Qed.

End PIRational.

(** ** Main results *)

Lemma PI_irrational (p q : Z) : q <> 0%Z -> IZR q * PI <> IZR p.
Proof.
intros q_nonzero PI_rational.
destruct (Z_lt_le_dec 0 q) as [q_pos|q_neg].
- exact (PI_rational_absurd p q q_pos PI_rational).
- apply (PI_rational_absurd (- p) (- q)); [lia|].
  rewrite !opp_IZR, <- PI_rational; ring.
Qed.

(** A rational number p/q that is a whole number of turns is none. *)
Lemma rational_turn (p q n : Z) : q <> 0%Z -> IZR p = IZR q * (2 * PI * IZR n) -> n = 0%Z.
Proof.
intros q_nonzero turns.
destruct (Z.eq_dec n 0) as [n_zero|n_nonzero]; [exact n_zero|exfalso].
apply (PI_irrational p (q * 2 * n)); [lia|].
rewrite !mult_IZR, turns; ring.
Qed.

Lemma integer_turn (z n : Z) : IZR z = 2 * PI * IZR n -> z = 0%Z.
Proof.
intro turns.
assert (n = 0%Z) as n_zero by (apply (rational_turn z 1); [easy|rewrite turns; ring]).
apply eq_IZR; rewrite turns, n_zero; ring.
Qed.
