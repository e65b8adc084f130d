//! `yarn`: YaRN.

crate::claims::claims! {
    length_scaling: LengthScaling,
    temperature_value: TemperatureValue,
    ratio_base: RatioBase,
    ramp: Ramp,
    closer: Closer,
}
