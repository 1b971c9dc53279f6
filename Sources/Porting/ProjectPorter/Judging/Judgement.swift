import Foundation

/// The verdict on a target: which of its files are built, replaced and left out.
struct Judgement {
  let target: ProjectTarget
  var kept: [SourceFacts] = []
  /// Sources that were added to the ported package by hand (see `OwnSources`).
  var own: [SourceFacts] = []
  /// Original files that are replaced by sources in `own`.
  var replaced: [URL] = []
  private(set) var leftOut: [LeftOut] = []
  /// Single declarations left out of kept files.
  var declarationsLeftOut: [LeftOut] = []

  /// Classes of the target's models whose files are left out, each with its superclass: generated
  /// properties need them.
  var bareClasses: [String: String] {
    let extended = target.models.map { ModelClasses($0).extended }
      .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    return extended.filter { name, _ in !compiled.contains { $0.types.contains(name) } }
  }

  /// Modules to re-export to all files of the target: on Apple's systems an import or a header
  /// makes them visible.
  var exports: Set<String> = []

  /// Modules of the project whose members some files use without importing them. On Apple's systems
  /// the import of one file suffices for its whole module, and that file may be left out.
  var lenders: Set<String> = []

  init(target: ProjectTarget) { self.target = target }

  mutating func leaveOut(
    _ file: URL, line: Int?, reason: LeftOut.Reason, text: String, facts: SourceFacts?,
    lacking: String? = nil
  ) {
    leftOut.append(
      LeftOut(
        file: file, line: line, reason: reason, text: text, lacking: lacking,
        importsCoreData: facts?.importsCoreData ?? false,
        tests: target.kind == .tests ? facts?.testCount ?? 0 : 0))
  }

  /// The files that are compiled, and so visible to other files.
  var compiled: [SourceFacts] { kept + own }

  /// The number of declarations, and of words in bodies, left out of kept files.
  var countLeftOut: Int {
    kept.reduce(0) { count, facts in
      count + facts.leftOut.count
        + facts.bodiesLeftOut.values.reduce(0) { $0 + max(1, $1.count) }
    }
  }

  /// The numbers of tests that are built, and of all.
  var tests: (built: Int, all: Int) {
    guard target.kind == .tests else { return (0, 0) }
    let built = compiled.reduce(0) { $0 + $1.testCount }
    let partly = kept.reduce(0) { $0 + $1.testCountLeftOut }
    return (built, built + partly + leftOut.reduce(0) { $0 + $1.tests })
  }

  var imports: Set<String> {
    exports.union(lenders).union(compiled.flatMap { $0.imports.map(\.module) })
  }

  /// Returns true if a source in `own` has the original's name, extension aside.
  func replaces(_ file: URL) -> Bool {
    let name = file.deletingPathExtension().lastPathComponent
    return own.contains { $0.file.deletingPathExtension().lastPathComponent == name }
  }
}
