(** * What the attacks aim at: an instance of a library *)

From Interval Require Import Specific_bigint Specific_stdz Specific_ops.

Module Digits := SpecificFloat StdZRadix2.
