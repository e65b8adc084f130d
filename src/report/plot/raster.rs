//! Heat maps: cells as an image, in colours that suit a light and a dark page alike.
//!
//! A value's sign is a hue and its magnitude an opacity, so that 0 is the page's own background. The two
//! hues, blue and orange, are told apart by people with any of the common colour deficiencies.

use base64::Engine;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};

/// Blue, for what is above zero.
const ABOVE: [u8; 3] = [0x1f, 0x77, 0xc9];

/// Orange, for what is below zero.
const BELOW: [u8; 3] = [0xd9, 0x6a, 0x0b];

/// The palette's entry of the value 0; 127 entries on either side.
const ZERO: u8 = 127;

/// The palette's entry for a value of [−1, 1]; values outside stand at the ends.
///
/// ```
/// use posproof::report::plot::raster::shade;
/// assert_eq!([-2.0, -1.0, 0.0, 0.5, 1.0].map(shade), [0, 0, 127, 191, 254]);
/// ```
pub fn shade(value: f64) -> u8 {
    (value.clamp(-1.0, 1.0) * f64::from(ZERO) + f64::from(ZERO)).round() as u8
}

/// Colours and opacities, entry by entry.
fn palette() -> (Vec<u8>, Vec<u8>) {
    let colours = (0..=2 * ZERO).flat_map(|entry| if entry < ZERO { BELOW } else { ABOVE });
    let opacity = |entry: u8| (u32::from(entry.abs_diff(ZERO)) * 255 / u32::from(ZERO)) as u8;
    (colours.collect(), (0..=2 * ZERO).map(opacity).collect())
}

/// Cells as the data URI of a PNG, row by row from the top, `columns` in a row, by their shades.
///
/// The bytes depend on nothing but the cells. Nothing but memory can make the encoder fail; the error says so.
pub fn data_uri(columns: u32, cells: &[u8]) -> Result<String, png::EncodingError> {
    let rows = (cells.len() / columns.max(1) as usize) as u32;
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    let (colours, opacities) = palette();
    encoder.set_palette(colours);
    encoder.set_trns(opacities);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(cells)?;
    writer.finish()?;
    Ok(format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_holds_its_cells() {
        let cells: Vec<u8> = (0..=254).collect();
        let uri = data_uri(51, &cells).unwrap();
        let encoded = uri.strip_prefix("data:image/png;base64,").unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut decoded = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut decoded).unwrap();
        assert_eq!((frame.width, frame.height), (51, 5));
        assert_eq!(decoded, cells);
        let info = reader.info();
        let opacities = info.trns.as_ref().unwrap();
        assert_eq!((opacities[0], opacities[127], opacities[254]), (255, 0, 255));
        assert_eq!(data_uri(51, &cells).unwrap(), uri);
    }
}
