//! End of the program by a signal: nothing half-written stays.

use posproof_table::arrays::atomic::remove_unfinished;

/// Removes unfinished files when the program is interrupted (Ctrl-C, Ctrl-\\), terminated, hung up or beyond a limit of its
/// time or of the size of files, does what `also` does, and then lets the signal do what it does.
#[cfg(unix)]
pub fn clean_up(also: fn()) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ];
    let signals = all.into_iter().filter(|signal| !is_ignored(*signal));
    let Ok(mut signals) = Signals::new(signals) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove_unfinished();
            also();
            // Ends the program by that signal, as its caller expects.
            let _ = emulate_default_handler(signal);
        }
    });
}

/// True if a signal is ignored, as `nohup` has it with SIGHUP: then it stays so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // Elsewhere than on Linux nobody says, and a program under `nohup` must go on.
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return signal == signal_hook::consts::SIGHUP;
    };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Elsewhere the temporary file stays where the program is ended from outside.
#[cfg(not(unix))]
pub fn clean_up(_also: fn()) {}
