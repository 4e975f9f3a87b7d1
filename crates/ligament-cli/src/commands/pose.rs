//! `ligament pose`: a conversion that bakes one pose on the way.

use super::convert;
use crate::args::PoseArgs;
use crate::console::Console;
use crate::exit::Exit;
use ligament::passes::bake_pose::PoseOptions;

pub fn run(args: &PoseArgs, console: &mut Console) -> Exit {
    let mut options = convert::options(&args.read, &args.write);
    options.pose = Some(PoseOptions { clip: args.clip.clone(), seconds: args.at });
    convert::run_with(&args.input, &args.output, &options, &args.write, console)
}
