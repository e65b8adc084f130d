//! Work beside the interpreter: without its lock, and ended by Ctrl-C.

use super::errors::internal;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks at the signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Request to end the work: asked wherever rows are read or written.
#[derive(Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// True if it should.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does the work on threads of its own. A signal whose handler raises stops it, and what was raised is returned.
///
/// # Errors
///
/// Exception that a signal's handler raised; `RuntimeError` for a panic.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    let stop = Stop::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = channel();
            let work = || catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&stop))));
            scope.spawn(move || done.send(work()));
            loop {
                match wait.recv_timeout(PATIENCE) {
                    Ok(Ok(result)) => return Ok(result),
                    Ok(Err(panic)) => {
                        let text = panic.downcast_ref::<String>().map(String::as_str);
                        return Err(internal(text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")));
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err(internal("a thread ended without an answer")),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(raised) = Python::attach(|py| py.check_signals()) {
                            stop.0.store(true, Ordering::Relaxed);
                            return Err(raised);
                        }
                    }
                }
            }
        })
    })
}

/// The threads of this process. Those of a process that was forked are not there, so that it gets its own.
fn pool() -> PyResult<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, pool)) = known.as_ref().filter(|(of, _)| *of == process) {
        return Ok(Arc::clone(pool));
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().map_err(|error| internal(format!("no threads: {error}")))?);
    // The pool of the parent would wait for threads that are not there.
    std::mem::forget(known.replace((process, Arc::clone(&pool))));
    Ok(pool)
}
