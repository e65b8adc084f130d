(** The formula of [rounding_logit] as a term, with the proof that it is the theorem's. *)

From Posproof Require Import RoundingRope RoundingUnitScore RoundingAttention.

Definition relative_of (F : format) (fused : bool) : term :=
  if fused then Product (Whole 2) (unit_of F) else Product (Sum (Whole 1) (Root (Whole 2))) (unit_of F).

Definition absolute_of (F : format) : term := Product (Root (Whole 2)) (Product (one_more (sharp F)) (smallest F)).

Lemma rotation_value F fused :
  value (relative_of F fused) = rotation_relative F fused /\ value (absolute_of F) = rotation_absolute F.
Proof.
  unfold relative_of, absolute_of, rotation_relative, rotation_absolute, one_more.
  destruct fused; cbn [value]; now rewrite unit_value, sharp_value, smallest_value.
Qed.

(** One factor after the other. *)
Fixpoint power (t : term) (n : nat) : term := match n with O => Whole 1 | S n => Product t (power t n) end.

Lemma power_value t n : value (power t n) = (value t ^ n)%R.
Proof. induction n as [|n IH]; [reflexivity|]. cbn [power value]. rewrite IH. reflexivity. Qed.

Definition count_of (n : nat) : term := Whole (Z.of_nat n).

Lemma count_value n : value (count_of n) = INR n.
Proof. unfold count_of. cbn [value]. symmetry. apply INR_IZR_INZ. Qed.

Definition slope_of (G : format) (how : products) (n : nat) : term :=
  match how with
  | Rounded => Product (count_of n) (unit_of G)
  | Exact => Product (one_less (count_of n)) (sharp G)
  | Fused => Product (count_of n) (sharp G)
  end.

Definition floor_of (G : format) (how : products) (n : nat) : term :=
  match how with
  | Rounded => Product (Product (count_of n) (one_more (Product (one_less (count_of n)) (unit_of G)))) (half_smallest G)
  | Exact => Product (Product (count_of n) (one_more (Product (one_less (count_of n)) (sharp G)))) (half_smallest G)
  | Fused => Product (Product (count_of n) (power (one_more (sharp G)) n)) (half_smallest G)
  end.

Lemma accumulation_value G how n :
  value (slope_of G how n) = slope G how n /\ value (floor_of G how n) = RoundingAttention.floor G how n.
Proof.
  unfold slope_of, floor_of, slope, RoundingAttention.floor, one_more, one_less, half_smallest.
  destruct how; cbn [value]; rewrite ?power_value, ?count_value, ?unit_value; cbn [value];
    rewrite ?sharp_value, ?smallest_value; split; reflexivity.
Qed.

(** h and r as the program has them: half of dim, and the rotated pairs. *)
Definition score (F : format) (fused : bool) (G : format) (how : products) (h r : nat) (tau Q K : term) : term :=
  let A := Sum tau (Product (relative_of F fused) (one_more tau)) in
  let c := absolute_of F in
  let D := Sum (Sum (Product (Sum (Product (Whole 2) A) (Product A A)) (Product Q K))
    (Product (Product (Product c (one_more A)) (Root (count_of r))) (Sum Q K)))
    (Product (count_of r) (Product c c)) in
  Sum (Sum D (Product (slope_of G how (ssrnat.double h)) (Sum (Product Q K) D))) (floor_of G how (ssrnat.double h)).

Lemma score_value F fused G how h r tau Q K : value (score F fused G how h r tau Q K) =
  score_lengths F fused G how h r (value tau) (value Q) (value K).
Proof.
  destruct (rotation_value F fused) as [relative absolute].
  destruct (accumulation_value G how (ssrnat.double h)) as [slopes floors].
  unfold score, score_lengths, lengths_defect, one_more. cbn [value].
  now rewrite relative, absolute, slopes, floors, count_value.
Qed.

Definition scaled_score (S : format) (sigma mu M B : term) : term :=
  Sum (Product sigma (Difference (Product (Product (one_more (sharp S)) (one_more mu)) (Sum M B)) M)) (half_smallest S).

Lemma scaled_score_value S sigma mu M B :
  value (scaled_score S sigma mu M B) = logit_bound S (value sigma) (value mu) (value M) (value B).
Proof.
  unfold scaled_score, logit_bound, one_more, half_smallest. cbn [value]. now rewrite sharp_value, smallest_value.
Qed.

(** The scale 1/sqrt(dim): exact where dim is a power of four. *)
Definition logit (F : format) (fused : bool) (G : format) (how : products) (S : format) (dim r : nat) (tau Q K : term) : term :=
  let exact := (4 ^ (Z.log2 (Z.of_nat dim) / 2) =? Z.of_nat dim)%Z in
  scaled_score S (Quotient (Whole 1) (Root (count_of dim))) (if exact then Whole 0 else sharp S)
    (Product Q K) (score F fused G how (Nat.div2 dim) r tau Q K).
