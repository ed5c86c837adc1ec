//! Statements as text.

use crate::ast::*;
use crate::print::{Level, Printer};

impl Printer {
    pub(crate) fn block(&mut self, body: &Block) {
        for statement in body {
            self.line();
            self.statement(&statement.kind);
            if !self.out.ends_with('\n') {
                self.push("\n");
            }
        }
    }

    fn line(&mut self) {
        let indent = "    ".repeat(self.indent);
        self.push(&indent);
    }

    /// `header:` and its indented block.
    fn suite(&mut self, body: &Block) {
        self.push(":\n");
        self.indent += 1;
        self.block(body);
        self.indent -= 1;
    }

    /// A further clause of the statement, such as `else`.
    fn clause(&mut self, word: &str, body: &Block) {
        if !body.is_empty() {
            self.line();
            self.push(word);
            self.suite(body);
        }
    }

    fn words(&mut self, word: &str, value: &Expr) {
        self.push(word);
        self.push(" ");
        self.expr(value, Level::Expression);
    }

    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(value) => self.expr(value, Level::Expression),
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    self.expr(target, Level::Expression);
                    self.push(" = ");
                }
                self.expr(value, Level::Expression);
            }
            StmtKind::Augment { target, op, value } => {
                self.expr(target, Level::Expression);
                self.push(&format!(" {}= ", op.text()));
                self.expr(value, Level::Expression);
            }
            StmtKind::Annotate { target, annotation, value } => {
                self.expr(target, Level::Expression);
                self.words(":", annotation);
                if let Some(value) = value {
                    self.words(" =", value);
                }
            }
            StmtKind::ShortDef(function) => {
                self.push(&format!("{}(", function.name.symbol));
                self.params(&function.params);
                self.push(") = ");
                self.result(&function.body);
            }
            StmtKind::Pass => self.push("pass"),
            StmtKind::Break => self.push("break"),
            StmtKind::Continue => self.push("continue"),
            StmtKind::Return(None) => self.push("return"),
            StmtKind::Return(Some(value)) => self.words("return", value),
            StmtKind::Raise { exception, cause } => {
                self.push("raise");
                if let Some(exception) = exception {
                    self.words("", exception);
                }
                if let Some(cause) = cause {
                    self.words(" from", cause);
                }
            }
            StmtKind::Assert { test, message } => {
                self.words("assert", test);
                if let Some(message) = message {
                    self.words(",", message);
                }
            }
            StmtKind::Del(targets) => {
                self.push("del ");
                self.exprs(targets);
            }
            StmtKind::Global(names) => self.names("global", names),
            StmtKind::Nonlocal(names) => self.names("nonlocal", names),
            StmtKind::Import(list) => {
                self.push("import ");
                self.list(list, |p, (path, bound)| p.imported(&dotted(path), bound));
            }
            StmtKind::FromImport { module, names } => {
                self.push(&format!("from {} import ", dotted(module)));
                self.push(if names.is_empty() { "*" } else { "" });
                self.list(names, |p, (name, bound)| p.imported(name.as_str(), bound));
            }
            _ => self.compound(kind),
        }
    }

    fn names(&mut self, word: &str, names: &[Name]) {
        self.push(&format!("{word} "));
        self.list(names, |p, name| p.push(name.as_str()));
    }

    fn imported(&mut self, name: &str, bound: &Option<Name>) {
        self.push(name);
        if let Some(bound) = bound {
            self.push(&format!(" as {}", bound.symbol));
        }
    }

    fn compound(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Def { function, decorators } => {
                self.decorators(decorators);
                self.push(&format!("def {}(", function.name.symbol));
                self.params(&function.params);
                self.push(")");
                if let Some(returns) = &function.returns {
                    self.push(" -> ");
                    self.expr(returns, Level::Expression);
                }
                self.suite(&function.body);
            }
            StmtKind::Class { name, bases, body, decorators } => {
                self.decorators(decorators);
                self.push(&format!("class {}(", name.symbol));
                self.args(bases);
                self.push(")");
                self.suite(body);
            }
            StmtKind::For { target, iter, body, orelse } => {
                self.words("for", target);
                self.words(" in", iter);
                self.suite(body);
                self.clause("else", orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.words("while", test);
                self.suite(body);
                self.clause("else", orelse);
            }
            StmtKind::If { arms, orelse } => {
                for (n, (test, body)) in arms.iter().enumerate() {
                    if n > 0 {
                        self.line();
                    }
                    self.words(if n == 0 { "if" } else { "elif" }, test);
                    self.suite(body);
                }
                self.clause("else", orelse);
            }
            StmtKind::With { items, body } => {
                self.push("with ");
                // A lone tuple in parentheses would read as a list of items.
                let lone = items.len() == 1 && items[0].1.is_none();
                self.push(if lone { "(" } else { "" });
                self.list(items, |p, (value, target)| {
                    p.expr(value, Level::Expression);
                    if let Some(target) = target {
                        p.words(" as", target);
                    }
                });
                self.push(if lone { ")" } else { "" });
                self.suite(body);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.push("try");
                self.suite(body);
                handlers.iter().for_each(|h| self.handler(h));
                self.clause("else", orelse);
                self.clause("finally", finally);
            }
            _ => {}
        }
    }

    pub(crate) fn params(&mut self, params: &Params) {
        let list = &params.list;
        let slash = list.iter().rposition(|p| p.kind == ParamKind::PositionalOnly);
        let rest = list.iter().any(|p| p.kind == ParamKind::Rest);
        let star = list.iter().position(|p| p.kind == ParamKind::KeywordOnly).filter(|_| !rest);
        for (n, param) in list.iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            if star == Some(n) {
                self.push("*, ");
            }
            self.param(param);
            if slash == Some(n) {
                self.push(", /");
            }
        }
    }

    fn param(&mut self, param: &Param) {
        self.push(match param.kind {
            ParamKind::Rest => "*",
            ParamKind::RestKeywords => "**",
            _ => "",
        });
        self.push(param.name.as_str());
        if let Some(annotation) = &param.annotation {
            self.push(": ");
            self.expr(annotation, Level::Expression);
        }
        if let Some(default) = &param.default {
            self.push("=");
            self.expr(default, Level::Expression);
        }
    }

    fn decorators(&mut self, decorators: &[Expr]) {
        for decorator in decorators {
            self.push("@");
            self.expr(decorator, Level::Expression);
            self.push("\n");
            self.line();
        }
    }

    fn handler(&mut self, handler: &Handler) {
        self.line();
        self.push("except");
        if let Some(class) = &handler.class {
            self.words("", class);
        }
        if let Some(name) = &handler.name {
            self.push(&format!(" as {}", name.symbol));
        }
        self.suite(&handler.body);
    }
}

fn dotted(path: &[Name]) -> String {
    path.iter().map(|n| n.as_str()).collect::<Vec<_>>().join(".")
}
