//! Progress bars.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar that counts `length` things of a kind, such as claims, on standard error if that is a terminal, else nothing.
pub fn progress(length: usize, unit: &str) -> ProgressBar {
    let terminal = std::io::stderr().is_terminal();
    bar(length, unit, if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() })
}

/// The message takes what room there is, so that the line never wraps.
fn bar(length: usize, unit: &str, target: ProgressDrawTarget) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    match ProgressStyle::with_template(&format!("{{bar:16}} {{pos}}/{{len}} {unit} {{elapsed}} {{wide_msg}}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal of 60 columns that remembers what was written.
    #[derive(Clone, Debug, Default)]
    struct Narrow(Arc<Mutex<Vec<String>>>);

    impl TermLike for Narrow {
        fn width(&self) -> u16 {
            60
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push(text.to_owned());
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_bar_names_what_it_counts_and_fits_sixty_columns() {
        let terminal = Narrow::default();
        let bar = bar(131072, "rows", ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        bar.set_message("toeplitz.shift-invariance, attention.encoding-breaks-symmetry");
        bar.inc(131072);
        bar.tick();
        let written = terminal.0.lock().unwrap();
        assert!(written.iter().any(|text| text.contains("131072/131072 rows")), "{written:?}");
        for text in written.iter() {
            assert!(text.trim_end().chars().count() <= 60, "{text}");
        }
    }
}
