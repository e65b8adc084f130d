(** * The least bases that serve

  The real bases that serve a length have an infimum: up to a number all fail, which a cover by intervals shows, and one
  just above it serves, which the signs of the score at all distances show.

  runs_10 ... runs_12 == distances, how the score is computed there, and the end of the ratios where it is negative
  serving num den n   == the base num / den serves the length n, as far as the signs of its score tell

  Main results: [base_minimum_infima], [base_power_law_below]. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures UnitScore BaseChoice ScoreParts ScoreScan BaseCover.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition ratio (base : R) : R := Rpower base (- (1 / 64)).

Lemma unit_scoreE base m : 0 < base -> unit_score 64 (frequency base 128) (IZR m) = power_score 64 (ratio base) m.
Proof.
move=> base_gt0; apply: eq_bigr => i _; rewrite (@frequency_ratio base 64) // (INR_IZR_INZ 64).
by rewrite /ratio.
Qed.

Lemma fails_not_serving n base : 0 < base -> fails (Z.of_nat n) (ratio base) -> ~ serves base 64 n.
Proof.
move=> base_gt0 [m [m_range negative]] /(_ (Z.to_nat m)); rewrite INR_IZR_INZ Z2Nat.id; last by lia.
rewrite unit_scoreE // => /(_ ltac:(apply/leP; lia)); lra.
Qed.

Lemma fails_longer n n' q : (n <= n')%Z -> fails n q -> fails n' q.
Proof. by move=> le [m [m_range negative]]; exists m; split=> //; lia. Qed.

(** A larger base has a smaller ratio. *)
Lemma ratio_le base base' : 0 < base -> base <= base' -> ratio base' <= ratio base.
Proof.
move=> base_gt0 le; rewrite /ratio !Rpower_Ropp; apply: Rinv_le_contravar; first exact: exp_pos.
by apply: Rle_Rpower_l; lra.
Qed.

Lemma fails_between n u r e runs low high : (n <= 2 ^ 20)%Z -> (0 <= u < 2 ^ 40)%Z -> 0 < low ->
  (cover n (u, r) runs <=? e)%Z -> 2 ^ 40 * ratio low <= IZR u -> IZR e < 2 ^ 40 * ratio high ->
  forall base, low <= base <= high -> fails n (ratio base).
Proof.
move=> n_range u_range low_gt0 /Z.leb_le covered starts ends base [ge le]; have p_gt0 : 0 < 2 ^ 40 by apply: pow_lt; lra.
apply: (cover_fails n_range u_range (r := r) (runs := runs)); split.
  apply: Rle_lt_trans (IZR_le _ _ covered) _; apply: Rlt_le_trans ends _.
  by apply: Rmult_le_compat_l; [lra | apply: ratio_le; lra].
by apply: Rle_trans starts; apply: Rmult_le_compat_l; [lra | apply: ratio_le].
Qed.

(** Up to 1.9 all angles at the distance 3 are obtuse. *)
Lemma fails_least base : 1 <= base <= 1.9 -> fails 3 (ratio base).
Proof.
move=> [ge le]; exists 3%Z; split; first by [].
have each (i : 'I_64) : cos (3 * ratio base ^ i) <= -1 / 1000.
  have base_gt0 : 0 < base by lra.
  have -> : ratio base ^ i = Rpower base (- (INR i / 64)).
    by rewrite -Rpower_pow ?Rpower_mult; [congr Rpower; field | exact: exp_pos].
  have i_le : INR i <= 63.
    have : INR i <= INR 63 by apply: le_INR; apply/leP; rewrite -ltnS.
    by rewrite (INR_IZR_INZ 63) [Z.of_nat 63]/=; lra.
  have power_le : Rpower base (- (INR i / 64)) <= 1.
    by rewrite -(Rpower_O base) //; apply: Rle_Rpower => //; have := pos_INR i; lra.
  have power_ge : / 1.9 <= Rpower base (- (INR i / 64)).
    apply: (Rle_trans _ (/ base)); first by apply: Rinv_le_contravar; lra.
    by rewrite -{1}(Rpower_1 base) // -Rpower_Ropp; apply: Rle_Rpower; lra.
  set x := Rpower _ _ in power_le power_ge *; have {}power_ge : 0.5263 <= x by lra.
  by interval with (i_prec 30, i_bisect x).
by apply: Rle_lt_trans (rsum_le each) _; rewrite rsum_const (INR_IZR_INZ 64) [Z.of_nat 64]/=; lra.
Qed.

(** ** A base that serves *)

Definition serving (num : Z) (den : positive) (n : Z) : bool :=
  nonnegative_to 64 (I.exp prec (I.neg (I.div prec (I.ln prec (quotient num den)) (I.fromZ prec 64)))) n.

Lemma servingP num den n : 0 < IZR num / IZR (Zpos den) -> serving num den (Z.of_nat n) -> serves (IZR num / IZR (Zpos den)) 64 n.
Proof.
set base := _ / _ => base_gt0 told m m_le.
have q_in : encloses (I.exp prec (I.neg (I.div prec (I.ln prec (quotient num den)) (I.fromZ prec 64)))) (ratio base).
  have -> : ratio base = exp (- (ln base / 64)) by rewrite /ratio /Rpower; congr exp; field.
  apply: encloses_exp; apply: encloses_neg; apply: encloses_div; first by lra.
    by apply: encloses_ln => //; exact: encloses_quotient.
  exact: encloses_Z.
rewrite INR_IZR_INZ unit_scoreE //; apply: (nonnegative_toP q_in (exp_pos _) told); move/leP: m_le; lia.
Qed.

(** ** The covers *)

Definition runs_10 : seq (Z * bool * Z) :=
  [:: (5, false, 1066095359096); (16, false, 1047001541199); (41, false, 1032605646288); (104, false, 1017757841992);
      (117, false, 1010856784071); (242, false, 1004774695984); (292, false, 1000630600186); (474, false, 997167677137);
      (517, false, 994812479395); (449, false, 991249363339); (632, false, 989247964466); (681, false, 986777663543);
      (802, false, 984525430644); (959, false, 982337529274); (996, false, 980559470289); (928, false, 979141138480);
      (851, false, 977896595869); (1008, false, 976342683037); (921, false, 975358523094); (940, false, 974236024141);
      (983, false, 973278347930); (997, false, 972439808574); (889, false, 971553309138); (801, false, 970404977973);
      (915, false, 969898445874); (939, false, 969297195820); (985, false, 969099151984); (951, false, 968382081265);
      (953, false, 968065095957); (1003, false, 967414125737); (889, false, 966614043250); (1014, false, 966287961257);
      (932, false, 965540108071); (934, false, 965221561195); (1008, false, 964917892725); (1009, false, 964854858292);
      (1009, false, 964830922540); (1009, false, 964823530969); (1009, false, 964819234610); (1009, false, 964817427922);
      (1009, true, 964803526270); (1009, true, 964801428181)]%Z.

Definition runs_11 : seq (Z * bool * Z) :=
  [:: (1844, false, 963496655360); (1454, false, 962866713257); (1682, false, 962205693635); (1304, false, 961670118213);
      (1994, false, 961019352074); (2019, false, 960383466194); (1355, false, 959764316322); (1573, false, 959254994561);
      (1812, false, 958818475824); (1649, false, 958425824008); (1856, false, 957884299313); (1925, false, 957453305494);
      (1938, false, 957163332097); (2045, false, 956718487725); (1789, false, 956346490837); (1562, false, 956044724154);
      (1801, false, 955711262183); (2007, false, 955394986997); (2044, false, 955110335275); (2027, false, 954775507475);
      (1561, false, 954412920748); (1801, false, 954249174575); (1908, false, 953789653645); (1914, false, 953460178585);
      (1918, false, 953155661600); (1945, false, 952771143143); (1964, false, 952475049204); (1970, false, 952109324135);
      (2007, false, 951604994668); (2013, false, 951188063287); (2020, false, 950937777337); (2037, false, 950461025016);
      (2046, false, 950122407058); (1788, false, 949996886061); (1788, false, 949974743010); (1788, false, 949968258691);
      (1788, false, 949966002626); (1788, false, 949965556328); (1788, false, 949965078642); (1788, false, 949965013473);
      (1788, true, 949952319815); (1788, true, 949949768073); (1788, true, 949949069595); (1788, true, 949948977401)]%Z.

Definition runs_12 : seq (Z * bool * Z) :=
  [:: (3735, false, 949335462442); (3773, false, 948933664653); (3886, false, 948643213365); (3364, false, 948331846406);
      (3917, false, 948015950932); (3006, false, 947604263501); (3503, false, 947264583315); (4095, false, 946897157501);
      (2623, false, 946600756469); (3610, false, 946298359752); (3101, false, 945969569890); (3635, false, 945722960104);
      (3672, false, 945424886496); (3684, false, 945197749082); (3724, false, 945022301888); (3748, false, 944705373147);
      (3756, false, 944528250441); (3836, false, 944268952553); (4044, false, 944039612565); (4057, false, 943805550566);
      (4081, false, 943501047389); (2830, false, 943298001647); (2604, false, 943033482949); (3044, false, 942787959229);
      (4012, false, 942526546662); (3654, false, 942413081870); (4043, false, 942175284864); (4074, false, 941947731772);
      (4082, false, 941679750169); (3510, false, 941434546222); (3666, false, 941200667906); (3762, false, 941020472917);
      (3075, false, 940771315989); (3610, false, 940394566339); (3634, false, 940113229557); (3642, false, 939882921487);
      (3667, false, 939666993763); (3672, false, 939429025666); (3887, false, 939194752733); (3182, false, 938924926601);
      (3942, false, 938764354487); (3743, false, 938626646280); (3956, false, 938460428221); (3781, false, 938306506566);
      (3786, false, 938083508161); (3791, false, 937923958613); (3804, false, 937717073177); (4057, false, 937588729067);
      (4012, false, 937525943434); (4012, false, 937513746230); (4012, false, 937510210068); (4012, false, 937508908210);
      (4012, true, 937502543427); (4012, true, 937501458728); (4012, true, 937501221412)]%Z.

Lemma fails_10 base : 1.9 <= base <= 4293 -> fails (2 ^ 10) (ratio base).
Proof.
move=> range; have covered : (cover (2 ^ 10) (1088539772128, 10885397) runs_10 <=? 964801428181)%Z by vm_cast_no_check (erefl true).
apply: (fails_between _ _ _ covered _ _ range); [lia | lia | lra | | ]; rewrite /ratio /Rpower; interval with (i_prec 90).
Qed.

Lemma fails_11 base : 4293 <= base <= 11587 -> fails (2 ^ 11) (ratio base).
Proof.
move=> range; have covered : (cover (2 ^ 11) (964801428183, 100) runs_11 <=? 949948977401)%Z by vm_cast_no_check (erefl true).
apply: (fails_between _ _ _ covered _ _ range); [lia | lia | lra | | ]; rewrite /ratio /Rpower; interval with (i_prec 90).
Qed.

Lemma fails_12 base : 11587 <= base <= 26952 -> fails (2 ^ 12) (ratio base).
Proof.
move=> range; have covered : (cover (2 ^ 12) (949948977403, 100) runs_12 <=? 937501221412)%Z by vm_cast_no_check (erefl true).
apply: (fails_between _ _ _ covered _ _ range); [lia | lia | lra | | ]; rewrite /ratio /Rpower; interval with (i_prec 90).
Qed.

(** Of base.minimum, the infima of the bases that serve 2^10, 2^11 and 2^12, each between two integers. *)
Corollary base_minimum_infima :
  ((forall base : R, 1 <= base <= 4293 -> ~ serves base 64 (2 ^ 10)) /\ serves 4294 64 (2 ^ 10)) /\
  ((forall base : R, 1 <= base <= 11587 -> ~ serves base 64 (2 ^ 11)) /\ serves 11588 64 (2 ^ 11)) /\
  ((forall base : R, 1 <= base <= 26952 -> ~ serves base 64 (2 ^ 12)) /\ serves 26953 64 (2 ^ 12)).
Proof.
have all_10 base : 1 <= base <= 4293 -> fails (2 ^ 10) (ratio base).
  move=> range; have [le|ge] := Rle_or_lt base 1.9; last by apply: fails_10; lra.
  by apply: (@fails_longer 3) => //; apply: fails_least; lra.
have all_11 base : 1 <= base <= 11587 -> fails (2 ^ 11) (ratio base).
  move=> range; have [le|ge] := Rle_or_lt base 4293; last by apply: fails_11; lra.
  by apply: (@fails_longer (2 ^ 10)) => //; apply: all_10; lra.
have all_12 base : 1 <= base <= 26952 -> fails (2 ^ 12) (ratio base).
  move=> range; have [le|ge] := Rle_or_lt base 11587; last by apply: fails_12; lra.
  by apply: (@fails_longer (2 ^ 11)) => //; apply: all_11; lra.
have fail k base : 1 <= base -> fails (2 ^ Z.of_nat k) (ratio base) -> ~ serves base 64 (2 ^ k).
  by move=> base_ge1; rewrite -power_2; apply: fails_not_serving; lra.
have serve num den k : 0 < IZR num / IZR (Zpos den) -> serving num den (2 ^ Z.of_nat k) -> serves (IZR num / IZR (Zpos den)) 64 (2 ^ k).
  by move=> base_gt0; rewrite -power_2; exact: servingP.
have half k num den (low high : R) : (forall base : R, 1 <= base <= low -> fails (2 ^ Z.of_nat k) (ratio base)) ->
    high = IZR num / IZR (Zpos den) -> 0 < IZR num / IZR (Zpos den) -> serving num den (2 ^ Z.of_nat k) ->
    (forall base : R, 1 <= base <= low -> ~ serves base 64 (2 ^ k)) /\ serves high 64 (2 ^ k).
  move=> all_fail -> gt0 told; split; last exact: serve.
  by move=> base range; apply: fail; [lra | exact: all_fail].
have told_10 : serving 4294 1 (2 ^ Z.of_nat 10) by vm_cast_no_check (erefl true).
have told_11 : serving 11588 1 (2 ^ Z.of_nat 11) by vm_cast_no_check (erefl true).
have told_12 : serving 26953 1 (2 ^ Z.of_nat 12) by vm_cast_no_check (erefl true).
split; first by apply: (@half 10%N 4294%Z 1%positive _ _ all_10 _ _ told_10); lra.
split; first by apply: (@half 11%N 11588%Z 1%positive _ _ all_11 _ _ told_11); lra.
by apply: (@half 12%N 26953%Z 1%positive _ _ all_12 _ _ told_12); lra.
Qed.

(** Of base.power-law: at L = 2^10 the line is between 0.785 and 0.786 times the infimum of the bases that serve. *)
Corollary base_power_law_below :
  (forall base : R, 1 <= base -> serves base 64 (2 ^ 10) -> 0.0424 * Rpower 1024 1.628 < 0.786 * base) /\
  exists base : R, serves base 64 (2 ^ 10) /\ 0.785 * base < 0.0424 * Rpower 1024 1.628.
Proof.
have [[fail serve] _] := base_minimum_infima.
have line : 0.785 * 4294 < 0.0424 * Rpower 1024 1.628 < 0.786 * 4293 by rewrite /Rpower; split; interval with (i_prec 50).
split=> [base base_ge1 serving_base|]; last by exists 4294; split=> //; lra.
have [le|gt] := Rle_or_lt base 4293; last by lra.
by case: (fail base).
Qed.
