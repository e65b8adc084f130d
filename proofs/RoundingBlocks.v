(** * Weights of four bits in blocks with a scale

  What is claimed.  A block of weights is divided by a scale, and each quotient moves to the nearest
  number of E2M1, or to 6 beyond it.  Together they move by at most a stated share of their sum,
  where the scale is near a sixth of the largest; a block that is lost moves by what it is.

  Dictionary (see RoundingNarrow.v):
  - [digits] == 0, 1/2, 1, 3/2, 2, 3, 4, 6, the numbers of E2M1 that are not negative;
  - [nearest_digit y d] == no number of these is nearer to y than d is;
  - [cast_block S s p q] == q j / S is a nearest digit to p j / S for each j in s;
  - [topped rho y k] == a digit that is nearest to y moves by at most ρ y - k (1 - ρ) / 4.

  Formulas:
    |d - y| <= ρ y + (1 - ρ) / 4, 0 <= y <= 9, 2/5 <= ρ <= 1              [digit_linear]
    B weights, the largest of them y times the scale, topped ρ y (B - 1):
      sum of |q j - p j| <= ρ sum of p j                                       [block_share]
    blocks within ρ of their sums, or τ each: Σ|q j - g j| <= ((1 + ρ)(1 + e) - 1) G + n τ
                                                                      [rounding_online_blocks]
    ρ = 11/25, 1/2, 19/35, 17/29 for blocks of 16, scales within 1/16, 1/8, 1/4, 1/2 of themselves,
    ρ = 35/51 for blocks of 32 whose largest is 4 to 8 times the scale        [rounding_block_shares]

  Assumes: no overflow of the scale. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals Lra Lia ZArith List.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat seq fintype bigop.
From Flocq Require Import Core.
From Posproof Require Import RealMatrix RoundingFormat RoundingModel RoundingSum RoundingScore.
From Posproof Require Import RoundingTruncation RoundingNarrow.

Open Scope R_scope.

Definition digits : list R := [:: 0; / 2; 1; 3 / 2; 2; 3; 4; 6].

Definition nearest_digit (y d : R) : Prop := List.Forall (fun c => Rabs (d - y) <= Rabs (c - y)) digits.

Lemma nearer y d (c : R) (k : nat) : nearest_digit y d -> nth 0 digits k = c -> (k < 8)%N -> Rabs (d - y) <= Rabs (c - y).
Proof.
move=> /Forall_forall near <- lt; apply: near.
by do 8?[case: k lt => [|k] lt; first by [rewrite /=; tauto]].
Qed.

(** The digit of a rounding to nearest, saturated at 6. *)
Lemma saturated_digit (y : R) : 0 <= y ->
  nearest_digit y (Rmin (round radix2 float4_e2m1 ZnearestE y) 6).
Proof.
move=> y_ge0; have valid : Valid_exp float4_e2m1 by apply: FLT_exp_valid; rewrite /Prec_gt_0; lia.
have digit c : List.In c digits -> generic_format radix2 float4_e2m1 c /\ c <= 6.
  have at_code M E : (0 <= M < 4)%Z -> (-1 <= E)%Z -> generic_format radix2 float4_e2m1 (IZR M * bpow radix2 E).
    by move=> range least; apply: (scaled_is_number 2 (-1)).
  rewrite /digits /=; case=> [<-|[<-|[<-|[<-|[<-|[<-|[<-|[<-|//]]]]]]]]; split; try lra.
  - exact: generic_format_0.
  - by have := at_code 1%Z (-1)%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 1%Z 0%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 3%Z (-1)%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 1%Z 1%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 3%Z 0%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 1%Z 2%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
  - by have := at_code 3%Z 1%Z ltac:(lia) ltac:(lia); rewrite /=; congr generic_format; lra.
apply/Forall_forall => c /digit [number c_le].
have [_ nearest] := round_N_pt radix2 float4_e2m1 (fun n => negb (Z.even n)) y.
have [six _] := digit 6 ltac:(rewrite /digits /=; tauto).
case: (Rle_or_lt (round radix2 float4_e2m1 ZnearestE y) 6) => [low|high].
  by rewrite Rmin_left //; exact: nearest.
rewrite Rmin_right; last by lra.
have above : 6 < y.
  case: (Rle_or_lt y 6) => // y_le; exfalso; apply: (Rlt_not_le _ _ high).
  exact: (round_le_generic radix2 float4_e2m1 ZnearestE _ _ six y_le).
by rewrite !Rabs_left1; lra.
Qed.

(** One digit, by a linear bound. *)
Lemma digit_linear (rho y d : R) : 2 / 5 <= rho <= 1 -> 0 <= y <= 9 -> nearest_digit y d ->
  Rabs (d - y) <= rho * y + (1 - rho) / 4.
Proof.
move=> [rho_ge rho_le] [y_ge0 y_le] near.
have at_digit c k : nth 0 digits k = c -> (k < 8)%N -> Rabs (d - y) <= Rabs (c - y) by exact: nearer.
have slope : forall z, z <= 3 / 20 + 2 / 5 * y -> / 4 <= y -> z <= rho * y + (1 - rho) / 4 by move=> z le y_ge; nra.
case: (Rle_or_lt y (/ 4)) => [low|y_gt].
  have := at_digit 0 0%N erefl isT; rewrite (Rabs_left1 (0 - y)); last by lra.
  by have := Rmult_le_pos (1 - rho) (/ 4 - y) ltac:(lra) ltac:(lra); lra.
apply: slope; last by lra.
have bounded c e k : nth 0 digits k = c -> (k < 8)%N -> c - e <= y -> y <= c + e -> Rabs (d - y) <= e.
  by move=> at_c lt low high; apply: Rle_trans (at_digit c k at_c lt) _; apply: Rabs_le; lra.
case: (Rle_or_lt y (3 / 4)) => [h|h]; first by have := bounded (/ 2) (/ 4) 1%N erefl isT; lra.
case: (Rle_or_lt y (5 / 4)) => [h1|h1]; first by have := bounded 1 (/ 4) 2%N erefl isT; lra.
case: (Rle_or_lt y (7 / 4)) => [h2|h2]; first by have := bounded (3 / 2) (/ 4) 3%N erefl isT; lra.
case: (Rle_or_lt y (5 / 2)) => [h3|h3]; first by have := bounded 2 (/ 2) 4%N erefl isT; lra.
case: (Rle_or_lt y (7 / 2)) => [h4|h4]; first by have := bounded 3 (/ 2) 5%N erefl isT; lra.
case: (Rle_or_lt y 5) => [h5|h5]; first by have := bounded 4 1 6%N erefl isT; lra.
case: (Rle_or_lt y 7) => [h6|h6]; first by have := bounded 6 1 7%N erefl isT; lra.
by have := at_digit 6 7%N erefl isT; rewrite (Rabs_left1 (6 - y)); lra.
Qed.

Definition topped (rho y k : R) : Prop := forall d, nearest_digit y d -> Rabs (d - y) <= rho * y - k * (1 - rho) / 4.

Definition cast_block (S : R) (s : seq nat) (p q : nat -> R) : Prop :=
  0 < S /\ forall j, j \in s -> 0 <= p j <= 9 * S /\ nearest_digit (p j / S) (q j / S).

(** A block's weights move together by a share of their sum. *)
Lemma block_share (rho S : R) (s : seq nat) (top : nat) (p q : nat -> R) : 2 / 5 <= rho <= 1 ->
  cast_block S s p q -> top \in s -> topped rho (p top / S) (INR (size s) - 1) ->
  \ssum_(j <- s) Rabs (q j - p j) <= rho * \ssum_(j <- s) p j.
Proof.
move=> rho_range [S_gt0 cast] top_in on_top.
have scaled j : j \in s -> Rabs (q j - p j) = S * Rabs (q j / S - p j / S).
  move=> _; have {1}-> : q j - p j = S * (q j / S - p j / S) by field; lra.
  by rewrite Rabs_mult (Rabs_pos_eq S); lra.
have others j : j \in s -> Rabs (q j - p j) <= rho * p j + (1 - rho) / 4 * S.
  move=> j_in; have [[p_ge0 p_le] near] := cast j j_in; rewrite scaled //.
  have y_range : 0 <= p j / S <= 9.
    split; first by apply: Rmult_le_pos => //; apply: Rlt_le; exact: Rinv_0_lt_compat.
    by apply: (Rmult_le_reg_r S) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
  have := Rmult_le_compat_l S _ _ ltac:(lra) (digit_linear rho _ _ rho_range y_range near).
  have -> : S * (rho * (p j / S) + (1 - rho) / 4) = rho * p j + (1 - rho) / 4 * S by field; lra.
  by [].
have first : Rabs (q top - p top) <= rho * p top - (INR (size s) - 1) * ((1 - rho) / 4 * S).
  have [_ near] := cast top top_in; rewrite scaled //.
  have := Rmult_le_compat_l S _ _ ltac:(lra) (on_top _ near).
  by have -> : S * (rho * (p top / S) - (INR (size s) - 1) * (1 - rho) / 4) =
    rho * p top - (INR (size s) - 1) * ((1 - rho) / 4 * S) by field; lra.
rewrite !(big_rem top top_in) /=.
have size_rest : INR (size (rem top s)) = INR (size s) - 1.
  have -> : (size s = (size (rem top s)).+1)%N by rewrite size_rem // prednK //; case: (s) top_in.
  by rewrite S_INR; ring.
have rest (r : seq nat) : {subset r <= s} ->
    \ssum_(j <- r) Rabs (q j - p j) <= rho * (\ssum_(j <- r) p j) + INR (size r) * ((1 - rho) / 4 * S).
  elim: r => [|j r IH] sub; first by rewrite !big_nil /=; lra.
  rewrite !big_cons -[size (j :: r)]/(size r).+1 S_INR.
  have := others j (sub j (mem_head j r)).
  by have := IH (fun i i_in => sub i (@mem_behead _ (j :: r) i i_in)); lra.
by have := rest (rem top s) (@mem_rem _ top s); rewrite size_rest; lra.
Qed.

(** rounding.online-blocks: weights p j, together within e G of the exact ones, which add up to G, in blocks; each block moves
    together by at most ρ times its sum, or each of its weights by at most τ. All weights together are then within
    ((1 + ρ)(1 + e) - 1) G + n τ of the exact ones. *)
Theorem rounding_online_blocks (n : nat) (rho tau e : R) (g p q : nat -> R) (blocks : seq (seq nat)) :
  perm_eq (flatten blocks) (iota 0 n) -> 0 <= rho -> 0 <= tau ->
  (forall j, (j < n)%N -> 0 <= p j) ->
  \rsum_(j < n) Rabs (p j - g j) <= e * (\rsum_(j < n) g j) ->
  (forall s : seq nat, s \in blocks -> \ssum_(j <- s) Rabs (q j - p j) <= rho * (\ssum_(j <- s) p j) \/
    forall j, j \in s -> Rabs (q j - p j) <= tau) ->
  \rsum_(j < n) Rabs (q j - g j) <= ((1 + rho) * (1 + e) - 1) * (\rsum_(j < n) g j) + INR n * tau.
Proof.
move=> each_once rho_ge0 tau_ge0 p_ge0 near moved.
have over (F : nat -> R) : \rsum_(j < n) F j = \ssum_(j <- flatten blocks) F j.
  by rewrite (perm_big _ each_once) /= -(big_mkord xpredT) /index_iota subn0.
have in_range (s : seq nat) j : s \in blocks -> j \in s -> (j < n)%N.
  move=> s_in j_in; have : j \in flatten blocks by apply/flattenP; exists s.
  by rewrite (perm_mem each_once) mem_iota add0n.
have one (s : seq nat) : s \in blocks -> \ssum_(j <- s) Rabs (q j - p j) <= \ssum_(j <- s) (rho * p j + tau).
  move=> s_in; have bounded (r : seq nat) : {subset r <= s} ->
      0 <= \ssum_(j <- r) p j /\ \ssum_(j <- r) (rho * p j + tau) = rho * (\ssum_(j <- r) p j) + INR (size r) * tau.
    elim: r => [|j r IH] sub; first by rewrite !big_nil /=; split; lra.
    rewrite !big_cons -[size (j :: r)]/(size r).+1 S_INR.
    have [sum_ge0 ->] := IH (fun i i_in => sub i (@mem_behead _ (j :: r) i i_in)).
    have := p_ge0 j (in_range s j s_in (sub j (mem_head j r))); split; [lra | ring].
  case: (moved s s_in) => [share|each].
    have [_ ->] := bounded s (fun j j_in => j_in).
    by have := Rmult_le_pos _ _ (pos_INR (size s)) tau_ge0; lra.
  have le (r : seq nat) : {subset r <= s} -> \ssum_(j <- r) Rabs (q j - p j) <= \ssum_(j <- r) (rho * p j + tau).
    elim: r => [|j r IH] sub; first by rewrite !big_nil; lra.
    rewrite !big_cons; have := each j (sub j (mem_head j r)).
    have := IH (fun i i_in => sub i (@mem_behead _ (j :: r) i i_in)).
    have := Rmult_le_pos _ _ rho_ge0 (p_ge0 j (in_range s j s_in (sub j (mem_head j r)))).
    by lra.
  exact: le.
have all : \rsum_(j < n) Rabs (q j - p j) <= rho * (\rsum_(j < n) p j) + INR n * tau.
  have -> : rho * (\rsum_(j < n) p j) + INR n * tau = \rsum_(j < n) (rho * p j + tau).
    by rewrite rsum_add rsum_mull rsum_const.
  rewrite (over (fun j => Rabs (q j - p j))) (over (fun j => rho * p j + tau)).
  elim: (blocks) one => [|s r IH] le; first by rewrite !big_nil; lra.
  rewrite /= !big_cat /=; have := le s (mem_head s r).
  by have := IH (fun t t_in => le t (@mem_behead _ (s :: r) t t_in)); lra.
have sums : \rsum_(j < n) p j <= (1 + e) * (\rsum_(j < n) g j).
  have : \rsum_(j < n) p j - \rsum_(j < n) g j <= \rsum_(j < n) Rabs (p j - g j).
    by rewrite -rsum_sub; apply: rsum_le => j; exact: Rle_abs.
  by lra.
have split_up : \rsum_(j < n) Rabs (q j - g j) <= \rsum_(j < n) Rabs (q j - p j) + \rsum_(j < n) Rabs (p j - g j).
  by rewrite -rsum_add; apply: rsum_le => j; exact: Rabs_diff_triangle.
by have := Rmult_le_compat_l rho _ _ rho_ge0 sums; lra.
Qed.

(** rounding.block-shares: a block of at most 16 weights whose largest is within δ of 6 times the scale moves by 11/25 of its sum where δ
    = 1/16, by 1/2 where δ = 1/8, by 19/35 where δ = 1/4, by 17/29 where δ = 1/2; one of at most 32, whose largest is 4 to 8
    times the scale, by 35/51. *)
Theorem rounding_block_shares (S : R) (s : seq nat) (top : nat) (p q : nat -> R) :
  cast_block S s p q -> top \in s ->
  let moved rho := \ssum_(j <- s) Rabs (q j - p j) <= rho * \ssum_(j <- s) p j in
  ((size s <= 16)%N ->
    (Rabs (p top / S - 6) <= 6 / 16 -> moved (11 / 25)) /\ (Rabs (p top / S - 6) <= 6 / 8 -> moved (1 / 2)) /\
    (Rabs (p top / S - 6) <= 6 / 4 -> moved (19 / 35)) /\ (Rabs (p top / S - 6) <= 6 / 2 -> moved (17 / 29))) /\
  ((size s <= 32)%N -> 4 <= p top / S <= 8 -> moved (35 / 51)).
Proof.
move=> cast top_in moved; set y := p top / S.
have on rho B : 2 / 5 <= rho <= 1 -> (size s <= B)%N -> topped rho y (INR B - 1) -> moved rho.
  move=> range le on_top; apply: (block_share rho S s top p q range cast top_in) => d near.
  have := on_top d near; have : INR (size s) <= INR B by apply: le_INR; apply/leP.
  by rewrite -/y; nra.
have at_digit d c k : nearest_digit y d -> nth 0 digits k = c -> (k < 8)%N -> Rabs (d - y) <= Rabs (c - y).
  exact: nearer.
have away c k d : nth 0 digits k = c -> (k < 8)%N -> nearest_digit y d ->
    Rabs (d - y) <= c - y \/ c < y /\ Rabs (d - y) <= y - c.
  move=> at_c lt near; have := at_digit d c k near at_c lt; case: (Rle_or_lt y c) => h.
    by rewrite (Rabs_pos_eq (c - y)); lra.
  by rewrite (Rabs_left1 (c - y)); lra.
have three := away 3 5%N; have four := away 4 6%N; have six := away 6 7%N.
have sixteen : INR 16 = 16 by rewrite /=; ring.
have thirty : INR 32 = 32 by rewrite /=; ring.
split=> [small|small range].
  split=> [/Rabs_le_inv range|].
    by apply: (on _ 16%N) => //; [lra | move=> d near; have := six d erefl isT near; rewrite sixteen; lra].
  split=> [/Rabs_le_inv range|].
    by apply: (on _ 16%N) => //; [lra | move=> d near; have := six d erefl isT near; rewrite sixteen; lra].
  split=> /Rabs_le_inv range; apply: (on _ 16%N) => //; try lra; move=> d near; rewrite sixteen.
    case: (Rle_or_lt y 5) => h; first by have := four d erefl isT near; lra.
    by have := six d erefl isT near; lra.
  case: (Rle_or_lt y (7 / 2)) => h0; first by have := three d erefl isT near; lra.
  by case: (Rle_or_lt y 5) => h; [have := four d erefl isT near | have := six d erefl isT near]; lra.
apply: (on _ 32%N) => //; first by lra.
move=> d near; rewrite thirty.
by case: (Rle_or_lt y 5) => h; [have := four d erefl isT near | have := six d erefl isT near]; lra.
Qed.
