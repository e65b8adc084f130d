//! Every package that is linked has a licence that `deny.toml` names.

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};
use std::path::Path;
use std::process::Command;

/// Texts between quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Licences that every package may have, and those of single packages: each exception is `[package, licence, …]`.
fn stated() -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml")).expect("deny.toml");
    let licenses = text.split("[licenses]").nth(1).and_then(|rest| rest.split("\n[").next()).expect("[licenses]");
    let (allowed, exceptions) = licenses.split_once("exceptions").expect("exceptions");
    let exceptions = exceptions.lines().map(quoted).filter(|names| !names.is_empty()).collect();
    (quoted(allowed), exceptions)
}

fn is_one_of(allowed: &[String], wanted: &LicenseReq) -> bool {
    allowed.iter().any(|name| name.parse::<spdx::Licensee>().expect(name).satisfies(wanted))
}

fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let host = Command::new("rustc").arg("-vV").output().expect("rustc").stdout;
    let host = String::from_utf8(host).expect("UTF-8");
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let asked = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
    let metadata = Command::new(cargo).args(asked).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

#[test]
fn every_licence_is_allowed() {
    let (allowed, exceptions) = stated();
    let packages = packages();
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in &packages {
        let (name, licence) = (package["name"].as_str().expect("a name"), package["license"].as_str());
        let licence = licence.unwrap_or_else(|| panic!("{name} states no licence"));
        let expression = Expression::parse_mode(licence, ParseMode::LAX).expect(licence);
        let own = exceptions.iter().find(|names| names[0] == name).map_or(&[][..], |names| &names[1..]);
        let is_allowed = expression.evaluate(|wanted| is_one_of(&allowed, wanted) || is_one_of(own, wanted));
        assert!(is_allowed, "{name} has the licence {licence}, which deny.toml does not allow");
    }
}
