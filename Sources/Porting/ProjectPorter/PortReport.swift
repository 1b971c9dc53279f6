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
  private let output: URL

  init(_ porting: Porting) {
    project = porting.project
    judge = porting.judge
    output = porting.output
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

  /// All of the report: a line for each thing that is left out, then the figures.
  public var description: String { (items + figures()).joined(separator: "\n") }

  /// The report in at most some forty lines: where there are more, one line for each cause of what
  /// is left out, most frequent first, and the place of all the others.
  /// - Parameter whole: where the whole report is, or how to get it, as the end of a sentence.
  public func summary(whole: String) -> String {
    if !isLong { return description }
    let (items, figures, causes) = (self.items, figures(isShort: true), self.causes)
    let shown = causes.prefix(max(5, Self.mostLines - figures.count - 3))
    var lines = ["What is left out, by cause:"] + shown.map { "  \($0)" }
    if shown.count < causes.count {
      lines.append("  and \(causes.count - shown.count) more causes")
    }
    lines.append("All \(items.count) places: \(whole)")
    return (lines + figures).joined(separator: "\n")
  }

  /// Whether the summary has less than the report.
  public var isLong: Bool {
    items.count + targets.reduce(0) { $0 + lines(of: $1).count } > Self.mostLines
  }

  private static let mostLines = 40

  /// A line for each file, declaration and body that is left out.
  private var items: [String] {
    targets.flatMap { target in
      (target.leftOut + target.declarations).sorted {
        ($0.file.path, $0.line ?? 0) < ($1.file.path, $1.line ?? 0)
      }
      .map { "\(place($0)): \($0.text)" }
    }
  }

  /// A line for each cause, with the number of what is left out for it and its first place.
  private var causes: [String] {
    let all = targets.flatMap { $0.leftOut + $0.declarations }
    let causes = Dictionary(grouping: all, by: \.group).map(ReportedCause.init)
    return causes.sorted(by: >).map { "\($0); first \(place($0.first))" }
  }

  private func place(_ left: LeftOut) -> String {
    path(left.file) + (left.line.map { ":\($0)" } ?? "")
  }

  /// The lines of figures: for each target, then of what others are left out for, of platforms and
  /// of tests.
  private func figures(isShort: Bool = false) -> [String] {
    targets.flatMap { isShort ? [line(of: $0)] : lines(of: $0) }
      + rootLines + moduleLines + platformLines + testLines
  }

  private func line(of target: Target) -> String {
    let replaced = target.replaced > 0 ? ", \(target.replaced) replaced by the package's own" : ""
    return
      "\(target.name)\(target.isTests ? " (tests)" : ""): \(target.built) of \(target.files) files are built\(replaced)"
  }

  private func lines(of target: Target) -> [String] {
    let models = target.models.isEmpty ? "" : ", with \(target.models.joined(separator: ", "))"
    let reasons = LeftOut.Reason.allCases.compactMap { reason -> String? in
      let left = target.leftOut.filter { $0.reason == reason }
      guard !left.isEmpty else { return nil }
      let count = left.count(where: \.importsCoreData)
      return "  \(left.count) \(reason.rawValue)"
        + (count > 0 ? " (\(count) of them import Core Data)" : "")
    }
    return [line(of: target) + models] + Self.counts(target.declarations) + reasons
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
    let roots = Roots(targets.flatMap(\.leftOut)).all.filter { $0.others >= 3 }.prefix(5)
    let gains = roots.map { (left: $0.left, gain: judge.gain(ofReplacing: $0.left.file)) }
      .filter { $0.gain.files > 0 }
      .sorted { ($1.gain.tests, $1.gain.files) < ($0.gain.tests, $0.gain.files) }
    guard !gains.isEmpty else { return [] }
    return [
      "What most others are left out for; a source of its name in the package takes its place, and then so many more are built:"
    ]
      + gains.prefix(3).map { left, gain in
        "  \(Self.text(gain)) for \(path(left.file)), which \(left.text); write \(ownPath(left.file))"
      }
  }

  /// The path of the source that takes a file's place, in the package.
  private func ownPath(_ file: URL) -> String {
    let target = judge.target(of: file)
    let folder = target.map(PackageFiles.folder) ?? "Sources"
    let name = file.deletingPathExtension().lastPathComponent
    return path(output.appendingPathComponent("\(folder)/\(name).swift"))
  }

  /// Lines about modules of Apple's and of packages, with what a stand-in of each would gain.
  private var moduleLines: [String] {
    let gains = judge.missingModules.prefix(3).map { (module: $0, gain: judge.gain(ofModule: $0)) }
      .filter { $0.gain.files > 0 }
      .sorted {
        ($1.gain.tests, $1.gain.files, $0.module) < ($0.gain.tests, $0.gain.files, $1.module)
      }
    guard !gains.isEmpty else { return [] }
    return [
      "With sources of your own that declare what is used of a module, so many more are built:"
    ]
      + gains.prefix(3).map { module, gain in
        "  \(Self.text(gain)) with --with-module \(module)=FOLDER"
      }
  }

  private static func text(_ gain: (files: Int, tests: Int)) -> String {
    "\(gain.files) files\(gain.tests > 0 ? " and \(gain.tests) tests" : "")"
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
