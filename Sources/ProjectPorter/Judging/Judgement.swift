import Foundation

/// What is built of a target, and what is not.
struct Judgement {
  let target: ProjectTarget
  var kept: [SourceFacts] = []
  /// Sources of the package's own.
  var own: [SourceFacts] = []
  /// Originals whose place they take.
  var replaced: [URL] = []
  private(set) var leftOut: [LeftOut] = []
  /// Single declarations that are left out of files that are kept.
  var declarationsLeftOut: [LeftOut] = []

  /// Modules that all its files see, since some import what brings them along.
  var exports: Set<String> = []

  /// Modules of the project whose members some files use without importing them: on Apple's systems one file's import is
  /// enough for all of its module, and that one may be left out.
  var lenders: Set<String> = []

  init(target: ProjectTarget) { self.target = target }

  mutating func leaveOut(
    _ file: URL, _ line: Int?, _ reason: LeftOut.Reason, _ text: String, _ facts: SourceFacts?,
    lacking: String? = nil
  ) {
    leftOut.append(
      LeftOut(
        file: file, line: line, reason: reason, text: text, lacking: lacking,
        importsCoreData: facts?.importsCoreData ?? false))
  }

  /// What other files see of it.
  var compiled: [SourceFacts] { kept + own }

  /// How many declarations files that are kept do without.
  var countLeftOut: Int { kept.reduce(0) { $0 + $1.leftOut.count } }

  var imports: Set<String> {
    exports.union(lenders).union(compiled.flatMap { $0.imports.map(\.module) })
  }

  /// Whether a source of the package's own has an original's name.
  func replaces(_ file: URL) -> Bool {
    let name = file.deletingPathExtension().lastPathComponent
    return own.contains { $0.file.deletingPathExtension().lastPathComponent == name }
  }
}
