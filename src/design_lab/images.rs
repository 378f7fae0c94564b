//! Images that are part of a task: how an image is recognised, by its bytes and never by its name, and how many and how large images
//! may be.
//!
//! A run keeps the bytes in its directory, in a file named after their digest, so a resumed run sends the same image even if the
//! attached file has changed since.

use crate::shared::figures::size;
use kernel::digest::sha256_of;
use kernel::json::Deserialize;
use kernel::protocol::KeptFile;
use serde::Serialize;

/// The most bytes of one image.
pub(super) const LARGEST: u64 = 5 * 1024 * 1024;
/// The most bytes of all images together.
pub(super) const TOTAL: u64 = 16 * 1024 * 1024;
/// The most images.
pub(super) const MOST: usize = 8;
/// The most pixels of one image, in millions: OpenCode decodes each image before it sends it.
pub(super) const MEGAPIXELS: u64 = 50;
/// The longest name that a journal may contain, in bytes.
const LONGEST_NAME: usize = 4_096;

/// The supported formats: name, MIME type, and file extension.
const FORMATS: [(&str, &str, &str); 4] = [
    ("PNG", "image/png", "png"),
    ("JPEG", "image/jpeg", "jpg"),
    ("GIF", "image/gif", "gif"),
    ("WebP", "image/webp", "webp"),
];

/// An image that is part of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Image {
    /// The name, as the user wrote it.
    pub name: String,
    /// Where the run keeps it, and how it is recognised.
    pub file: KeptFile,
}

/// What the bytes of an image show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeenImage {
    /// The width in pixels; 0 if the bytes don't show it.
    pub width: u32,
    /// The height in pixels; 0 if the bytes don't show it.
    pub height: u32,
    /// Where a run keeps it.
    pub file: KeptFile,
}

/// Returns the image in these bytes; `None` when they are not of a known format.
pub fn look(bytes: &[u8]) -> Option<SeenImage> {
    let (format, measured) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        (0, png(bytes))
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        (1, jpeg(bytes))
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        (2, Some((little(bytes, 6, 2), little(bytes, 8, 2))))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        (3, webp(bytes))
    } else {
        return None;
    };
    let (width, height) = measured.unwrap_or_default();
    let (_, mime, _) = FORMATS[format];
    Some(SeenImage { width, height, file: kept(mime, bytes.len() as u64, sha256_of(bytes))? })
}

/// Returns where a run keeps the image of this type and digest; `None` when the type is not supported.
fn kept(mime: &str, bytes: u64, sha256: String) -> Option<KeptFile> {
    let (_, _, ending) = FORMATS.iter().find(|(_, known, _)| *known == mime)?;
    Some(KeptFile { path: format!("attachments/{sha256}.{ending}"), mime: mime.to_owned(), bytes, sha256 })
}

/// Width and height, from the header that has to come first.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    (bytes.get(12..16)? == b"IHDR").then(|| (big(bytes, 16, 4), big(bytes, 20, 4)))
}

/// Width and height, from the first segment that begins a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = *bytes.get(at + 1).filter(|_| bytes[at] == 0xff)?;
        match marker {
            // Fill bytes.
            0xff => at += 1,
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(bytes, at + 7, 2), big(bytes, at + 5, 2)));
            }
            _ => at += 2 + big(bytes, at + 2, 2).max(2) as usize,
        }
    }
}

/// Width and height, from the first chunk: lossy, lossless, or extended.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((little(bytes, 26, 2) & 0x3fff, little(bytes, 28, 2) & 0x3fff)),
        b"VP8L" => {
            let packed = little(bytes, 21, 4);
            bytes.get(24).map(|_| ((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => bytes.get(29).map(|_| (little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)),
        _ => None,
    }
}

/// A big-endian number of `length` bytes; 0 if they are missing.
fn big(bytes: &[u8], at: usize, length: usize) -> u32 {
    let digits = bytes.get(at..at.saturating_add(length)).unwrap_or_default();
    digits.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// A little-endian number of `length` bytes; 0 if they are missing.
fn little(bytes: &[u8], at: usize, length: usize) -> u32 {
    let digits = bytes.get(at..at.saturating_add(length)).unwrap_or_default();
    digits.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The name of the format; empty if it is unknown.
pub(super) fn format_of(file: &KeptFile) -> &'static str {
    FORMATS.iter().find(|(_, mime, _)| *mime == file.mime).map_or("", |(format, ..)| format)
}

/// `shot.png (PNG, 12 KB)`.
pub(super) fn named(image: &Image) -> String {
    format!("{} ({}, {})", image.name, format_of(&image.file), size(image.file.bytes))
}

/// Checks the images that a journal lists; the error is the end of a sentence.
pub(super) fn admit(images: &[Image]) -> Result<(), String> {
    let plain = |image: &Image| {
        let KeptFile { mime, bytes, sha256, .. } = &image.file;
        sha256.len() == 64
            && sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            && *bytes <= LARGEST
            && image.name.len() <= LONGEST_NAME
            && kept(mime, *bytes, sha256.clone()).as_ref() == Some(&image.file)
    };
    match images.iter().find(|image| !plain(image)) {
        Some(_) => Err("an image isn't named by what is in it".to_owned()),
        None if images.len() > MOST => Err(format!("{} images", images.len())),
        None => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The header of a PNG, as much of it as is examined.
    pub(in crate::design_lab) fn png(width: u32, height: u32) -> Vec<u8> {
        let header =
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &width.to_be_bytes()[..], &height.to_be_bytes()].concat();
        [&header[..], &[8, 6, 0, 0, 0, 1, 2, 3, 4]].concat()
    }

    fn jpeg(before: &[u8], frame: u8) -> Vec<u8> {
        [b"\xff\xd8", before, &[0xff, frame, 0, 17, 8, 1, 2, 3, 4, 3]].concat()
    }

    fn webp(chunk: &str, rest: &[u8]) -> Vec<u8> {
        [b"RIFF\0\0\0\0WEBP", chunk.as_bytes(), &[0; 4], rest].concat()
    }

    /// Kind, width and height.
    type Told = (&'static str, u32, u32);

    #[test]
    fn what_an_image_is_its_bytes_tell() {
        let exif = [&[0xff, 0xe1, 0, 6, 0xff, 0xc0, 9, 9][..], &[0xff, 0xff]].concat();
        let cases: Vec<(&str, Vec<u8>, Option<Told>)> = vec![
            ("png", png(640, 480), Some(("image/png", 640, 480))),
            ("a huge one", png(100_000, 100_000), Some(("image/png", 100_000, 100_000))),
            ("cut off", png(640, 480)[..22].to_vec(), Some(("image/png", 640, 0))),
            ("no header", b"\x89PNG\r\n\x1a\n".to_vec(), Some(("image/png", 0, 0))),
            ("gif", b"GIF89a\x02\x01\x03\0".to_vec(), Some(("image/gif", 258, 3))),
            ("jpeg", jpeg(&[0xff, 0xe0, 0, 4, 1, 2], 0xc0), Some(("image/jpeg", 772, 258))),
            (
                "jpeg, filled and with what looks like a frame",
                jpeg(&exif, 0xc2),
                Some(("image/jpeg", 772, 258)),
            ),
            ("jpeg, tables alone", jpeg(&[0xff, 0xc4, 0, 2], 0xda), Some(("image/jpeg", 0, 0))),
            (
                "jpeg of segments without end",
                [&[0xff, 0xd8][..], &[0xff, 0xe0, 0, 0].repeat(99)].concat(),
                Some(("image/jpeg", 0, 0)),
            ),
            ("webp", webp("VP8 ", &[0, 0, 0, 0x9d, 1, 0x2a, 7, 0x40, 9, 0x80]), Some(("image/webp", 7, 9))),
            ("webp, lossless", webp("VP8L", &[0x2f, 6, 0, 2, 0]), Some(("image/webp", 7, 9))),
            ("webp, extended", webp("VP8X", &[0, 0, 0, 0, 6, 0, 0, 8, 0, 0]), Some(("image/webp", 7, 9))),
            ("webp of another kind", webp("ALPH", &[0; 30]), Some(("image/webp", 0, 0))),
            ("svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), None),
            ("html", b"<!doctype html>".to_vec(), None),
            ("bmp", b"BM\0\0\0\0".to_vec(), None),
            ("wave", b"RIFF\0\0\0\0WAVE".to_vec(), None),
            ("nothing", vec![], None),
        ];
        for (what, bytes, expected) in cases {
            let seen = look(&bytes);
            let found = seen.as_ref().map(|seen| (seen.file.mime.as_str(), seen.width, seen.height));
            assert_eq!(found, expected, "{what}");
        }
        let file = look(&png(1, 1)).unwrap().file;
        assert_eq!((file.bytes, file.path), (33, format!("attachments/{}.png", file.sha256)));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_looked_at(
            start in prop::sample::select(vec![&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8L", b"RIFF\0\0\0\0WEBPVP8X", b""]),
            rest in prop::collection::vec(prop_oneof![Just(0xff_u8), Just(0xc0), any::<u8>()], 0..80),
        ) {
            if let Some(seen) = look(&[start, &rest].concat()) {
                let image = Image { name: "x".to_owned(), file: seen.file };
                prop_assert_eq!(admit(&[image]), Ok(()));
            }
        }
    }
}
