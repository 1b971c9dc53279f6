#if !PortedSources
  import Foundation
  import Glibc

  /// The porter of sources that all packages share which use one copy of OpenCoreData. It stands on
  /// swift-syntax, the largest part of a ported package's first build; so it is built once, beside
  /// that copy's own products, and not in each package that has no trait for it.
  struct SharedPorter {
    /// The copy of OpenCoreData.
    private let package: URL
    private var scratch: URL { package.appendingPathComponent(".build/source-porter") }
    private var executable: URL { scratch.appendingPathComponent("debug/SourcePorterTool") }
    private var stamp: URL { scratch.appendingPathComponent("built-from") }

    init(package: URL = Self.ownPackage) { self.package = package }

    private static let ownPackage = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()

    /// Becomes the shared porter, which is built first where its sources have changed.
    /// - Throws: `SharedPorterError`; otherwise it does not return.
    func run(_ arguments: [String]) throws -> Never {
      try withLock { if isOutdated { try build() } }
      let texts = [executable.path] + arguments
      let pointers = texts.map { strdup($0) } + [nil]
      execv(executable.path, pointers)
      throw SharedPorterError(
        "\(executable.path): cannot be run: \(String(cString: strerror(errno)))")
    }

    /// Serialises the builds of several packages, by a lock of the kernel, which ends with its
    /// process.
    private func withLock(_ body: () throws -> Void) throws {
      do {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
      } catch {
        throw SharedPorterError("\(scratch.path): cannot be made: \(error.localizedDescription)")
      }
      let lock = open(
        scratch.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
        throw SharedPorterError(
          "\(scratch.path)/lock: cannot be locked: \(String(cString: strerror(errno)))")
      }
      defer { close(lock) }
      try body()
    }

    private var isOutdated: Bool {
      // Without a stamp, nothing was built.
      (try? String(contentsOf: stamp, encoding: .utf8)) != fingerprint
        || !FileManager.default.isExecutableFile(atPath: executable.path)
    }

    /// The sizes and dates of the porter's sources and of the compiler.
    private var fingerprint: String {
      let sources = ["Sources/Porting/SourcePorter", "Sources/Porting/SourcePorterTool"].flatMap {
        path in
        (FileManager.default.subpaths(atPath: package.appendingPathComponent(path).path) ?? [])
          .sorted().map { package.appendingPathComponent(path).appendingPathComponent($0) }
      }
      let compilers = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(fileURLWithPath: "\($0)/swift-frontend") }
      let files = [package.appendingPathComponent("Package.swift")] + sources + compilers
      return files.compactMap { file in
        // What is not there has no part in it.
        guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path) else {
          return nil
        }
        let date = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        return "\(file.path) \(facts[.size] ?? "") \(date)"
      }.joined(separator: "\n")
    }

    private func build() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "swift", "build", "--package-path", package.path, "--scratch-path", scratch.path,
        "--traits", "PortedSources", "--product", "SourcePorterTool",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "SWIFT_DETERMINISTIC_HASHING": "1", "OPENCOREDATA_TESTS": "none",
      ]) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      do {
        try process.run()
      } catch {
        throw SharedPorterError("swift build: cannot be run: \(error.localizedDescription)")
      }
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
        throw SharedPorterError(
          "the porter of sources cannot be built; the trait PortedSources of the package OpenCoreData builds it in the "
            + "package itself: \(lines.suffix(8).joined(separator: "\n"))")
      }
      try Data(fingerprint.utf8).write(to: stamp, options: .atomic)
    }
  }

  struct SharedPorterError: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = "error: SourcePorterTool: \(text)" }
  }
#endif
