//! `:graph`: the drawing agrees with the sweep, whatever is folded; every file it writes can be read.

use proptest::prelude::*;
use std::collections::HashSet;
use std::fs;
use vjp::eval::record::drawn_graph::{Arrived, Drawn, Kind, Level};
use vjp::report::Style;
use vjp::report::graph::{Lit, dot, labels, lines, lit, mermaid, svg};
use vjp::report::terminal;
use vjp::shell::session_options::Common;
use vjp::shell::shell::Shell;
use vjp::shell::view::Face;
use vjp::tutor::graph::model::{Open, of_backward};

fn deep(test: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(1 << 28);
    worker.spawn(test).unwrap().join().unwrap();
}

fn shell() -> Shell {
    let mut shell = Shell::new(Common::default(), Face::Drawn, Style::canonical());
    shell.keep_history();
    shell.view.muted = true;
    shell
}

/// What the last of the inputs shows.
fn shown(inputs: &[&str]) -> String {
    let mut shell = shell();
    let mut last = Vec::new();
    for input in inputs {
        last = shell.input(input).1;
    }
    last.join("\n")
}

/// The graph of the last backward of a program.
fn drawn(program: &str, open: &Open) -> Drawn {
    let mut m = vjp::tutor::machine(vjp::eval::language::machine::Options::default());
    let source = vjp::text::source::Source::new(program);
    let run = m.run(&source, vjp::eval::language::machine::Manner::Program, &mut |_| {});
    assert!(run.is_ok(), "{program}");
    let latest = m.latest.clone().unwrap();
    let graph = of_backward(&mut m, &latest, open);
    graph.unwrap_or_else(|halt| panic!("{}", halt.message()))
}

fn grad(level: &Level, node: usize) -> Option<f64> {
    match &level.nodes[node].arrived {
        Arrived::Gradient(g) => g.as_scalar(),
        _ => None,
    }
}

/// Every level is a graph without circles; its sweep meets every reached box once, after all that it waits for.
fn well_formed(drawn: &Drawn) {
    assert!(!drawn.levels.is_empty());
    for pair in drawn.levels.windows(2) {
        assert!(pair[1].nodes.len() < pair[0].nodes.len());
    }
    for level in &drawn.levels {
        assert_eq!(level.nodes.iter().filter(|n| n.result).count(), 1);
        for edge in &level.edges {
            assert!(edge.from < edge.to && edge.to < level.nodes.len());
        }
        let once: HashSet<usize> = level.sweep.iter().copied().collect();
        assert_eq!(once.len(), level.sweep.len());
        let place = |node: usize| level.sweep.iter().position(|n| *n == node);
        for edge in level.edges.iter().filter(|e| e.cut.is_none()) {
            if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
                assert!(to < from);
            }
        }
    }
}

/// A program of scalars: each line computes a value from earlier ones.
fn scalar_program() -> impl Strategy<Value = String> {
    let line = (0..9usize, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    prop::collection::vec(line, 1..14).prop_map(|lines| {
        let mut program = "x0 = 0.7\nx1 = -0.4\nx2 = 1.3\n".to_string();
        let mut names: Vec<String> = (0..3).map(|k| format!("x{k}")).collect();
        for (k, (kind, a, b)) in lines.iter().enumerate() {
            let (a, b) = (&names[a.index(names.len())], &names[b.index(names.len())]);
            let value = match kind {
                0 => format!("{a} + {b}"),
                1 => format!("{a}*{b}"),
                2 => format!("tanh({a}) - {b}"),
                3 => format!("sin({a})*{b}"),
                4 => format!("{a}^2"),
                5 => format!("exp(-{a}*{a})"),
                6 => format!("{a}/(2 + {b}*{b})"),
                7 => format!("relu({a}) + {b}"),
                _ => format!("3*{a} - {b}"),
            };
            program += &format!("y{k} = {value}\n");
            names.push(format!("y{k}"));
        }
        let last = names.last().unwrap();
        program + &format!("out = {last} + 0.5*y0 + x0*x1\nout.backward()\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// What arrives at a value is the sum over its uses of their gradient times the slope on the way.
    #[test]
    fn slopes_times_gradients_add_up(program in scalar_program()) {
        let graph = drawn(&program, &Open::Nothing);
        well_formed(&graph);
        let level = &graph.levels[0];
        prop_assert!(level.nodes.iter().all(|n| matches!(n.kind, Kind::Leaf | Kind::Step)));
        for (k, node) in level.nodes.iter().enumerate().filter(|(_, n)| !n.result) {
            let parts = level.uses(k).filter_map(|(_, e)| Some(e.factor? * grad(level, e.to)?));
            let sum: f64 = parts.sum();
            let own = grad(level, k).unwrap();
            prop_assert!((sum - own).abs() <= 1e-9 * own.abs().max(1.0), "{} of\n{program}", node.name);
        }
        // A slope that is written as a number is that number, rounded to the digits it has.
        for edge in &level.edges {
            let word = edge.slope.trim_start_matches('×').trim_matches(['(', ')']);
            if let (Ok(word), Some(factor)) = (word.replace('−', "-").parse::<f64>(), edge.factor) {
                let (mantissa, power) = edge.slope.split_once('e').unwrap_or((&edge.slope, "0"));
                let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.trim_matches(')').len());
                let power = power.trim_matches(')').parse::<i32>().unwrap_or(0);
                let unit = 10f64.powi(power - i32::try_from(decimals).unwrap());
                prop_assert!((word - factor).abs() <= 0.51 * unit, "{} for {factor} in\n{program}", edge.slope);
            }
            if edge.slope.is_empty() {
                prop_assert_eq!(edge.factor, Some(1.0));
            }
        }
    }

    /// Whatever there is room for, the drawing keeps within the frame and the window.
    #[test]
    fn drawings_fit(program in scalar_program(), width in 40usize..100, height in 14usize..50) {
        let graph = drawn(&program, &Open::Nothing);
        let style = Style { width, height, ..Style::canonical() };
        let all = lines(&graph, &style);
        prop_assert!(all.iter().all(|l| l.width() <= style.frame()), "{}", terminal::text(&all, &style));
        prop_assert!(all.len() <= height, "{}", terminal::text(&all, &style));
    }
}

const NETWORK: &str = "
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Sequential(nn.Linear(3, 3), nn.ReLU()), nn.Linear(3, 1))
X = torch.randn(4, 2); t = torch.randn(4, 1)
h = net(X)
for i in range(30):
    h = h + 0.1*h*h.detach()
loss = ((h - t)**2).mean()
loss.backward()
";

#[test]
fn modules_loops_and_cuts_are_folded() {
    deep(|| {
        let graph = drawn(NETWORK, &Open::Nothing);
        well_formed(&graph);
        let finest = &graph.levels[0];
        let named = |name: &str| finest.nodes.iter().find(|n| n.name == name).unwrap();
        assert!(matches!(named("net[0]").kind, Kind::Module(_)));
        assert_eq!(named("net[0]").parameters.len(), 2);
        assert!(finest.edges.iter().any(|e| e.cut.as_deref() == Some(".detach()")));
        let loops = |level: &Level| {
            level.nodes.iter().find_map(|n| match n.kind {
                Kind::Loop(turns, _) => Some((n.name.clone(), turns)),
                _ => None,
            })
        };
        let found = graph.levels.iter().find_map(loops).unwrap();
        assert_eq!(found, ("for i in range(30)".to_string(), 30));
        assert!(graph.levels.last().unwrap().nodes.len() <= 7);
        let open = drawn(NETWORK, &Open::Module("net[2]".into()));
        well_formed(&open);
        for level in &open.levels {
            assert!(level.nodes.iter().any(|n| n.name == "net[2][0].weight"));
        }
    });
}

#[test]
fn ten_thousand_steps_fit_the_window() {
    deep(|| {
        let program = "x = 0.5; h = x; k = x\nfor i in range(2500):\n    h = sin(h) + k\n    k = cos(h*k)\ny = h*k\ny.backward()";
        let graph = drawn(program, &Open::Nothing);
        well_formed(&graph);
        assert!(lines(&graph, &Style::canonical()).len() <= 24);
        let part = drawn(program, &Open::Steps(100, 105));
        assert!(part.levels[0].nodes.len() <= 12, "{}", part.levels[0].nodes.len());
        well_formed(&part);
    });
}

#[test]
fn a_step_is_lit_and_what_has_not_arrived_is_asked() {
    deep(|| {
        let program = "a = 2.; b = -3.; c = 10.; e = a*b; d = e + c; d.backward()";
        let graph = drawn(program, &Open::Nothing);
        let level = &graph.levels[0];
        let names: Vec<&str> = level.sweep.iter().map(|k| level.nodes[*k].name.as_str()).collect();
        assert_eq!(names, ["d", "c", "e", "a", "b"]);
        let e = level.nodes.iter().position(|n| n.name == "e").unwrap();
        let step = Lit {
            node: Some(e),
            edges: level.inputs(e).map(|(k, _)| k).collect(),
            waiting: level.inputs(e).map(|(_, edge)| edge.from).collect(),
            ..Lit::default()
        };
        for height in [24, 3] {
            let style = Style { height, ..Style::canonical() };
            let text = terminal::text(&lit(level, &style, &step), &style).into_string();
            assert!(text.contains("[e = a*b"), "{text}");
            assert_eq!(text.matches('?').count(), 2, "{text}");
            assert!(text.contains('━'), "{text}");
        }
    });
}

/// Names and texts that files must quote.
const AWKWARD: &str = "d = {'a \"b\" <c> & [d]|`': torch.tensor([1., 2.], requires_grad=True)}\ny = (d['a \"b\" <c> & [d]|`']*3).sum()\ny.backward()";

#[test]
fn dot_is_graphviz() {
    deep(|| {
        for program in [AWKWARD, NETWORK] {
            let graph = drawn(program, &Open::Nothing);
            let level = &graph.levels[0];
            let text = dot::file(&graph, level);
            let (mut nodes, mut edges) = (HashSet::new(), 0);
            let body = text.lines().skip_while(|l| !l.ends_with('{')).skip(1);
            for line in body.take_while(|l| *l != "}") {
                // Outside of strings there is only what the language has.
                let mut outside = String::new();
                let (mut inside, mut escaped) = (false, false);
                for c in line.chars() {
                    match (inside, c) {
                        (_, '"') if !escaped => inside = !inside,
                        (false, c) => outside.push(c),
                        _ => {}
                    }
                    escaped = inside && c == '\\' && !escaped;
                }
                assert!(!inside, "{line}");
                assert!(outside.is_ascii() && outside.ends_with(';'), "{line}");
                let words: Vec<&str> = outside.split_whitespace().collect();
                match words.as_slice() {
                    ["rankdir=LR;"] | ["node" | "edge", ..] => {}
                    [from, "->", to, ..] => {
                        assert!(nodes.contains(*from) && nodes.contains(*to), "{line}");
                        edges += 1;
                    }
                    [node, ..] => assert!(nodes.insert((*node).to_string()), "{line}"),
                    [] => panic!("{line}"),
                }
            }
            assert_eq!((nodes.len(), edges), (level.nodes.len(), level.edges.len()));
        }
    });
}

#[test]
fn svg_is_well_formed() {
    deep(|| {
        for program in [AWKWARD, NETWORK] {
            let graph = drawn(program, &Open::Nothing);
            let text = svg::file(&graph, &graph.levels[0]);
            assert!(text.contains("prefers-color-scheme: dark") && !text.contains("http://fonts"));
            let mut open: Vec<&str> = Vec::new();
            let mut rest = text.as_str();
            while let Some(at) = rest.find('<') {
                assert!(
                    !rest[..at].contains('>') || open.last() == Some(&"style"),
                    "{}",
                    &rest[..at]
                );
                let (tag, behind) = rest[at + 1..].split_once('>').unwrap();
                assert!(!tag.contains('<'), "{tag}");
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
                match (tag.starts_with('/'), tag.starts_with('!'), tag.ends_with('/')) {
                    (true, ..) => assert_eq!(open.pop(), Some(name)),
                    (_, true, _) | (_, _, true) => {}
                    _ => open.push(name),
                }
                rest = behind;
            }
            assert!(open.is_empty());
            let boxes = text.matches("<rect class=\"box").count();
            assert_eq!(boxes, graph.levels[0].nodes.len());
        }
    });
}

#[test]
fn mermaid_quotes_what_it_must() {
    deep(|| {
        let graph = drawn(AWKWARD, &Open::Nothing);
        let text = mermaid::file(&graph.levels[0]);
        for line in text.lines().skip(2) {
            assert!(line.starts_with("  n"), "{line}");
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
            assert!(!line.contains('`'), "{line}");
        }
        assert!(text.starts_with(mermaid::FIRST));
    });
}

#[test]
fn a_file_that_is_not_a_drawing_stays() {
    deep(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.svg");
        fs::write(&path, "<svg>mine</svg>").unwrap();
        let ask = format!(":graph -o {}", path.display());
        let card = "x = [1, 2]; y = 3*x^2; y.backward([1, 10])";
        let refused = shown(&[card, &ask]);
        assert!(refused.contains("mine.svg was not written by :graph"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "<svg>mine</svg>");
        let own = folder.path().join("own.svg");
        let ask = format!(":graph -o {}", own.display());
        assert_eq!(shown(&[card, &ask]), "");
        let first = fs::read_to_string(&own).unwrap();
        assert!(first.contains("y = 3*x^2"));
        // Ours is replaced, and kept beside the new one.
        shown(&["x = 2.; z = x^2; z.backward()", &ask]);
        assert!(fs::read_to_string(&own).unwrap().contains("z = x^2"));
        assert_eq!(fs::read_to_string(folder.path().join("own.svg~")).unwrap(), first);
    });
}

#[test]
fn signs_differ_and_have_letters_in_ascii() {
    let ascii: Vec<String> =
        labels::SIGNS.iter().map(|(sign, _)| terminal::ascii(&sign.to_string())).collect();
    assert!(ascii.iter().all(|s| s.is_ascii() && s.len() == 1));
    assert_eq!(ascii.iter().collect::<HashSet<_>>().len(), ascii.len());
}

#[test]
fn before_a_backward_only_slopes_are_drawn() {
    deep(|| {
        let text = shown(&["a = 2.; b = -3.; e = a*b", ":graph e"]);
        assert!(text.contains("×b") && text.contains("no backward yet"), "{text}");
        assert!(!text.contains('∂'), "{text}");
        assert!(shown(&["a = 2.", ":graph a"]).contains("a is a leaf"));
        assert!(shown(&["a = 2.", ":graph"]).contains("no backward yet"));
    });
}
