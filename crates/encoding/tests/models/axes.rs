//! Conventions of several axes from configurations, against those that were read from the modelling code.

use posproof_encoding::axes::AxialConvention;
use posproof_encoding::model::{Model, Problem, Stated};
use serde_json::Value;

/// The family's convention, as the judgements of axes have it.
fn family(name: &str) -> AxialConvention {
    let all: Value = serde_json::from_str(include_str!("../../../check/tests/axes/families.json")).unwrap();
    serde_json::from_value(all[name].clone()).unwrap()
}

/// Slots, frequencies and layout of two conventions that are written otherwise.
fn same(name: &str, found: &AxialConvention, stated: &AxialConvention) {
    let [found, stated] = [found, stated].map(|one| one.law(|_| Err("none".into())).unwrap());
    assert_eq!((found.span(), found.turns()), (stated.span(), stated.turns()), "{name}");
    for (found, stated) in found.axes().iter().zip(stated.axes()) {
        assert_eq!((found.name(), found.slots()), (stated.name(), stated.slots()), "{name}");
        assert_eq!(found.frequency_law(), stated.frequency_law(), "{name}");
        assert_eq!((found.offset(), found.scale()), (stated.offset(), stated.scale()), "{name}");
    }
    assert_eq!(found.axes().len(), stated.axes().len(), "{name}");
}

const QWEN2_VL: &str = r#"{"model_type": "qwen2_vl", "hidden_size": 8192, "num_attention_heads": 64, "num_hidden_layers": 80,
    "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
    "vision_config": {"embed_dim": 1280, "hidden_size": 8192, "num_heads": 16}}"#;

const QWEN3_VL: &str = r#"{"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", "head_dim": 128,
    "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 36, "max_position_embeddings": 262144, "rope_theta": 5000000,
    "rope_scaling": {"rope_type": "default", "mrope_interleaved": true, "mrope_section": [24, 20, 20]}},
    "vision_config": {"hidden_size": 1152, "num_heads": 16}}"#;

fn text(config: &str) -> Result<AxialConvention, Problem> {
    let model = Model::read(config, &Stated::default()).map_err(|error| error.problem)?;
    let rotation = model.kinds[0].rotation.as_ref().unwrap();
    model.sectioned(rotation).map(|(convention, _)| convention).map_err(|error| error.problem)
}

#[test]
fn sections_of_text_parts_are_the_families() {
    same("qwen2-vl", &text(QWEN2_VL).unwrap(), &family("qwen2-vl"));
    same("qwen3-vl", &text(QWEN3_VL).unwrap(), &family("qwen3-vl"));
}

#[test]
fn grids_of_vision_parts_are_the_families() {
    let pixtral = r#"{"model_type": "pixtral", "head_dim": 64, "rope_theta": 10000.0}"#;
    let llama4 = r#"{"model_type": "llama4", "vision_config": {"model_type": "llama4_vision_model", "hidden_size": 1408,
        "num_attention_heads": 16, "rope_theta": 10000}}"#;
    for (name, config) in [("qwen2-vision", QWEN2_VL), ("pixtral", pixtral), ("llama4-vision", llama4)] {
        let (convention, source) = Model::vision(config).unwrap();
        same(name, &convention, &family(name));
        assert!(source.contains("transformers"), "{source}");
    }
    // 1152/16 = 72 entries: 18 pairs an axis.
    let (convention, _) = Model::vision(QWEN3_VL).unwrap();
    assert_eq!((convention.dim, convention.axes[0].pairs.len()), (72, 18));
}

/// The base and the width of a vision part are those of its file: where it states them, under either name, once.
#[test]
fn what_a_vision_part_states_decides() {
    let base = |config: &str| Model::vision(config).map(|(convention, _)| convention.parameters.base.unwrap());
    let with = |more: &str| QWEN3_VL.replace("\"num_heads\": 16}}", &format!("\"num_heads\": 16, {more}}}}}"));
    assert_eq!(base(QWEN3_VL).unwrap(), 10_000.into());
    assert_eq!(
        base(&with("\"rope_parameters\": {\"rope_type\": \"axial\", \"rope_theta\": 500}")).unwrap(),
        500.into()
    );
    assert_eq!(base(&with("\"rope_theta\": 250")).unwrap(), 250.into());
    let problem = |more: &str| Model::vision(&with(more)).unwrap_err().problem;
    assert_eq!(problem("\"rope_theta\": 250, \"rope_parameters\": {\"rope_theta\": 500}"), Problem::Contradiction);
    assert_eq!(problem("\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 500}"), Problem::WrongValue);
    assert_eq!(problem("\"head_dim\": 64"), Problem::Contradiction);
    assert!(Model::vision(&with("\"head_dim\": 72")).is_ok());
    let renamed = QWEN3_VL.replace("num_heads\": 16}}", "num_attention_heads\": 16}}");
    assert_eq!(Model::vision(&renamed).unwrap().0.dim, 72);
}

/// A part that names a family of its own is of that, whatever the whole is.
#[test]
fn a_vision_part_may_be_of_another_family() {
    let llava = |part: &str| {
        format!(r#"{{"model_type": "mistral3", "vision_config": {{"model_type": "{part}", "head_dim": 64}}}}"#)
    };
    let (convention, source) = Model::vision(&llava("pixtral")).unwrap();
    assert!(convention.dim == 64 && source.contains("PixtralVisionRotaryEmbedding"), "{source}");
    assert_eq!(Model::vision(&llava("siglip_vision_model")).unwrap_err().problem, Problem::UnknownFamily);
    let other =
        QWEN3_VL.replace("\"vision_config\": {", "\"vision_config\": {\"model_type\": \"siglip_vision_model\", ");
    assert_eq!(Model::vision(&other).unwrap_err().problem, Problem::UnknownFamily);
    let own = QWEN3_VL.replace("\"vision_config\": {", "\"vision_config\": {\"model_type\": \"qwen3_vl\", ");
    assert_eq!(Model::vision(&own).unwrap().0.dim, 72);
}

#[test]
fn what_is_left_out_is_not_assumed() {
    let none = QWEN2_VL.replace("\"mrope_section\": [16, 24, 24]", "\"mrope_section\": []");
    assert_eq!(text(&none), Err(Problem::Missing));
    let short = QWEN2_VL.replace("[16, 24, 24]", "[16, 24, 23]");
    assert_eq!(text(&short), Err(Problem::Contradiction));
    let vision = |config: &str| Model::vision(config).unwrap_err();
    let error = vision(&QWEN2_VL.replace("\"embed_dim\": 1280, ", ""));
    assert_eq!((error.problem, error.key.as_str()), (Problem::Missing, "vision_config.embed_dim"));
    assert_eq!(vision(&QWEN2_VL.replace("1280", "1288")).problem, Problem::WrongValue);
    assert_eq!(vision(r#"{"model_type": "llama"}"#).problem, Problem::UnknownFamily);
    assert_eq!(vision("{").problem, Problem::Syntax);
}
