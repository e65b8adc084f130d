//! The `.npz` format: a ZIP archive of `.npy` files.

use super::{About, Array, InvalidInput, choose, npy};
use posproof_table::arrays::atomic::require_space;
use std::fs::File;
use std::io::Read;
use zip::{CompressionMethod, ZipArchive};

/// A compressed array is unpacked into a temporary file: this bounds it.
const MAX_UNPACKED: u64 = 1 << 34;

/// Reads a member to its end, where its reader compares the CRC-32 of all that it has read with the one that the archive
/// states: one flipped bit is a damaged file, and no wrong entry.
fn require_checksum(member: &mut impl Read, full: &str) -> Result<(), InvalidInput> {
    let advice = "the file is damaged: copy it again, or write it again with numpy.savez";
    let damaged = |error: std::io::Error| {
        let expected = "bytes with the CRC-32 that the archive states";
        About(full).error("the array", expected, error.to_string(), advice)
    };
    std::io::copy(&mut member.take(MAX_UNPACKED), &mut std::io::sink()).map(drop).map_err(damaged)
}

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
        require_checksum(&mut member, &full)?;
        drop(member);
        let size = reopened.metadata().map_err(|error| about.unreadable("the file", &error))?.len();
        let length = length.min(size.saturating_sub(start));
        return npy::open(reopened, start, length, &full);
    }
    // The header says how much there is to unpack, and whether it is worth it.
    let length = member.size();
    let preamble = npy::preamble(&mut member, length, &full)?;
    let about = About(&full);
    let bytes = preamble.entries;
    if bytes > MAX_UNPACKED {
        let expected = format!("at most {MAX_UNPACKED} bytes when unpacked");
        let advice = "save the array uncompressed, with numpy.savez";
        return Err(about.error("the entries", expected, format!("{bytes} bytes"), advice));
    }
    let place = "a temporary file to unpack it into";
    let mut unpacked = tempfile::tempfile().map_err(|error| about.unreadable(place, &error))?;
    require_space(&unpacked, bytes).map_err(|error| about.unreadable(place, &error))?;
    let copied = std::io::copy(&mut (&mut member).take(bytes), &mut unpacked)
        .map_err(|error| about.unreadable("the entries", &error))?;
    require_checksum(&mut member, &full)?;
    if copied < bytes {
        let advice = "the archive is truncated: write it again with numpy.savez";
        return Err(about.error("the entries", format!("{bytes} bytes"), format!("{copied} bytes"), advice));
    }
    Ok(preamble.array(unpacked, 0, &full))
}
