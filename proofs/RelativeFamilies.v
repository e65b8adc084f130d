(** * Which relative encodings by orthogonal matrices exist

  A query at position p is multiplied by an orthogonal matrix F p and a key at q by F q, positions on M axes of integers, and the
  score shall depend on q - p alone, for all queries and keys. Then F is a fixed orthogonal matrix times a product of powers
  of M orthogonal matrices that commute, one for each axis: rotary encoding, up to a change of basis and reflections.

  orthogonal A     == A^T A = A A^T = 1
  relative M F     == (F p)^T F q depends on the differences q_a - p_a for a < M alone
  power O n        == O^n for an integer n, with O^T for the inverse
  powers M O p     == O_0^(p_0) ... O_(M-1)^(p_(M-1))

  Main result: multiaxis.orthogonal-families. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lia Lra.
From mathcomp Require Import all_ssreflect matrix.
From Posproof Require Import RealMatrix.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Section Families.

Variable d : nat.
Implicit Types (A B O : 'M[R]_d) (F G : (nat -> Z) -> 'M[R]_d) (p q r : nat -> Z).

Definition orthogonal A : Prop := A^T *m A = idR d /\ A *m A^T = idR d.

Definition relative (M : nat) F : Prop := forall p q p' q',
  (forall a, (a < M)%N -> (q a - p a = q' a - p' a)%Z) -> (F p)^T *m F q = (F p')^T *m F q'.

Fixpoint repeated O (n : nat) : 'M[R]_d := if n is m.+1 then repeated O m *m O else idR d.

Definition power O (n : Z) : 'M[R]_d :=
  if (0 <=? n)%Z then repeated O (Z.to_nat n) else repeated O^T (Z.to_nat (- n)).

Fixpoint powers (M : nat) (O : nat -> 'M[R]_d) p : 'M[R]_d :=
  if M is k.+1 then powers k O p *m power (O k) (p k) else idR d.

(** ** Orthogonal matrices *)

Lemma tr_id : (idR d)^T = idR d.
Proof. by apply/matrixP => i j; rewrite !mxE eq_sym. Qed.

Lemma orthogonal_id : orthogonal (idR d).
Proof. by rewrite /orthogonal tr_id mul1R. Qed.

Lemma orthogonal_tr A : orthogonal A -> orthogonal A^T.
Proof. by case=> left right; split; rewrite trmxK. Qed.

Lemma orthogonal_mul A B : orthogonal A -> orthogonal B -> orthogonal (A *m B).
Proof.
move=> [A_left A_right] [B_left B_right]; split; rewrite trmx_mulR.
  by rewrite mulR_A -(mulR_A B^T) A_left mulR1.
by rewrite mulR_A -(mulR_A A) B_right mulR1.
Qed.

Lemma orthogonal_inverse A B : orthogonal A -> A *m B = idR d -> B = A^T.
Proof. by move=> [left _] product; rewrite -[B]mul1R -left -mulR_A product mulR1. Qed.

(** What commutes with an orthogonal matrix commutes with its transpose. *)
Lemma commute_tr A B : orthogonal A -> A *m B = B *m A -> A^T *m B = B *m A^T.
Proof.
move=> [left right] commute.
by rewrite -[A^T *m B]mulR1 -right mulR_A -(mulR_A A^T) -commute mulR_A left mul1R.
Qed.

Lemma repeated_orthogonal O n : orthogonal O -> orthogonal (repeated O n).
Proof.
by move=> O_orthogonal; elim: n => [|n IHn]; [exact: orthogonal_id | exact: orthogonal_mul].
Qed.

Lemma power_orthogonal O n : orthogonal O -> orthogonal (power O n).
Proof.
move=> O_orthogonal; rewrite /power; case: ifP => _; apply: repeated_orthogonal => //.
exact: orthogonal_tr.
Qed.

Lemma powers_orthogonal M (O : nat -> 'M[R]_d) p : (forall a, (a < M)%N -> orthogonal (O a)) -> orthogonal (powers M O p).
Proof.
elim: M => [|M IHM] all_orthogonal; first exact: orthogonal_id.
apply: orthogonal_mul; first by apply: IHM => a lt; apply: all_orthogonal; exact: leqW.
by apply: power_orthogonal; exact: all_orthogonal.
Qed.

(** ** From a relative family to powers *)

Section Forward.
Variables (M : nat) (F : (nat -> Z) -> 'M[R]_d).
Hypothesis F_orthogonal : forall p, orthogonal (F p).
Hypothesis F_relative : relative M F.

Definition zero : nat -> Z := fun=> 0%Z.
Definition sum p q : nat -> Z := fun a => (p a + q a)%Z.
Definition unit (a : nat) (n : Z) : nat -> Z := fun b => if b == a then n else 0%Z.

Let A := F zero.
Let G p := A^T *m F p.

Lemma G_orthogonal p : orthogonal (G p).
Proof. by apply: orthogonal_mul; [apply: orthogonal_tr |]; exact: F_orthogonal. Qed.

Lemma G_same p q : (forall a, (a < M)%N -> p a = q a) -> G p = G q.
Proof. by move=> same; apply: F_relative => a lt; rewrite same. Qed.

Lemma G_zero : G zero = idR d.
Proof. by have [] := F_orthogonal zero. Qed.

Lemma G_sum p q : G p *m G q = G (sum p q).
Proof.
have -> : G q = (F p)^T *m F (sum p q) by apply: F_relative => a _; rewrite /sum /zero; lia.
have [_ right] := F_orthogonal p.
by rewrite /G mulR_A -(mulR_A A^T) right mulR1.
Qed.

Lemma G_unit a n : G (unit a n) = power (G (unit a 1)) n.
Proof.
have nonnegative m : G (unit a (Z.of_nat m)) = repeated (G (unit a 1)) m.
  elim: m => [|m IHm] /=; first by rewrite -G_zero; apply: G_same => b _; rewrite /unit; case: eqP.
  rewrite -IHm G_sum; apply: G_same => b _; rewrite /unit /sum; case: eqP => // _; lia.
have transposed O m : (repeated O m)^T = repeated O^T m.
  have shifted B k : B *m repeated B k = repeated B k *m B.
    by elim: k => [|k IHk] /=; [rewrite mulR1 mul1R | rewrite mulR_A IHk].
  by elim: m => [|m IHm] /=; [exact: tr_id | rewrite trmx_mulR IHm shifted].
rewrite /power; case: Z.leb_spec => sign.
  by rewrite -nonnegative Z2Nat.id.
rewrite -transposed -nonnegative Z2Nat.id; last by lia.
apply: orthogonal_inverse; first exact: G_orthogonal.
rewrite G_sum -G_zero; apply: G_same => b _; rewrite /unit /sum /zero; case: eqP => // _; lia.
Qed.

Lemma G_powers p k : G (fun a => if (a < k)%N then p a else 0%Z) = powers k (fun a => G (unit a 1)) p.
Proof.
elim: k => [|k IHk] /=; first by rewrite -G_zero; apply: G_same.
rewrite -IHk -G_unit G_sum; apply: G_same => a _; rewrite /sum /unit ltnS leq_eqVlt.
case: eqP => [->|_] /=; first by rewrite ltnn; lia.
by case: ifP => _; lia.
Qed.

Lemma relative_powers : exists (B : 'M[R]_d) (O : nat -> 'M[R]_d),
  [/\ orthogonal B, forall a, orthogonal (O a), forall a b, O a *m O b = O b *m O a &
      forall p, F p = B *m powers M O p].
Proof.
exists A, (fun a => G (unit a 1)); split=> [|a|a b|p]; first exact: F_orthogonal.
- exact: G_orthogonal.
- by rewrite !G_sum; apply: G_same => c _; rewrite /sum; lia.
rewrite -G_powers; have -> : G (fun a => if (a < M)%N then p a else 0%Z) = G p by apply: G_same => a ->.
by have [_ right] := F_orthogonal zero; rewrite /G mulR_A right mul1R.
Qed.

End Forward.

(** ** From powers to a relative family *)

Section Backward.
Variables (M : nat) (B : 'M[R]_d) (O : nat -> 'M[R]_d).
Hypothesis B_orthogonal : orthogonal B.
Hypothesis O_orthogonal : forall a, (a < M)%N -> orthogonal (O a).
Hypothesis O_commute : forall a b, (a < M)%N -> (b < M)%N -> O a *m O b = O b *m O a.

Lemma repeated_commute C D n : C *m D = D *m C -> C *m repeated D n = repeated D n *m C.
Proof.
move=> commute; elim: n => [|n IHn] /=; first by rewrite mulR1 mul1R.
by rewrite mulR_A IHn -mulR_A commute mulR_A.
Qed.

Lemma power_commute C D n : orthogonal D -> C *m D = D *m C -> C *m power D n = power D n *m C.
Proof.
move=> D_orthogonal commute; rewrite /power; case: ifP => _; apply: repeated_commute => //.
by rewrite (commute_tr D_orthogonal) // commute.
Qed.

Lemma power_add C m n : orthogonal C -> power C m *m power C n = power C (m + n).
Proof.
move=> C_orthogonal; have [left right] := C_orthogonal.
have step k : power C (k + 1) = power C k *m C.
  rewrite /power; case: Z.leb_spec => next; case: Z.leb_spec => sign; try lia.
  - by have -> : Z.to_nat (k + 1) = (Z.to_nat k).+1 by lia.
  - have -> : k = (- 1)%Z by lia.
    by rewrite /= mul1R left.
  - have -> : Z.to_nat (- k) = (Z.to_nat (- (k + 1))).+1 by lia.
    by rewrite /= -mulR_A left mulR1.
have back k : power C (k - 1) = power C k *m C^T.
  by have := step (k - 1)%Z; rewrite Z.sub_add => ->; rewrite -mulR_A right mulR1.
elim/Z.peano_ind: n => [|n IHn|n IHn].
- by rewrite Z.add_0_r /= mulR1.
- by rewrite -Z.add_1_r step mulR_A IHn -step; congr power; lia.
- by rewrite -Z.sub_1_r back mulR_A IHn -back; congr power; lia.
Qed.

Lemma powers_add k p q : (k <= M)%N -> powers k O p *m powers k O q = powers k O (sum p q).
Proof.
elim: k => [|k IHk] le /=; first by rewrite mulR1.
have commute m j : (j <= k)%N -> power (O k) m *m powers j O q = powers j O q *m power (O k) m.
  elim: j => [|j IHj] le_j /=; first by rewrite mulR1 mul1R.
  have lt_jM : (j < M)%N by exact: leq_ltn_trans (ltnW le_j) le.
  have between : power (O k) m *m power (O j) (q j) = power (O j) (q j) *m power (O k) m.
    apply: power_commute; first exact: O_orthogonal.
    by rewrite -power_commute //; [exact: O_orthogonal | exact: O_commute].
  by rewrite mulR_A (IHj (ltnW le_j)) -mulR_A between mulR_A.
rewrite mulR_A -(mulR_A (powers k O p)) commute // mulR_A (IHk (ltnW le)).
by rewrite -mulR_A power_add //; exact: O_orthogonal.
Qed.

Lemma powers_same k p q : (forall a, (a < k)%N -> p a = q a) -> powers k O p = powers k O q.
Proof.
elim: k => [|k IHk] //= same; rewrite IHk => [|a lt]; last by apply: same; exact: leqW.
by rewrite same.
Qed.

Lemma powers_relative : relative M (fun p => B *m powers M O p).
Proof.
have [B_left _] := B_orthogonal.
have moved p q : (B *m powers M O p)^T *m (B *m powers M O q) = powers M O (fun a => q a - p a)%Z.
  have [left _] := powers_orthogonal p O_orthogonal.
  have -> : powers M O q = powers M O p *m powers M O (fun a => q a - p a)%Z.
    by rewrite powers_add //; apply: powers_same => a _; rewrite /sum; lia.
  by rewrite trmx_mulR mulR_A -(mulR_A (powers M O p)^T) B_left mulR1 mulR_A left mul1R.
by move=> p q p' q' same; rewrite !moved; apply: powers_same.
Qed.

End Backward.

End Families.

(** Matrices decide scores, so that the same is said of all queries and keys. *)
Lemma scores_decide d (A B : 'M[R]_d) : (forall x y : 'cV[R]_d, dot x (A *m y) = dot x (B *m y)) -> A = B.
Proof.
move=> same; apply/mulR_ext => y; apply/matrixP => i j; rewrite (ord1 j).
by have := same (unit_column i) y; rewrite !dot_unit_column.
Qed.

(** multiaxis.orthogonal-families: For orthogonal d×d matrices F p, p over the integer points of M axes, the score of x at p and
    y at q depends on q − p alone, for all x and y, exactly when F p = B·O_0^(p_0)⋯O_(M−1)^(p_(M−1)) for an orthogonal B
    and orthogonal O_a that commute. *)
Theorem multiaxis_orthogonal_families (d M : nat) (F : (nat -> Z) -> 'M[R]_d) :
  (forall p, orthogonal (F p)) ->
  (forall p q p' q' : nat -> Z, (forall a, (a < M)%N -> (q a - p a = q' a - p' a)%Z) ->
     forall x y : 'cV[R]_d, dot (F p *m x) (F q *m y) = dot (F p' *m x) (F q' *m y)) <->
  exists (B : 'M[R]_d) (O : nat -> 'M[R]_d),
    [/\ orthogonal B, forall a, orthogonal (O a), forall a b, O a *m O b = O b *m O a &
        forall p, F p = B *m powers M O p].
Proof.
move=> F_orthogonal; have score p q (x y : 'cV[R]_d) : dot (F p *m x) (F q *m y) = dot x ((F p)^T *m F q *m y).
  by rewrite dot_mulR_l mulR_A.
split=> [scores|[B [O [B_orthogonal O_orthogonal O_commute F_eq]]] p q p' q' same x y].
  apply: relative_powers => // p q p' q' same; apply: scores_decide => x y.
  by rewrite -!score; exact: scores.
have relative : relative M F.
  move=> p1 q1 p2 q2 equal; rewrite !F_eq.
  by apply: (powers_relative (M := M) B_orthogonal) => // a b _ _; exact: O_commute.
by rewrite !score (relative p q p' q' same).
Qed.
