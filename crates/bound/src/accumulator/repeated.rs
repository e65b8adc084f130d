//! One step of a sum, many times.

use posproof_numerics::format::{exponent_of, power_of_two};

/// An accumulator after so many equal steps, each an addition that is rounded or truncated to a grid of its result's binade.
///
/// From one number of a binade to the next a step adds the same, or one of two amounts of which ties to even alternate. So where two steps
/// in a row add the same, all others in the binade do.
pub(crate) fn repeated(c: f64, times: u64, step: impl Fn(f64) -> f64) -> f64 {
    let (mut c, mut rest) = (c, times);
    while rest > 0 {
        let next = step(c);
        if next == c || rest == 1 {
            return next;
        }
        let after = step(next);
        rest -= 2;
        let by = after - next;
        if by == 0.0 {
            return after;
        }
        let exponent = exponent_of(after);
        let alike = |number: f64| exponent_of(number) == exponent && number.signum() == after.signum();
        if next - c == by && alike(c) && alike(next) && after.is_finite() {
            let room = match by.signum() == after.signum() {
                true => power_of_two(exponent + 1) - after.abs(),
                false => after.abs() - power_of_two(exponent),
            };
            let many = ((room / by.abs()).floor() - 1.0).max(0.0).min(rest as f64);
            c = after + many * by;
            rest -= many as u64;
        } else {
            c = after;
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::super::{Accumulator, Term};
    use super::repeated;
    use posproof_numerics::format::power_of_two;
    use posproof_numerics::narrow::Narrow;
    use posproof_numerics::{Element, format::Format};

    /// Random bits that are the same everywhere.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % limit
        }

        fn signed(&mut self, bits: u32, binades: u64) -> f64 {
            let magnitude = (1.0 + self.below(1 << bits) as f64 * power_of_two(-(bits as i32)))
                * power_of_two(-(self.below(binades) as i32));
            if self.below(2) == 0 { magnitude } else { -magnitude }
        }
    }

    fn step_by_step(c: f64, times: u64, step: impl Fn(f64) -> f64) -> f64 {
        (0..times).fold(c, |c, _| step(c))
    }

    #[test]
    fn sums_to_nearest_are_those_of_single_steps() {
        let mut draw = Draw(7);
        let mut many = 0;
        for _ in 0..3000 {
            // Few bits, so that many are ties.
            let (start, by) = (f64::from(draw.signed(23, 20) as f32), f64::from(draw.signed(2, 34) as f32));
            let times = draw.below(5000);
            let step = |c: f64| Format::F32.round(c + by);
            let found = repeated(start, times, step);
            assert_eq!(found, step_by_step(start, times, step), "{start} {by} {times}");
            many += u32::from(found != start);
        }
        assert!(many > 1000, "{many}");
    }

    #[test]
    fn instructions_are_those_of_single_steps() {
        let mut draw = Draw(5);
        let e4m3 = [Element::Narrow(Narrow::E4m3); 2];
        let mut many = 0;
        for accumulator in Accumulator::published().into_iter().filter(|row| row.group == 1) {
            for _ in 0..400 {
                let binades = 1 + draw.below(8);
                let terms: Vec<Term> = (0..accumulator.terms)
                    .map(|_| Term::product([draw.signed(3, binades), draw.signed(3, 6)], e4m3))
                    .collect();
                // Digits of binary32, as after a rescaling.
                let start = f64::from((1e3 * draw.signed(23, 12)) as f32);
                let times = draw.below(600);
                let step = |c: f64| accumulator.instruction(&terms, c);
                let found = repeated(start, times, step);
                assert_eq!(found, step_by_step(start, times, step), "{} {start} {times}", accumulator.name);
                many += u32::from(found != start);
            }
        }
        assert!(many > 1000, "{many}");
    }
}
