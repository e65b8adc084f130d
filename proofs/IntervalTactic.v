(** * The interval tactic over unbounded binary floating-point numbers

    CoqInterval's default tactic computes with the machine's primitive floats
    and integers, which adds some sixty axioms to every theorem it proves.
    Here the same tactic is instantiated on floating-point numbers whose
    mantissa and exponent are Coq's own binary integers [Z]: slower, and
    without any axiom about primitive numbers.

    Dictionary
      StdZFloat       == the floating-point numbers m * 2^e, m and e in Z
      StdZInterval    == CoqInterval's tactics over these numbers
      StdZEnclosure   == CoqInterval's intervals and functions over them
      i_prec p        == option: compute with p bits of precision
      i_bisect x, i_autodiff x, i_taylor x, i_degree n, i_depth n, i_fuel p,
      i_width w, i_relwidth p, i_delay == CoqInterval's other options

    Use: [From Posproof Require Import IntervalTactic.], then [interval],
    [interval with (i_prec 90)], [interval_intro ...], [integral], [root].
    Do not import [Interval.Tactic] beside this file: it would bring back the
    default instance. *)

From Interval Require Import Specific_stdz Specific_ops Float_full.
From Interval Require Tactic.

Module StdZFloat := SpecificFloat StdZRadix2.
Module StdZInterval := Tactic.IntervalTactic StdZFloat.
Export StdZInterval.
Module StdZEnclosure := FloatIntervalFull StdZFloat.

Notation i_prec := Tactic.i_prec (only parsing).
Notation i_bisect := Tactic.i_bisect (only parsing).
Notation i_autodiff := Tactic.i_autodiff (only parsing).
Notation i_taylor := Tactic.i_taylor (only parsing).
Notation i_degree := Tactic.i_degree (only parsing).
Notation i_depth := Tactic.i_depth (only parsing).
Notation i_fuel := Tactic.i_fuel (only parsing).
Notation i_width := Tactic.i_width (only parsing).
Notation i_relwidth := Tactic.i_relwidth (only parsing).
Notation i_delay := Tactic.i_delay (only parsing).
