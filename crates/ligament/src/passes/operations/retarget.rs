//! Which joints of a clip's file are which of the model's, as a map says.

use super::codes;
use super::joints::{Finder, Missing, bare};
use super::map::{Pair, pairs};
use crate::Limits;
use crate::report::{Failure, Report, most_similar};
use crate::scene::{NodeId, Scene};
use std::collections::HashMap;

/// A map from the joints of files with clips to those of the model.
pub(super) struct Retarget {
    pairs: Vec<(Pair, NodeId)>,
}

impl Retarget {
    /// Reads it, and finds the model's joints.
    pub(super) fn read(
        path: &str,
        model: &Scene,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Self, Failure> {
        let finder = Finder::of(model);
        let mut known: HashMap<NodeId, String> = HashMap::new();
        let mut found = Vec::new();
        for pair in pairs(&[path.to_owned()], limits, report)? {
            let node = finder.find(&pair.to).map_err(|missing| {
                pair.report(missing.diagnostic(model, &pair.to, crate::report::Place::WHOLE), report)
            })?;
            if let Some(other) = known.insert(node, pair.from.clone()) {
                let message = format!("{other:?} and {:?} would both move {:?}", pair.from, pair.to);
                return Err(pair.wrong(message, report));
            }
            found.push((pair, node));
        }
        Ok(Self { pairs: found })
    }

    /// For each node of a file, the model's joint that it moves. A name that the file does not have is an error: otherwise, a
    /// typing error would be a joint that does not move.
    pub(super) fn of(&self, from: &Scene, report: &mut Report) -> Result<Vec<Option<NodeId>>, Failure> {
        let finder = Finder::of(from);
        let mut all = vec![None; from.nodes.len()];
        for (pair, target) in &self.pairs {
            match finder.find(&pair.from) {
                Ok(node) => {
                    if all[node.index()].replace(*target).is_some() {
                        let message = format!("{:?} is in the map twice", pair.from);
                        return Err(pair.wrong(message, report));
                    }
                }
                Err(missing) => {
                    let names = from.nodes.iter().flat_map(|node| [node.name.as_str(), bare(&node.name)]);
                    let meant = most_similar(&pair.from, names.filter(|name| !name.is_empty()));
                    let meant = meant.map_or_else(String::new, |meant| format!("; did you mean {meant:?}?"));
                    let what = match missing {
                        Missing::Unknown => "has no joint",
                        Missing::Ambiguous => "has several joints called",
                    };
                    let file = report.file().to_owned();
                    return Err(pair.wrong(format!("{file} {what} {:?}{meant}", pair.from), report));
                }
            }
        }
        Ok(all)
    }
}

/// Refuses a map without files whose clips it is for.
pub(super) fn unused(report: &mut Report) -> Failure {
    let message = "a map of joints is given, but no file whose clips it is for";
    report.error(&codes::BAD_OPERATION, crate::report::Place::WHOLE, message);
    Failure::Usage
}
