import Foundation

/// A folder of its own for one test, in the folder of this run, which is removed when the process ends, however its
/// tests do.
package final class TestFolder: Sendable {
  package let url: URL

  /// - Parameter isShort: with a short name, for sockets, whose paths have 107 bytes at most.
  package init(isShort: Bool = false) throws {
    url = try isShort ? Self.makeShort() : Self.make()
  }

  deinit { Self.remove(url) }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// A folder that stays until the process ends.
  package static func make() throws -> URL {
    let folder = run.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func makeShort() throws -> URL {
    let folder = run.appendingPathComponent(String(UUID().uuidString.prefix(8)))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  // What cannot be removed is left to the system.
  package static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }

  /// The folder of this run. A process that a test starts of the tests themselves, to see how it ends, may end without
  /// removing anything: its folder lies in the one of the process that started it.
  package static let run: URL = {
    atexit { TestFolder.remove(TestFolder.run) }
    let temporary = FileManager.default.temporaryDirectory
    let parents = temporary.appendingPathComponent("OpenCoreDataTests-\(getppid())")
    let base = FileManager.default.fileExists(atPath: parents.path) ? parents : temporary
    let folder = base.appendingPathComponent("OpenCoreDataTests-\(getpid())")
    // Whoever needs it says why there is none.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()
}

/// Names that nobody else uses: of schemas, roles and databases on a server that tests share.
package enum TestName {
  /// Of small letters and digits, with a beginning that tells what it is of.
  package static func make(_ beginning: String) -> String {
    beginning + "_" + UUID().uuidString.lowercased().filter { $0 != "-" }
  }
}
