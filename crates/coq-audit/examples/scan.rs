//! scan
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        match posproof_coq_audit::recursion::Recursions::of(&bytes) {
            Ok(found) => {
                for (name, words) in found.of { println!("{path} {name}: {words:?}"); }
                for (name, words) in found.refused { println!("{path} REFUSED {name}: {words:?}"); }
            }
            Err(error) => println!("{path} ERROR {error}"),
        }
    }
}
