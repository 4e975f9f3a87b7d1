//! All options that affect a conversion's result: on the command line, and under the same names in the rules of a
//! `ligament.toml`.

use super::settings::{Converting, Settings};
use super::{ReadArgs, WriteArgs};
use clap::{Args, Parser};
use ligament::ConvertOptions;

// No doc comment: clap would take it for what the command does.
#[derive(Debug, Clone, Args)]
pub struct ConversionArgs {
    #[command(flatten)]
    pub settings: Settings<Converting>,
    #[command(flatten)]
    pub read: ReadArgs,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// The options as a command of their own, which defines a rule's keys and parses its values.
#[derive(Debug, Parser)]
#[command(name = "rule", no_binary_name = true, disable_help_flag = true)]
pub struct RuleArgs {
    #[command(flatten)]
    pub options: ConversionArgs,
}

impl ConversionArgs {
    /// The library's options, one per output format; at least one.
    pub fn options(&self) -> Vec<ConvertOptions> {
        let mut options = self.write.convert_options(&self.read);
        self.settings.apply(&mut options);
        let mut all = vec![options];
        for to in self.write.to.iter().skip(1) {
            if all.iter().all(|known| known.to.as_ref() != Some(to)) {
                all.push(ConvertOptions { to: Some(to.clone()), ..all[0].clone() });
            }
        }
        all
    }
}
