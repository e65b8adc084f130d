//! Bytes of a file, of which those that are read again stay in memory.
//!
//! A right array is read once, and nothing of it is kept. A wrong one is compared with many hypotheses: it is read at most three times as
//! far as it is kept. A page is read whole where its bytes were read once and a quarter of them again; samples read less.

use std::fs::File;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes that are kept together.
const PAGE: u64 = 1 << 18;

/// Bytes that are kept, at most: 131072 rows of 512 numbers in binary32.
const MOST: u64 = 1 << 28;

/// The bytes of a file from one of them on.
#[derive(Debug)]
pub(super) struct Pages {
    file: File,
    start: u64,
    pages: OnceLock<Vec<Page>>,
}

/// A page of a file.
#[derive(Debug)]
struct Page {
    length: u64,
    /// Bytes that were read of it while it was not kept.
    read: AtomicU64,
    kept: OnceLock<Vec<u8>>,
}

impl Pages {
    pub fn new(file: File, start: u64) -> Self {
        Self { file, start, pages: OnceLock::new() }
    }

    /// Fills a buffer with the bytes from number `at` on.
    pub fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let mut rest = bytes;
        let mut at = at;
        while !rest.is_empty() {
            let within = (at % PAGE) as usize;
            let (part, others) = rest.split_at_mut(rest.len().min(PAGE as usize - within));
            match self.kept(at / PAGE, part.len() as u64)? {
                Some(page) => {
                    let here = page.get(within..within + part.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
                    part.copy_from_slice(here);
                }
                None => read_at(&self.file, part, self.start.saturating_add(at))?,
            }
            at += part.len() as u64;
            rest = others;
        }
        Ok(())
    }

    /// A page of which so many bytes are asked, if it is kept.
    fn kept(&self, number: u64, asked: u64) -> io::Result<Option<&[u8]>> {
        let pages = self.pages.get_or_init(|| self.all());
        let Some(page) = usize::try_from(number).ok().and_then(|number| pages.get(number)) else { return Ok(None) };
        if let Some(kept) = page.kept.get() {
            return Ok(Some(kept));
        }
        let read = page.read.fetch_add(asked, Relaxed) + asked;
        if read <= page.length + page.length / 4 {
            return Ok(None);
        }
        let mut whole = vec![0; page.length as usize];
        read_at(&self.file, &mut whole, self.start + number * PAGE)?;
        Ok(Some(page.kept.get_or_init(|| whole)))
    }

    /// The pages that may be kept: none of what has no length.
    fn all(&self) -> Vec<Page> {
        let length = self.file.metadata().map_or(0, |file| file.len().saturating_sub(self.start)).min(MOST);
        let page = |start: u64| {
            let length = (length - start).min(PAGE);
            Page { length, read: AtomicU64::new(0), kept: OnceLock::new() }
        };
        (0..length).step_by(PAGE as usize).map(page).collect()
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                bytes = &mut bytes[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Bytes are those of the file, in any order and across pages, and no page is read from the file more than three times.
    #[test]
    fn pages_that_are_read_again_are_kept() {
        let count = 2 * PAGE + 777;
        let bytes: Vec<u8> = (0..count).map(|at| (at * at % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let pages = Pages::new(file, 5);
        let read = |at: u64, count: usize| {
            let mut out = vec![0; count];
            pages.read(&mut out, at).unwrap();
            assert!(out == bytes[at as usize + 5..][..count], "{at}");
        };
        let kept = || pages.pages.get().unwrap().iter().filter(|page| page.kept.get().is_some()).count();
        // A sample, and one pass.
        for at in (0..count - 300).step_by(20000) {
            read(at, 256);
        }
        for at in (0..count - 5).step_by(5000) {
            read(at, (count - 5 - at).min(5000) as usize);
        }
        assert_eq!(kept(), 0);
        for _ in 0..3 {
            for at in (0..count - 5).step_by(7000) {
                read(at, (count - 5 - at).min(7000) as usize);
            }
        }
        assert_eq!(kept(), 3);
        let of = |page: &Page| page.read.load(Relaxed) + page.length <= 3 * page.length;
        assert!(pages.pages.get().unwrap().iter().all(of));
        let mut beyond = [0; 8];
        assert!(pages.read(&mut beyond, count - 6).is_err());
    }
}
