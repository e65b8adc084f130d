//! Scaling rules as configurations state them.

use super::keys::{Keys, number, shortened};
use super::{InvalidConfig, Note, NoteKind, Origin, Problem, Setting};
use crate::atlas::StyleRow;
use crate::real::Real;
use crate::scaling::Scaling;
use posproof_numerics::Rational;
use serde_json::Map;

const ORIGINAL: &str = "original_max_position_embeddings";
const LONGEST: &str = "max_position_embeddings";

/// Source of a rule.
pub(super) struct Source<'a, 'c> {
    /// The parameters of the rule.
    pub own: &'a Keys<'c>,
    /// The configuration.
    pub root: &'a Keys<'c>,
    /// The family's reading of this style of file.
    pub row: &'a StyleRow,
    /// The family's defaults.
    pub defaults: &'a Map<String, serde_json::Value>,
    /// Keys among the parameters that mean something else, or nothing.
    pub beside: Vec<&'a str>,
}

/// A rule, or none, with the origins of its parameters.
#[derive(Default)]
pub(super) struct Rule {
    pub scaling: Option<Scaling>,
    pub values: Vec<Setting>,
    pub notes: Vec<Note>,
    /// The name that the file has for it, where it is not `default`.
    pub name: Option<String>,
}

/// Keys that stand among the parameters and are read elsewhere.
const ELSEWHERE: [&str; 6] =
    ["rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved"];

impl Source<'_, '_> {
    pub fn read(&self) -> Result<Rule, InvalidConfig> {
        let own = self.own;
        let (new, old) = (own.text("rope_type")?, own.text("type")?);
        let key = if new.is_some() { "rope_type" } else { "type" };
        let Some(name) = new.or(old) else {
            self.explained(&[])?;
            return Ok(Rule::default());
        };
        if let (Some(new), Some(old)) = (new, old) {
            // Qwen2-VL's files say `mrope` in the old spelling and `default` in the new one.
            if new != old && (new, old) != ("default", "mrope") {
                let found = format!("'{old}', and rope_type '{new}'");
                return Err(own.problem(Problem::Contradiction, "type", found, "the same rule in both spellings"));
            }
        }
        if name == "default" {
            self.explained(&[])?;
            return Ok(Rule::default());
        }
        let outcome = self.row.rule(name);
        let known = if name == "su" { "longrope" } else { name };
        let mut rule = Rule { name: Some(name.to_owned()), ..Rule::default() };
        match outcome {
            Some(true) if name == "mrope" => {
                self.explained(&[])?;
                return Ok(Rule::default());
            }
            Some(true) => {}
            Some(false) => {
                let message = format!("'{name}' scaling has no effect in this family");
                rule.notes.push(Note { kind: NoteKind::Ignored, key: own.place(key), message });
                return Ok(rule);
            }
            None => {
                let found = format!("'{name}'");
                let expected = "a rule that this family's module computes as it is defined, as measured";
                return Err(own.problem(Problem::NotExpressible, key, found, expected));
            }
        }
        if known == "dynamic" && own.get("alpha").is_some() && self.row.rule("dynamic.alpha") == Some(true) {
            return self.alpha(rule, own.place(key));
        }
        let keys = Scaling::parameters(known).ok_or_else(|| {
            let expected = format!("default or one of {}", Scaling::NAMES.join(", "));
            own.wrong(key, format!("'{name}'"), expected)
        })?;
        self.explained(keys)?;
        let mut made = Map::from_iter([("rope_type".to_owned(), known.into())]);
        rule.say("scaling", known, Origin::File { keys: vec![own.place(key)] });
        for &parameter in keys {
            match parameter {
                "sequence_length" => {}
                ORIGINAL if known == "dynamic" => {
                    if own.get(ORIGINAL).is_some() {
                        rule.note(
                            NoteKind::Ignored,
                            own.place(ORIGINAL),
                            "dynamic scaling counts from max_position_embeddings",
                        );
                    }
                    let (length, origin) = self.longest()?;
                    made.insert(ORIGINAL.into(), length.into());
                    rule.say("scaling.original_max_position_embeddings", &length.to_string(), origin);
                }
                ORIGINAL => {
                    let (length, origin) = self.original(&mut rule)?;
                    made.insert(ORIGINAL.into(), length.into());
                    rule.say("scaling.original_max_position_embeddings", &length.to_string(), origin);
                }
                _ => self.parameter(known, parameter, &mut made, &mut rule)?,
            }
        }
        // A factor of null is the quotient of the lengths.
        let unsaid = own.map().get("factor").is_some_and(serde_json::Value::is_null);
        if known == "yarn" && unsaid && self.row.rule("yarn.factor") == Some(true) {
            let (longest, origin) = self.longest()?;
            let length = made.get(ORIGINAL).and_then(serde_json::Value::as_u64).unwrap_or(1).max(1);
            let ratio = Real::from(Rational::from((longest, length)));
            made.insert("factor".into(), ratio.to_string().into());
            rule.say("scaling.factor", &ratio.to_string(), origin);
        }
        if known == "longrope" && !made.contains_key("factor") {
            if self.row.rule("longrope.factor") != Some(true) {
                let expected = "the factor: this family does not take it from the lengths";
                return Err(own.problem(Problem::Missing, "factor", "nothing", expected));
            }
            let (longest, origin) = self.longest()?;
            let length = made.get(ORIGINAL).and_then(serde_json::Value::as_u64).unwrap_or(1).max(1);
            let ratio = Real::from(Rational::from((longest, length)));
            // The attention factor of a ratio of at most 1 is 1.
            if *ratio.value() > 1 {
                made.insert("factor".into(), ratio.to_string().into());
            }
            rule.say("scaling.factor", &ratio.to_string(), origin);
        } else if let Some(factor) = made.get("factor").and_then(number).filter(|_| known == "longrope")
            && *factor.value() <= 1
        {
            made.remove("factor");
        }
        rule.scaling =
            Some(from_parameters(made).map_err(|error| {
                own.problem(Problem::Missing, key, format!("{name}, {}", error.found), error.expected)
            })?);
        Ok(rule)
    }

    /// Hunyuan's α under the name of dynamic scaling: the base is base·α^(n/(n − 2)) at every length, which is the NTK-aware
    /// rule of that factor.
    fn alpha(&self, mut rule: Rule, place: String) -> Result<Rule, InvalidConfig> {
        let own = self.own;
        let mut keys = vec!["alpha", "factor"];
        if self.row.rule("dynamic.alpha.beside") == Some(true) {
            keys.extend(["beta_fast", "beta_slow", "mscale", "mscale_all_dim"]);
        }
        self.explained(&keys)?;
        for key in &keys[1..] {
            if own.get(key).is_some() {
                rule.note(NoteKind::Ignored, own.place(key), "it has no effect in this family where alpha is given");
            }
        }
        let Some(factor) = own.real("alpha")?.filter(|alpha| *alpha.value() > 0) else {
            let found = own.get("alpha").map(ToString::to_string).unwrap_or_default();
            return Err(own.wrong("alpha", found, "a number > 0"));
        };
        rule.say("scaling", "ntk", Origin::File { keys: vec![place, own.place("alpha")] });
        rule.say("scaling.factor", &factor.to_string(), Origin::File { keys: vec![own.place("alpha")] });
        rule.scaling = Some(Scaling::Ntk { factor });
        Ok(rule)
    }

    /// Every key among the parameters is one of the rule's.
    fn explained(&self, keys: &[&str]) -> Result<(), InvalidConfig> {
        // A plain rotation ignores the length that it was trained on; files keep it.
        let known = |key: &str| {
            ELSEWHERE.contains(&key)
                || keys.contains(&key)
                || self.beside.contains(&key)
                || keys.is_empty() && key == ORIGINAL
        };
        match self.own.names().find(|key| !known(key)) {
            None => Ok(()),
            Some(key) => {
                let found = self.own.get(key).map(ToString::to_string).unwrap_or_default();
                let expected = if keys.is_empty() {
                    "no parameter of a scaling rule without one".to_owned()
                } else {
                    format!("a parameter that the rule has: {}", keys.join(", "))
                };
                Err(self.own.problem(Problem::Unexplained, key, shortened(&found), expected))
            }
        }
    }

    fn parameter(
        &self,
        rule_name: &str,
        key: &str,
        made: &mut Map<String, serde_json::Value>,
        rule: &mut Rule,
    ) -> Result<(), InvalidConfig> {
        let own = self.own;
        let field = format!("scaling.{key}");
        let Some(value) = own.get(key) else {
            if matches!(key, "beta_fast" | "beta_slow" | "truncate" | "attention_factor") {
                let value = match key {
                    "beta_fast" => "32",
                    "beta_slow" => "1",
                    "truncate" => "true",
                    _ => "from the factor",
                };
                rule.say(&field, value, Origin::Rule);
            }
            return Ok(());
        };
        match key {
            "short_factor" | "long_factor" => {
                let list = value.as_array().filter(|list| list.iter().all(|item| number(item).is_some()));
                if list.is_none() {
                    return Err(own.wrong(key, shortened(&value.to_string()), "a list of numbers"));
                }
            }
            "truncate" => {
                own.truth(key)?;
            }
            _ => {
                let number = own.real(key)?;
                // Zero turns of YaRN are the default, as in the software.
                if key.starts_with("beta") && number.is_some_and(|number| number.is_zero()) {
                    rule.say(&field, if key == "beta_fast" { "32" } else { "1" }, Origin::Rule);
                    return Ok(());
                }
            }
        }
        let measured = match key {
            "mscale_all_dim" => "yarn.mscale".to_owned(),
            _ => format!("{rule_name}.{key}"),
        };
        let asked =
            matches!(rule_name, "yarn" | "longrope") && self.row.rules.contains_key(&measured) && key != "factor";
        match self.row.rule(&measured) {
            Some(false) if asked => {
                let message = format!("{key} has no effect in this family's {rule_name} scaling");
                rule.notes.push(Note { kind: NoteKind::Ignored, key: own.place(key), message });
                return Ok(());
            }
            None if asked => {
                let expected = "no value: this family's module does something else with it";
                return Err(own.problem(Problem::NotExpressible, key, shortened(&value.to_string()), expected));
            }
            _ => {}
        }
        made.insert(key.to_owned(), value.clone());
        rule.say(&field, &shortened(&value.to_string()), Origin::File { keys: vec![own.place(key)] });
        Ok(())
    }

    /// `max_position_embeddings`, of the file or the family.
    fn longest(&self) -> Result<(u64, Origin), InvalidConfig> {
        if let Some(length) = self.root.integer(LONGEST)? {
            return Ok((length, Origin::File { keys: vec![self.root.place(LONGEST)] }));
        }
        match self.defaults.get(LONGEST).and_then(serde_json::Value::as_u64) {
            Some(length) => Ok((length, Origin::Family { key: Some(LONGEST.into()) })),
            None => {
                Err(self.root.problem(Problem::Missing, LONGEST, "nothing", "the length, on which the rule depends"))
            }
        }
    }

    /// The original length, from where the family takes it.
    fn original(&self, rule: &mut Rule) -> Result<(u64, Origin), InvalidConfig> {
        let (own, root) = (self.own, self.root);
        let row = self.row.original();
        let file = |keys: &Keys<'_>| Origin::File { keys: vec![keys.place(ORIGINAL)] };
        let family = |length| (length, Origin::Family { key: Some(ORIGINAL.into()) });
        let default = self.defaults.get(ORIGINAL).and_then(serde_json::Value::as_u64);
        match (root.integer(ORIGINAL)?, own.integer(ORIGINAL)?) {
            (Some(outer), Some(inner)) if outer != inner => {
                let taken = match row.and_then(|row| row.wins.as_deref()) {
                    Some("root") => (outer, file(root)),
                    Some("inner") => (inner, file(own)),
                    _ => {
                        let found = format!("{inner}, and {outer} beside the parameters");
                        return Err(own.problem(
                            Problem::Contradiction,
                            ORIGINAL,
                            found,
                            "the same length in both places",
                        ));
                    }
                };
                let message =
                    format!("{inner} among the parameters and {outer} beside them; the family takes {}", taken.0);
                rule.notes.push(Note { kind: NoteKind::Contradiction, key: own.place(ORIGINAL), message });
                Ok(taken)
            }
            (Some(length), Some(_)) => Ok((length, file(own))),
            (Some(length), None) => Ok((length, file(root))),
            (None, Some(inner)) => match (row, default) {
                (Some(row), _) if row.inner => Ok((inner, file(own))),
                (_, Some(default)) if default == inner => Ok((inner, file(own))),
                (_, Some(default)) => {
                    let message = format!(
                        "the family takes its own {default} where the file has no {ORIGINAL} beside the parameters"
                    );
                    rule.notes.push(Note { kind: NoteKind::Contradiction, key: own.place(ORIGINAL), message });
                    Ok(family(default))
                }
                _ => Ok((inner, file(own))),
            },
            (None, None) => match (row.and_then(|row| row.absent.as_deref()), default) {
                (Some("longest"), _) => self.longest(),
                (Some("default"), Some(default)) => Ok(family(default)),
                _ => {
                    Err(own.problem(Problem::Missing, ORIGINAL, "nothing", "the length that the model was trained on"))
                }
            },
        }
    }
}

impl Rule {
    fn say(&mut self, field: &str, value: &str, origin: Origin) {
        self.values.push(Setting { field: field.to_owned(), value: value.to_owned(), origin });
    }

    fn note(&mut self, kind: NoteKind, key: String, message: &str) {
        self.notes.push(Note { kind, key, message: message.to_owned() });
    }
}

/// A scaling rule from a JSON object with its name (`rope_type`) and parameters.
///
/// # Errors
///
/// [`InvalidConfig`], with the parameters that the rule has.
pub fn scaling_rule(rule: &str) -> Result<Scaling, InvalidConfig> {
    match super::json::parse(rule)? {
        serde_json::Value::Object(rule) => from_parameters(rule),
        other => Err(InvalidConfig {
            problem: Problem::WrongValue,
            key: "the scaling rule".into(),
            found: super::keys::kind(&other).into(),
            expected: "a JSON object".into(),
        }),
    }
}

fn from_parameters(rule: Map<String, serde_json::Value>) -> Result<Scaling, InvalidConfig> {
    let name = rule.get("rope_type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    let known = Scaling::parameters(&name).unwrap_or_default().join(", ");
    serde_json::from_value(serde_json::Value::Object(rule)).map_err(|error| InvalidConfig {
        problem: Problem::WrongValue,
        key: format!("{name} scaling"),
        found: error.to_string(),
        expected: format!("the parameters {known}"),
    })
}
