//! Commands in words: a convention as arguments, the file of an answer, and all as a shell reads it.

pub use posproof_encoding::arguments::arguments;
use std::path::Path;

/// A command as a POSIX shell reads it.
pub fn shell<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    let quoted = |word: &str| match word {
        "" => "''".to_owned(),
        word if word.chars().all(plain) => word.to_owned(),
        word => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// `probe-answer.safetensors` beside `probe.safetensors`.
pub fn answer(out: &Path, suffix: &str) -> String {
    let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = out.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!("{stem}-{suffix}.{extension}")).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::specification::Specification;
    use super::*;
    use clap::Parser;
    use posproof_encoding::convention::Convention;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        specification: Specification,
    }

    /// The convention that comes back when its arguments are read again.
    fn read_again(convention: &Convention) -> Convention {
        let arguments = [vec!["command".to_owned()], arguments(convention)].concat();
        let command = Command::try_parse_from(arguments).expect("arguments");
        command.specification.convention(convention.encoding).expect("a convention")
    }

    #[test]
    fn a_convention_survives_its_arguments() {
        let cases = [
            r#"{"encoding":"sinusoid","dim":64,"base":123.5,"frequency_origin":1,"layout":"halves","order":"cos-sin"}"#,
            r#"{"encoding":"sinusoid","dim":64,"frequency_spacing":"endpoints","position_offset":-2,"amplitude":"sqrt(2/64)"}"#,
            r#"{"encoding":"sinusoid","dim":64,"direction":"clockwise","position_scale":"1/3"}"#,
            r#"{"encoding":"rope","dim":128,"rotary_dim":32,"base":500000}"#,
            r#"{"encoding":"rope","dim":128,"scaling":{"rope_type":"yarn","factor":16,"original_max_position_embeddings":4096,"truncate":false}}"#,
            r#"{"encoding":"rope","dim":4,"scaling":{"rope_type":"longrope","short_factor":[1,2.5],"long_factor":[3,"1/7"],"original_max_position_embeddings":4096,"sequence_length":9}}"#,
            r#"{"encoding":"rope","dim":128,"scaling":{"rope_type":"proportional","partial_rotary_factor":0.25}}"#,
        ];
        for case in cases {
            let convention: Convention = serde_json::from_str(case).expect(case);
            assert_eq!(read_again(&convention), convention, "{:?}", arguments(&convention));
        }
        assert_eq!(arguments(&Convention::rope(64)), ["--dim", "64"]);
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(shell(["posproof", "sqrt(2/64)", "it's", ""]), r"posproof 'sqrt(2/64)' 'it'\''s' ''");
    }
}
