//! The Rust loader of `docs/vectors.md`, word for word.

/// (position, pair, component, value in f32) of every test in a file.
pub fn load(path: &str) -> Vec<(u64, usize, &'static str, f32)> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(file["schema"], "posproof.vectors/1");
    let mut entries = Vec::new();
    for group in file["groups"].as_array().expect("groups") {
        for test in group["tests"].as_array().expect("tests") {
            let (position, pair) = (test["position"].as_u64().unwrap(), test["pair"].as_u64().unwrap());
            for component in ["cos", "sin"] {
                let bits = u32::from_str_radix(test[component]["f32"].as_str().unwrap(), 16).expect("hex digits");
                entries.push((position, pair as usize, component, f32::from_bits(bits)));
            }
        }
    }
    entries
}
