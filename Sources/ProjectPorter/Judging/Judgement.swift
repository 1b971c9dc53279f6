import Foundation

/// What is built of a target, and what is not.
struct Judgement {
  let target: ProjectTarget
  var kept: [SourceFacts] = []
  private(set) var leftOut: [LeftOut] = []

  /// Modules that all its files see, since some import what brings them along.
  var exports: Set<String> = []

  init(target: ProjectTarget) { self.target = target }

  mutating func leaveOut(
    _ file: URL, _ line: Int?, _ reason: LeftOut.Reason, _ text: String, _ facts: SourceFacts?
  ) {
    leftOut.append(
      LeftOut(
        file: file, line: line, reason: reason, text: text,
        importsCoreData: facts?.importsCoreData ?? false))
  }

  var imports: Set<String> { exports.union(kept.flatMap { $0.imports.map(\.module) }) }
}
