(** * What solves the equations that rotary encoding is derived from

  Scores of the distance alone, and the identity at position 0: rotations solve these equations, and
  so do all powers of an orthogonal matrix. If queries and keys are encoded alike nothing else does,
  as a map that keeps products is a matrix.

  solves f_q f_k       == <f_q(x, m), f_k(y, n)> depends on x, y and n - m alone, for all integers m
                          and n, and f(x, 0) = x for both
  orthogonal A         == A^T A = I
  power A m            == A^m
  integer_power A m    == A^m, for m < 0 the power of the transpose
  flip                 == the reflection diag(1, -1)
  determinant2 A       == the determinant of a matrix of two rows
  printed_31 q theta gamma m
                       == e^(i theta_q + m theta + gamma), where a factor i was lost
  images F             == the matrix whose columns are F's images of the unit columns

  Main results: uniqueness.rope-2d. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Phasor.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition solves (d : nat) (f_q f_k : 'cV[R]_d -> Z -> 'cV[R]_d) : Prop :=
  (exists g : 'cV[R]_d -> 'cV[R]_d -> Z -> R, forall x y m n, dot (f_q x m) (f_k y n) = g x y (n - m)%Z) /\
  (forall x, f_q x 0%Z = x) /\ (forall x, f_k x 0%Z = x).

Definition orthogonal (d : nat) (A : 'M[R]_d) : Prop := A^T *m A = idR d.

Fixpoint power (d : nat) (A : 'M[R]_d) (m : nat) : 'M[R]_d := if m is m'.+1 then A *m power A m' else idR d.

Definition integer_power (d : nat) (A : 'M[R]_d) (m : Z) : 'M[R]_d :=
  if (0 <=? m)%Z then power A (Z.to_nat m) else power A^T (Z.to_nat (- m)).

(** ** Powers of an orthogonal matrix *)

Section Powers.

Variables (d : nat) (A : 'M[R]_d).
Hypothesis A_orthogonal : orthogonal A.

(** The rows of an orthogonal matrix are orthonormal too: the squared distances of A A^T e_i from e_i
    are 1 - |A^T e_i|^2, and add up to 0. *)
Lemma orthogonal_tr : A *m A^T = idR d.
Proof.
have shortened v : distance2 (A *m (A^T *m v)) v = norm2 v - norm2 (A^T *m v).
  have kept w : norm2 (A *m w) = norm2 w by rewrite /norm2 dot_mulR_l mulR_A A_orthogonal mul1R.
  by rewrite distance2_dot kept dot_mulR_l -/(norm2 (A^T *m v)); ring.
have total : \rsum_i distance2 (A *m (A^T *m unit_column i)) (unit_column i) = 0.
  under eq_bigr do rewrite shortened.
  rewrite rsum_sub; apply: Rminus_diag_eq.
  transitivity (\rsum_(i < d) 1); first by apply: eq_bigr => i _; rewrite /norm2 dot_unit_column mxE eqxx.
  transitivity (\rsum_(j < d) (A^T *m A) j j).
    by rewrite A_orthogonal; apply: eq_bigr => j _; rewrite mxE eqxx.
  transitivity (\rsum_j \rsum_i (A i j * A i j)).
    by apply: eq_bigr => j _; rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
  rewrite rsum_exchange; apply: eq_bigr => i _; rewrite mulR_unit_column.
  by apply: eq_bigr => j _; rewrite !mxE.
apply: mulR_ext => v; rewrite mul1R; apply/matrixP => i j; rewrite (ord1 j).
have same k : A *m A^T *m unit_column k = unit_column k.
  have := rsum_eq0 (fun k => distance2_ge0 (A *m (A^T *m unit_column k)) (unit_column k)) total k.
  rewrite distance2_norm2 => /norm2_eq0 /matrixP apart; rewrite -mulR_A; apply/matrixP => a b.
  by have := apart a b; rewrite !mxE; lra.
have entry a b : (A *m A^T) a b = idR d a b.
  have := same b; rewrite mulR_unit_column => /matrixP/(_ a ord0).
  by rewrite [LHS]mxE => ->; rewrite !mxE eq_sym.
by have -> : A *m A^T = idR d; [apply/matrixP => a b; exact: entry | rewrite mul1R].
Qed.

Lemma integer_power_0 : integer_power A 0 = idR d.
Proof. by []. Qed.

Lemma integer_power_succ m : integer_power A (Z.succ m) = A *m integer_power A m.
Proof.
rewrite /integer_power; case: (Z.leb_spec 0 m) => m_range.
  by rewrite (proj2 (Z.leb_le 0 _)); [rewrite Z2Nat.inj_succ | lia].
have -> : (- m)%Z = Z.succ (- Z.succ m) by lia.
rewrite (Z2Nat.inj_succ (- Z.succ m)) /=; last by lia.
rewrite mulR_A orthogonal_tr mul1R; case: (Z.leb_spec 0 (Z.succ m)) => // next_ge0.
by have -> : Z.succ m = 0%Z by lia.
Qed.

Lemma integer_power_pred m : integer_power A (Z.pred m) = A^T *m integer_power A m.
Proof. by rewrite -{2}(Z.succ_pred m) integer_power_succ mulR_A A_orthogonal mul1R. Qed.

Lemma integer_power_distance m n : (integer_power A m)^T *m integer_power A n = integer_power A (n - m).
Proof.
elim/Z.peano_ind: m n => [n | m IHm n | m IHm n].
- by rewrite integer_power_0 Z.sub_0_r; have -> : (idR d)^T = idR d; [entries; rewrite eq_sym | rewrite mul1R].
- rewrite integer_power_succ trmx_mulR -mulR_A -integer_power_pred IHm; congr integer_power; lia.
- rewrite integer_power_pred trmx_mulR trmxK -mulR_A -integer_power_succ IHm; congr integer_power; lia.
Qed.

Lemma solves_powers : let f x m := integer_power A m *m x in solves f f.
Proof.
split; last by split=> x; rewrite integer_power_0 mul1R.
exists (fun x y z => dot x (integer_power A z *m y)) => x y m n.
by rewrite dot_mulR_l mulR_A integer_power_distance.
Qed.

End Powers.

(** ** Maps that keep products *)

Definition images (d : nat) (F : 'cV[R]_d -> 'cV[R]_d) : 'M[R]_d := \matrix_(i, j) F (unit_column j) i ord0.

Lemma distance2_eq0 d (x y : 'cV[R]_d) : distance2 x y = 0 -> x = y.
Proof.
rewrite distance2_norm2 => /norm2_eq0 /matrixP apart; apply/matrixP => i j.
by have := apart i j; rewrite !mxE; lra.
Qed.

Lemma keeps_products d (F : 'cV[R]_d -> 'cV[R]_d) : (forall x y, dot (F x) (F y) = dot x y) ->
  orthogonal (images F) /\ forall x, F x = images F *m x.
Proof.
move=> kept; have orthonormal : orthogonal (images F).
  apply/matrixP => i j; rewrite mxE; transitivity (dot (F (unit_column i)) (F (unit_column j))).
    by apply: eq_bigr => k _; rewrite !mxE.
  by rewrite kept dot_unit_column !mxE eq_sym.
split=> // x; apply: distance2_eq0; rewrite distance2_dot.
have -> : norm2 (images F *m x) = norm2 x by rewrite /norm2 dot_mulR_l mulR_A orthonormal mul1R.
have -> : dot (F x) (images F *m x) = norm2 x.
  rewrite dotC dot_mulR_l; congr dot; apply/matrixP => i j; rewrite (ord1 j) mxE.
  transitivity (dot (F (unit_column i)) (F x)); first by apply: eq_bigr => k _; rewrite !mxE.
  by rewrite kept dot_unit_column.
by rewrite /norm2 kept; ring.
Qed.

(** A step of one position is the map at 1, applied to what the step starts from. *)
Lemma step_is_map d (A : 'M[R]_d) (x_at_1 : 'cV[R]_d -> 'cV[R]_d) (here next : 'cV[R]_d) :
  orthogonal A -> (forall x, x_at_1 x = A *m x) -> (forall x, dot (x_at_1 x) next = dot x here) -> next = A *m here.
Proof.
move=> A_orthogonal A_image same; have -> : here = A^T *m next.
  apply/matrixP => i j; rewrite (ord1 j) -(dot_unit_column i here) -(dot_unit_column i (A^T *m next)).
  by rewrite -dot_mulR_l -same A_image.
by rewrite mulR_A orthogonal_tr // mul1R.
Qed.

Lemma solution_is_power d (f : 'cV[R]_d -> Z -> 'cV[R]_d) : solves f f ->
  exists A : 'M[R]_d, orthogonal A /\ forall x m, f x m = integer_power A m *m x.
Proof.
move=> [[g relative] [at_0 _]]; have kept x y : dot (f x 1%Z) (f y 1%Z) = dot x y.
  by rewrite relative Z.sub_diag -(Z.sub_diag 0) -relative !at_0.
have [A_orthogonal A_image] := keeps_products kept; set A := images _ in A_orthogonal A_image.
have next m y : f y (Z.succ m) = A *m f y m.
  apply: (step_is_map A_orthogonal A_image) => x; rewrite relative.
  by rewrite (_ : (Z.succ m - 1 = m - 0)%Z) -?relative ?at_0 //; lia.
exists A; split=> // x; elim/Z.peano_ind => [|m IHm|m IHm]; first by rewrite at_0 mul1R.
  by rewrite next IHm integer_power_succ // mulR_A.
rewrite integer_power_pred // -mulR_A -IHm -{2}(Z.succ_pred m) next mulR_A.
by rewrite A_orthogonal mul1R.
Qed.

(** ** The theorem *)

Definition flip : 'M[R]_2 := mx22 1 0 0 (-1).

Definition determinant2 (A : 'M[R]_2) : R :=
  A (bit false) (bit false) * A (bit true) (bit true) - A (bit false) (bit true) * A (bit true) (bit false).

Definition printed_31 (theta_q theta gamma m : R) : C := cexp (Ci * theta_q + m * theta + gamma)%C.

Lemma flip_orthogonal : orthogonal flip.
Proof. by rewrite /orthogonal /flip mx22_tr mx22_mul mx22_id; congr mx22; ring. Qed.

Lemma flip_power n : power flip n = mx22 1 0 0 ((-1) ^ n).
Proof. by elim: n => [|n IHn] /=; rewrite ?mx22_id // IHn mx22_mul; congr mx22; ring. Qed.

Lemma flip_determinant m : Z.odd m -> determinant2 (integer_power flip m) = -1.
Proof.
move=> /Z.odd_spec[j m_is]; have [n flipped] : exists n, integer_power flip m = power flip (S (2 * n)%coq_nat).
  rewrite /integer_power; case: Z.leb_spec => m_range; last rewrite {1}/flip mx22_tr -/flip.
    by exists (Z.to_nat j); congr power; lia.
  by exists (Z.to_nat (- j - 1)); congr power; lia.
by rewrite flipped flip_power pow_1_odd /determinant2 !mx22E; ring.
Qed.

Lemma solves_scaling d rho : 0 < rho ->
  solves (fun (x : 'cV[R]_d) m => Rpower rho (IZR m) *: x) (fun y n => Rpower rho (- IZR n) *: y).
Proof.
move=> rho_gt0; have unscaled (x : 'cV[R]_d) : 1 *: x = x by entries; ring.
split; last by split=> x; rewrite /= ?Ropp_0 Rpower_O.
exists (fun x y z => Rpower rho (- IZR z) * dot x y) => x y m n.
rewrite /dot -rsum_mull; apply: eq_bigr => i _; rewrite !mxE.
have -> : - IZR (n - m) = IZR m + - IZR n by rewrite minus_IZR; ring.
by rewrite Rpower_plus; ring.
Qed.

Lemma Cmod_cexp z : Cmod (cexp z) = exp (Re z).
Proof.
have -> : cexp z = (RtoC (exp (Re z)) * phasor (Im z))%C by rewrite phasorE /cexp; apply: C_eq; rewrite /=; ring.
by rewrite Cmod_mult Cmod_phasor Cmod_R Rmult_1_r Rabs_pos_eq //; exact/Rlt_le/exp_pos.
Qed.

Lemma Cmod_printed_31 theta_q theta gamma m : Cmod (printed_31 theta_q theta gamma m) = exp (m * theta + gamma).
Proof. by rewrite Cmod_cexp; congr exp; rewrite /=; ring. Qed.

(** uniqueness.rope-2d: ⟨f_q(x, m), f_k(y, n)⟩ = g(x, y, n − m) with f(x, 0) = x, for all integers m and
    n, has solutions that are no rotations: the powers of the reflection F = diag(1, −1), f_q = f_k =
    F^m x, whose determinant is −1 at odd m, and the scalings f_q = ρ^m x, f_k = ρ^(−n) y. With f_q =
    f_k = f, in every dimension, the solutions are f(x, m) = O^m x with O orthogonal, and no others.
    Equation (31) as printed, e^(iθ_q + mθ + γ), has the modulus e^(mθ + γ), for θ > 0 beyond every
    bound. *)
Theorem uniqueness_rope_2d :
  (let f x m := integer_power flip m *m x in
   solves f f /\ forall m, Z.odd m -> determinant2 (integer_power flip m) = -1) /\
  (forall rho : R, 0 < rho ->
     solves (fun (x : 'cV[R]_2) m => Rpower rho (IZR m) *: x) (fun y n => Rpower rho (- IZR n) *: y)) /\
  (forall (d : nat) (f : 'cV[R]_d -> Z -> 'cV[R]_d),
     solves f f <-> exists A : 'M[R]_d, orthogonal A /\ forall x m, f x m = integer_power A m *m x) /\
  (forall theta_q theta gamma : R,
     (forall m, Cmod (printed_31 theta_q theta gamma m) = exp (m * theta + gamma)) /\
     (0 < theta -> forall B, exists m : nat, B < Cmod (printed_31 theta_q theta gamma (INR m)))).
Proof.
split; first by split; [exact: (solves_powers flip_orthogonal) | exact: flip_determinant].
split; first by move=> rho; exact: solves_scaling.
split=> [d f | theta_q theta gamma].
  split=> [|[A [A_orthogonal f_is]]]; first exact: solution_is_power.
  have [[g relative] [at_0 _]] := solves_powers A_orthogonal.
  by split; [exists g => x y m n; rewrite !f_is | split=> x; rewrite f_is at_0].
split=> [m | theta_gt0 B]; first exact: Cmod_printed_31.
have [m above] := INR_unbounded ((Rabs B - gamma) / theta); exists m; rewrite Cmod_printed_31.
have far : Rabs B < INR m * theta + gamma.
  have : (Rabs B - gamma) / theta * theta < INR m * theta by apply: Rmult_lt_compat_r.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have := exp_ge_linear (x := INR m * theta + gamma) ltac:(have := Rabs_pos B; lra).
by have := Rle_abs B; lra.
Qed.

(** Positions from 0 on suffice: the only solutions for natural m and n are powers of an orthogonal matrix. *)
Corollary uniqueness_rope_2d_from_0 (d : nat) (f : 'cV[R]_d -> nat -> 'cV[R]_d) :
  (exists g : 'cV[R]_d -> 'cV[R]_d -> Z -> R,
     forall x y m n, dot (f x m) (f y n) = g x y (Z.of_nat n - Z.of_nat m)%Z) ->
  (forall x, f x 0%N = x) ->
  exists A : 'M[R]_d, orthogonal A /\ forall x m, f x m = power A m *m x.
Proof.
move=> [g relative] at_0; have kept x y : dot (f x 1%N) (f y 1%N) = dot x y.
  by rewrite relative Z.sub_diag -(Z.sub_diag (Z.of_nat 0)) -relative !at_0.
have [A_orthogonal A_image] := keeps_products kept; set A := images _ in A_orthogonal A_image.
exists A; split=> // x; elim=> [|m IHm]; first by rewrite at_0 mul1R.
rewrite [power _ _]/= -mulR_A -IHm; apply: (step_is_map A_orthogonal A_image) => y; rewrite relative.
by rewrite (_ : (Z.of_nat m.+1 - Z.of_nat 1 = Z.of_nat m - Z.of_nat 0)%Z) -?relative ?at_0 //; lia.
Qed.

(** uniqueness.rope-2d, as written: The equations lead to f(x, m) = x·e^(imθ): each map x ↦ f(x, m)
    has determinant 1. *)
Theorem uniqueness_rope_2d_as_written_false :
  ~ (forall F : Z -> 'M[R]_2, solves (fun x m => F m *m x) (fun x m => F m *m x) ->
       forall m, determinant2 (F m) = 1).
Proof.
move=> /(_ (integer_power flip) (solves_powers flip_orthogonal) 1%Z).
by rewrite flip_determinant //; lra.
Qed.
