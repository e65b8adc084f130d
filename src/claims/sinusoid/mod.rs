//! `sinusoid`: the encoding itself.

super::claims! {
    definition: Definition,
    bounded: Bounded,
    sine_only: SineOnly,
    wavelengths: Wavelengths,
    pair_period: PairPeriod,
    periodic_component: PeriodicComponent,
    no_integer_cycle: NoIntegerCycle,
    real_cycle: RealCycle,
    separation: Separation,
    neighbours: Neighbours,
    any_base: AnyBase,
    extrapolation: Extrapolation,
    fourier: Fourier,
}
