(** * The encoding as a Fourier transform of an impulse

  What is claimed.  The transform of a unit impulse at t is e^(-iωt); cos(ωt) and sin(ωt)
  are its real part and its negated imaginary part, so pair i of PE(t) is that transform
  read at ω_i, and moving the impulse by k multiplies the transform by e^(-iωk).

  cexp z             == e^z = e^(Re z) (cos (Im z) + i sin (Im z)), for z in Coquelicot's C
  signal             == a linear measurement of complex test functions, (R -> C) -> C
  impulse t          == the unit impulse at t (Dirac's): it measures the value at t
  transform u ω      == the Fourier transform of u at ω: u measured by x |-> e^(-iωx)

  Main results: sinusoid.fourier; [cexp_add], the law of exponents.

  Not claimed: anything about inverse transforms or about what a model does with them. *)

Set Warnings "-notation-overridden -ambiguous-paths".
From Coq Require Import Reals Lra.
From Coquelicot Require Import Complex.
From mathcomp Require Import ssreflect ssrbool ssrnat.
From Posproof Require Import Encoding.

Open Scope R_scope.

(** ** The complex exponential *)

Definition cexp (z : C) : C := (exp (Re z) * cos (Im z), exp (Re z) * sin (Im z)).

Lemma cexp_add (z w : C) : cexp (z + w)%C = (cexp z * cexp w)%C.
Proof.
case: z w => [a b] [c d]; rewrite /cexp /Cmult /= exp_plus cos_plus sin_plus.
by congr (_, _); ring.
Qed.

Lemma cexp_0 : cexp 0 = 1.
Proof. by rewrite /cexp /= exp_0 cos_0 sin_0 !Rmult_1_l. Qed.

(** ** Impulses and their transform *)

Definition signal : Type := (R -> C) -> C.
Definition impulse (t : R) : signal := fun f => f t.
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

(** Component by component, PE(t) is the transform of the impulse at t. *)
Lemma pe_transform (omega : nat -> R) (t : R) (i : nat) :
  pe omega t i.*2 = - Im (transform (impulse t) (omega i)) /\
  pe omega t i.*2.+1 = Re (transform (impulse t) (omega i)).
Proof.
have [_ [-> [-> _]]] := sinusoid_fourier (omega i) t 0.
by rewrite pe_even pe_odd Rmult_comm.
Qed.
