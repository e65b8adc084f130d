//! The `.npz` format: a ZIP archive of `.npy` files.

use super::{About, Array, InvalidInput, choose, npy};
use std::fs::File;
use std::io::Read;
use zip::{CompressionMethod, ZipArchive};

/// A compressed array is unpacked into a temporary file: this bounds it.
const MAX_UNPACKED: u64 = 1 << 36;

/// Opens an array of the archive.
pub fn open(file: File, path: &str, name: Option<&str>) -> Result<Array, InvalidInput> {
    let about = About(path);
    let corrupt = |place: &str, error: zip::result::ZipError| {
        about.error(place, "a ZIP archive of .npy files", error.to_string(), "write it again with numpy.savez")
    };
    let reopened = file.try_clone().map_err(|error| about.unreadable("the file", &error))?;
    let mut archive = ZipArchive::new(file).map_err(|error| corrupt("the archive", error))?;
    let members: Vec<String> =
        archive.file_names().filter_map(Result::ok).filter_map(|n| n.strip_suffix(".npy").map(str::to_owned)).collect();
    let names: Vec<&str> = members.iter().map(String::as_str).collect();
    let chosen = choose(about, name, &names)?;
    let full = format!("{path}:{chosen}");
    let mut member = archive.by_name(&format!("{chosen}.npy")).map_err(|error| corrupt(chosen, error))?;
    let plain = member.compression() == CompressionMethod::Stored && !member.encrypted();
    if let (true, Some(start)) = (plain, member.data_start()) {
        let length = member.size().min(member.compressed_size());
        drop(member);
        let size = reopened.metadata().map_err(|error| about.unreadable("the file", &error))?.len();
        let length = length.min(size.saturating_sub(start));
        return npy::open(reopened, start, length, &full);
    }
    let mut unpacked = tempfile::tempfile().map_err(|error| about.unreadable("a temporary file", &error))?;
    let copied = std::io::copy(&mut (&mut member).take(MAX_UNPACKED + 1), &mut unpacked)
        .map_err(|error| about.unreadable(chosen, &error))?;
    if copied > MAX_UNPACKED {
        let expected = format!("at most {MAX_UNPACKED} bytes when unpacked");
        return Err(about.error(chosen, expected, "more", "save the array uncompressed, with numpy.savez"));
    }
    npy::open(unpacked, 0, copied, &full)
}
