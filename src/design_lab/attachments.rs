//! The attachments of a command: which become part of the task, and which are refused before anything is paid for.
//!
//! The shell lists first and reads later. [`listing`] selects the entries to look at, folder by folder; [`screen`] selects the files
//! to read; [`include()`] turns what was read into text. Designers and reviewers get all of it with every request, so its size is
//! limited, and anything that is neither text nor an image ([`images`]) is refused.

use crate::design_lab::images::{self, Image, SeenImage};
use crate::design_lab::isolation::{holds_keys, is_environment_file, is_for_people, is_kept, is_kept_at};
use crate::shared::figures::{count, size};
use design_lab_numerics::sorting::sort;
use kernel::error_codes;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

error_codes! {
    /// Why an attachment can't be part of the task.
    pub enum AttachmentCode {
        /// It is empty.
        Empty => "attachment.empty",
        /// It belongs to a run, a session of Flow or a validation.
        Kept => "attachment.kept",
        /// It doesn't have the requested lines.
        NoSuchLines => "attachment.no-such-lines",
        /// Its name or type says that it is an image, but it isn't one that can be sent.
        NotAnImage => "attachment.not-an-image",
        /// It is not text.
        NotText => "attachment.not-text",
        /// It is a link that points outside the project.
        Outside => "attachment.outside",
        /// It may hold secrets.
        Secret => "attachment.secret",
        /// It is too large on its own.
        TooLarge => "attachment.too-large",
        /// All attachments together are too large.
        TooMuch => "attachment.too-much",
    }
}

/// The most bytes of one file.
const LARGEST: u64 = 256 * 1024;
/// The most bytes of all attachments together.
const TOTAL: u64 = 512 * 1024;
/// The most bytes of a file from which only some lines are attached.
const LARGEST_TO_CUT: u64 = 16 * 1024 * 1024;
/// The most files and folders that are listed for one attached folder.
const MOST_ENTRIES: usize = 1_000;
/// How many bytes of text count as one token.
const BYTES_PER_TOKEN: u64 = 4;

/// Folders that tools create: a user who attaches the parent folder doesn't want them included.
const NOISE: [&str; 13] = [
    ".cache",
    ".git",
    ".gradle",
    ".hg",
    ".idea",
    ".mypy_cache",
    ".next",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "node_modules",
    "venv",
];
const IMAGES: [&str; 11] = ["avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "png", "tif", "tiff", "webp"];

/// Something that the user attached, as the shell found it. None of it has been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Attached {
    /// The name, as the user wrote it.
    pub name: String,
    /// The MIME type that the host gives it.
    pub mime: String,
    /// The requested lines; `None` for all of them.
    pub lines: Option<Lines>,
    /// Whether it is the user's own design, which is not part of the task.
    #[serde(default)]
    pub own: bool,
    /// What it is.
    pub content: Content,
}

/// Lines of a file, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lines {
    /// The first line.
    pub first: u32,
    /// The last line; `None` for all that follow.
    pub last: Option<u32>,
}

/// What an attachment is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Content {
    /// A file on this machine.
    File {
        /// The absolute path, as the user named it.
        path: String,
        /// The absolute path, with links resolved.
        real: String,
        /// The size in bytes.
        #[cfg_attr(test, ts(type = "number"))]
        size: u64,
    },
    /// A folder on this machine.
    Folder {
        /// The absolute path, as the user named it.
        path: String,
        /// The absolute path, with links resolved.
        real: String,
        /// The files in it and in its subfolders.
        files: Vec<Entry>,
        /// Whether there are more files.
        more: bool,
        /// What was left out of it.
        #[serde(default)]
        left_out: LeftOut,
    },
    /// Content that was pasted into the command.
    Pasted {
        /// The size in bytes.
        #[cfg_attr(test, ts(type = "number"))]
        size: u64,
    },
    /// Something that can't be read.
    Other {
        /// What it is, in words that follow "It is".
        what: String,
    },
}

/// How many entries of a folder are left out because of what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOut {
    /// Files whose names suggest that they hold keys.
    pub keys: u32,
    /// Files and folders that git ignores.
    pub ignored: u32,
}

/// A file in a folder that was attached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Entry {
    /// The path relative to that folder, with `/` between segments.
    pub path: String,
    /// The size in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub size: u64,
}

/// A folder that the shell has looked into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Folder {
    /// The absolute path, with links resolved.
    pub path: String,
    /// What is in it. Links are left out because they may point anywhere.
    pub children: Vec<Child>,
    /// How many files and folders of the attachment were listed so far.
    pub known: usize,
    /// The most files and folders to list, if not as many as for an attachment.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub most: Option<usize>,
    /// The absolute paths of the output directories of runs.
    pub outputs: Vec<String>,
}

/// A file or folder in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Child {
    /// Its name.
    pub name: String,
    /// Whether it is a folder.
    pub folder: bool,
    /// Whether git ignores it.
    #[serde(default)]
    pub ignored: bool,
}

/// The entries of a folder to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Listing {
    /// The entries, in the order in which to look at them.
    pub children: Vec<Child>,
    /// Whether entries were left out because the limit was reached.
    pub more: bool,
    /// What else was left out.
    pub left_out: LeftOut,
}

/// An attachment and what was read of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Attachment {
    /// The attachment.
    pub attached: Attached,
    /// The files that [`screen`] selected.
    pub read: Vec<Read>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Read {
    /// The path relative to the attachment; empty for the attachment itself.
    pub path: String,
    /// Its text; `None` when the bytes are not UTF-8.
    pub text: Option<String>,
    /// The image in its bytes, if there is one.
    #[serde(default)]
    pub image: Option<SeenImage>,
}

/// Returns the sorted entries of a folder to look at, without files of tools, secrets, files that runs keep, and entries that git
/// ignores.
pub fn listing(folder: &Folder) -> Listing {
    let is_noise = |child: &Child| {
        let path = format!("{}/{}", folder.path.trim_end_matches(['/', '\\']), child.name);
        if child.folder {
            NOISE.contains(&child.name.as_str())
                || is_kept(&[child.name.as_str()])
                || folder.outputs.iter().any(|output| same_path(output, &path))
        } else {
            child.name == ".DS_Store"
        }
    };
    let mut left_out = LeftOut::default();
    let mut children: Vec<Child> = Vec::new();
    for child in folder.children.iter().filter(|child| !is_noise(child)) {
        if !child.folder && is_secret(&format!("{}/{}", folder.path, child.name)) {
            left_out.keys += 1;
        } else if child.ignored {
            left_out.ignored += 1;
        } else {
            children.push(child.clone());
        }
    }
    sort(&mut children);
    let left = folder.most.unwrap_or(MOST_ENTRIES).saturating_sub(folder.known);
    let more = children.len() > left;
    children.truncate(left);
    Listing { children, more, left_out }
}

/// What attachments add to the task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Included {
    /// The text that is appended to the user's own.
    pub text: String,
    /// Images, in the order in which the text names them.
    pub images: Vec<Image>,
    /// A sentence for the user about the texts.
    pub note: Option<String>,
}

/// Returns the files to read of each attachment, by their path relative to it (empty for the attachment itself), or all problems with
/// the attachments. `roots` are the project and its worktree, `outputs` the directories where runs are kept, each as named and with
/// links resolved.
pub fn screen(
    attached: &[Attached],
    roots: &[String],
    outputs: &[String],
) -> Result<Vec<Vec<String>>, Vec<Problem>> {
    let mut problems = Vec::new();
    let (mut whole, mut large) = (0, Vec::new());
    let own = own_files(attached);
    for one in attached.iter().filter(|one| !is_own(one, &own)) {
        match check(one, roots, outputs) {
            Err(problem) => problems.push(problem),
            // Only an image may be this large.
            Ok(size) if size > LARGEST || is_called_image(one) => large.push(size),
            Ok(size) => whole += size,
        }
    }
    if whole > TOTAL {
        problems.push(too_much(whole));
    }
    problems.extend(too_many_images(large.len(), large.iter().sum()));
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut room = TOTAL - whole;
    // Files that were named one by one take precedence over files that happen to be in a folder.
    let selected = attached.iter().map(|one| match &one.content {
        Content::Folder { real, files, .. } => {
            let mut files: Vec<&Entry> = shared(real, files, &own).collect();
            sort(&mut files);
            let fits = |file: &&Entry| {
                let fits = file.size <= LARGEST.min(room) && !is_image(&file.path);
                room -= if fits { file.size } else { 0 };
                fits
            };
            files.into_iter().filter(fits).map(|file| file.path.clone()).collect()
        }
        _ if is_own(one, &own) => Vec::new(),
        _ => vec![String::new()],
    });
    Ok(selected.collect())
}

/// Returns the real paths of the user's own designs. Designers may not read them, so they are not part of the task even if they are
/// also attached in another way.
fn own_files<'a>(attached: impl IntoIterator<Item = &'a Attached>) -> Vec<&'a str> {
    let own = attached.into_iter().filter(|one| one.own);
    own.filter_map(|one| match &one.content {
        Content::File { real, .. } => Some(real.as_str()),
        _ => None,
    })
    .collect()
}

/// Whether something that was attached as part of the task is one of the user's own designs.
fn is_own(one: &Attached, own: &[&str]) -> bool {
    !one.own && matches!(&one.content, Content::File { real, .. } if own.contains(&real.as_str()))
}

/// The files of a folder without the user's own designs.
fn shared<'a>(folder: &str, files: &'a [Entry], own: &[&str]) -> impl Iterator<Item = &'a Entry> {
    files.iter().filter(move |file| !own.iter().any(|own| same_path(own, &format!("{folder}/{}", file.path))))
}

/// Returns the size of an attachment that is used whole, or why the attachment can't be used.
fn check(one: &Attached, roots: &[String], outputs: &[String]) -> Result<u64, Problem> {
    let what = one.mime.split(['/', ';']).next().unwrap_or_default();
    if one.own && is_called_image(one) {
        return Err(unfit(one, "an image").next("Describe in words what it shows."));
    }
    if one.mime.starts_with("application/pdf") || has_ending(&one.name, "pdf") {
        return Err(unfit(
            one,
            "a PDF, and this package can't read PDFs",
        )
        .next("Run `pdftotext -layout paper.pdf paper.txt` and attach the text; `pdftoppm -png paper.pdf page` makes images of its pages."));
    }
    if ["audio", "video"].contains(&what) {
        return Err(unfit(one, &format!("{what} ({})", one.mime))
            .next("Leave it out, and describe in words what matters."));
    }
    let (path, real, size) = match &one.content {
        Content::Other { what } => {
            let next = if one.own {
                "Name a file, for example --with docs/draft.md. Put a name with spaces in quotes, and repeat \
                 --with for each file."
            } else {
                "Name a text file or a folder."
            };
            return Err(unfit(one, what).next(next));
        }
        Content::Pasted { size } => ("", "", Some(*size)),
        Content::File { path, real, size } => (path.as_str(), real.as_str(), Some(*size)),
        Content::Folder { .. } if one.own => return Err(unfit(one, "a folder").next("Name a file.")),
        Content::Folder { path, real, .. } => (path.as_str(), real.as_str(), None),
    };
    if is_inside(path, roots) && !is_inside(real, roots) {
        return Err(Problem::new(
            AttachmentCode::Outside,
            format!("{} is a link that leads outside the project.", one.name),
        )
        .next("To use that file, name it directly."));
    }
    let is_kept = |path: &str| is_kept_at(path, roots, outputs) && (size.is_none() || !is_for_people(path));
    if !one.own && (is_kept(path) || is_kept(real)) {
        return Err(kept(one));
    }
    if size.is_some() && (is_secret(path) || is_secret(real)) {
        return Err(Problem::new(
            AttachmentCode::Secret,
            format!("{} may contain secrets, and would be sent to every model.", one.name),
        )
        .next("Leave it out, and paste the lines that matter without their values."));
    }
    match (size, one.lines) {
        (Some(size), None) if is_called_image(one) && size > images::LARGEST => {
            Err(image_too_large(&heading(one), size))
        }
        // Only its first bytes show whether it is an image, which may be larger.
        (Some(size), None) if size > images::LARGEST || one.own && size > LARGEST => {
            Err(too_large(one, size))
        }
        (Some(size), Some(_)) if size > LARGEST_TO_CUT => Err(too_large(one, size)),
        (Some(size), None) => Ok(size),
        // A folder uses the space that is left; the size of selected lines is known only when they are read.
        _ => Ok(0),
    }
}

/// Returns what the attachments add to the task, or all problems with them.
pub(crate) fn include(attachments: &[Attachment], readers: &str) -> Result<Included, Vec<Problem>> {
    let mut problems = Vec::new();
    let (mut text, mut pictures) = (String::new(), String::new());
    let mut wording = Vec::new();
    let mut images: Vec<Image> = Vec::new();
    let own = own_files(attachments.iter().map(|one| &one.attached));
    for Attachment { attached, read } in attachments.iter().filter(|one| !one.attached.own) {
        match &attached.content {
            Content::Folder { real, files, more, left_out, .. } => {
                let files: Vec<&Entry> = shared(real, files, &own).collect();
                let (added, summary) = folder(attached, files, *more, read);
                text.push_str(&added);
                wording.push(summary + &without(*left_out));
            }
            _ if is_own(attached, &own) => {}
            _ if is_called_image(attached) || read.first().is_some_and(|read| read.image.is_some()) => {
                let name = heading(attached);
                let seen = read.first().and_then(|read| read.image.as_ref());
                let seen = seen.ok_or_else(|| not_an_image(&name, "models don't accept this format"));
                match seen.and_then(|seen| Ok((image_in_words(&name, seen)?, seen.file.clone()))) {
                    Ok((described, file)) => {
                        let _ = write!(pictures, "\n\n## Attached: {name}\n\n{described}");
                        images.push(Image { name, file });
                    }
                    Err(problem) => problems.push(problem),
                }
            }
            _ => match whole(attached, read.first().and_then(|read| read.text.as_deref())) {
                Ok(content) => {
                    let name = heading(attached);
                    let _ = write!(text, "\n\n## Attached: {name}\n\n{}", content.trim_end());
                    wording.push(format!("{name} ({})", size(content.len() as u64)));
                }
                Err(problem) => problems.push(problem),
            },
        }
    }
    let length = text.len() as u64;
    // Listings take space as well, but only a little.
    if problems.is_empty() && length > TOTAL + TOTAL / 4 {
        problems.push(too_much(length));
    }
    problems.extend(too_many_images(images.len(), images.iter().map(|image| image.file.bytes).sum()));
    if !problems.is_empty() {
        return Err(problems);
    }
    let note = (!wording.is_empty()).then(|| {
        format!(
            "Attached: {}. {readers} get all of it with every request: about {} tokens.",
            wording.join("; "),
            crate::shared::figures::thousands(length.div_ceil(BYTES_PER_TOKEN))
        )
    });
    Ok(Included { text: text + &pictures, images, note })
}

/// Returns the name as the user wrote it, with the requested lines. A file's name may contain any characters.
fn heading(attached: &Attached) -> String {
    let name = attached.name.split('#').next().filter(|_| attached.lines.is_some()).unwrap_or(&attached.name);
    let name = visible::line(name);
    match attached.lines {
        None => name,
        Some(Lines { first, last: Some(last) }) if last > first => format!("{name}, lines {first} to {last}"),
        Some(Lines { first, last: Some(_) }) => format!("{name}, line {first}"),
        Some(Lines { first, last: None }) => format!("{name}, from line {first}"),
    }
}

/// Returns the text of a file or of pasted content, or the requested lines of it.
pub(crate) fn whole(attached: &Attached, text: Option<&str>) -> Result<String, Problem> {
    let Some(text) = text.filter(|text| !text.contains('\0')) else {
        return Err(unfit(attached, "not UTF-8 text").next("Leave it out, and paste the text that matters."));
    };
    if text.trim().is_empty() {
        return Err(Problem::new(AttachmentCode::Empty, format!("{} is empty.", attached.name))
            .next("Leave it out, or attach the right file."));
    }
    let Some(Lines { first, last }) = attached.lines else {
        let bytes = text.len() as u64;
        return if bytes > LARGEST { Err(too_large(attached, bytes)) } else { Ok(text.to_owned()) };
    };
    let first = first.max(1);
    let most = last.map_or(usize::MAX, |last| last.saturating_sub(first - 1).max(1) as usize);
    let lines: Vec<&str> = text.lines().skip(first as usize - 1).take(most).collect();
    if lines.is_empty() {
        let there = text.lines().count();
        return Err(Problem::new(
            AttachmentCode::NoSuchLines,
            format!("{} has no line {first}.", attached.name),
        )
        .found(format!("{there} lines"))
        .next(format!("Attach lines from 1 to {there}.")));
    }
    let cut = lines.join("\n");
    if cut.len() as u64 > LARGEST { Err(too_large(attached, cut.len() as u64)) } else { Ok(cut) }
}

/// Returns the text for a folder (its listing, with the reason for each file that isn't shown, then the texts), and a summary.
fn folder(attached: &Attached, mut files: Vec<&Entry>, more: bool, read: &[Read]) -> (String, String) {
    let name = format!("{}/", attached.name.trim_end_matches('/'));
    sort(&mut files);
    let (mut list, mut contents) = (String::new(), String::new());
    let (mut shown, mut bytes) = (0, 0);
    for file in &files {
        let text = read.iter().find(|read| read.path == file.path).map(|read| read.text.as_deref());
        let why = match text {
            Some(Some(text)) if !text.contains('\0') => {
                shown += 1;
                bytes += text.len() as u64;
                let _ = write!(contents, "\n\n### {name}{}\n\n{}", file.path, text.trim_end());
                ""
            }
            Some(_) => ": not text, left out",
            None if is_image(&file.path) => ": an image, left out: an image is sent only when you name it",
            None if file.size > LARGEST => ": too large, left out",
            None => ": left out, no space",
        };
        let _ = write!(list, "\n- {} ({}{why})", file.path, size(file.size));
    }
    if more {
        let _ = write!(list, "\n- and more: the first {MOST_ENTRIES} files and folders are listed");
    }
    if files.is_empty() {
        list.push_str("\n- nothing that could be shown");
    }
    let all = files.len();
    let how_many = match () {
        () if more => format!("{shown} of more than {all} files"),
        () if shown == all => count(all as u64, "file", "files"),
        () => format!("{shown} of {}", count(all as u64, "file", "files")),
    };
    let summary = format!("{name} ({how_many}, {})", size(bytes));
    (format!("\n\n## Attached: {name}\n\nIts files:\n{list}{contents}"), summary)
}

/// Words for the user about what was left out of a folder; empty if nothing was.
fn without(left_out: LeftOut) -> String {
    let keys = count(u64::from(left_out.keys), "file of keys", "files of keys");
    let ignored = count(u64::from(left_out.ignored), "entry ignored by git", "entries ignored by git");
    match left_out {
        LeftOut { keys: 0, ignored: 0 } => String::new(),
        LeftOut { keys: 0, .. } => format!(", without {ignored}"),
        LeftOut { ignored: 0, .. } => format!(", without {keys}"),
        _ => format!(", without {keys} and {ignored}"),
    }
}

fn kept(attached: &Attached) -> Problem {
    Problem::new(
        AttachmentCode::Kept,
        format!("{} belongs to a run. Designs must not depend on it.", attached.name),
    )
    .allowed(
        "`designs/*.md` and `results/*.md` of a run, `docs/index.md` of a session, \
              `FINAL-VALIDATION.md` of a validation",
    )
    .next("Attach one of these files, or paste the lines that matter.")
}

fn unfit(attached: &Attached, what: &str) -> Problem {
    let (part, allowed) = if attached.own {
        ("your own design", "a Markdown or JSON file")
    } else {
        ("part of the task", "text files, folders of them, pasted text, and images (PNG, JPEG, GIF, WebP)")
    };
    Problem::new(AttachmentCode::NotText, format!("{} can't be {part}: it is {what}.", attached.name))
        .allowed(allowed)
}

/// Describes an image for the task, in the same words for every model, or explains why it can't be used.
fn image_in_words(name: &str, seen: &SeenImage) -> Result<String, Problem> {
    let SeenImage { width, height, file } = seen;
    if file.bytes > images::LARGEST {
        return Err(image_too_large(name, file.bytes));
    }
    let pixels = u64::from(*width) * u64::from(*height);
    if pixels == 0 {
        return Err(not_an_image(name, "it is damaged or cut off"));
    }
    if pixels > images::MEGAPIXELS * 1_000_000 {
        let problem = Problem::new(AttachmentCode::TooLarge, format!("{name} has too many pixels."));
        return Err(problem
            .found(format!("{width} × {height} pixels"))
            .allowed(format!("at most {} million pixels", images::MEGAPIXELS))
            .next("Attach a smaller copy of it."));
    }
    Ok(format!("An image: {}, {width} × {height} pixels, {}.", images::format_of(file), size(file.bytes)))
}

/// The problem with an attachment that is named like an image but can't be used as one.
fn not_an_image(name: &str, why: &str) -> Problem {
    Problem::new(AttachmentCode::NotAnImage, format!("{name} can't be sent as an image: {why}."))
        .allowed("PNG, JPEG, GIF or WebP, judged by the file's content")
        .next("Save it as PNG or JPEG again, or leave it out and describe in words what it shows.")
}

fn image_too_large(name: &str, bytes: u64) -> Problem {
    Problem::new(AttachmentCode::TooLarge, format!("{name} is too large for an image."))
        .found(size(bytes))
        .allowed(format!("at most {} for an image", size(images::LARGEST)))
        .next("Attach a smaller copy of it, or the part that matters.")
}

/// Returns the problem if there are too many images, or if they are too large together.
fn too_many_images(number: usize, bytes: u64) -> Option<Problem> {
    (number > images::MOST || bytes > images::TOTAL).then(|| {
        Problem::new(AttachmentCode::TooMuch, "Too many images are attached, or they are too large.")
            .found(format!("{}, {} together", count(number as u64, "image", "images"), size(bytes)))
            .allowed(format!("at most {} images, {} together", images::MOST, size(images::TOTAL)))
            .next("Attach fewer, or smaller copies.")
    })
}

fn too_large(attached: &Attached, bytes: u64) -> Problem {
    Problem::new(
        AttachmentCode::TooLarge,
        format!("{} is too large: every model gets all of it.", attached.name),
    )
    .found(size(bytes))
    .allowed(format!("at most {} for a file", size(LARGEST)))
    .next("Attach the lines that matter, as in @notes.md#10-60, or paste them.")
}

fn too_much(bytes: u64) -> Problem {
    Problem::new(
        AttachmentCode::TooMuch,
        "The attachments are too large together: every model gets all of them.",
    )
    .found(size(bytes))
    .allowed(format!("at most {} together", size(TOTAL)))
    .next("Attach the lines that matter, as in @notes.md#10-60, or fewer files.")
}

/// Whether OpenCode would ask before it reads this file, or the file's name suggests that it holds keys.
pub(crate) fn is_secret(path: &str) -> bool {
    is_environment_file(path) || holds_keys(path)
}

/// Whether its name or its MIME type says that it is an image; only its bytes show whether that is true.
fn is_called_image(attached: &Attached) -> bool {
    attached.lines.is_none()
        && !matches!(attached.content, Content::Folder { .. } | Content::Other { .. })
        && (attached.mime.starts_with("image/") && !attached.mime.starts_with("image/svg")
            || is_image(&attached.name))
}

fn is_image(name: &str) -> bool {
    IMAGES.iter().any(|ending| has_ending(name, ending))
}

fn has_ending(name: &str, ending: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(ending))
}

fn same_path(one: &str, other: &str) -> bool {
    let plain = |path: &str| path.replace('\\', "/").trim_end_matches('/').to_owned();
    plain(one) == plain(other)
}

pub(crate) fn is_inside(path: &str, roots: &[String]) -> bool {
    let plain = |path: &str| path.replace('\\', "/");
    let path = plain(path);
    roots.iter().map(|root| plain(root)).any(|root| {
        path.strip_prefix(root.trim_end_matches('/'))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::images::tests::png;

    fn file(name: &str, size: u64) -> Attached {
        let path = format!("/p/{name}");
        let content = Content::File { path: path.clone(), real: path, size };
        Attached { name: name.to_owned(), mime: "text/plain".to_owned(), lines: None, own: false, content }
    }

    fn folder_of(files: &[(&str, u64)]) -> Attached {
        let files =
            files.iter().map(|(path, size)| Entry { path: (*path).to_owned(), size: *size }).collect();
        let content = Content::Folder {
            path: "/p/src".to_owned(),
            real: "/p/src".to_owned(),
            files,
            more: false,
            left_out: LeftOut::default(),
        };
        Attached {
            name: "src/".to_owned(),
            mime: "application/x-directory".to_owned(),
            lines: None,
            own: false,
            content,
        }
    }

    fn pasted(mime: &str) -> Attached {
        Attached {
            name: "clipboard".to_owned(),
            mime: mime.to_owned(),
            lines: None,
            own: false,
            content: Content::Pasted { size: 9 },
        }
    }

    fn lines(name: &str, size: u64, first: u32, last: Option<u32>) -> Attached {
        Attached { name: format!("{name}#{first}"), lines: Some(Lines { first, last }), ..file(name, size) }
    }

    fn codes(attached: &[Attached]) -> Vec<String> {
        let screened = screen(attached, &["/p".to_owned()], &["/p/labs".to_owned()]);
        screened.map_or_else(
            |problems| problems.into_iter().map(|problem| problem.code.to_string()).collect(),
            |_| Vec::new(),
        )
    }

    #[test]
    fn what_is_no_text_too_large_or_secret_is_refused_before_it_is_read() {
        let link = Attached {
            content: Content::File { path: "/p/a".into(), real: "/etc/a".into(), size: 1 },
            ..file("a", 1)
        };
        let elsewhere = Attached {
            content: Content::File { path: "/q/a".into(), real: "/etc/a".into(), size: 1 },
            ..file("a", 1)
        };
        let nothing = Attached { content: Content::Other { what: "not there".into() }, ..file("a", 1) };
        let cases: Vec<(Vec<Attached>, Vec<&str>)> = vec![
            (
                vec![
                    file("notes.md", 262_144),
                    file("drawing.svg", 9),
                    pasted("text/plain"),
                    pasted("image/svg+xml"),
                ],
                vec![],
            ),
            (
                vec![file("paper.pdf", 9), pasted("application/pdf"), pasted("audio/ogg")],
                vec!["attachment.not-text"; 3],
            ),
            // Files that are named like images are read and then examined, and so are files that may be images.
            (vec![file("shot.PNG", 5 << 20), pasted("image/png"), file("shot", 5 << 20)], vec![]),
            (vec![file("shot.png", (5 << 20) + 1)], vec!["attachment.too-large"]),
            (vec![file("a.png", 5 << 20); 4], vec!["attachment.too-much"]),
            (vec![file("a.png", 1); 9], vec!["attachment.too-much"]),
            (vec![file("big.log", 52_428_800)], vec!["attachment.too-large"]),
            (vec![lines("big.log", 9_000_000, 1, Some(9))], vec![]),
            (vec![lines("big.log", 52_428_800, 1, Some(9))], vec!["attachment.too-large"]),
            (vec![file("a", 262_144), file("b", 262_144), file("c", 1)], vec!["attachment.too-much"]),
            (
                vec![file(".env", 9), file("deep/.env.local", 9), file("id_rsa", 9), file("tls.pem", 9)],
                vec!["attachment.secret"; 4],
            ),
            (vec![file(".env.example", 9), elsewhere], vec![]),
            (vec![link], vec!["attachment.outside"]),
            (vec![nothing], vec!["attachment.not-text"]),
        ];
        for (attached, expected) in cases {
            assert_eq!(codes(&attached), expected, "{attached:?}");
        }
    }

    #[test]
    fn a_folder_gives_what_there_is_room_for_in_order_of_names() {
        let large = 200 * 1024;
        let folder = folder_of(&[
            ("c.md", large),
            ("a.md", large),
            ("b.md", large),
            ("logo.png", 9),
            ("vast.log", 999_999),
            ("z.md", 9),
        ]);
        let selected = screen(&[folder.clone(), file("x", 262_144)], &[], &[]).unwrap();
        assert_eq!(selected, [vec!["a.md".to_owned(), "z.md".to_owned()], vec![String::new()]]);
        let read = |path: &str, text: Option<&str>| Read {
            path: path.to_owned(),
            text: text.map(str::to_owned),
            image: None,
        };
        let attachment =
            Attachment { attached: folder, read: vec![read("a.md", Some("A\n")), read("z.md", None)] };
        let mut endless = attachment.clone();
        let Content::Folder { more, .. } = &mut endless.attached.content else { unreachable!() };
        *more = true;
        let Included { text, note, .. } = include(&[endless], "All").unwrap();
        assert!(text.contains("- and more: the first 1000 files and folders are listed"));
        assert!(note.unwrap().starts_with("Attached: src/ (1 of more than 6 files, 2 bytes)."));
        let Included { text, note, .. } = include(&[attachment], "All").unwrap();
        assert_eq!(
            text,
            "\n\n## Attached: src/\n\nIts files:\n\n\
             - a.md (200 KB)\n\
             - b.md (200 KB: left out, no space)\n\
             - c.md (200 KB: left out, no space)\n\
             - logo.png (9 bytes: an image, left out: an image is sent only when you name it)\n\
             - vast.log (977 KB: too large, left out)\n\
             - z.md (9 bytes: not text, left out)\n\n\
             ### src/a.md\n\nA"
        );
        assert!(note.unwrap().starts_with("Attached: src/ (1 of 6 files, 2 bytes). All get"));
    }

    #[test]
    fn a_design_of_the_users_own_is_no_part_of_the_task_however_else_it_was_attached() {
        let own = Attached { own: true, ..file("src/a.md", 9) };
        let attached = [own, file("src/a.md", 9), folder_of(&[("a.md", 9), ("b.md", 9)]), file("c.md", 9)];
        let selected = screen(&attached, &["/p".to_owned()], &[]).unwrap();
        let whole = vec![String::new()];
        assert_eq!(selected, [whole.clone(), vec![], vec!["b.md".to_owned()], whole]);
        let read = |paths: &[String]| {
            let read = paths.iter().map(|path| Read {
                path: path.clone(),
                text: Some("Text.".to_owned()),
                image: None,
            });
            read.collect::<Vec<_>>()
        };
        let attachments: Vec<Attachment> = attached
            .iter()
            .zip(&selected)
            .map(|(attached, paths)| Attachment { attached: attached.clone(), read: read(paths) })
            .collect();
        let Included { text, note, .. } = include(&attachments, "All").unwrap();
        assert!(!text.contains("a.md"), "{text}");
        assert!(note.unwrap().contains("c.md (5 bytes)"));
        let folder = Attached { own: true, ..folder_of(&[]) };
        assert_eq!(
            codes(&[folder, Attached { own: true, ..file(".env", 1) }]),
            ["attachment.not-text", "attachment.secret"]
        );
    }

    #[test]
    fn a_walk_skips_noise_secrets_and_runs() {
        let child = |name: &str, folder: bool| Child { name: name.to_owned(), folder, ignored: false };
        let children = vec![
            child("z.rs", false),
            child(".git", true),
            child("node_modules", true),
            child("src", true),
            child(".env", false),
            child(".design-lab", true),
            child(".Flow", true),
            child("labs", true),
            child(".npmrc", false),
            Child { ignored: true, ..child("dist", true) },
            Child { ignored: true, ..child("node_modules", true) },
            child("a.rs", false),
            child("docs", true),
            child(".DS_Store", false),
        ];
        let folder = Folder {
            path: "/p".to_owned(),
            children,
            outputs: vec!["/p/labs/".to_owned()],
            ..Folder::default()
        };
        let names =
            |listing: &Listing| listing.children.iter().map(|child| child.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&listing(&folder)), ["a.rs", "docs", "src", "z.rs"]);
        assert_eq!(listing(&folder).left_out, LeftOut { keys: 2, ignored: 1 });
        let full = listing(&Folder { known: MOST_ENTRIES - 1, ..folder.clone() });
        assert_eq!((names(&full), full.more), (vec!["a.rs".to_owned()], true));
        assert!(listing(&Folder { known: MOST_ENTRIES, ..folder.clone() }).children.is_empty());
        let more = Folder { known: MOST_ENTRIES, most: Some(MOST_ENTRIES + 1), ..folder };
        assert_eq!(listing(&more).children.len(), 1);
    }

    #[test]
    fn what_runs_keep_is_no_part_of_a_task_but_for_what_people_look_for() {
        let folder_at = |path: &str| {
            let (path, real) = (format!("/p/{path}"), format!("/p/{path}"));
            let content =
                Content::Folder { path, real, files: vec![], more: false, left_out: LeftOut::default() };
            Attached { content, ..folder_of(&[]) }
        };
        let journal = ".flow/sessions/x/journal.jsonl";
        let refused = [
            file(journal, 9),
            file(".design-lab/r/designs/a.json", 9),
            file("labs/r/journal.jsonl", 9),
            file("packages/api/.flow/sessions/x/session.json", 9),
            lines(journal, 9, 1, None),
            folder_at(".flow"),
            folder_at(".design-lab/r/designs"),
            folder_at("labs"),
        ];
        for one in refused {
            assert_eq!(codes(std::slice::from_ref(&one)), ["attachment.kept"], "{one:?}");
        }
        let link = Attached {
            content: Content::File { path: "/p/a".into(), real: format!("/p/{journal}"), size: 1 },
            ..file("a", 1)
        };
        assert_eq!(codes(&[link]), ["attachment.kept"]);
        let own = Attached { own: true, ..file(".design-lab/r/designs/b.json", 9) };
        let taken = [
            file(".design-lab/r/designs/a.md", 9),
            file("labs/r/results/results.md", 9),
            file(".flow/sessions/x/docs/index.md", 9),
            file("src/flow/journal.jsonl", 9),
            folder_at("src"),
            own,
        ];
        assert_eq!(codes(&taken), [""; 0]);
    }

    #[test]
    fn what_was_left_out_of_a_folder_is_reported_to_the_user() {
        let wording = |keys, ignored| without(LeftOut { keys, ignored });
        assert_eq!(wording(0, 0), "");
        assert_eq!(wording(1, 0), ", without 1 file of keys");
        assert_eq!(wording(0, 1), ", without 1 entry ignored by git");
        assert_eq!(wording(2, 3), ", without 2 files of keys and 3 entries ignored by git");
        let mut folder = folder_of(&[("a.md", 9)]);
        let Content::Folder { left_out, .. } = &mut folder.content else { unreachable!() };
        *left_out = LeftOut { keys: 0, ignored: 2 };
        let read = vec![Read { path: "a.md".to_owned(), text: Some("A".to_owned()), image: None }];
        let note = include(&[Attachment { attached: folder, read }], "All").unwrap().note.unwrap();
        assert!(
            note.starts_with("Attached: src/ (1 file, 1 byte), without 2 entries ignored by git. All"),
            "{note}"
        );
    }

    #[test]
    fn lines_are_those_that_were_named() {
        let text = "one\ntwo\r\nthree\n";
        let cut = |first, last| whole(&lines("a.md", 9, first, last), Some(text));
        assert_eq!(cut(1, Some(1)).unwrap(), "one");
        assert_eq!(cut(2, Some(3)).unwrap(), "two\nthree");
        assert_eq!(cut(0, Some(1)).unwrap(), "one");
        assert_eq!(cut(2, None).unwrap(), "two\nthree");
        assert_eq!(cut(3, Some(99)).unwrap(), "three");
        assert_eq!(cut(4, None).unwrap_err().code, "attachment.no-such-lines");
        assert_eq!(heading(&lines("a.md", 9, 2, Some(3))), "a.md, lines 2 to 3");
        assert_eq!(heading(&lines("a.md", 9, 2, Some(2))), "a.md, line 2");
    }

    #[test]
    fn bounds_are_reported_with_what_was_found() {
        let wording = |bytes: &[u8]| image_in_words("x.png", &images::look(bytes).unwrap());
        assert_eq!(wording(&png(10, 20)).unwrap(), "An image: PNG, 10 × 20 pixels, 33 bytes.");
        assert!(wording(&png(8_064, 6_048)).is_ok());
        let large = wording(&png(100_000, 100_000)).unwrap_err();
        assert_eq!(large.code, "attachment.too-large");
        assert_eq!(large.found.as_deref(), Some("100000 × 100000 pixels"));
        assert_eq!(large.allowed.as_deref(), Some("at most 50 million pixels"));
        assert_eq!(wording(&png(u32::MAX, u32::MAX)).unwrap_err().code, "attachment.too-large");
        assert_eq!(wording(&png(0, 9)).unwrap_err().code, "attachment.not-an-image");
        let mut seen = images::look(&png(1, 1)).unwrap();
        seen.file.bytes = images::LARGEST + 1;
        assert_eq!(image_in_words("x.png", &seen).unwrap_err().code, "attachment.too-large");
        assert_eq!(too_many_images(images::MOST, images::TOTAL), None);
        assert_eq!(
            too_many_images(images::MOST + 1, 9).unwrap().found.as_deref(),
            Some("9 images, 9 bytes together")
        );
        assert_eq!(too_many_images(2, images::TOTAL + 1).unwrap().code, "attachment.too-much");
    }
}
