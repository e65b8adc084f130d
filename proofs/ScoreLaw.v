(** * The score of independent queries and keys at a distance

  Rotating the key changes neither its length nor, on average, the score; and where the law of the
  query and the key stays the same when the key is rotated, no mean of the score tells the distance.

  distance_score w q k s == the random variable q^T R(s) k
  rotation_invariant E w q k
                         == the law of q and the rotated key is that of q and k: all means of
                            functions of both agree, for all rotations of the frequencies w

  Main results: decay.gaussian. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra FunctionalExtensionality.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix Pairs Encoding Rotary Moments.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition distance_score Omega h (omega : nat -> R) (q k : Omega -> 'cV[R]_(h.*2)) (s : R) (w : Omega) : R :=
  dot (q w) (rotary omega (k w) s).

Definition rotation_invariant Omega (E : expectation Omega) h (omega : nat -> R) (q k : Omega -> 'cV[R]_(h.*2)) : Prop :=
  forall (s : R) (f : 'cV[R]_(h.*2) -> 'cV[R]_(h.*2) -> R),
    mean E (fun w => f (q w) (rotary omega (k w) s)) = mean E (fun w => f (q w) (k w)).

(** A density that depends on the norm alone, with respect to an integral that rotations leave unchanged. *)
Lemma norm_density_invariant Omega (E : expectation Omega) h (omega : nat -> R) (q k : Omega -> 'cV[R]_(h.*2))
    (integral : ('cV[R]_(h.*2) -> R) -> R) (rho : R -> R) :
  (forall s F, integral (fun x => F (rotary omega x s)) = integral F) ->
  (forall F, mean E (fun w => F (q w) (k w)) = mean E (fun w => integral (fun x => F (q w) x * rho (norm2 x)))) ->
  rotation_invariant E omega q k.
Proof.
move=> unchanged density s f; rewrite (density (fun y x => f y (rotary omega x s))) density; congr (mean E).
apply: functional_extensionality => w; rewrite -(unchanged s (fun x => f (q w) x * rho (norm2 x))).
by congr integral; apply: functional_extensionality => x; rewrite norm2_rotary.
Qed.

(** decay.gaussian: Where means of products of a component of q and one of k are products of their
    means, as for independent q and k, and k has mean 0, the mean of the score qᵀR(s)k is 0 at every
    distance s. If further the components of each have mean 0 and variance 1 and are uncorrelated, and
    means of products of two components of q and two of k are products of two means, the variance of the
    score is d at every s; and ‖R(s)k‖ = ‖k‖. Where the law of q and R(s)k is that of q and k, the law
    of the score is the same at every s; so it is if k, whatever q is, has a density that depends on the
    norm alone, as the normal density does, with respect to an integral that rotations leave unchanged,
    as they leave Lebesgue's. *)
Theorem decay_gaussian (Omega : Type) (E : expectation Omega) (h : nat) (omega : nat -> R)
    (q k : Omega -> 'cV[R]_(h.*2)) :
  let score := distance_score omega q k in
  ((forall i j, let X w := entry q i w * entry k j w in
      integrable E X /\ mean E X = mean E (entry q i) * mean E (entry k j)) ->
   (forall i, mean E (entry k i) = 0) -> forall s, mean E (score s) = 0) /\
  (standard E q -> standard E k -> factor E q k -> forall s,
     mean E (score s) = 0 /\ mean E (fun w => score s w * score s w) = INR h.*2) /\
  (forall s w, norm2 (rotary omega (k w) s) = norm2 (k w)) /\
  (rotation_invariant E omega q k -> forall (s s' : R) (f : R -> R),
     mean E (fun w => f (score s w)) = mean E (fun w => f (score s' w))) /\
  (forall (integral : ('cV[R]_(h.*2) -> R) -> R) (rho : R -> R),
     (forall s F, integral (fun x => F (rotary omega x s)) = integral F) ->
     (forall F, mean E (fun w => F (q w) (k w)) =
                mean E (fun w => integral (fun x => F (q w) x * rho (norm2 x)))) ->
     rotation_invariant E omega q k).
Proof.
move=> score; have formed s : score s = form (rotary_matrix h omega s) q k by [].
split=> [products k_0 s | ].
  rewrite formed (proj2 (mean_form (rotary_matrix h omega s) (m := fun _ _ => 0) _)).
    by rewrite big1 // => i _; rewrite big1 // => j _; ring.
  by move=> i j; have [X_in X_mean] := products i j; split=> //; rewrite X_mean k_0 R_mulr0.
split=> [q_std k_std qk s | ].
  by rewrite !formed mean_form_0 //; split=> //; rewrite mean_square // squares_rotation.
split=> [s w | ]; first exact: norm2_rotary.
split=> [invariant s s' f | integral rho]; last exact: norm_density_invariant.
have at_0 r : mean E (fun w => f (score r w)) = mean E (fun w => f (dot (q w) (k w))).
  exact: (invariant r (fun x y => f (dot x y))).
by rewrite !at_0.
Qed.
