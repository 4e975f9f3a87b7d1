//! A conversion or a comparison as one HTML file that needs nothing else: no scripts, and nothing from the network.
//!
//! | file | what it does |
//! |---|---|
//! | `mod.rs` | the page and its sections |
//! | `findings.rs` | what was lost and found, and what the codes mean |
//! | `plot.rs` | the deviation over time |
//! | `escape.rs` | makes text from files harmless |
//! | `style.css` | how it looks: wide and narrow, light and dark |

mod escape;
mod findings;
mod plot;

use super::place::place;
use super::style::{counted, percent, short};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use escape::text;
use findings::Findings;
use ligament::Report;
use ligament::compare::{Comparison, Deviation, Pairing};

/// The rows of each table; the rest is counted.
const MOST_ROWS: usize = 200;

/// Everything that a page shows.
pub struct Page<'a> {
    /// `Conversion` or `Comparison`.
    pub kind: &'static str,
    /// The names of both files.
    pub names: [&'a str; 2],
    /// The formats of both, if they are known.
    pub formats: Option<[String; 2]>,
    /// Why nothing was written, or which check failed.
    pub failed: Option<String>,
    /// The comparison, if there is one.
    pub comparison: Option<&'a Comparison>,
    /// What there is to see of both models.
    pub shown: Option<&'a Shown>,
    /// What was lost and found, under its heading.
    pub reports: Vec<(String, &'a Report)>,
}

/// What there is to see of two models.
pub struct Shown {
    /// Names of features, and how many of it each model has.
    pub features: Vec<[String; 3]>,
    /// The deviation over clips, the worst first.
    pub curves: Vec<Curve>,
    /// How many clips have no curve, because there are too many.
    pub without_curve: usize,
    /// The pictures, or why there are none.
    pub pictures: Result<Pictures, String>,
}

/// The deviation over a clip.
pub struct Curve {
    pub clip: String,
    /// Seconds, and the deviation then as a part of the model's size; in ascending order of time.
    pub points: Vec<(f64, f64)>,
}

/// Both models in the pose in which they differ most, and the second coloured by its distance from the first, as JPEG.
pub struct Pictures {
    pub size: [u32; 2],
    pub images: [Vec<u8>; 3],
    /// The pose: `clip "walk" at 0.420 s`.
    pub pose: String,
    /// Where the scale of the colours ends, as a part of the model's size; `None` if the models are the same but for
    /// rounding.
    pub most: Option<f64>,
    /// The colours of the scale, evenly spaced.
    pub scale: Vec<[u8; 4]>,
    /// What could not be drawn.
    pub notes: Vec<String>,
}

/// Green if nobody sees a deviation, yellow if few do, otherwise red, as on a terminal.
fn grade(fraction: f64) -> &'static str {
    match fraction {
        f if f < 1e-4 => "good",
        f if f < 1e-2 => "fair",
        _ => "poor",
    }
}

impl Page<'_> {
    /// The whole file.
    pub fn to_html(&self) -> String {
        let title = self.names.map(|name| text(file_name(name))).join(" → ");
        // Where files are is nobody else's business, and makes columns wide.
        let short = self.names.map(file_name);
        let mut findings = Findings::default();
        let mut body = self.header(&title);
        if let Some(shown) = self.shown {
            body += &section("In the worst pose", &pictures(&shown.pictures, short));
        }
        if let Some(comparison) = self.comparison {
            body += &section("Deviation over time", &over_time(comparison, self.shown));
        }
        for (heading, report) in &self.reports {
            let mut content = findings.all(report);
            if self.kind == "Conversion" && content.is_empty() {
                content = "<p>Nothing was lost.</p>\n".to_owned();
            }
            if !content.is_empty() {
                body += &section(heading, &content);
            }
        }
        body += &section("Features", &self.features());
        let glossary = findings.glossary();
        if !glossary.is_empty() {
            body += &section("What the codes mean", &format!("<dl>\n{glossary}</dl>\n"));
        }
        let (style, version) = (include_str!("style.css"), env!("CARGO_PKG_VERSION"));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\
             <footer>made by ligament {version}</footer>\n</main>\n</body>\n</html>\n"
        )
    }

    /// The two files, and the one number that matters.
    fn header(&self, title: &str) -> String {
        let mut out = format!("<header>\n<p class=\"kind\">{}</p>\n<h1>{title}</h1>\n", self.kind);
        if let Some(failed) = &self.failed {
            out += &format!("<p class=\"lead poor\">{}</p>\n", text(failed));
        }
        match self.comparison {
            Some(comparison) => out += &headline(comparison),
            None if self.failed.is_none() => {
                out += "<p class=\"lead\">The result was not compared with its source.</p>\n";
            }
            None => {}
        }
        for (_, report) in &self.reports {
            let tally = report.major_tally();
            if !tally.is_empty() {
                out += &format!("<p class=\"note\">{}</p>\n", text(&tally));
            }
        }
        out + "</header>\n"
    }

    fn features(&self) -> String {
        let names = self.names.map(|name| text(file_name(name)));
        let head = |first: &str| {
            format!("<thead><tr><th>{first}</th><th>{}</th><th>{}</th></tr></thead>", names[0], names[1])
        };
        let mut out = String::new();
        if let Some(shown) = self.shown {
            let formats = self.formats.clone().map(|[first, second]| ["format".to_owned(), first, second]);
            let rows = formats.iter().chain(&shown.features).map(|[name, first, second]| {
                let class = if first == second { "" } else { " class=\"differs\"" };
                let [name, first, second] = [name, first, second].map(|cell| text(cell));
                format!("<tr{class}><th>{name}</th><td>{first}</td><td>{second}</td></tr>\n")
            });
            let rows: String = rows.collect();
            out += &format!("<table>{}\n<tbody>\n{rows}</tbody></table>\n", head("feature"));
        }
        let differences = self.comparison.map_or(&[][..], |comparison| &comparison.differences);
        if differences.is_empty() {
            if self.comparison.is_some() {
                out += "<p>No other differences.</p>\n";
            }
            return out;
        }
        let rows = differences.iter().take(MOST_ROWS).map(|difference| {
            let cells = [&difference.feature, &difference.first, &difference.second].map(|cell| text(cell));
            format!("<tr><th>{}</th><td>{}</td><td>{}</td></tr>\n", cells[0], cells[1], cells[2])
        });
        let rows: String = rows.collect();
        out += &format!("<table>{}\n<tbody>\n{rows}</tbody></table>\n", head("differs"));
        out + &more(differences.len(), "difference", "differences")
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(path)
}

fn section(heading: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", text(heading))
}

/// A line about the rows that are not shown.
fn more(all: usize, one: &str, many: &str) -> String {
    match all.saturating_sub(MOST_ROWS) {
        0 => String::new(),
        hidden => format!("<p class=\"more\">and {} more</p>\n", counted(hidden, one, many)),
    }
}

/// The worst deviation and where it is.
fn headline(comparison: &Comparison) -> String {
    let Some(worst) = &comparison.worst else {
        let why = comparison.gap().unwrap_or_else(|| "There is nothing to compare".to_owned());
        return format!("<p class=\"lead\">{}.</p>\n", text(&why));
    };
    let size = |deviation: &Deviation| match deviation.relative.is_finite() {
        true => percent(deviation.relative),
        false => "not finite".to_owned(),
    };
    let meaning = match worst.relative {
        0.0 => "the models are the same in every pose",
        f if f < 1e-4 => "worst deviation: the same in every pose, but for rounding",
        _ => "of the model’s size is the worst deviation",
    };
    let mut out = format!(
        "<p class=\"lead\"><b class=\"{}\">{}</b> {meaning}</p>\n",
        grade(worst.relative),
        size(worst)
    );
    if worst.distance > 0.0 {
        out += &format!("<p class=\"place\">{}</p>\n", text(&place(worst, comparison.pairing)));
    }
    if let Some(keys) =
        comparison.worst_at_keys.as_ref().filter(|keys| Some(*keys) != comparison.worst.as_ref())
    {
        out += &format!("<p class=\"place\">{} where both have keys</p>\n", text(&size(keys)));
    }
    let (one, many) = match comparison.pairing {
        Some(Pairing::Joints) => ("joint", "joints"),
        _ => ("vertex", "vertices"),
    };
    out += &format!(
        "<p class=\"note soft\">{} in {} compared; the size is {}</p>\n",
        counted(comparison.points, one, many),
        counted(comparison.poses, "pose", "poses"),
        short(comparison.size)
    );
    if let Some(grown) = comparison.grown() {
        out += &format!("<p class=\"note\">{}</p>\n", text(&grown));
    }
    for doubt in [comparison.doubt(), comparison.gap()].into_iter().flatten() {
        out += &format!("<p class=\"note fair\">{}</p>\n", text(&doubt));
    }
    out
}

fn pictures(drawn: &Result<Pictures, String>, names: [&str; 2]) -> String {
    let pictures = match drawn {
        Ok(pictures) => pictures,
        Err(why) => return format!("<p>There are no pictures: {}</p>\n", text(why)),
    };
    let [width, height] = pictures.size;
    let mut out = "<div class=\"pictures\">\n".to_owned();
    let captions = [text(names[0]), text(names[1]), format!("distance of {}", text(names[1]))];
    for (image, caption) in pictures.images.iter().zip(&captions) {
        let data = BASE64_STANDARD.encode(image);
        out += &format!(
            "<figure><img src=\"data:image/jpeg;base64,{data}\" width=\"{width}\" height=\"{height}\" alt=\"{caption}\">\
             <figcaption>{caption}</figcaption>"
        );
        if std::ptr::eq(caption, &captions[2]) {
            out += &scale(pictures);
        }
        out += "</figure>\n";
    }
    out += &format!("</div>\n<p class=\"more\">{}</p>\n", text(&pictures.pose));
    for note in pictures.notes.iter().take(MOST_ROWS) {
        out += &format!("<p class=\"more\">{}</p>\n", text(note));
    }
    out + &more(pictures.notes.len(), "remark", "remarks")
}

/// The scale of the colours.
fn scale(pictures: &Pictures) -> String {
    let Some(most) = pictures.most else {
        return "<p class=\"more\">the same, but for rounding</p>".to_owned();
    };
    let colors: Vec<_> =
        pictures.scale.iter().map(|[r, g, b, _]| format!("#{r:02x}{g:02x}{b:02x}")).collect();
    format!(
        "<div class=\"scale\">0<i style=\"background:linear-gradient(90deg,{})\"></i>{}</div>",
        colors.join(","),
        percent(most)
    )
}

/// The plots, and the worst of each clip as a table.
fn over_time(comparison: &Comparison, shown: Option<&Shown>) -> String {
    let mut out = String::new();
    if let Some(shown) = shown.filter(|shown| !shown.curves.is_empty()) {
        out += &format!("<div class=\"plots\">\n{}</div>\n", plot::plots(&shown.curves));
        if shown.without_curve > 0 {
            let hidden = counted(shown.without_curve, "clip", "clips");
            out += &format!("<p class=\"more\">without a curve: {hidden} with less deviation</p>\n");
        }
    }
    let rows = comparison.by_clip.iter().take(MOST_ROWS).map(|worst| {
        let clip = worst.clip.as_deref().map_or("<em>at rest</em>".to_owned(), text);
        let grade = grade(worst.relative);
        let size = if worst.relative.is_finite() { percent(worst.relative) } else { "not finite".to_owned() };
        let (time, joint) = match worst.distance > 0.0 {
            true => (
                worst.clip.as_ref().map_or(String::new(), |_| format!("{:.3} s", worst.time)),
                worst.joint.as_deref().map_or(String::new(), text),
            ),
            false => (String::new(), String::new()),
        };
        format!("<tr><th>{clip}</th><td class=\"{grade}\">{size}</td><td>{time}</td><td>{joint}</td></tr>\n")
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return out + "<p>There is nothing to compare.</p>\n";
    }
    let head = "<thead><tr><th>clip</th><th>worst</th><th>at</th><th>joint</th></tr></thead>";
    out += &format!("<table>{head}\n<tbody>\n{rows}</tbody></table>\n");
    out + &more(comparison.by_clip.len(), "clip", "clips")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::Scene;
    use ligament::compare::{CompareOptions, compare};
    use ligament::report::{Loss, all_codes};

    #[test]
    fn paths_are_not_shared() {
        for (path, name) in
            [("/home/me/a b.glb", "a b.glb"), (r"C:\art\x.fbx", "x.fbx"), ("x.obj", "x.obj"), ("-", "-")]
        {
            assert_eq!(file_name(path), name);
        }
    }

    #[test]
    fn ten_thousand_losses_make_no_endless_page() {
        let code = all_codes().find(|code| code.counts.is_none() && !code.is_minor).expect("a code");
        let mut report = Report::default();
        for number in 0..10_000 {
            let message = format!("<i>{number}</i> {}", "long ".repeat(500));
            report.loss(Loss::dropped(code, format!("clip \"{number}\""), 1, message));
        }
        let scene = Scene::default();
        let comparison = compare(&scene, &scene, &CompareOptions::default());
        let page = Page {
            kind: "Conversion",
            names: ["a", "b"],
            formats: None,
            failed: None,
            comparison: Some(&comparison),
            shown: None,
            reports: vec![("Changes".into(), &report)],
        };
        let html = page.to_html();
        assert!(html.contains("and 9800 more; <code>--json</code>"), "{html}");
        assert!(html.len() < 300_000 && !html.contains("<i>0</i>"), "{}", html.len());
        assert_eq!(html.matches("<li class=\"poor\">").count(), 200);
        assert!(html.contains("nothing to compare"), "{html}");
    }
}
