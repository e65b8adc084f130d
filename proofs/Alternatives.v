(** * The simple alternatives to the sinusoidal encoding

  The five claims on encoding a position by an integer, by a fraction of the length, by decimal
  digits, and on keeping token and position in a pair or in a sum.

  integer_code t     == t, as a real number
  fraction T t       == t/T
  digit i t          == the decimal digit of t at place i, counted from the last, which is 0
  least_cycle f p    == p > 0 is the least period of f on the natural numbers
  pair x p           == the vector of all coordinates of x followed by those of p
  dimension x        == the number of coordinates of x
  in_span, subspace, trivial_meet: see Subspaces. A subspace of R^d is given as the span of
  finitely many vectors for the maps that exist, and as any predicate closed under linear
  combination where no map exists.

  Main results: the theorems below, one for each claim; their names are the claims' ids. *)

Set Warnings "-notation-overridden".
From Coq Require Import Reals Lra.
From mathcomp Require Import all_ssreflect fingroup perm matrix.
From Posproof Require Import RealMatrix Subspaces.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Integers and fractions *)

Definition integer_code (t : nat) : R := INR t.
Definition fraction (T t : nat) : R := INR t / INR T.

(** encoding.integer: For every B there is a position t with |PE(t)| > B, where PE(t) = t. *)
Theorem encoding_integer (B : R) : exists t : nat, Rabs (integer_code t) > B.
Proof.
have [t gt_B] := INR_unbounded B; exists t; rewrite /integer_code Rabs_right //.
exact/Rle_ge/pos_INR.
Qed.

(** Already for the first position, the shifted code depends on the length. *)
Lemma fraction_shift_from_0 (T U k : nat) :
  (0 < T)%N -> (0 < U)%N -> T <> U -> k <> 0%N ->
  ~ exists shift : R -> R,
      shift (fraction T 0) = fraction T (0 + k) /\ shift (fraction U 0) = fraction U (0 + k).
Proof.
move=> /ltP/lt_0_INR T_gt0 /ltP/lt_0_INR U_gt0 T_neq_U /not_0_INR k_neq0 [shift []].
rewrite /fraction /Rdiv !R_mul0 !add0n => -> equal_codes; apply: T_neq_U; apply: INR_eq.
apply: (Rmult_eq_reg_l (INR k)) => //.
have -> : INR k * INR T = INR k * / INR U * INR U * INR T by field; lra.
by rewrite -equal_codes; field; lra.
Qed.

(** encoding.fraction: t/T lies in [0, 1] for 0 ≤ t ≤ T, but one code stands for different
    numbers of preceding tokens (50/100 = 500/1000), and no function of k alone shifts t/T to
    (t+k)/T for two different T and k ≠ 0. *)
Theorem encoding_fraction :
  (forall T t : nat, (0 < T)%N -> (t <= T)%N -> 0 <= fraction T t <= 1) /\
  (fraction 100 50 = fraction 1000 500 /\ 50%N <> 500%N) /\
  (forall T U k : nat, (0 < T)%N -> (0 < U)%N -> T <> U -> k <> 0%N ->
     ~ exists shift : nat -> R -> R,
         (forall t, (t <= T)%N -> shift k (fraction T t) = fraction T (t + k)) /\
         (forall t, (t <= U)%N -> shift k (fraction U t) = fraction U (t + k))).
Proof.
split=> [T t /ltP/lt_0_INR T_gt0 /leP/le_INR le_tT | ].
  split; first by apply: Rmult_le_pos; [exact: pos_INR | apply/Rlt_le/Rinv_0_lt_compat].
  by apply: (Rmult_le_reg_r (INR T)) => //; rewrite /fraction /Rdiv Rmult_assoc Rinv_l; lra.
split; first by split=> //; rewrite /fraction !INR_IZR_INZ /=; field.
move=> T U k T_gt0 U_gt0 T_neq_U k_neq0 [shift [shift_T shift_U]].
apply: (fraction_shift_from_0 T_gt0 U_gt0 T_neq_U k_neq0).
by exists (shift k); rewrite shift_T // shift_U.
Qed.

(** ** Decimal digits *)

Definition digit (i t : nat) : nat := ((t %/ 10 ^ i) %% 10)%N.
Definition least_cycle (f : nat -> nat) (p : nat) : Prop :=
  (0 < p)%N /\ (forall t, f (t + p)%N = f t) /\
  forall q, (0 < q)%N -> (forall t, f (t + q)%N = f t) -> (p <= q)%N.

(** encoding.digit-cycle: The decimal digit i of t has least cycle length 10^(i+1). *)
Theorem encoding_digit_cycle (i : nat) : least_cycle (digit i) (10 ^ i.+1).
Proof.
have power_gt0 : (0 < 10 ^ i)%N by rewrite expn_gt0.
split; first by rewrite expn_gt0.
split=> [t | q q_gt0 cycle]; first by rewrite /digit addnC expnS divnMDl // modnDl.
rewrite leqNgt; apply/negP => lt_q.
(* Digit i of q is that of 0, so a period below 10^(i+1) is below 10^i ... *)
have q_small : (q < 10 ^ i)%N.
  have := cycle 0%N; rewrite /digit add0n div0n modn_small ?ltn_divLR -?expnS // mod0n => /eqP.
  by rewrite -leqn0 leqNgt divn_gt0 // -ltnNge.
(* ... and takes 10^i - q, where digit i is 0, to 10^i, where it is 1. *)
have := cycle (10 ^ i - q)%N; rewrite subnK ?(ltnW q_small) // /digit divnn power_gt0.
by rewrite divn_small // ltn_subLR ?(ltnW q_small) // -[X in (X < _)%N]add0n ltn_add2r.
Qed.

(** encoding.digit-cycle, as written: The decimal digit i of t has cycle length 10^i. *)
Theorem encoding_digit_cycle_as_written_false :
  ~ (forall i t : nat, digit i (t + 10 ^ i) = digit i t).
Proof. by move=> /(_ 0%N 0%N). Qed.

(** ** Pair or sum *)

Definition pair d (x p : 'cV[R]_d) : 'cV[R]_(d + d) := col_mx x p.
Definition dimension d (x : 'cV[R]_d) : nat := d.

(** encoding.pair-or-sum: The pair ⟨x, PE(t)⟩ has dimension 2d and the sum has dimension d, and
    W(x + p) = W x + W p for every matrix W. *)
Theorem encoding_pair_or_sum d (x p : 'cV[R]_d) :
  dimension (pair x p) = (2 * d)%N /\ dimension (x +m p) = d /\
  (usubmx (pair x p) = x /\ dsubmx (pair x p) = p) /\
  forall e (W : 'M[R]_(e, d)), W *m (x +m p) = W *m x +m W *m p.
Proof.
split; first by rewrite /dimension addnn mul2n.
split=> //; split; first by rewrite /pair col_mxKu col_mxKd.
by move=> e W; apply: mulR_Dr.
Qed.

(** encoding.disjoint-subspaces: If tokens and positions live in subspaces that meet only in 0,
    linear maps recover each exactly from the sum; if the subspaces share a nonzero vector, no map
    of the sum recovers the token, and none the position. *)
Theorem encoding_disjoint_subspaces :
  (forall d m n (A : 'M[R]_(d, m)) (B : 'M[R]_(d, n)),
     trivial_meet (in_span A) (in_span B) ->
     exists W_token W_position : 'M[R]_d, forall x p, in_span A x -> in_span B p ->
       W_token *m (x +m p) = x /\ W_position *m (x +m p) = p) /\
  (forall d (U V : 'cV[R]_d -> Prop), subspace U -> subspace V ->
     (exists z, U z /\ V z /\ z <> zeroR) ->
     (~ exists f : 'cV[R]_d -> 'cV[R]_d, forall x p, U x -> V p -> f (x +m p) = x) /\
     (~ exists f : 'cV[R]_d -> 'cV[R]_d, forall x p, U x -> V p -> f (x +m p) = p)).
Proof.
split=> [d m n A B meet0 | d U V [U0 _] [V0 _] [z [U_z [V_z z_neq0]]]].
  have [W_token token] := separating_map meet0.
  have [|W_position position] := separating_map (A := B) (B := A).
    by move=> z in_B in_A; apply: meet0.
  exists W_token, W_position => x p x_in p_in.
  by split; [exact: token | rewrite addR_C; exact: position].
(* z as a token at the position 0, and the token 0 at the position z, have one sum. *)
split=> -[f recovers]; apply: z_neq0.
  by rewrite -(recovers _ _ U_z V0) addR0 -[z in f z]add0R recovers.
by rewrite -(recovers _ _ U0 V_z) add0R -[z in f z]addR0 recovers.
Qed.
