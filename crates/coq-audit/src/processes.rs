//! The processes that are running, so that none of them outlives this program.

use std::io;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The processes, each the leader of a group of its own; none where no more are to be started.
static RUNNING: Mutex<Option<Vec<u32>>> = Mutex::new(Some(Vec::new()));

fn running() -> MutexGuard<'static, Option<Vec<u32>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a command to its end and takes what it prints; none where [`stop`] was called before or ends it.
pub fn output(command: &mut Command) -> io::Result<Option<Output>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = {
        // Held until the process is listed, so that none starts unseen while all are ended.
        let mut running = running();
        let Some(listed) = running.as_mut() else { return Ok(None) };
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        listed.push(child.id());
        child
    };
    let process = child.id();
    let output = child.wait_with_output();
    match running().as_mut() {
        Some(listed) => listed.retain(|other| *other != process),
        None => return Ok(None),
    }
    output.map(Some)
}

/// Ends all processes that [`output`] has started, and lets it start no more: to be called when this program is ended.
pub fn stop() {
    let ended = running().take().unwrap_or_default();
    #[cfg(unix)]
    for process in ended {
        if let Some(process) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
            // One that has just ended by itself is gone already.
            let _ = rustix::process::kill_process_group(process, rustix::process::Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    drop(ended);
}
