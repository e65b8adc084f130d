(** * Phasors: positions as complex exponentials

  The six claims that read pairs of coordinates as complex numbers, with Coquelicot's C.

  cexp z               == e^z = e^(Re z) (cos (Im z) + i sin (Im z))
  phasor a             == e^(ia)
  encode theta x m     == f(x, m) = x e^(imθ)
  re_im z              == the column (Re z, Im z)
  im_re z              == the column (Im z, Re z): the order (sin, cos) of the sinusoidal PE
  vector_re_im z, vector_im_re z == the vector whose pair i is re_im (z i), or im_re (z i)
  Cmod, Cconj, Re, Im  == Coquelicot's |z|, z*, real part, imaginary part

  Main results: [phasorE], e^(ia) = cos a + i sin a, and the theorems below, one for each
  claim; their names are the claims' ids.
  Not claimed: that cexp is the sum of its power series; it is taken by real and imaginary
  part, and [phasor_growth] shows the law of exponents. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Coquelicot Require Import Complex.
From Posproof Require Import RealMatrix Pairs Encoding Rotary.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope C_scope.
Open Scope R_scope.

Definition cexp (z : C) : C := (exp (Re z) * cos (Im z), exp (Re z) * sin (Im z)).
Definition phasor (a : R) : C := cexp (Ci * a)%C.
Definition encode (theta : R) (x : C) (m : R) : C := (x * phasor (m * theta))%C.
Definition re_im (z : C) : 'cV[R]_2 := col2 (Re z) (Im z).
Definition im_re (z : C) : 'cV[R]_2 := col2 (Im z) (Re z).
Definition vector_re_im (h : nat) (z : 'I_h -> C) : 'cV[R]_(h.*2) :=
  join_pairs (fun i => re_im (z i)).
Definition vector_im_re (h : nat) (z : 'I_h -> C) : 'cV[R]_(h.*2) :=
  join_pairs (fun i => im_re (z i)).

(** Complex numbers are equal when their parts are. *)
Lemma C_eq (z w : C) : Re z = Re w -> Im z = Im w -> z = w.
Proof. by case: z => a b; case: w => c d /= -> ->. Qed.

Lemma phasorE a : phasor a = (cos a, sin a).
Proof.
rewrite /phasor /cexp /=.
have -> : 0 * a - 1 * 0 = 0 by ring.
have -> : 0 * 0 + 1 * a = a by ring.
by rewrite exp_0 !R_mul1.
Qed.

Lemma cexp_add z w : (cexp z * cexp w)%C = cexp (z + w)%C.
Proof. by apply: C_eq; rewrite /cexp /Re /Im /= exp_plus ?cos_plus ?sin_plus; ring. Qed.

Lemma cexp_real (m : R) : cexp m = RtoC (exp m).
Proof. by rewrite /cexp /RtoC /Re /Im /= cos_0 sin_0 Rmult_1_r Rmult_0_r. Qed.

Lemma phasor_add a b : (phasor a * phasor b)%C = phasor (a + b).
Proof. by rewrite !phasorE; apply: C_eq; rewrite /= ?cos_plus ?sin_plus; ring. Qed.

Lemma Cmod_phasor a : Cmod (phasor a) = 1.
Proof.
rewrite phasorE /Cmod /=.
have -> : cos a * (cos a * 1) + sin a * (sin a * 1) = 1.
  by have := sin2_cos2 a; rewrite /Rsqr; lra.
exact: sqrt_1.
Qed.

Lemma Cmod_sqr z : Cmod z * Cmod z = Re z * Re z + Im z * Im z.
Proof. by rewrite /Cmod sqrt_sqrt /= /Re /Im; nra. Qed.

(** A point of the unit circle has an angle, by the intermediate value theorem for cos. *)
Lemma unit_circle_angle a b : a * a + b * b = 1 -> exists theta, cos theta = a /\ sin theta = b.
Proof.
move=> on_circle; have range_a : -1 <= a <= 1 by nra.
have continuous_difference : continuity (cos - fct_cte a)%F.
  by apply: continuity_minus; [exact: continuity_cos | apply: continuity_const].
have [|| theta [range_theta root]] := IVT_cor _ 0 PI continuous_difference.
- by have := PI_RGT_0; lra.
- by rewrite /minus_fct /fct_cte cos_0 cos_PI; nra.
have cos_theta : cos theta = a by move: root; rewrite /minus_fct /fct_cte; lra.
have sin_ge0 : 0 <= sin theta by apply: sin_ge_0; lra.
have sum_squares := sin2_cos2 theta; rewrite /Rsqr cos_theta in sum_squares.
case: (Rle_dec 0 b) => sign_b; first by exists theta; split=> //; nra.
by exists (- theta); rewrite cos_neg sin_neg; split=> //; nra.
Qed.

(** phasor.polar: Every complex x ≠ 0 is |x|·e^(iθ) for some real θ. *)
Theorem phasor_polar (x : C) : x <> RtoC 0 -> exists theta : R, x = (Cmod x * phasor theta)%C.
Proof.
move=> /Cmod_gt_0 modulus_gt0; have := Cmod_sqr x; move: (Cmod x) modulus_gt0 => r r_gt0 sqr_r.
have [|theta [cos_theta sin_theta]] := unit_circle_angle (a := Re x / r) (b := Im x / r).
  have -> : Re x / r * (Re x / r) + Im x / r * (Im x / r) = (Re x * Re x + Im x * Im x) / (r * r).
    by field; lra.
  by rewrite -sqr_r; field; lra.
exists theta; rewrite phasorE cos_theta sin_theta.
by apply: C_eq; rewrite /Re /Im /=; field; lra.
Qed.

(** phasor.dot-product: x·y = Re[x·y*] for all x and y, the left side being the dot product of
    (Re, Im). *)
Theorem phasor_dot_product (x y : C) : dot (re_im x) (re_im y) = Re (x * Cconj y)%C.
Proof. by rewrite dot_col2 /Re /Im /=; ring. Qed.

(** phasor.growth: e^m·e^n = e^(m+n); for x ≠ 0 and every B there is an m with |x·e^m| > B,
    while |x·e^(imθ)| = |x| for every m and θ. *)
Theorem phasor_growth :
  (forall m n : R, exp m * exp n = exp (m + n)) /\
  (forall m n : C, (cexp m * cexp n)%C = cexp (m + n)%C) /\
  (forall (x : C) (B : R), x <> RtoC 0 -> exists m : nat, Cmod (x * cexp (INR m))%C > B) /\
  (forall (x : C) (m theta : R), Cmod (x * phasor (m * theta))%C = Cmod x).
Proof.
split; first by move=> m n; rewrite exp_plus.
split; first exact: cexp_add.
split=> [x B /Cmod_gt_0 modulus_gt0 | x m theta]; last by rewrite Cmod_mult Cmod_phasor Rmult_1_r.
have [m lt_m] := INR_unbounded (B / Cmod x); exists m.
have exp_ge := exp_ge_linear (pos_INR m).
rewrite Cmod_mult cexp_real Cmod_R Rabs_right; last by have := exp_pos (INR m); lra.
have -> : B = Cmod x * (B / Cmod x) by field; lra.
by apply: Rmult_lt_compat_l => //; lra.
Qed.

(** phasor.relative-position: f(x,m)·f(y,n) = Re[x·y*·e^(i(m−n)θ)] = |x||y|·cos(θ_x − θ_y +
    (m−n)θ) for f(x,m) = x·e^(imθ) and all x, y, m, n and θ. *)
Theorem phasor_relative_position (theta : R) (x y : C) (m n : R) :
  dot (re_im (encode theta x m)) (re_im (encode theta y n)) =
    Re (x * Cconj y * phasor ((m - n) * theta))%C /\
  (forall theta_x theta_y : R,
     x = (Cmod x * phasor theta_x)%C -> y = (Cmod y * phasor theta_y)%C ->
     Re (x * Cconj y * phasor ((m - n) * theta))%C =
       Cmod x * Cmod y * cos (theta_x - theta_y + (m - n) * theta)).
Proof.
split=> [ | theta_x theta_y].
  rewrite phasor_dot_product /encode Rmult_minus_distr_r !phasorE /=.
  by rewrite cos_minus sin_minus; ring.
move: (Cmod x) (Cmod y) => r s -> ->.
by rewrite !phasorE /= cos_plus cos_minus sin_minus; ring.
Qed.

(** phasor.rotation-matrix: Multiplying by e^(iθ) is R(θ) acting on (Re, Im), for all θ and x,
    and block by block in d dimensions. *)
Theorem phasor_rotation_matrix :
  (forall (theta : R) (x : C), re_im (phasor theta * x)%C = rotation theta *m re_im x) /\
  (forall h (theta : 'I_h -> R) (x : 'I_h -> C),
     vector_re_im (fun i => phasor (theta i) * x i)%C =
     block_diag (fun i => rotation (theta i)) *m vector_re_im x).
Proof.
have one_pair theta x : re_im (phasor theta * x)%C = rotation theta *m re_im x.
  by rewrite phasorE /re_im mx22_col2 /=; congr col2; rewrite /Re /Im /=; ring.
split=> // h theta x; apply: pairs_eq => i.
by rewrite pair_of_block_diag !pair_of_join one_pair.
Qed.

(** phasor.shift-operator: T(k) is multiplication by complex exponentials: with
    z_i(t) = cos(ω_i·t) + i·sin(ω_i·t) read from PE(t) in (sin, cos) order, T(k) PE(t) is
    e^(iω_i·k)·z_i(t) in the same order, for all t and k. *)
Theorem phasor_shift_operator (h : nat) (omega : nat -> R) :
  let z (t : R) (i : 'I_h) := (cos (omega i * t) + Ci * sin (omega i * t))%C in
  (forall t, PE h omega t = vector_im_re (z t)) /\
  (forall t k, shift_matrix h omega k *m PE h omega t =
     vector_im_re (fun i => phasor (omega i * k) * z t i)%C) /\
  (forall t k (i : 'I_h), (phasor (omega i * k) * z t i)%C = z (t + k) i).
Proof.
move=> z; have PE_phasors t : PE h omega t = vector_im_re (z t).
  apply: pairs_eq => i; rewrite pair_of_PE pair_of_join /sin_cos /im_re Rmult_comm.
  by congr col2; rewrite /z /Re /Im /=; ring.
have exponents_add t k (i : 'I_h) : (phasor (omega i * k) * z t i)%C = z (t + k) i.
  have z_phasor u : z u i = phasor (omega i * u).
    by rewrite phasorE /z; apply: C_eq; rewrite /Re /Im /=; ring.
  by rewrite !z_phasor phasor_add; congr phasor; ring.
split=> //; split=> // t k; rewrite shift_matrix_PE PE_phasors; apply: pairs_eq => i.
by rewrite !pair_of_join exponents_add.
Qed.
