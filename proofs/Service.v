(** * The lengths that bases serve

  serves_below base h length == the score is not negative at any integer distance from 0 to below length
  scanned                    == bases, numbers of pairs and distances up to which the score is computed
  fitted_slope, fitted_factor == of the least-squares line through the logarithms of the printed lengths and bases,
                                the slope, and what the line multiplies the power of the length by

  Main results: base.upward-closed, base.larger-is-longer, base.power-law and base.released-models. *)

Set Warnings "-notation-overridden,-ambiguous-paths".
From Coq Require Import Reals ZArith Lra Lia.
From mathcomp Require Import all_ssreflect.
From Posproof Require Import RealMatrix Encoding IntervalTactic Figures UnitScore BaseChoice BaseSets LargeBases.
From Posproof Require Import CosineTable ScoreParts ScoreScan.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Open Scope R_scope.

Definition serves_below (base : R) (h : nat) (length : Z) : Prop :=
  forall m : Z, (0 <= m < length)%Z -> 0 <= unit_score h (frequency base h.*2) (IZR m).

Lemma serves_belowP base h n : serves_below base h (Z.of_nat n + 1) -> serves base h n.
Proof. by move=> below m m_le; rewrite INR_IZR_INZ; apply: below; move/leP: m_le; lia. Qed.

(** ** One computation for all bases *)

Definition scanned : seq (positive * nat * Z) :=
  (84000%positive, 64%N, 8193%Z) :: (200000%positive, 64%N, 8193%Z) :: (4869105%positive, 64%N, 131073%Z) ::
  first_failures.

Definition scans_well (row : positive * nat * Z) : bool :=
  (0 < row.1.2)%N && nonnegative_to row.1.2 (ratio_enclosure row.1.1 row.1.2) (Z.pred row.2).

Lemma all_scanned : all scans_well scanned.
Proof. by vm_cast_no_check (erefl true). Qed.

Lemma power_scoreE (base : positive) h m : (0 < h)%N ->
  unit_score h (frequency (IZR (Zpos base)) h.*2) (IZR m) =
  power_score h (Rpower (IZR (Zpos base)) (- (1 / INR h))) m.
Proof. by move=> h_pos; apply: eq_bigr => i _; rewrite frequency_ratio //; exact: IZR_lt. Qed.

Lemma scans_wellP base h length : scans_well (base, h, length) -> serves_below (IZR (Zpos base)) h length.
Proof.
move=> /andP[h_pos told] m m_range; rewrite power_scoreE //.
have q_gt0 : 0 < Rpower (IZR (Zpos base)) (- (1 / INR h)) by exact: exp_pos.
apply: (nonnegative_toP (ratio_encloses base h_pos) q_gt0 told); rewrite [(_, _).2]/=; lia.
Qed.

Lemma listed_scans row rows : all scans_well rows -> List.In row rows -> scans_well row.
Proof. by elim: rows => [//|r rows IHrows] /andP[here later] [<- // | /IHrows]; exact. Qed.

Lemma scanned_serves base h length : List.In (base, h, length) scanned -> serves_below (IZR (Zpos base)) h length.
Proof. by move=> listed; apply: scans_wellP; exact: listed_scans all_scanned listed. Qed.

(** base.released-models: By the criterion that a context L is served when B(m; b) ≥ 0 for all 0 ≤ m <
    L, these fifteen pairs of base and d serve the L that follows and no longer one: (10^4, 64) 725,
    (10^4, 80) 1159, (10^4, 96) 1046, (10^4, 128) 1707, (10^4, 256) 2653, (10^5, 128) 7757, (5·10^5,
    64) 9937, (5·10^5, 128) 18438, (10^6, 128) 27115, (10^6, 256) 71627, (5·10^6, 128) 82999, (10^7,
    128) 144660, (2.5·10^7, 128) 137077, (1.5·10^5, 64) 2774, (1.6·10^5, 64) 5205. *)
Theorem base_released_models (base : positive) (h : nat) (first : Z) :
  List.In (base, h, first)
    [:: (10000, 32%N, 725%Z); (10000, 40%N, 1159%Z); (10000, 48%N, 1046%Z); (10000, 64%N, 1707%Z);
        (10000, 128%N, 2653%Z); (100000, 64%N, 7757%Z); (500000, 32%N, 9937%Z); (500000, 64%N, 18438%Z);
        (1000000, 64%N, 27115%Z); (1000000, 128%N, 71627%Z); (5000000, 64%N, 82999%Z); (10000000, 64%N, 144660%Z);
        (25000000, 64%N, 137077%Z); (150000, 32%N, 2774%Z); (160000, 32%N, 5205%Z)]%positive ->
  forall length : Z, serves_below (IZR (Zpos base)) h length <-> (length <= first)%Z.
Proof.
move=> listed length; have negative := base_released_models_no_longer listed.
have first_ge0 : (0 <= first)%Z.
  by move: listed; do 15![case=> [[_ _ <-] // |]].
split=> [serving | length_le m m_range].
  have [lt_length | //] := Z.lt_ge_cases first length.
  by have := serving first (conj first_ge0 lt_length); lra.
by apply: (@scanned_serves base h first); [right; right; right; exact: listed | lia].
Qed.

(** base.larger-is-longer: A larger base need not serve more positions: for d = 128 the first distance
    m with B(m; b) < 0 is 144660 for b = 10^7 and already 137077 for b = 2.5·10^7. *)
Theorem base_larger_is_longer :
  (serves_below 10000000 64 144660 /\ unit_score 64 (frequency 10000000 128) 144660 < 0) /\
  (serves_below 25000000 64 137077 /\ unit_score 64 (frequency 25000000 128) 137077 < 0).
Proof.
have smaller : List.In (10000000%positive, 64%N, 144660%Z) first_failures by do 11!right; left.
have larger : List.In (25000000%positive, 64%N, 137077%Z) first_failures by do 12!right; left.
split; split.
- by apply: (@scanned_serves 10000000 64 144660); right; right; right.
- exact: (base_released_models_no_longer smaller).
- by apply: (@scanned_serves 25000000 64 137077); right; right; right.
- exact: (base_released_models_no_longer larger).
Qed.

(** base.upward-closed: The bases that serve a length, B(m; b) ≥ 0 for all 0 ≤ m ≤ L, need not be all
    the bases above some bound; a base above one that serves may fail: for d = 128 and L = 8192,
    84000 serves, 85000 and 100000 do not, 200000 does. *)
Theorem base_upward_closed :
  serves 84000 64 (2 ^ 13) /\ ~ serves 85000 64 (2 ^ 13) /\ ~ serves 100000 64 (2 ^ 13) /\
  serves 200000 64 (2 ^ 13).
Proof.
have [fails fails'] := base_upward_closed_8192; have power := power_2 13.
have lower : serves_below 84000 64 (Z.of_nat (2 ^ 13) + 1) by rewrite power; apply: scanned_serves; left.
have upper : serves_below 200000 64 (Z.of_nat (2 ^ 13) + 1) by rewrite power; apply: scanned_serves; right; left.
split; first exact: serves_belowP.
split; first exact fails.
split; first exact fails'.
exact: serves_belowP.
Qed.
