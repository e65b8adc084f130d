(** The formulas of [rounding_attention_online] and [rounding_attention_summed], over those of logits, weights and accumulators, as
    terms, with the proofs that they are the theorems'. *)

From Posproof Require Import RoundingSoftmaxScores RoundingSoftmax RoundingOnline RoundingRescaled.

(** (1 + t)^k, by the logarithm, which is enclosed once. *)
Definition grown (t k : term) : term := Exponential (Product k (Logarithm (one_more t))).

Lemma grown_value t (k : nat) : 0 < 1 + value t -> value (grown t (count_of k)) = ((1 + value t) ^ k)%R.
Proof.
  intros positive. unfold grown, one_more. cbn [value]. rewrite count_value.
  fold (Rpower (1 + value t) (INR k)). now apply Rpower_pow.
Qed.

Lemma plus_sharp F : 0 < 1 + value (sharp F).
Proof. rewrite sharp_value. pose proof (v_pos F). lra. Qed.

(** The error of a sum of products whose magnitudes are at most M. *)
Definition sum_error (A : accumulator) (first other N least : Z) (M : term) : term :=
  if (fraction A =? RoundingInstruction.result A)%Z then
    Product (even_term A first other N)
      (Sum M (Product (one_more (Product (Whole N) (share_term A other))) (Scaled 1 least)))
  else Product (slope_term A first other N) (Sum M (Scaled 1 least)).

Definition stored_error (S : format) (logits : option format) (sigma mu M computed : term) : term :=
  match logits with
  | None => computed
  | Some L => Sum (Sum computed (Product (sharp L) (Sum (scaled_score S sigma mu M M) computed))) (half_smallest L)
  end.

Definition gain_term (e : term) : term := Quotient (one_less (Exponential e)) (one_more (Exponential e)).

Lemma gain_value e : value (gain_term e) = gain (value e).
Proof. unfold gain_term, gain, one_less, one_more. cbn [value]. f_equal. ring. Qed.

(** ** Online order *)

Definition chain (F : format) (kappa m x : term) : term :=
  one_less (Product (grown (Product (Product (Whole 2) kappa) (unit_of F)) m) (Exponential (Product (sharp F) x))).

Lemma chain_value F kappa (m : nat) x : 0 <= value kappa ->
  value (chain F kappa (count_of m) x) = chain_relative F (value kappa) m (value x).
Proof.
  intros positive. pose proof (u_pos F) as u_pos. unfold chain, chain_relative, one_less.
  assert (above : 0 < 1 + value (Product (Product (Whole 2) kappa) (unit_of F))).
  { cbn [value]. rewrite unit_value. assert (0 <= 2 * value kappa * u F) by (apply Rmult_le_pos; lra). lra. }
  cbn [value] in *. rewrite (grown_value (Product (Product (Whole 2) kappa) (unit_of F)) m above).
  cbn [value]. now rewrite unit_value, sharp_value.
Qed.

Definition weights_online (F : format) (kappa m n omega sigma c : term) : term :=
  Sum (one_less (Product (one_more omega) (one_more (chain F kappa m (Logarithm n)))))
    (Product n (Sum (Product (one_more omega) sigma) c)).

Lemma weights_online_value F kappa (m n : nat) omega sigma c : 0 <= value kappa ->
  value (weights_online F kappa (count_of m) (count_of n) omega sigma c) =
  online_bound F (value kappa) m n (value omega) (value sigma) (value c).
Proof.
  intros positive. unfold weights_online, online_bound, one_more. cbn [value one_less].
  rewrite chain_value by assumption. cbn [value]. now rewrite count_value.
Qed.

(** ab is a times b. *)
Definition quotient_term (a ab W rho X : term) : term :=
  Quotient (Sum (Sum (Product X W) (Sum (Product a (Product X (one_more W))) ab)) (Product X rho)) (Difference (Whole 1) rho).

Definition online_term (e a ab W rho X omega chi : term) : term :=
  Sum (Sum (Sum (Product (Product (Whole 2) (gain_term e)) X) (Product (one_more omega) (quotient_term a ab W rho X)))
    (Product omega X)) chi.

Lemma online_value e a ab W rho X omega chi : value a <> 0 -> value (online_term e a ab W rho X omega chi) =
  2 * gain (value e) * value X
  + (1 + value omega) * quotient_bound (value a) (value ab / value a) (value W) (value rho) (value X)
  + value omega * value X + value chi.
Proof.
  intros some. unfold online_term, quotient_term, quotient_bound, one_more. cbn [value]. rewrite gain_value.
  replace (value a * (value X * (1 + value W) + value ab / value a)) with
    (value a * (value X * (1 + value W)) + value ab) by (field; exact some).
  reflexivity.
Qed.

(** ** Plain order *)

Definition normaliser_term (F : format) (kappa n theta : term) : term :=
  one_less (Product (one_more theta) (one_more (Sum (chain F kappa (Whole 1) (Logarithm n)) (Product n (Product kappa (smallest F)))))).

Lemma growth_value F kappa x : 0 <= value kappa -> value (chain F kappa (Whole 1) x) = growth F (value kappa) (value x).
Proof.
  intros positive. change (Whole 1) with (count_of 1). rewrite chain_value by assumption.
  unfold chain_relative, growth. now rewrite pow_1.
Qed.

Lemma normaliser_value F kappa (n : nat) theta : 0 <= value kappa ->
  value (normaliser_term F kappa (count_of n) theta) = normaliser F (value kappa) n (value theta).
Proof.
  intros positive. unfold normaliser_term, normaliser, one_less, one_more. cbn [value].
  rewrite growth_value by assumption. cbn [value]. now rewrite count_value, smallest_value.
Qed.

Definition weights_plain (F : format) (kappa n theta omega chi : term) : term :=
  let R := normaliser_term F kappa n theta in
  Sum (Sum (Product (one_more omega)
    (Quotient (Sum (Sum (chain F kappa (Whole 1) (Logarithm n)) R) (Product n (Product kappa (smallest F)))) (Difference (Whole 1) R)))
    omega) (Product n chi).

Lemma weights_plain_value F kappa (n : nat) theta omega chi : 0 <= value kappa ->
  value (weights_plain F kappa (count_of n) theta omega chi) =
  weights_bound F (value kappa) n (value theta) (value omega) (value chi).
Proof.
  intros positive. unfold weights_plain, weights_bound, one_more. cbn [value].
  rewrite growth_value, normaliser_value by assumption. cbn [value]. now rewrite count_value, smallest_value.
Qed.

(** 2 gain(ε) X, and the formula of [rounding_attention_summed], rounded once more. *)
Definition plain_term (e a b W X omega chi : term) : term :=
  let summed := Sum (Sum (Product W X) (Product a (Product (one_more W) X))) b in
  Sum (Sum (Sum (Product (Product (Whole 2) (gain_term e)) X) (Product (one_more omega) summed)) (Product omega X)) chi.

Lemma plain_value e a b W X omega chi : value (plain_term e a b W X omega chi) =
  2 * gain (value e) * value X
  + (1 + value omega) * (value W * value X + value a * ((1 + value W) * value X) + value b)
  + value omega * value X + value chi.
Proof. unfold plain_term, one_more. cbn [value]. now rewrite gain_value. Qed.

(** ** The kernel *)

(** An accumulator, terms that lose in a first instruction and in others, instructions, groups, and the least exponent. *)
Definition sums := (accumulator * Z * Z * Z * Z * Z)%type.

Definition registers (groups : Z) : term := Product (Whole (groups - 1)) (sharp binary32).

(** Evenly is the bound of results with as many bits as are kept, of an accumulator that is multiplied before [often] instructions. *)
Definition value_slope (evenly : bool) (often : Z) (s : sums) : term :=
  let '(A, first, other, N, groups, least) := s in
  let even := Product (even_term A first other N) (one_more (Product (Whole often) (Scaled 1 (- fraction A)))) in
  Sum (if evenly then even else slope_term A first other N) (registers groups).

Lemma even_slope_value A first other N (often : nat) : (0 < N)%nat ->
  value (Product (even_term A (Z.of_nat first) (Z.of_nat other) (Z.of_nat N))
    (one_more (Product (Whole (Z.of_nat often)) (Scaled 1 (- fraction A))))) =
  even_slope A first other N * (1 + INR often * bpow radix2 (- fraction A)).
Proof. intros some. cbn [value one_more]. rewrite even_value by assumption. rewrite <- INR_IZR_INZ. ring. Qed.

(** Of products as they are shrunk: registers alone, and more than 0. *)
Definition shrunk_slope (S : format) (s : sums) : term :=
  let '(_, _, _, _, groups, _) := s in Sum (registers groups) (smallest S).

Definition value_floor (evenly : bool) (s : sums) : term :=
  let '(A, first, other, N, groups, least) := s in
  let once :=
    if evenly then Product (even_term A first other N) (Product (one_more (Product (Whole N) (share_term A other))) (Scaled 1 least))
    else Product (slope_term A first other N) (Scaled 1 least) in
  Product (Whole groups) once.

(** The errors of weights in blocks of which a share of their sum is lost, or each loses so much: any of the pairs is a bound. *)
Fixpoint blocks_term (shares : list (term * term)) (before n factor other : term) : term :=
  match shares with
  | nil => other
  | (share, lost) :: rest =>
      Least (Sum (one_less (Product (one_more share) (one_more before))) (Product n (Product lost factor)))
        (blocks_term rest before n factor other)
  end.

(** [cast] is the format that weights are cast to, its precision and the exponent of its smallest number; R counts rescalings, of which
    plain order has none; a group has [often] of them. *)
Definition kernel (S : format) (kappa : term) (plain : bool) (dim n R : nat) (scores values : sums) (Q K X : term)
    (logits : option format) (cast : Z * Z) (shares : list (term * term)) (up : Z) (out : format) (evenly : bool) (often : Z) : term :=
  let '(A, first, other, N, _, least) := scores in
  let M := Product Q K in
  let exact := (4 ^ (Z.log2 (Z.of_nat dim) / 2) =? Z.of_nat dim)%Z in
  let sigma := Quotient (Whole 1) (Root (count_of dim)) in
  let mu := if exact then Whole 0 else sharp S in
  let e := stored_error S logits sigma mu M (scaled_score S sigma mu M (sum_error A first other N least M)) in
  let w := Scaled 1 (- fst cast) in
  let omega := Quotient w (one_more w) in
  let c := Quotient (Scaled 1 (snd cast - up)) (Whole 2) in
  let count := count_of n in
  let normal := Scaled 1 (emin S + precision S - 1) in
  if plain then
    let half := half_smallest S in
    let relative := one_less (Product (one_more omega) (one_more (sharp S))) in
    let absolute := Sum (Product (one_more omega) half) c in
    let theta := Product (one_less count) (sharp S) in
    let flushed := Product count (Product (Whole 4) normal) in
    let uncast := Sum (weights_plain S kappa count theta (sharp S) half) flushed in
    let whole := one_more (Product (Whole 2) uncast) in
    let W := match shares with
      | nil => Least (Sum (weights_plain S kappa count theta relative absolute) flushed) whole
      | _ => blocks_term shares uncast count (Whole 1) whole
      end in
    Least
      (plain_term e (value_slope evenly 0 values) (Product (value_floor evenly values) (Scaled 1 (- up))) W X (sharp out) (half_smallest out))
      (plain_term e (shrunk_slope S values) (Whole 0) whole X (sharp out) (half_smallest out))
  else
    let m := count_of (R + 1) in
    let tau := Sum (Product kappa (smallest S)) normal in
    let depth := Product (Whole 2) (Sum (scaled_score S sigma mu M M) e) in
    let tiny := Product (Product m tau) (Product (one_more (chain S kappa m depth)) (grown tau m)) in
    let rescaled k := grown (sharp S) (count_of k) in
    let weighted := one_less (Product (one_more omega) (rescaled R)) in
    let factors := Sum (chain S kappa m (Logarithm count)) (Product count tiny) in
    let moved := one_less (Product (one_more (one_more (Product (Whole 2) factors))) (rescaled R)) in
    let W := match shares with
      | nil => Least (weights_online S kappa m count weighted tiny c) moved
      | _ => blocks_term shares (one_less (Product (one_more factors) (rescaled R))) count (rescaled R) moved
      end in
    let rho := one_less (Product (rescaled (R + n - 1)%nat) (one_more (Sum (chain S kappa m (Logarithm count)) (Product count tiny)))) in
    let several := Nat.ltb 0 R in
    let floor := value_floor evenly values in
    let floor := if several then Sum (Product (Whole 2) floor) (Product (count_of R) (smallest S)) else floor in
    let twice := one_less (Product (one_more (sharp out)) (Product (one_more (sharp S)) (one_more (sharp S)))) in
    let underflows := Product (count_of R) (smallest S) in
    Least
      (online_term e (value_slope evenly often values) (Product floor (Scaled 1 (- up))) W rho X twice (half_smallest out))
      (online_term e (shrunk_slope S values) (Product underflows (Scaled 1 (- up))) moved rho X twice (half_smallest out)).

Definition sums_of (F r first other N groups least : Z) : option sums :=
  match Z_le_dec 2 F, Z_le_dec 2 r with
  | left F_ge2, left r_ge2 => Some (Accumulator F r F_ge2 r_ge2, first, other, N, groups, least)
  | _, _ => None
  end.

Definition kernel_close (case : term * (format * term * bool * (nat * nat * nat) * (option sums * option sums) *
    (term * term * term) * option format * (Z * Z) * list (term * term) * Z * format * bool * Z)) : bool :=
  let '(bound, (soft, kappa, plain, (dim, n, R), (scores, values), (Q, K, X), logits, cast, shares, up, out, evenly, often)) := case in
  match scores, values with
  | Some scores, Some values => close (bound, kernel soft kappa plain dim n R scores values Q K X logits cast shares up out evenly often)
  | _, _ => false
  end.
