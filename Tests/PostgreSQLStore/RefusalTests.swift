import CoreData
import CoreDataSupport
import PostgreSQLServer
import Testing
import TestSupport

@testable import PostgreSQLStore

/// Servers that do not let one in, or have no room: clear errors, and nothing half-written.
@Suite(.enabled(if: PostgreSQLServer.isAvailable), .serialized) struct RefusalTests {
  private func reason(_ url: URL, _ code: CocoaError.Code = .persistentStoreOpen) -> String {
    do {
      _ = try ServerStack.open(url)
      Issue.record("The store was to be refused.")
      return ""
    } catch {
      let error = error as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.code == code.rawValue)
      return "\(error.localizedFailureReason ?? "") \(error.userInfo)"
    }
  }

  private func admin() throws -> PostgreSQLConnection {
    try PostgreSQLConnection(ServerAddress(PostgreSQLServer.url(schema: "public")), timeout: nil)
  }

  @Test func aWrongPasswordAndAMissingOneAreToldWithAdvice() throws {
    let server = try admin()
    let file = try server.query("SELECT current_setting('hba_file')").text(0, column: 0)
    let rules = try String(contentsOfFile: file, encoding: .utf8)
    let guest = TestName.make("guest")
    try server.execute("CREATE ROLE \(guest) LOGIN PASSWORD 'right'")
    try "local all \(guest) scram-sha-256\n\(rules)".write(
      toFile: file, atomically: false, encoding: .utf8)
    try server.execute("SELECT pg_reload_conf()")
    defer {
      try? rules.write(toFile: file, atomically: false, encoding: .utf8)
      try? server.execute("SELECT pg_reload_conf()")
    }
    let text = try PostgreSQLServer.url(schema: guest).absoluteString
      .replacing("user=coredata", with: "user=\(guest)")
    try server.execute("CREATE SCHEMA AUTHORIZATION \(guest)")
    try Patience.wait(for: "the server to read its rules anew") { try !open(text) }
    for address in [text, "\(text)&password=wrong%21"] {
      let reason = reason(try #require(URL(string: address)))
      #expect(reason.contains("password"), "\(reason)")
      #expect(reason.contains(".pgpass"))
      #expect(!reason.contains("wrong!") && !reason.contains("wrong%21"))
    }
    _ = try ServerStack.open(try #require(URL(string: "\(text)&password=right")))
  }

  private func open(_ text: String) throws -> Bool {
    (try? PostgreSQLConnection(ServerAddress(#require(URL(string: text))), timeout: nil)) != nil
  }

  @Test func aServerThatIsNotThereIsSaidNotToBe() throws {
    let nowhere = try TestFolder(isShort: true)
    for address in [
      "postgresql:///postgres?user=coredata&host=\(nowhere.url.path)",
      "postgresql://coredata@127.0.0.1:1/postgres",
    ] {
      #expect(reason(try #require(URL(string: address))).contains("Is the server running"))
    }
  }

  @Test func aServerThatIsTooOldIsNamed() throws {
    let server = try FakeServer(version: "12.19")
    defer { server.close() }
    let url = try #require(
      URL(string: "postgresql:///postgres?user=coredata&host=\(server.folder)&sslmode=disable"))
    let reason = reason(url)
    #expect(reason.contains("PostgreSQL 12"), "\(reason)")
    #expect(reason.contains("13 or later"))
  }

  /// What it says is known by its SQLSTATE, whatever the language.
  @Test(arguments: [
    ("28P01", "passwort", ".pgpass"), ("28000", "pg_hba", "pg_hba.conf"),
    ("3D000", "база", "createdb"), ("53300", "trop", "Allow more connections"),
    ("42501", "droits", "Grant"),
  ])
  func aRefusalInAnotherLanguageIsUnderstood(state: String, text: String, advice: String) throws {
    let server = try FakeServer(severity: "ВАЖНО", state: state, text: text)
    defer { server.close() }
    let url = try #require(
      URL(string: "postgresql:///postgres?user=coredata&host=\(server.folder)&sslmode=disable"))
    let reason = reason(url)
    #expect(reason.contains("\(text)"), "\(reason)")
    #expect(reason.contains("SQLSTATE \(state)") && reason.contains(advice), "\(reason)")
    #expect(!reason.contains("Is the server running"))
  }

  @Test func aFullDiskLeavesNothingHalfWritten() throws {
    guard let disk = SmallDisk(megabytes: 6) else {
      return print("A full disk is not tested: no file system can be mounted here.")
    }
    defer { disk.remove() }
    let server = try admin()
    let name = "small_\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE TABLESPACE \(name) LOCATION '\(disk.folder)'")
    defer { try? server.execute("DROP TABLESPACE \(name)") }
    let url = try #require(
      URL(
        string: try PostgreSQLServer.url(schema: name).absoluteString
          + "%20-cdefault_tablespace%3D\(name)"))
    let coordinator = try ServerStack.open(url)
    defer { try? server.execute("DROP SCHEMA \(name) CASCADE") }
    let context = coordinator.makeContext()
    try context.performAndWait {
      try save(50, of: 2_000, "fits", context)
      // What cannot be compressed.
      let error = #expect(throws: NSError.self) { try save(2_000, of: 2_000, "full", context) }
      #expect(error?.code == CocoaError.Code.persistentStoreSave.rawValue)
      #expect(error?.localizedFailureReason?.contains("Make room") == true, "\(error as Any)")
      context.rollback()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 50)
      // Smaller ones succeed again.
      try save(1, of: 10, "small", context)
    }
  }

  private func save(
    _ count: Int, of length: Int, _ title: String, _ context: NSManagedObjectContext
  ) throws {
    for number in 0..<count {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      let text = (0..<length).map { _ in String(UInt8.random(in: 33..<127), radix: 36) }.joined()
      book.setValue("\(title) \(number) \(text.prefix(length))", forKey: "title")
    }
    try context.save()
  }
}

/// A file system of a few megabytes in memory; nil where none may be mounted.
private struct SmallDisk {
  private let place: URL
  let folder: String

  init?(megabytes: Int) {
    place = URL(fileURLWithPath: "/tmp/disk-\(UUID().uuidString.prefix(8))")
    folder = place.appendingPathComponent("data").path
    guard
      (try? FileManager.default.createDirectory(at: place, withIntermediateDirectories: true))
        != nil
    else { return nil }
    guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", place.path),
      Self.run("mkdir", folder), Self.run("chown", "postgres", folder)
    else {
      remove()
      return nil
    }
  }

  func remove() {
    _ = Self.run("umount", "-l", place.path)
    // What is left in a temporary folder harms nobody.
    try? FileManager.default.removeItem(at: place)
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
