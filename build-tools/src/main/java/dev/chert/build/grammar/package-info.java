/// Makes our SQL parser at build time from the grammar template in Calcite's jar.
///
/// Start with [GrammarGenerator]: it reads Calcite's `Parser.jj`, applies the named edits of [GrammarEdits], expands
/// the template with the lists of [GrammarData], runs JavaCC and leaves Java sources in the module's `target`.
///
/// Calcite's template is changed, not copied: a new Calcite brings its fixes to us, and an edit whose place it moved
/// fails the build by name, since every edit must match exactly once. The generated sources are the template's style,
/// not ours, so each of their types is marked to be spared the compiler's lints, which are errors elsewhere.
package dev.chert.build.grammar;
