import Foundation
import Testing
import TestSupport

/// The applications' controllers, and what they share, compile with `import UIKit`: against names and
/// signatures written from Apple's documentation (`Tests/UIKitStub`), since there is no SDK here.
///
/// Command lines and servers, which an iOS application has others for, are left out.
@Suite struct UIKitSignatureTests {
  @Test func theControllersUseUIKitAsItIsDocumented() throws {
    let checker = try SignatureChecker()
    try checker.makeModules(with: "Client")
    for application in SignatureChecker.applications {
      let complaints = try checker.check(application)
      #expect(complaints == "", "\(application) does not compile with UIKit")
    }
  }

  /// What ListKit has and UIKit has not is found: here what stands on `showToast`, which a client writes there.
  @Test func whatUIKitDoesNotHaveIsFound() throws {
    let checker = try SignatureChecker()
    try checker.makeModules(with: nil)
    let complaints = try checker.check("TodoMVC")
    #expect(complaints.contains("cannot find 'tellDeleted' in scope"), "\(complaints)")
  }
}

/// Runs the compiler over sources of this package with the stub in UIKit's place.
private struct SignatureChecker {
  static let applications = ["NestedLists", "Goods", "Books", "Heroes", "Employees", "TodoMVC"]

  private let folder: TemporaryFolder
  /// The package, and what has been built of it beside the tests.
  private let root: URL
  private let built: URL

  init() throws {
    folder = try TemporaryFolder()
    root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let places = BuiltProgram.folders
    let isBuild = { (place: URL) in
      FileManager.default.fileExists(atPath: place.appendingPathComponent("Modules").path)
    }
    guard let built = places.first(where: isBuild) else {
      throw ApplicationError("The modules are not beside the tests, in \(places).")
    }
    self.built = built
  }

  /// The stub, and on it the libraries that the controllers use, as modules.
  func makeModules(with client: String?) throws {
    try make("UIKit", try sources("Tests/UIKitStub"))
    try make("ListData", try sources("Sources/Lists/ListData"))
    let own = try sources("Tests/UIKitStub/Client")
    let additions = own.filter { client != nil || $0.lastPathComponent == "WorkDeclarations.swift" }
    let shared = try sources("Sources/Lists/ListApplication", withRooms: true)
    // Without the additions, what needs them is left out too.
    let usable = try shared.filter { file in
      let text = try text(of: file)
      return client != nil || !["showToast", "SyncLine"].contains { text.contains($0) }
    }
    try make("ListApplication", usable + additions)
  }

  /// What the compiler says of an application's controllers: nothing, when all is well.
  func check(_ application: String) throws -> String {
    let generated = built.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("plugins/outputs")
    let classes = try FileManager.default.contentsOfDirectory(
      at: generated, includingPropertiesForKeys: nil
    ).map {
      $0.appendingPathComponent(
        "\(application)/destination/ManagedObjects/\(application)ManagedObjects.swift")
    }.filter { FileManager.default.fileExists(atPath: $0.path) }
    let files = try sources("Examples/\(application)") + classes
    return try compile(files, ["-typecheck", "-module-name", "\(application)Controllers"])
  }

  private func make(_ module: String, _ files: [URL]) throws {
    let complaints = try compile(
      files,
      [
        "-emit-module", "-emit-module-path", folder.file("\(module).swiftmodule").path,
        "-module-name", module,
      ])
    if !complaints.isEmpty { throw ApplicationError("\(module): \(complaints)") }
  }

  private func compile(_ files: [URL], _ options: [String]) throws -> String {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.currentDirectoryURL = folder.file(".")
    let modules = [
      folder.file(".").path, built.appendingPathComponent("Modules").path,
      root.appendingPathComponent("Sources/Foundation/CSQLite").path,
      root.appendingPathComponent("Sources/Foundation/CZlib").path,
    ]
    let map = built.appendingPathComponent("CRuntime.build/module.modulemap").path
    process.arguments =
      ["swiftc", "-swift-version", "6", "-parse-as-library", "-package-name", "stubbed"]
      + modules.flatMap { ["-I", $0] } + ["-Xcc", "-fmodule-map-file=\(map)"] + options
      + files.map(\.path)
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus != 0 else { return "" }
    return text.isEmpty ? "The compiler ended with \(process.terminationStatus)" : text
  }

  /// The Swift files right in a folder, command lines and servers aside.
  private func sources(_ path: String, withRooms: Bool = false) throws -> [URL] {
    let folder = root.appendingPathComponent(path)
    let paths =
      try withRooms
      ? FileManager.default.subpathsOfDirectory(atPath: folder.path)
      : FileManager.default.contentsOfDirectory(atPath: folder.path)
    let files = paths.map { folder.appendingPathComponent($0) }
    let others = ["import ArgumentParser", "import ListWeb", "import ListTerminal"]
    return try files.filter { $0.pathExtension == "swift" }.filter { file in
      let text = try text(of: file)
      return !others.contains { text.contains($0) }
    }.sorted { $0.path < $1.path }
  }

  private func text(of file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }
}
