import Foundation

/// The files and declarations of each target that are built or left out, with reasons.
public struct PortReport: CustomStringConvertible {
  /// The figures of one target.
  public struct Target {
    /// The name of the target's module.
    public let name: String
    /// Whether the target consists of tests.
    public let isTests: Bool
    /// The number of the project's files that are built.
    public let built: Int
    /// The number of all files: built, left out and replaced.
    public let files: Int
    /// The number of files that sources of the package's own replace.
    public let replaced: Int
    /// The file names of the target's models.
    public let models: [String]
    /// Whole files that are left out.
    public let leftOut: [LeftOut]
    /// Declarations left out of files that are built.
    public let declarations: [LeftOut]
    /// The number of tests that are built, and of all.
    public let tests: (built: Int, all: Int)
    /// The number of built files that import CoreData or SwiftData.
    public let builtWithCoreData: Int
  }

  /// The project's targets, without macros.
  public let targets: [Target]
  /// The number of built files by platform of Apple's for which they have code where Linux gets
  /// none.
  private let platforms: [String: Int]
  private let project: Project
  private let judge: Judge

  init(_ porting: Porting) {
    project = porting.project
    judge = porting.judge
    platforms = porting.judgements.flatMap(\.kept).reduce(into: [:]) { counts, facts in
      for platform in facts.platformsLeft { counts[platform, default: 0] += 1 }
    }
    targets = porting.judgements.filter { $0.target.kind != .macro }.map { judgement in
      Target(
        name: judgement.target.module, isTests: judgement.target.kind == .tests,
        built: judgement.kept.count,
        files: judgement.kept.count + judgement.leftOut.count + judgement.replaced.count,
        replaced: judgement.replaced.count,
        models: porting.models(judgement).map(\.lastPathComponent), leftOut: judgement.leftOut,
        declarations: judgement.declarationsLeftOut, tests: judgement.tests,
        builtWithCoreData: judgement.compiled.count(where: \.importsCoreData))
    }
  }

  /// The numbers of tests that are built, and of all.
  public var tests: (built: Int, all: Int) {
    targets.reduce((0, 0)) { ($0.0 + $1.tests.built, $0.1 + $1.tests.all) }
  }

  /// What makes the port worthless, in words; nil if something of use is built.
  public var emptiness: String? {
    if tests.all > 0, tests.built == 0 {
      return "Nothing would be tested: all \(tests.all) tests are left out."
    }
    let isOnlyModels = targets.allSatisfy { $0.builtWithCoreData == 0 }
    return isOnlyModels && leavesCoreDataOut
      ? "Nothing of Core Data would be tested: all sources that import it are left out." : nil
  }

  /// Whether a left-out file imports CoreData or SwiftData.
  public var leavesCoreDataOut: Bool {
    targets.contains { $0.leftOut.contains(where: \.importsCoreData) }
  }

  public var description: String {
    var lines: [String] = []
    for target in targets {
      lines += (target.leftOut + target.declarations).sorted {
        ($0.file.path, $0.line ?? 0) < ($1.file.path, $1.line ?? 0)
      }
      .map { left in
        "\(path(left.file))\(left.line.map { ":\($0)" } ?? ""): \(left.text)"
      }
    }
    for target in targets {
      let models = target.models.isEmpty ? "" : ", with \(target.models.joined(separator: ", "))"
      let replaced = target.replaced > 0 ? ", \(target.replaced) replaced by the package's own" : ""
      lines.append(
        "\(target.name)\(target.isTests ? " (tests)" : ""): \(target.built) of \(target.files) files are built\(replaced)\(models)"
      )
      lines += Self.counts(target.declarations)
      for reason in LeftOut.Reason.allCases {
        let left = target.leftOut.filter { $0.reason == reason }
        guard !left.isEmpty else { continue }
        let count = left.count(where: \.importsCoreData)
        lines.append(
          "  \(left.count) \(reason.rawValue)"
            + (count > 0 ? " (\(count) of them import Core Data)" : ""))
      }
    }
    return (lines + rootLines + platformLines + testLines).joined(separator: "\n")
  }

  /// Lines about declarations that are left out of built files, and about bodies that lack
  /// something.
  private static func counts(_ declarations: [LeftOut]) -> [String] {
    [(false, "declarations are left out"), (true, "bodies are built without something")].compactMap
    {
      isOfBody, text in
      let found = declarations.filter { $0.isOfBody == isOfBody }
      let files = Set(found.map(\.file)).count
      return found.isEmpty
        ? nil : "  \(found.count) \(text)\(isOfBody ? " in" : " of") \(files) of them"
    }
  }

  /// Lines about the files that cause most others to be left out, with what replacing one of them
  /// by a source of the package's own gains.
  private var rootLines: [String] {
    let roots = Roots(targets.flatMap(\.leftOut)).all.filter { $0.others >= 3 }.prefix(8)
    let gains = roots.map { (left: $0.left, gain: judge.gain(ofReplacing: $0.left.file)) }
      .filter { $0.gain.files > 0 }
      .sorted { ($1.gain.tests, $1.gain.files) < ($0.gain.tests, $0.gain.files) }
    guard !gains.isEmpty else { return [] }
    return [
      "What most others are left out for; a source of its name in the package takes its place, and then so many more are built:"
    ]
      + gains.prefix(3).map { left, gain in
        let tests = gain.tests > 0 ? " and \(gain.tests) tests" : ""
        return "  \(gain.files) files\(tests) for \(path(left.file)), which \(left.text)"
      }
  }

  /// The line about tests.
  private var testLines: [String] {
    tests.all == 0 ? [] : ["\(tests.built) of \(tests.all) tests are in what is built"]
  }

  /// Lines about platforms for which built files have code where Linux gets none.
  private var platformLines: [String] {
    platforms.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { platform, count in
      "\(count) of the files that are built have code for \(platform) and none for Linux; --condition 'os(\(platform))' takes it"
    }
  }

  private func path(_ file: URL) -> String { project.shortPath(file.path) }
}
