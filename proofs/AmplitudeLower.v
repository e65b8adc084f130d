(** * Lower bounds of sums of lengths from a table of directions

  Most values of A(s) are far above d. A lower bound tells so, which takes neither products nor square roots. Directions come
  from a table of multiples of one angle: the index of a sum of two angles is the sum of their indices. The length of (x, y)
  is at least 72/161 (max(|x|, |y|) + |x| + |y|), because 5 is less than (161/72)^2. It ends where the bound is reached.

  table, entry t p     == binary trees with pairs of integers at their nodes; the pair to which the bits of p lead, the last first
  agrees t p l         == the entries of t from p on are those of the list l
  unit_angle           == the angle whose multiples are in the table, 2047 of which are nearly a turn
  directions           == 2^14 cos and 2^14 sin of its multiples from 0 to 4095
  lists t              == the entries of t are near 2^14 cos and 2^14 sin of the multiples
  indices ws v         == indices of the angles at the distance v, of which ws are the rates; nothing is proved of them
  aimed t r ms         == the entries of t at the indices ms are near the row r
  points h q v ms      == the multiples of the angle by the indices ms are near the angles v q^i, or whole turns apart
  walked t (x, y, a) ms ns == from x, y and a on, a with the terms added is positive at the sum of two distances

  Main result: [walked_above], how large A(s) then is. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From Coquelicot Require Import Complex.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Phasor IntervalTactic Figures ComplexSum CosineTable CosineRows Amplitudes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

(** ** Tables *)

Inductive table := Blank | Entry of Z * Z & table & table.

Fixpoint entry (t : table) (p : positive) : Z * Z :=
  if t is Entry v l r then match p with xO p => entry l p | xI p => entry r p | xH => v end else (0, 0)%Z.

Fixpoint put (v : Z * Z) (p : positive) (t : table) : table :=
  let: (w, l, r) := if t is Entry w l r then (w, l, r) else ((0, 0)%Z, Blank, Blank) in
  match p with xO p => Entry w (put v p l) r | xI p => Entry w l (put v p r) | xH => Entry v l r end.

Definition planted (l : seq (Z * Z)) : table := (foldl (fun st v => (put v st.2 st.1, Pos.succ st.2)) (Blank, xH) l).1.

Fixpoint agrees (t : table) (p : positive) (l : seq (Z * Z)) : bool :=
  if l is v :: l then [&& (entry t p).1 =? v.1, (entry t p).2 =? v.2 & agrees t (Pos.succ p) l]%Z else true.

Lemma agreesP t p l i p' z : agrees t p l -> (i < size l)%N -> Zpos p' = (Zpos p + Z.of_nat i)%Z -> entry t p' = nth z l i.
Proof.
elim: l p i => [//|v l IHl] p [|i] /= /and3P[/Z.eqb_eq c_eq /Z.eqb_eq s_eq later] lt_i p'E.
  have -> : p' = p by lia.
  by rewrite (surjective_pairing (entry t p)) c_eq s_eq -surjective_pairing.
by apply: (IHl (Pos.succ p)) => //; lia.
Qed.

(** ** The computation *)

Definition added (st : Z * Z * Z) (v : Z * Z) : Z * Z * Z :=
  let x := (st.1.1 + v.1)%Z in
  let y := (st.1.2 + v.2)%Z in
  let u := Z.abs x in
  let w := Z.abs y in
  (x, y, (st.2 + (Z.max u w + (u + w)))%Z).

Fixpoint walked (t : table) (st : Z * Z * Z) (ms ns : seq positive) : bool :=
  if (0 <? st.2)%Z then true else
  match ms, ns with i :: ms, j :: ns => walked t (added st (entry t (i + j))) ms ns | _, _ => false end.

Definition unit_enclosure : I.type := quotient 3374907330 (2 ^ 40).
Definition unit_angle : R := IZR 3374907330 / IZR (Zpos (2 ^ 40)).

Definition seed : Z * Z := (digit 48 (I.cos finest unit_enclosure), digit 48 (I.sin finest unit_enclosure)).
Definition seed_fits : bool := digit_fits 48 (I.cos finest unit_enclosure) && digit_fits 48 (I.sin finest unit_enclosure).

Definition directions (d : Z * Z) : seq (Z * Z) :=
  [seq nth (0, 0)%Z (fewer_digits 34 r) 0 | r <- rows 48 (row_0 48 1) [:: d] 12].

(** The rates are of 2^-40 times the angle in the distance 1. *)
Definition rates (h : nat) (qi : I.type) : seq Z :=
  [seq whole_part (I.lower a) | a <- @traject I.type (fun a => I.mul finest a qi)
     (I.div finest (I.fromZ finest (2047 * 2 ^ 40)) (I.mul finest two (I.pi finest))) h].

Definition indices (ws : seq Z) (v : Z) : seq positive :=
  [seq if (Z.shiftr (v * w + 2 ^ 39) 40 mod 2047)%Z is Zpos p then p else 2047%positive | w <- ws].

Definition aimed (t : table) (r : seq (Z * Z)) (ms : seq positive) : bool :=
  (size ms == size r) && all (fun x => (x.2 <? 2048)%positive &&
    let v := entry t x.2 in
    let c := (x.1.1 - v.1)%Z in
    let s := (x.1.2 - v.2)%Z in
    (c * c + s * s <=? 28 * 28)%Z) (zip r ms).

(** ** Tables that are near *)

Definition P : R := 2 ^ 14.

Lemma P_gt0 : 0 < P.
Proof. by apply: pow_lt; lra. Qed.

Definition apart (z : Z * Z) (w : C) : R := Cmod ((IZR z.1, IZR z.2) - P * w)%C.

Definition lists (t : table) : Prop :=
  forall p, (p < 4096)%positive -> apart (entry t p) (phasor (IZR (Zpos p) * unit_angle)) <= 2.

Lemma apart_parts z x : Rabs (IZR z.1 - P * cos x) <= 1 -> Rabs (IZR z.2 - P * sin x) <= 1 -> apart z (phasor x) <= 2.
Proof.
move=> c_near s_near; rewrite /apart phasorE (_ : _ - _ = (IZR z.1 - P * cos x, IZR z.2 - P * sin x)%R)%C.
  by have := Cmod_parts (IZR z.1 - P * cos x) (IZR z.2 - P * sin x); lra.
by apply: C_eq; rewrite /=; ring.
Qed.

Definition near_unit (d : Z * Z) : Prop :=
  Rabs (IZR d.1 - 2 ^ Z.to_nat 48 * cos unit_angle) <= 1 /\ Rabs (IZR d.2 - 2 ^ Z.to_nat 48 * sin unit_angle) <= 1.

Lemma seed_near : seed_fits -> near_unit seed.
Proof.
have b_ge0 : (0 <= 48)%Z by lia.
have unit_in : encloses unit_enclosure unit_angle := encloses_quotient _ _.
rewrite /seed_fits /near_unit /seed; move: unit_enclosure unit_in => x unit_in /andP[c_fits s_fits]; cbn [fst snd]; split.
  exact: (digit_near b_ge0 (encloses_cos unit_in) c_fits).
exact: (digit_near b_ge0 (encloses_sin finest unit_in) s_fits).
Qed.

Section Directions.
Variable d : Z * Z.
Hypothesis d_near : near_unit d.

Lemma directions_near i z : (i < 2 ^ 12)%N -> apart (nth z (directions d) i) (phasor (INR i * unit_angle)) <= 2.
Proof.
have b_ge1 : (1 <= 48)%Z by lia.
have one : within 48 (grown 0) 1 1 unit_angle [:: d].
  have e0 : 1 <= grown 0 by exact: grown_ge1.
  split=> [//|z' j lt_j]; have -> : j = 0%N by case: j lt_j.
  have [c_near s_near] := d_near; rewrite [1 ^ 0]/= Rmult_1_r [nth _ _ _]/=.
  by split; [exact: Rle_trans c_near e0 | exact: Rle_trans s_near e0].
move=> lt_i; have := @rows_within 48 1 1 b_ge1 0 12 _ _ _ _ isT (row_0_within 1 1 b_ge1) one i lt_i.
rewrite Rplus_0_l add0n => near; have e_le : 2 * grown 12 <= 2 ^ Z.to_nat 34 by rewrite /grown /=; lra.
have [_ /(_ (0, 0)%Z 0%N isT)] := @fewer_within 14 34 _ 1 1 _ _ ltac:(lia) ltac:(lia) e_le near.
rewrite [1 ^ 0]/= !Rmult_1_r => -[c_near s_near].
by rewrite /directions (nth_map [::]) ?size_rows //; apply: apart_parts.
Qed.

Lemma agrees_lists t : agrees t 1 (behead (directions d)) -> lists t.
Proof.
move=> agree p /Pos2Z.pos_lt_pos p_lt; pose i := Z.to_nat (Zpos p - 1).
have iE : Z.of_nat i = (Zpos p - 1)%Z by rewrite Z2Nat.id //; lia.
have size_l : size (directions d) = (2 ^ 12)%N by rewrite size_map size_rows.
have lt_i : (i.+1 < 2 ^ 12)%N.
  have e12 : Z.of_nat (2 ^ 12) = 4096%Z by [].
  by apply/leP; move: e12; move: (2 ^ 12)%N => n e12; lia.
have lt_behead : (i < size (behead (directions d)))%N by rewrite size_behead size_l -subn1 ltn_subRL add1n.
have pE : Zpos p = (Zpos 1 + Z.of_nat i)%Z by lia.
rewrite (agreesP (0, 0)%Z agree lt_behead pE) nth_behead (_ : IZR (Zpos p) = INR i.+1); first exact: directions_near.
by rewrite INR_IZR_INZ; congr IZR; lia.
Qed.

End Directions.

Definition points (h : nat) (q v : R) (ms : seq positive) : Prop := size ms = h /\ forall i, (i < h)%N ->
  (nth 1%positive ms i < 2048)%positive /\
  P * Cmod (phasor (IZR (Zpos (nth 1%positive ms i)) * unit_angle) - phasor (v * q ^ i))%C <= 32.

Lemma scaled_apart z w : P * Cmod (z - w)%C = Cmod (P * z - P * w)%C.
Proof.
rewrite (_ : P * z - P * w = P * (z - w))%C; last by ring.
by rewrite Cmod_mult Cmod_R Rabs_pos_eq //; apply: Rlt_le P_gt0.
Qed.

Lemma aimed_points t h q v r ms : lists t -> near_row 14 h q v r -> aimed t r ms -> points h q v ms.
Proof.
move=> listed [size_r at_r] /andP[/eqP size_m all_near]; rewrite size_r in size_m; split=> // i lt_i.
have size_zip_r : size (zip r ms) = h by rewrite size_zip size_r size_m minnn.
have := all_nthP ((0, 0)%Z, 1%positive) all_near i; rewrite size_zip_r nth_zip ?size_r // => /(_ lt_i).
cbn [fst snd] => /andP[/Pos.ltb_lt lt_p]; have [c_near s_near] := at_r (0, 0)%Z i lt_i; have row := apart_parts c_near s_near.
move: (nth _ r i) (nth _ ms i) lt_p row => z p lt_p row /Z.leb_le near; split=> //.
have := listed p ltac:(lia); rewrite /apart in row *; move: (entry t p) near => w near direction.
have chord : Cmod (IZR z.1 - IZR w.1, IZR z.2 - IZR w.2) <= 28.
  rewrite /Cmod -(sqrt_Rsqr 28); last by lra.
  by apply: sqrt_le_1_alt; have := IZR_le _ _ near; rewrite plus_IZR !mult_IZR !minus_IZR /Rsqr /=; lra.
rewrite scaled_apart; set a := (P * phasor (IZR _ * _))%C in direction *; set b := (P * phasor _)%C in row *.
pose c : C := (IZR z.1 - IZR w.1, IZR z.2 - IZR w.2); rewrite -/c in chord.
have -> : (a - b = - ((IZR w.1, IZR w.2) - a) + (- c + ((IZR z.1, IZR z.2) - b)))%C.
  by apply: C_eq; rewrite /c /=; ring.
apply: Rle_trans (Cmod_triangle _ _) _; have := Cmod_triangle (- c)%C ((IZR z.1, IZR z.2) - b)%C.
by rewrite !Cmod_opp; lra.
Qed.

(** ** The bound *)

Lemma Cmod_ge x y : Rmax (Rabs x) (Rabs y) + (Rabs x + Rabs y) <= 161 / 72 * Cmod (x, y).
Proof.
have one u v : 0 <= u -> 0 <= v -> 2 * u + v <= 161 / 72 * sqrt (u ^ 2 + v ^ 2).
  move=> u_ge0 v_ge0; have square : (2 * u + v) ^ 2 <= (161 / 72) ^ 2 * (u ^ 2 + v ^ 2).
    by have := pow2_ge_0 (u - 2 * v); have := pow2_ge_0 u; have := pow2_ge_0 v; lra.
  have -> : 161 / 72 * sqrt (u ^ 2 + v ^ 2) = sqrt ((161 / 72) ^ 2 * (u ^ 2 + v ^ 2)).
    by rewrite sqrt_mult_alt; [rewrite sqrt_pow2; lra | lra].
  by rewrite -(sqrt_pow2 (2 * u + v)); [apply: sqrt_le_1_alt | lra].
have -> : Cmod (x, y) = sqrt (Rabs x ^ 2 + Rabs y ^ 2) by rewrite !pow2_abs.
have := one _ _ (Rabs_pos x) (Rabs_pos y); have := one _ _ (Rabs_pos y) (Rabs_pos x).
rewrite [Rabs y ^ 2 + _]Rplus_comm; move: (sqrt _) => r; rewrite /Rmax; case: Rle_dec; lra.
Qed.

Lemma IZR_max u v : IZR (Z.max u v) = Rmax (IZR u) (IZR v).
Proof.
case: (Z.max_spec u v) => -[le ->]; first by rewrite Rmax_right //; apply: IZR_le; lia.
by rewrite Rmax_left //; exact: IZR_le.
Qed.

Section Walk.
Variables (f : nat -> C) (e : R) (T : R).
Hypothesis e_ge0 : 0 <= e.

Let total (n : nat) : R := \rsum_(j < n) Cmod (csum j.+1 f).

(** No total of n terms is more. *)
Definition most (n : nat) : R := 161 / 72 * (P * total n + e * (INR n * (INR n + 1) / 2)).

Definition kept (n : nat) (st : Z * Z * Z) : Prop := apart st.1 (csum n f) <= e * INR n /\ T + IZR st.2 <= most n.

Lemma mostS n : most n.+1 = most n + 161 / 72 * (P * Cmod (csum n.+1 f) + e * (INR n + 1)).
Proof.
rewrite /most (_ : total n.+1 = total n + Cmod (csum n.+1 f)); last by exact: big_ord_recr.
by rewrite -[INR n.+1]/(INR (S n)) S_INR; field.
Qed.

Lemma most_le n k : most n <= most (n + k).
Proof.
elim: k => [|k IHk]; first by rewrite addn0; exact: Rle_refl.
apply: Rle_trans IHk _; rewrite addnS mostS.
have := Rmult_le_pos _ _ (Rlt_le _ _ P_gt0) (Cmod_ge_0 (csum (n + k).+1 f)).
by have := Rmult_le_pos _ _ e_ge0 (pos_INR (n + k)); lra.
Qed.

Lemma added_kept n st v : kept n st -> apart v (f n) <= e -> kept n.+1 (added st v).
Proof.
move: st v => [[x y] a] [c s]; rewrite /kept /apart /added mostS -[csum n.+1 f]/(csum n f + f n)%C; cbn [fst snd] => -[near le] v_near; have P0 := P_gt0.
rewrite -[INR n.+1]/(INR (S n)) S_INR; pose z : C := (IZR (x + c), IZR (y + s)).
have near' : Cmod (z - P * (csum n f + f n))%C <= e * (INR n + 1).
  have -> : (z - P * (csum n f + f n) = ((IZR x, IZR y) - P * csum n f) + ((IZR c, IZR s) - P * f n))%C.
    by rewrite /z !plus_IZR; apply: C_eq; rewrite /=; ring.
  by apply: Rle_trans (Cmod_triangle _ _) _; lra.
split; first exact: near'.
have length_le : Cmod z <= e * (INR n + 1) + P * Cmod (csum n f + f n)%C.
  have -> : P * Cmod (csum n f + f n)%C = Cmod (P * (csum n f + f n))%C by rewrite Cmod_mult Cmod_R Rabs_pos_eq //; lra.
  have {1}-> : z = ((z - P * (csum n f + f n)) + P * (csum n f + f n))%C by ring.
  by apply: Rle_trans (Cmod_triangle _ _) _; lra.
have := Cmod_ge (IZR (x + c)) (IZR (y + s)); rewrite -/z; move: (Cmod z) length_le => length length_le.
by rewrite -!abs_IZR -IZR_max -!plus_IZR; move: (_ + (_ + _))%Z => b; rewrite plus_IZR; lra.
Qed.

Lemma walked_kept t st ms ns n : size ms = size ns ->
  (forall k, (k < size ms)%N -> apart (entry t (nth 1%positive ms k + nth 1%positive ns k)) (f (n + k)%N) <= e) ->
  kept n st -> walked t st ms ns -> T < most (n + size ms).
Proof.
have ended n' k st' : kept n' st' -> (0 < st'.2)%Z -> T < most (n' + k).
  by move=> [_ le] /IZR_lt gt; apply: Rlt_le_trans (most_le n' k); lra.
elim: ms ns n st => [|i ms IHms] [|j ns] n st //= same each before.
  by case: Z.ltb_spec => // gt _; exact: ended before gt.
case: Z.ltb_spec => [gt _|_ later]; first by exact: ended before gt.
rewrite addnS -addSn; move: later; apply: IHms; [by case: same | | ].
  by move=> k lt_k; rewrite addSnnS; exact: (each k.+1).
by apply: added_kept before _; have := each 0%N isT; rewrite addn0.
Qed.

End Walk.

Lemma product_apart z w z' w' : Cmod w = 1 -> Cmod z' = 1 -> Cmod (z * w - z' * w')%C <= Cmod (z - z')%C + Cmod (w - w')%C.
Proof.
move=> w1 z1; have -> : (z * w - z' * w' = (z - z') * w + z' * (w - w'))%C by ring.
by apply: Rle_trans (Cmod_triangle _ _) _; rewrite !Cmod_mult w1 z1; lra.
Qed.

Lemma walked_above t h q v w ms ns n : lists t -> points h q v ms -> points h q w ns -> walked t (0, 0, - n)%Z ms ns ->
  IZR n < 161 / 72 * (P * amplitude h (fun i => q ^ i) (v + w) + 66 * (INR h * (INR h + 1) / 2)).
Proof.
move=> listed [size_m at_m] [size_n at_n]; pose f i := phasor ((v + w) * q ^ i).
have start : kept f 66 (IZR n) 0 (0, 0, - n)%Z.
  rewrite /kept /most /apart big_ord0 [csum _ _]/= [INR 0]/= opp_IZR; cbn [fst snd].
  have -> : ((0, 0)%R - P * RtoC 0 = RtoC 0)%C by apply: C_eq; rewrite /=; ring.
  by rewrite Cmod_0; split; lra.
have sizes : size ms = size ns by rewrite size_n.
have each k : (k < size ms)%N -> apart (entry t (nth 1%positive ms k + nth 1%positive ns k)) (f (0 + k)%N) <= 66.
  rewrite size_m add0n => lt_k; have [i_lt i_near] := at_m k lt_k; have [j_lt j_near] := at_n k lt_k.
  move: (nth _ ms k) (nth _ ns k) i_lt i_near j_lt j_near => i j i_lt i_near j_lt j_near.
  have := listed (i + j)%positive ltac:(lia); rewrite Pos2Z.inj_add plus_IZR Rmult_plus_distr_r -phasor_add /apart /f.
  rewrite Rmult_plus_distr_r -phasor_add; have := product_apart (phasor (IZR (Zpos i) * unit_angle)) (phasor (w * q ^ k))
    (Cmod_phasor (IZR (Zpos j) * unit_angle)) (Cmod_phasor (v * q ^ k)).
  set a := (_ * _)%C; set b := (_ * _)%C => product near; have P0 := P_gt0.
  have {}product := Rmult_le_compat_l _ _ _ (Rlt_le _ _ P0) product; rewrite scaled_apart in product.
  move: (entry _ _) near => z near.
  have -> : ((IZR z.1, IZR z.2) - P * b = ((IZR z.1, IZR z.2) - P * a) + (P * a - P * b))%C by ring.
  by apply: Rle_trans (Cmod_triangle _ _) _; lra.
have e_ge0 : 0 <= 66 by lra.
by move=> told; have := walked_kept e_ge0 sizes each start told; rewrite add0n size_m.
Qed.
