import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

/// `coredata sync-server` and its subcommands.
@Suite struct CommandTests {
  private func store(_ folder: TestFolder) throws -> (String, SyncLedger) {
    let file = folder.file("sync.sqlite")
    let ledger = try SyncLedger(at: file)
    var writer = SyncWriter(seed: 1)
    _ = try ledger.greet(writer.greeting()) { _ in SyncRights() }
    _ = try ledger.push([.init(writer.insertions(3))], to: "home")
    return (file.path, ledger)
  }

  @Test func inspectPrintsTheZones() throws {
    let folder = try TestFolder()
    let (store, _) = try store(folder)
    let (status, text) = try SyncServerProcess.run("inspect", "--store", store)
    #expect(status == 0)
    let words = text.split(separator: "\n").last?.split(separator: " ").map(String.init)
    #expect(words == ["home", "3", "0", "1", "0", "4", "0"])
    let json = try SyncServerProcess.run("inspect", "--store", store, "--json").text
    #expect(json.contains("\"records\" : 3"))
  }

  @Test func restoredMakesAnotherEpoch() throws {
    let folder = try TestFolder()
    let (store, ledger) = try store(folder)
    let before = try ledger.report()[0].epoch
    #expect(try SyncServerProcess.run("restored", "--store", store).status == 0)
    #expect(try ledger.report()[0].epoch != before)
  }

  @Test func compactForgetsWhatWasDeletedLongAgo() throws {
    let folder = try TestFolder()
    let (store, ledger) = try store(folder)
    var writer = SyncWriter(seed: 2)
    var message = writer.insertions(2)
    for number in 0..<2 { message.records[number].life?.isDead = true }
    _ = try ledger.push([.init(message)], to: "home")
    #expect(try SyncServerProcess.run("compact", "--store", store).status == 0)
    #expect(try ledger.report()[0].graves == 0)
    #expect(try SyncServerProcess.run("compact", "--store", store, "--days", "0").status == 0)
    let zone = try ledger.report()[0]
    #expect(zone.graves == 2 && zone.records == 3 && zone.horizon == zone.head)
    // Longer ago than there is time; longer than anybody means.
    #expect(try SyncServerProcess.run("compact", "--store", store, "--days", "36500").status == 0)
    #expect(try SyncServerProcess.run("compact", "--store", store, "--days", "99999").status == 64)
    let (status, text) = try SyncServerProcess.run("compact", "--store", store, "--zone", "x")
    #expect(status == 66)
    #expect(text.contains("There is no zone “x”."))
  }

  /// A backup is a copy of the store's file while the server is stopped.
  @Test func theFileOfAStoppedServerIsAWholeCopy() async throws {
    let folder = try TestFolder()
    let store = folder.file("sync.sqlite")
    let keys = folder.file("keys")
    try Data("0123456789abcdef anna home=write\n".utf8).write(to: keys)
    let server = try SyncServerProcess(store: store.path, keys: keys)
    try server.start()
    let transport = URLSessionSyncTransport(server: server.url, key: "0123456789abcdef")
    var writer = SyncWriter(seed: 1)
    _ = try await transport.greet(writer.greeting())
    _ = try await transport.push(writer.insertions(3))
    #expect(server.stop() == 0)
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    let (status, text) = try SyncServerProcess.run("inspect", "--store", copy.path)
    #expect(status == 0)
    let words = text.split(separator: "\n").last?.split(separator: " ").map(String.init)
    #expect(words?.prefix(2) == ["home", "3"])
  }

  @Test func whatIsNotThereIsNamed() throws {
    let folder = try TestFolder()
    let missing = folder.file("missing.sqlite").path
    for command in ["inspect", "restored", "compact"] {
      #expect(try SyncServerProcess.run(command, "--store", missing).status == 66)
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
    let keys = folder.file("keys")
    #expect(try SyncServerProcess.run("revoke", "anna", "--keys", keys.path).status == 66)
    try Data("0123456789abcdef anna home=all\n".utf8).write(to: keys)
    let (status, text) = try SyncServerProcess.run("--store", missing, "--keys", keys.path)
    #expect(status == 65)
    #expect(text.contains("Line 1 of the keys"))
    let listen = try SyncServerProcess.run(
      "--store", missing, "--keys", keys.path, "--listen", "8090")
    #expect(listen.status == 64)
  }

  @Test func aPortInUseIsNamed() throws {
    let folder = try TestFolder()
    let keys = folder.file("keys")
    try Data(RunningServer.keys.utf8).write(to: keys)
    let server = try SyncServerProcess(store: folder.file("one.sqlite").path, keys: keys)
    try server.start()
    let address = server.url.absoluteString.replacing("http://", with: "")
    let (status, text) = try SyncServerProcess.run(
      "--store", folder.file("two.sqlite").path, "--keys", keys.path, "--listen", address)
    #expect(status == 73)
    #expect(text.contains("in use"))
  }
}
