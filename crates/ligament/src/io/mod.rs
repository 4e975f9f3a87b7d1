//! Input and output of bytes: a file that is read, with the folder around it, and a file that is written, with its side
//! files. No file is ever left half written: [`FileOutput`] and [`write_file`] are the only ways in which anything is
//! written.

mod carry_images;
mod fields;
pub(crate) mod folder;
pub(crate) mod git_lfs;
mod leftovers;
pub(crate) mod little_endian;
mod nearby;
pub(crate) mod output;
mod path;
mod place;
mod source;
pub(crate) mod target;
pub(crate) mod temporary;

pub(crate) use carry_images::{carry_images, carry_libraries, is_elsewhere, is_image, not_an_image};
pub(crate) use fields::{FieldFaults, Fields};
pub use folder::{DirFolder, Folder, MemoryFolder, NoFolder};
pub use output::{FileOutput, MemoryOutput, Output, StreamOutput, WriteContent, write_file};
pub(crate) use path::{LONGEST_NAME, cut};
pub use path::{PathRefusal, safe_relative};
pub use source::{Content, Source};

/// Codes of reading and writing files.
pub mod codes {
    crate::report::codes! {
        CANNOT_READ = "IO001", "file cannot be read",
            "The operating system could not read the file: it does not exist, is a folder, or permission is missing.",
            "ligament info no-such-file.pfobj",
            "Check the path and the permissions.";
        CANNOT_WRITE = "IO002", "file cannot be written",
            "The output, its temporary file beside it, or one of its side files could not be written. Nothing was changed: existing files are replaced only after all new ones are complete, and put back if one of them cannot be placed.",
            "ligament convert mage.pfobj /no/such/folder/mage.glb",
            "Create the folder, free space on the disk, or choose another place.";
        TOO_LARGE = "IO003", "file is larger than the limit",
            "Files above the limit are refused before they are read, so that a wrong or hostile file cannot use up all memory.",
            "a file of more than 4 GiB",
            "Library users can raise Limits::max_file_bytes.";
        EXISTS = "IO004", "output exists and may not be replaced",
            "--no-clobber was given and the output file already exists.",
            "ligament convert --no-clobber a.pfobj existing.glb",
            "Remove the file, choose another name, or leave out --no-clobber.";
        NO_FOLDER = "IO005", "side files have no folder",
            "The model refers to other files, or writing it needs some, but it comes from or goes to a stream that has no folder.",
            "ligament convert - out.glb --from gltf < scene.gltf",
            "Give a path instead of `-`, or use a dialect that holds everything in one file; `ligament formats` lists them.";
        IMAGE_IN_THE_WAY = "PS020", "image not copied",
            "The model is rewritten as it is, so its images keep their names, but a different file of that name is already beside the output. That file was not replaced, and the model will show it.",
            "rewriting `a/mage.pfobj` as `b/mage.pfobj` where `b/skin.png` is another picture",
            "Write into an empty folder, or use --reencode, which gives the copy another name.";
        NOT_AN_IMAGE = "PS021", "file is not an image",
            "The model names a file as an image, but the file's content is not that of a known image type, or as a material library, but its extension is not `.mtl`. A model may name any file of its folder, so only these are copied.",
            "a material library with `map_Kd .git/hooks/pre-commit`",
            "Replace the file by an image, correct the reference, or copy the file yourself.";
        UNKNOWN_FORMAT = "IO006", "format not recognised",
            "Neither the content nor the extension identifies the format.",
            "ligament info notes.txt",
            "Name the format with --from (or --to for an output); `ligament formats` lists them.";
        GIT_LFS_POINTER = "IO007", "Git LFS pointer",
            "The file is a few lines of text that Git LFS puts in the place of a large file until that is fetched. The model, buffer, image or material library itself is not there.",
            "a file that begins with `version https://git-lfs.github.com/spec/v1`",
            "Run `git lfs install` and `git lfs pull` in the repository, then try again.";
        TRAILING_ZEROS = "IO008", "zero bytes at the end of a text",
            "The text ends with zero bytes, which no text contains: some programs write the terminator of their string, or pad the file. They are ignored.",
            "an OBJ file that ZBrush wrote",
            "Nothing; a rewrite leaves the zero bytes out.";
    }
}
