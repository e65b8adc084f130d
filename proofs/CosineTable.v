(** * A table of cosines, and where it is looked up

  A sum of cosines at a hundred thousand distances is too much for interval arithmetic. Here an angle is an integer: so many
  times 2^-33 of a turn. The ten bits at its head pick a row of a table, that has below which whole number 2^10 (1 + cos) does
  not fall; adding a step to each integer goes on by one distance.

  Dictionary
    tree                == binary trees with integers at their leaves
    look t n            == the leaf that the bits of n lead to, the last bit first
    lower w f t         == wherever n <= x <= n + w for a natural n, the leaf of n is at most f x
    floor_below xi      == an integer that no nonnegative number in the interval xi falls below
    cell c              == such an integer for 2^10 (1 + cos) from c to c + 9/8, in 1024ths of a turn
    cosine_tree         == the table
    raised x            == 2^10 (1 + cos x), which is not negative

  Main result: [cosine_tree_lower]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Interval Require Import Xreal Basic.
From Posproof Require Import Encoding Wavelengths IntervalTactic Figures.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Trees *)

Inductive tree := Leaf of Z | Node of tree & tree.

Fixpoint leftmost (t : tree) : Z := match t with Leaf v => v | Node l _ => leftmost l end.

Fixpoint look_positive (t : tree) (n : positive) : Z :=
  match t with
  | Leaf v => v
  | Node l r => match n with xO n => look_positive l n | xI n => look_positive r n | xH => leftmost r end
  end.

Definition look (t : tree) (n : Z) : Z := if n is Zpos p then look_positive t p else leftmost t.

Definition lower (w : R) (f : R -> R) (t : tree) : Prop :=
  forall n x, (0 <= n)%Z -> IZR n <= x <= IZR n + w -> IZR (look t n) <= f x.

Lemma look_node l r n : (0 <= n)%Z -> look (Node l r) n = look (if Z.odd n then r else l) (Z.div2 n).
Proof. by case: n => [|[p|p|]|p]. Qed.

Lemma lower_node w f l r :
  lower (w / 2) (fun y => f (2 * y)) l -> lower (w / 2) (fun y => f (2 * y + 1)) r -> lower w f (Node l r).
Proof.
move=> l_lower r_lower n x n_ge0 x_range; rewrite look_node //.
have half_ge0 : (0 <= Z.div2 n)%Z by rewrite Z.div2_nonneg.
have nE : IZR n = 2 * IZR (Z.div2 n) + (if Z.odd n then 1 else 0).
  by rewrite -[in RHS]mult_IZR {1}(Z.div2_odd n) plus_IZR; case: Z.odd.
case: Z.odd nE => nE.
  have -> : f x = f (2 * ((x - 1) / 2) + 1) by congr f; field.
  by apply: r_lower => //; lra.
have -> : f x = f (2 * (x / 2)) by congr f; field.
by apply: l_lower => //; lra.
Qed.

(** The same tree on either side of each of k nodes: the last k bits count for nothing. *)
Fixpoint deepened (k : nat) (t : tree) : tree := if k is k'.+1 then deepened k' (Node t t) else t.

Lemma lower_deepened k w f t :
  lower ((w + 2 ^ k - 1) / 2 ^ k) (fun y => f (2 ^ k * y)) t -> lower w f (deepened k t).
Proof.
elim: k t w f => [|k IHk] t w f t_lower /=.
  move=> n x n_ge0 x_range; have := t_lower n x n_ge0; rewrite /= Rmult_1_l; apply; lra.
have k_gt0 : 0 < 2 ^ k by apply: pow_lt; lra.
apply: IHk; apply: lower_node => n x n_ge0 x_range.
  have -> : f (2 ^ k * (2 * x)) = f (2 ^ k.+1 * x) by congr f; rewrite /=; ring.
  apply: t_lower => //; rewrite /=; move: x_range; set e := (w + 2 ^ k - 1) / 2 ^ k.
  have -> : (w + 2 * 2 ^ k - 1) / (2 * 2 ^ k) = e / 2 + / 2 by rewrite /e; field; lra.
  lra.
have -> : f (2 ^ k * (2 * x + 1)) = f (2 ^ k.+1 * (x + / 2)) by congr f; rewrite /=; field.
apply: t_lower => //; rewrite /=; move: x_range; set e := (w + 2 ^ k - 1) / 2 ^ k.
have -> : (w + 2 * 2 ^ k - 1) / (2 * 2 ^ k) = e / 2 + / 2 by rewrite /e; field; lra.
lra.
Qed.

(** A tree of depth k + 1 out of a function: its leaves are those of c + s n for the natural n below 2^k. *)
Fixpoint tree_of (leaf : Z -> Z) (k : nat) (c s : Z) : tree :=
  if k is k'.+1 then Node (tree_of leaf k' c (2 * s)) (tree_of leaf k' (c + s) (2 * s)) else Leaf (leaf c).

(** f has the period N, c + s n for natural n runs through the leaves. *)
Lemma lower_tree_of leaf (f : R -> R) (w : R) (N : Z) k c s : (0 < s)%Z ->
  (forall x n, f (x + IZR (N * n)) = f x) -> N = (s * 2 ^ Z.of_nat k)%Z ->
  (forall c x, IZR c <= x <= IZR c + w -> IZR (leaf c) <= f x) ->
  lower (w / IZR s) (fun y => f (IZR c + IZR s * y)) (tree_of leaf k c s).
Proof.
move=> s_gt0 period + leaf_lower; elim: k c s s_gt0 => [|k IHk] c s s_gt0 NE /=.
  have s_pos : 0 < IZR s by exact: IZR_lt.
  move=> n x n_ge0 x_range; rewrite (_ : look _ _ = leaf c); last by case: n n_ge0 x_range.
  have -> : f (IZR c + IZR s * x) = f (IZR c + IZR s * (x - IZR n)).
    rewrite -[in RHS](period _ n) NE Z.mul_1_r mult_IZR; congr f; ring.
  apply: leaf_lower; have le : IZR s * (x - IZR n) <= IZR s * (w / IZR s).
    by apply: Rmult_le_compat_l; lra.
  have ge : 0 <= IZR s * (x - IZR n) by apply: Rmult_le_pos; lra.
  by move: le; rewrite (_ : IZR s * (w / IZR s) = w); [lra | field; lra].
have s_pos : 0 < IZR s by exact: IZR_lt.
have twice_pos : (0 < 2 * s)%Z by lia.
have NE2 : N = (2 * s * 2 ^ Z.of_nat k)%Z.
  by rewrite NE Nat2Z.inj_succ Z.pow_succ_r; [ring | lia].
have width : w / IZR s / 2 = w / IZR (2 * s) by rewrite mult_IZR; field; lra.
apply: lower_node; rewrite width; move=> n x n_ge0 x_range.
  have := IHk c (2 * s)%Z twice_pos NE2 n x n_ge0 x_range.
  by rewrite mult_IZR (_ : IZR s * (2 * x) = 2 * IZR s * x); last by ring.
have := IHk (c + s)%Z (2 * s)%Z twice_pos NE2 n x n_ge0 x_range.
by rewrite mult_IZR plus_IZR (_ : IZR c + IZR s + _ = IZR c + IZR s * (2 * x + 1)); last by ring.
Qed.

(** ** Integers below what an interval holds *)

Definition whole_part (x : StdZFloat.type) : Z :=
  if StdZFloat.toF x is Basic.Float false m e then Z.shiftl (Zpos m) e else 0%Z.

Definition floor_below (xi : I.type) : Z :=
  if is_positive_interval (I.sub prec xi (I.fromZ prec (whole_part (I.lower xi)))) then whole_part (I.lower xi) else 0%Z.

Lemma floor_below_le xi x : encloses xi x -> 0 <= x -> IZR (floor_below xi) <= x.
Proof.
move=> x_in x_ge0; rewrite /floor_below; set v := whole_part _; case: ifP => // positive.
by have := positive_interval (encloses_sub x_in (encloses_Z v)) positive; lra.
Qed.

(** ** The table *)

Definition raised (x : R) : R := 2 ^ 10 * (1 + cos x).

Lemma raised_ge0 x : 0 <= raised x.
Proof. by apply: Rmult_le_pos; [apply: pow_le; lra | have [] := COS_bound x; lra]. Qed.

Definition table_bits : nat := 10.
Definition phase_bits : nat := 33.

Definition cell_angle (c : Z) : I.type :=
  I.mul coarse (interval_between (8 * c) (8 * c + 9) 8192) (I.mul coarse (I.fromZ prec 2) (I.pi prec)).

Definition cell (c : Z) : Z :=
  floor_below (I.mul prec (I.fromZ prec 1024) (I.add prec (I.fromZ prec 1) (I.cos coarse (cell_angle c)))).

Lemma cell_lower c x : IZR c <= x <= IZR c + 9 / 8 -> IZR (cell c) <= raised (2 * PI * (x / 1024)).
Proof.
move=> x_range; apply: floor_below_le; last exact: raised_ge0.
rewrite /raised (_ : 2 ^ 10 = 1024); last by ring.
apply: encloses_mul; first exact: encloses_Z.
apply: encloses_add; first exact: encloses_Z.
apply: encloses_cos; rewrite [2 * PI * _]Rmult_comm; apply: encloses_mul.
  apply: encloses_between; rewrite plus_IZR !mult_IZR; lra.
exact (encloses_mul (encloses_Z 2) (I.pi_correct prec)).
Qed.

Definition cosine_tree : tree := deepened (phase_bits - table_bits) (tree_of cell table_bits 0 1).

(** A phase that is known from below within 2^20 of its 2^33 parts has a row of the table. *)
Lemma cosine_tree_lower (n : Z) (turns : R) : (0 <= n)%Z ->
  IZR n <= 2 ^ phase_bits * turns <= IZR n + 2 ^ 20 ->
  IZR (look cosine_tree n) <= raised (2 * PI * turns).
Proof.
move=> n_ge0 near; pose f (x : R) := raised (2 * PI * (x / 2 ^ phase_bits)).
have -> : raised (2 * PI * turns) = f (2 ^ phase_bits * turns).
  by congr raised; rewrite /f; field; apply: pow_nonzero; lra.
suff tree_lower : lower (2 ^ 20) f cosine_tree by exact: tree_lower.
rewrite /cosine_tree (_ : (phase_bits - table_bits)%N = 23%N) //; apply: lower_deepened.
pose g (x : R) := raised (2 * PI * (x / 1024)).
have period x m : g (x + IZR (1024 * m)) = g x.
  rewrite /g /raised (_ : 2 * PI * _ = 2 * PI * (x / 1024) + 2 * PI * IZR m); last by rewrite mult_IZR; field.
  by rewrite cos_add_turns.
have cells_lower := @lower_tree_of cell g (9 / 8) 1024 table_bits 0 1 erefl period erefl cell_lower.
move=> m x m_ge0 x_range; rewrite (_ : f _ = g (0 + 1 * x)); first by apply: cells_lower => //; lra.
by rewrite /f /g /phase_bits; congr raised; field.
Qed.
