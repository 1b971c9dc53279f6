import Foundation

/// Builds a written package, leaving out whatever the compiler refuses, until the build succeeds.
public struct Building {
  private let path: URL
  private var options: Porting.Options
  /// The port as it was last written.
  public private(set) var porting: Porting
  private let say: (String) -> Void

  /// - Parameter say: receives the progress, line by line.
  public init(_ path: URL, _ options: Porting.Options, say: @escaping (String) -> Void) throws {
    self.path = path
    self.options = options
    self.say = say
    // Starts without refusals: OpenCoreData or the project may have gained what was missing.
    self.options.refusals = Refusals()
    porting = try Porting(path, self.options)
  }

  /// Writes and builds the package until a build succeeds.
  /// - Throws: `PortError` if a build fails for a reason that leaving out sources cannot remove.
  public mutating func run() throws {
    var refusals = Refusals()
    for round in 1... {
      _ = try porting.write()
      say("Build \(round): \(porting.countBuilt) files")
      let (status, output) = try Self.build(porting.output)
      if status == 0 { return }
      let errors = CompilerErrors(output)
      let before = refusals.count
      for message in errors.messages { refuse(message, refusals: &refusals) }
      if refusals.count == before { refusePackages(errors, output: output, refusals: &refusals) }
      guard refusals.count > before else {
        throw Self.failure(errors, output: output, package: porting.output)
      }
      say(
        "  the compiler refuses \(refusals.count - before) declarations and files; they are left out"
      )
      options.refusals = refusals
      porting = try Porting(path, options)
    }
  }

  /// Records packages that do not compile here or cannot be had, where nothing of the project's own
  /// is refused: what uses them is left out then.
  private func refusePackages(
    _ errors: CompilerErrors, output: String, refusals: inout Refusals
  ) {
    let packages = porting.products.values.flatMap { $0.map(\.package) }
    for package in packages {
      let checkout = porting.output.appendingPathComponent(".build/checkouts").path + "/"
      let message = errors.messages.first { message in
        message.file.path.hasPrefix(checkout)
          && message.file.path.dropFirst(checkout.count).split(separator: "/").first?.lowercased()
            == package.identity
      }
      let failure =
        message.map { "does not compile here: \($0.text)" }
        ?? errors.line(about: package.url).map { "cannot be had: \($0)" }
      if let failure {
        _ = refusals.add(
          failure, file: Refusals.name(ofPackage: package.identity), line: message?.line)
      }
    }
  }

  /// Records a refusal for the location of a message: for the declaration if it can be removed
  /// alone, or else for the file.
  private func refuse(_ message: CompilerErrors.Message, refusals: inout Refusals) {
    let kept = porting.judgements.filter { $0.target.kind != .macro }.flatMap(\.kept)
    guard let facts = kept.first(where: { $0.file.standardizedFileURL == message.file }) else {
      return
    }
    let file = porting.shortPath(facts.file.path)
    if facts.hasCodeForLinux, !facts.ownConditions.isEmpty {
      _ = refusals.add(
        message.text, file: file, declaration: facts.conditionEntries[0], line: message.line)
      return
    }
    if let body = body(of: facts, atLine: message.line),
      options.refusals?.of(file)[body] == nil
    {
      _ = refusals.add(message.text, file: file, declaration: body, line: message.line)
      return
    }
    let declaration = facts.removable(atLine: message.line).flatMap(facts.path) ?? ""
    // A declaration refused again after a former round was not removed: the whole file goes.
    if !refusals.add(message.text, file: file, declaration: declaration, line: message.line) {
      let isNew = options.refusals?.of(file)[declaration] == nil
      if !isNew { _ = refusals.add(message.text, file: file, line: message.line) }
    }
  }

  /// The body with the line, as refusals name it; nil in tests, whose bodies stay as they are.
  private func body(of facts: SourceFacts, atLine line: Int) -> String? {
    let isTest = porting.judgements.contains { judgement in
      judgement.target.kind == .tests && judgement.kept.contains { $0.file == facts.file }
        && facts.importsTests
    }
    return isTest ? nil : facts.body(atLine: line).flatMap(facts.bodyPath).map { "in \($0)" }
  }

  private static func failure(_ errors: CompilerErrors, output: String, package: URL)
    -> PortError
  {
    let places = errors.messages.prefix(8).map { "\($0.file.path):\($0.line): \($0.text)" }
    let text =
      if !places.isEmpty {
        places.joined(separator: "\n")
      } else if !errors.summary.isEmpty {
        errors.summary
      } else {
        output.split(whereSeparator: \.isNewline).suffix(8).joined(separator: "\n")
      }
    return PortError(
      "\(package.path): does not build, for something that cannot be left out of it:\n\(text)")
  }

  private static func build(_ package: URL) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "build", "--build-tests", "--package-path", package.path]
    // SwiftPM hands the traits of a package to the compiler in the order of a set: in another
    // order, all of it is built anew.
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SWIFT_DETERMINISTIC_HASHING": "1"
    ]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    do {
      try process.run()
    } catch {
      throw PortError("swift build: cannot be run: \(error.localizedDescription)")
    }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
