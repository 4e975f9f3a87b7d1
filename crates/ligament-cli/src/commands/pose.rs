//! `ligament pose`: a conversion that bakes one pose on the way.

use super::convert;
use crate::args::PoseArgs;
use crate::batch;
use crate::console::Console;
use crate::exit::Exit;
use ligament::passes::bake_pose::PoseOptions;

pub fn run(args: &PoseArgs, console: &mut Console) -> Exit {
    if args.write.to.len() > 1 {
        return batch::complain(
            Exit::Usage,
            "a pose can be written in one format only; name a single format with --to",
            console,
        );
    }
    let mut options = args.write.convert_options(&args.read);
    args.tell.replacing.apply(&mut options);
    options.pose = Some(PoseOptions { clip: args.clip.clone(), seconds: args.at });
    convert::run_with(&args.input, &args.output, &options, &args.tell, None, None, console)
}
