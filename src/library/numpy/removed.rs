//! Names that NumPy once had and that lessons still use: what NumPy 2 says of them.

/// Aliases of Python's types, each with NumPy's own name where there is one.
const ALIASES: &[(&str, &str)] = &[
    ("float", "float64"),
    ("int", ""),
    ("complex", "complex128"),
    ("object", ""),
    ("str", "str_"),
];

/// Names that went with NumPy 2, and what is there instead.
const RENAMED: &[(&str, &str)] = &[
    ("float_", "Use `np.float64` instead."),
    ("complex_", "Use `np.complex128` instead."),
    ("Inf", "Use `np.inf` instead."),
    ("Infinity", "Use `np.inf` instead."),
    ("infty", "Use `np.inf` instead."),
    ("NaN", "Use `np.nan` instead."),
    ("NAN", "Use `np.nan` instead."),
    ("PINF", "Use `np.inf` instead."),
    ("NINF", "Use `-np.inf` instead."),
    ("alltrue", "Use `np.all` instead."),
    ("sometrue", "Use `np.any` instead."),
    ("product", "Use `np.prod` instead."),
    ("cumproduct", "Use `np.cumprod` instead."),
    ("asfarray", "Use `np.asarray` with a proper dtype instead."),
    ("cast", "Use `np.asarray(arr, dtype=dtype)` instead."),
];

/// NumPy's sentence on a name that is gone.
pub fn says(name: &str) -> Option<String> {
    if let Some((_, instead)) = RENAMED.iter().find(|(n, _)| *n == name) {
        return Some(format!("`np.{name}` was removed in the NumPy 2.0 release. {instead}"));
    }
    let (_, own) = ALIASES.iter().find(|(n, _)| *n == name)?;
    let advice = match name {
        "int" => "Doing this will not modify any behavior and is safe. When replacing `np.int`, you may wish to use e.g. `np.int64` or `np.int32` to specify the precision. If you wish to review your current use, check the release note link for additional information.".to_owned(),
        "object" => "Doing this will not modify any behavior and is safe. ".to_owned(),
        _ => format!("Doing this will not modify any behavior and is safe. If you specifically wanted the numpy scalar type, use `np.{own}` here."),
    };
    Some(format!(
        "module 'numpy' has no attribute '{name}'.\n`np.{name}` was a deprecated alias for the builtin `{name}`. To avoid this error in existing code, use `{name}` by itself. {advice}\nThe aliases was originally deprecated in NumPy 1.20; for more details and guidance see the original release note at:\n    https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations"
    ))
}
