(** * The encoding as a Fourier transform of an impulse

  What is claimed.  The transform of a unit impulse at t is e^(-iωt); cos(ωt) and sin(ωt)
  are its real part and its negated imaginary part, so pair i of PE(t) is that transform
  read at ω_i, and moving the impulse by k multiplies the transform by e^(-iωk).

  cexp z             == e^z, for z in Coquelicot's C (Phasor)
  signal             == a linear measurement of complex test functions, (R -> C) -> C
  impulse t          == the unit impulse at t (Dirac's): it measures the value at t
  box t e            == the box of area 1 over [t-e, t+e]: it measures the mean there
  delay k u          == the signal u, later by k
  transform u ω      == the Fourier transform of u at ω: u measured by x |-> e^(-iωx)
  coefficients h ω u == the vector whose pair i is (-Im, Re) of the transform of u at ω_i

  Main results: sinusoid.fourier and its corollaries: PE(t) is the vector of the coefficients
  of the impulse at t, T(k) is the time-shift property, and the transforms of narrow boxes
  tend to the transform of the impulse.

  Not claimed: anything about inverse transforms or about what a model does with them. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect matrix.
From Coquelicot Require Import Coquelicot.
From Posproof Require Import RealMatrix Pairs Encoding Phasor.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Impulses and their transform *)

Definition signal : Type := (R -> C) -> C.
Definition impulse (t : R) : signal := fun f => f t.
Definition box (t e : R) : signal := fun f =>
  (RInt (fun x => Re (f x)) (t - e) (t + e) / (2 * e), RInt (fun x => Im (f x)) (t - e) (t + e) / (2 * e)).
Definition delay (k : R) (u : signal) : signal := fun f => u (fun x => f (x + k)).
Definition transform (u : signal) (omega : R) : C := u (fun x => cexp (- (Ci * omega * x))%C).

Lemma Re_phase (omega x : R) : Re (- (Ci * omega * x))%C = 0.
Proof. by rewrite /=; ring. Qed.

Lemma Im_phase (omega x : R) : Im (- (Ci * omega * x))%C = - (omega * x).
Proof. by rewrite /=; ring. Qed.

Lemma cexp_phase (omega x : R) : cexp (- (Ci * omega * x))%C = (cos (omega * x), - sin (omega * x)).
Proof. by rewrite /cexp Re_phase Im_phase exp_0 cos_neg sin_neg !Rmult_1_l. Qed.

(** sinusoid.fourier: The transform e^(−iωt) of a unit impulse at t has real part cos(ωt)
    and negated imaginary part sin(ωt), and moving the impulse by k multiplies the
    transform by e^(−iωk), for every ω, t and k. *)
Theorem sinusoid_fourier (omega t k : R) :
  transform (impulse t) omega = cexp (- (Ci * omega * t))%C /\
  Re (transform (impulse t) omega) = cos (omega * t) /\
  - Im (transform (impulse t) omega) = sin (omega * t) /\
  transform (impulse (t + k)) omega =
    (cexp (- (Ci * omega * k)) * transform (impulse t) omega)%C.
Proof.
rewrite /transform /impulse !cexp_phase; split=> //; split=> //; split; first by rewrite /=; ring.
by rewrite Rmult_plus_distr_l cos_plus sin_plus /Cmult /=; congr (_, _); ring.
Qed.

(** ** The encoding *)

Definition coefficients (h : nat) (omega : nat -> R) (u : signal) : 'cV[R]_(h.*2) :=
  join_pairs (fun i => col2 (- Im (transform u (omega i))) (Re (transform u (omega i)))).

(** PE(t) is made of the coefficients of the impulse at t. *)
Corollary sinusoid_fourier_PE (h : nat) (omega : nat -> R) (t : R) :
  PE h omega t = coefficients h omega (impulse t).
Proof.
apply: pairs_eq => i; rewrite pair_of_PE pair_of_join /sin_cos Rmult_comm.
by have [_ [-> [-> _]]] := sinusoid_fourier (omega i) t 0.
Qed.

(** The time-shift property, of every signal that respects multiples. *)
Lemma transform_delay (u : signal) (k omega : R) :
  (forall (c : C) f, u (fun x => c * f x)%C = (c * u f)%C) ->
  transform (delay k u) omega = (cexp (- (Ci * omega * k)) * transform u omega)%C.
Proof.
move=> multiples; rewrite /transform /delay -multiples; congr u.
apply: FunctionalExtensionality.functional_extensionality => x.
rewrite !cexp_phase Rmult_plus_distr_l cos_plus sin_plus /Cmult /=.
by congr (_, _); ring.
Qed.

(** T(k) is that property: it turns the coefficients of the impulse into those of the delayed
    impulse, multiplying each by e^(-iωk). *)
Corollary sinusoid_fourier_shift (h : nat) (omega : nat -> R) (t k : R) :
  shift_matrix h omega k *m coefficients h omega (impulse t) =
    coefficients h omega (delay k (impulse t)) /\
  forall w : R, transform (delay k (impulse t)) w =
    (cexp (- (Ci * w * k)) * transform (impulse t) w)%C.
Proof.
split=> [|w]; last exact: transform_delay.
by rewrite -sinusoid_fourier_PE shift_matrix_PE sinusoid_fourier_PE.
Qed.

(** The mean of a continuous function over a shrinking interval tends to its value. *)
Lemma mean_limit (f : R -> R) (t : R) : (forall x, continuous f x) ->
  is_lim (fun e => RInt f (t - e) (t + e) / (2 * e)) 0 (f t).
Proof.
move=> f_continuous; have integrable a b : ex_RInt f a b by apply: ex_RInt_continuous.
have /is_derive_Reals slope : is_derive (RInt f t) t (f t).
  by apply: is_derive_RInt => //; apply: filter_forall => x; apply: RInt_correct.
apply/is_lim_spec => eps; have [d near] := slope eps (cond_pos eps).
exists d => e e_near e_ne0; rewrite /ball /= /AbsRing_ball /abs /minus /plus /opp /= in e_near.
have e_small : Rabs e < d by move: e_near; rewrite Ropp_0 Rplus_0_r.
have right := near e e_ne0 e_small.
have left : Rabs ((RInt f t (t + - e) - RInt f t t) / - e - f t) < eps.
  by apply: near; [lra | rewrite Rabs_Ropp].
rewrite RInt_point /zero /= in left right.
have -> : RInt f (t - e) (t + e) = RInt f t (t + e) - RInt f t (t + - e).
  by rewrite -(RInt_Chasles f (t - e) t) // -(opp_RInt_swap f t (t - e)) // /plus /opp /= /Rminus; ring.
move/Rabs_def2: left => left; move/Rabs_def2: right => right.
have -> : (RInt f t (t + e) - RInt f t (t + - e)) / (2 * e) - f t =
    / 2 * (((RInt f t (t + e) - 0) / e - f t) + ((RInt f t (t + - e) - 0) / - e - f t)) by field.
by apply: Rabs_def1; lra.
Qed.

Lemma Re_box t e f : Re (box t e f) = RInt (fun x => Re (f x)) (t - e) (t + e) / (2 * e).
Proof. by []. Qed.

Lemma Im_box t e f : Im (box t e f) = RInt (fun x => Im (f x)) (t - e) (t + e) / (2 * e).
Proof. by []. Qed.

(** An impulse is what boxes of area 1 tend to: so do their transforms, read as integrals. *)
Corollary sinusoid_fourier_limit (omega t : R) :
  is_lim (fun e => Re (transform (box t e) omega)) 0 (Re (transform (impulse t) omega)) /\
  is_lim (fun e => Im (transform (box t e) omega)) 0 (Im (transform (impulse t) omega)).
Proof.
rewrite /transform /impulse !cexp_phase; split.
  apply: (is_lim_ext (fun e => RInt (fun x => cos (omega * x)) (t - e) (t + e) / (2 * e))) => [e|].
    by rewrite Re_box; congr (_ / _); apply: RInt_ext => x _; rewrite cexp_phase.
  apply: (mean_limit (f := fun x => cos (omega * x))) => x.
  by apply/continuity_pt_filterlim; reg.
apply: (is_lim_ext (fun e => RInt (fun x => - sin (omega * x)) (t - e) (t + e) / (2 * e))) => [e|].
  by congr (_ / _); apply: RInt_ext => x _; rewrite cexp_phase.
apply: (mean_limit (f := fun x => - sin (omega * x))) => x.
by apply/continuity_pt_filterlim; reg.
Qed.
