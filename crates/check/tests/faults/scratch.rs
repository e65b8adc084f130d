use crate::corpus::sparse;
use crate::everywhere::{faulty, named};
use crate::specimen::{Kind, Setting};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::Format;
#[test]
fn scratch() {
    for name in std::env::var("CASES").unwrap().split(',') {
        let kind = match std::env::var("KIND").unwrap().as_str() {
            "t" => Kind::Table,
            "c" => Kind::Cache,
            _ => Kind::Rotation,
        };
        let setting = Setting {
            name: "x",
            positions: sparse(std::env::var("LAST").map_or(9000, |l| l.parse().unwrap())),
            format: Format::F32,
            heads: 1,
        };
        let promised = Convention { layout: Layout::Halves, ..kind.convention(64) };
        let specimen = faulty(kind, named(name).1, &promised, &setting);
        let start = std::time::Instant::now();
        let report = specimen.check();
        println!("{name} {:?}\n{}", start.elapsed(), report.to_string().lines().take(8).collect::<Vec<_>>().join("\n"));
        for f in &report.findings {
            println!("{}", serde_json::to_string(f).unwrap().chars().take(900).collect::<String>());
        }
        println!("{}", specimen.identify());
    }
}
