//! Colours that are drawn together are told apart, also by those who see fewer.

type Colour = [f64; 3];

/// Linear sRGB as it is seen with normal sight and without one kind of cone: Machado, Oliveira, Fernandes 2009, severity
/// 1.
const SIGHTS: [(&str, [Colour; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

/// The difference in OKLab that is just noticed, as CSS Color 4 (section 13.2) takes it.
const NOTICED: f64 = 0.02;

/// Lines and marks, thin as they are, are to be this many such differences apart.
const APART: f64 = 5.0;

/// Contrast with the page: WCAG 2.2, success criterion 1.4.11.
const CONTRAST: f64 = 3.0;

fn linear(hex: &str) -> Colour {
    let channel = |at: usize| {
        let c = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    [channel(1), channel(3), channel(5)]
}

fn times(matrix: &[Colour; 3], [r, g, b]: Colour) -> Colour {
    matrix.map(|row| row[0] * r + row[1] * g + row[2] * b)
}

/// OKLab (Ottosson 2020) of linear sRGB.
fn oklab(colour: Colour) -> Colour {
    let cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ];
    let lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ];
    times(&lab, times(&cones, colour.map(|c| c.max(0.0))).map(f64::cbrt))
}

fn distance(a: Colour, b: Colour) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

fn luminance([r, g, b]: Colour) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// The colours of a group in each block of the style sheet that sets them, with the paper of that block.
fn palettes(group: &str) -> Vec<(Colour, Vec<(String, Colour)>)> {
    let style = concat!(include_str!("../../templates/report.css"), include_str!("../../templates/print.css"));
    let blocks = style.split('}').filter(|block| block.contains("--paper:"));
    let value = |declaration: &str| {
        let (name, value) = declaration.trim().rsplit_once("--")?.1.split_once(": ")?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    blocks
        .map(|block| {
            let declared: Vec<(String, String)> = block.split(';').filter_map(value).collect();
            let paper = declared.iter().find(|(name, _)| name == "paper").expect("a background");
            let of = declared.iter().filter(|(name, _)| name.starts_with(group));
            (linear(&paper.1), of.map(|(name, hex)| (name.clone(), linear(hex))).collect())
        })
        .collect()
}

#[test]
fn colours_of_one_drawing_are_told_apart_by_everyone() {
    for group in ["format-", "path-"] {
        let palettes = palettes(group);
        assert_eq!(palettes.len(), 4, "light, dark by the system, dark by choice, paper");
        for (paper, colours) in palettes {
            assert_eq!(colours.len(), 4, "{group}");
            for (index, (name, colour)) in colours.iter().enumerate() {
                let (light, dark) =
                    (luminance(*colour).max(luminance(paper)), luminance(*colour).min(luminance(paper)));
                assert!((light + 0.05) / (dark + 0.05) >= CONTRAST, "{name} on the page");
                for (other, second) in &colours[..index] {
                    for (sight, matrix) in &SIGHTS {
                        let far = distance(oklab(times(matrix, *colour)), oklab(times(matrix, *second)));
                        assert!(far >= APART * NOTICED, "{name} and {other} with {sight}: {far:.3}");
                    }
                }
            }
        }
    }
}
