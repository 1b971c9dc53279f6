import CoreDataSync
import Foundation
import SyncServer
import TestSupport
import Testing

@Suite struct TransportTests {
  @Test(arguments: LedgerKind.all)
  func whatOnePushesAnotherPulls(_ kind: LedgerKind) async throws {
    let server = try await RunningServer(kind)
    var writer = SyncWriter(seed: 1)
    let transport = server.transport()
    let welcome = try await transport.greet(writer.greeting())
    let zone = try #require(welcome.zones["home"])
    #expect(zone.mayWrite && zone.head == 1)
    let message = writer.insertions(100)
    let pushed = try await transport.push(message)
    #expect(pushed.acceptance == Acceptance())
    #expect(pushed.epoch == zone.epoch)
    // The same message again is answered as before.
    #expect(try await transport.push(message) == pushed)
    // Above 1 KB: compressed on the way.
    let page = try #require(
      try await server.transport("carl-carl-carl-carl").pull(writer.pull()).page)
    #expect(page.isDone && page.rows.count == 100 && page.head == 101)
    let names = page.rows.compactMap { if case .record(let row) = $0 { row.id } else { nil } }
    #expect(Set(names) == Set(message.records.map(\.id)))
  }

  @Test(arguments: ["home", "größe + b/c&d=e%20;f"])
  func whoeverListensIsWoken(_ zone: String) async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(zone: zone, seed: 2)
    let transport = server.transport()
    _ = try await transport.greet(writer.greeting())
    var wakes = server.transport().changes(in: [zone]).makeAsyncIterator()
    #expect(try await wakes.next() == SyncWakeUp(zone: zone, head: 1))
    _ = try await transport.push(writer.insertions())
    #expect(try await wakes.next() == SyncWakeUp(zone: zone, head: 2))
  }

  /// Two servers on one store: what one has saved is what the other tells.
  @Test(arguments: LedgerKind.all.filter { $0 != .inMemory })
  func whoeverListensToAnotherServerIsWoken(_ kind: LedgerKind) async throws {
    let folder = try TestFolder()
    let store = try kind.url(in: folder)
    let first = try await RunningServer(kind, at: store)
    let second = try await RunningServer(kind, at: store)
    var writer = SyncWriter(seed: 3)
    let transport = first.transport()
    _ = try await transport.greet(writer.greeting())
    var wakes = second.transport().changes(in: ["home"]).makeAsyncIterator()
    #expect(try await wakes.next() == SyncWakeUp(zone: "home", head: 1))
    _ = try await transport.push(writer.insertions())
    #expect(try await wakes.next() == SyncWakeUp(zone: "home", head: 2))
  }

  @Test func aServerThatIsNotThereIsAPassingError() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(try LentPorts.lend())"))
    let transport = URLSessionSyncTransport(server: url, key: "k", timeout: Patience.seconds)
    var writer = SyncWriter(seed: 4)
    let message = writer.insertions()
    let error = await #expect(throws: SyncTransportError.self) { try await transport.push(message) }
    #expect(error?.reason == .unreachable && error?.isPassing == true)
    let wakes = transport.changes(in: ["home"])
    let end = await #expect(throws: SyncTransportError.self) { for try await _ in wakes {} }
    #expect(end?.reason == .unreachable)
  }

  @Test func aKeyThatIsRevokedIsRefusedAtOnce() async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(seed: 5)
    let transport = server.transport("bobb-bobb-bobb-bobb")
    _ = try await server.transport().greet(writer.greeting())
    #expect(try await transport.pull(writer.pull()).page?.isDone == true)
    #expect(try KeyFile.revoke("bob", in: server.keyFile) == 1)
    let error = await #expect(throws: SyncTransportError.self) {
      try await transport.pull(writer.pull())
    }
    #expect(error?.reason == .unauthorized && error?.isPassing == false)
    #expect(try await server.transport().pull(writer.pull()).page?.isDone == true)
  }

  /// Whose key is revoked, or loses a zone, is told of nothing from then on.
  @Test(.timeLimit(.minutes(15)), arguments: [false, true])
  func aKeyThatIsRevokedHearsNothingMore(isRevoked: Bool) async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(seed: 15)
    let anna = server.transport()
    _ = try await anna.greet(writer.greeting())
    var wakes = server.transport("bobb-bobb-bobb-bobb").changes(in: ["home"]).makeAsyncIterator()
    var others = anna.changes(in: ["home"]).makeAsyncIterator()
    #expect(try await wakes.next() == SyncWakeUp(zone: "home", head: 1))
    #expect(try await others.next() == SyncWakeUp(zone: "home", head: 1))
    if isRevoked {
      #expect(try KeyFile.revoke("bob", in: server.keyFile) == 1)
    } else {
      let keys = RunningServer.keys.replacingOccurrences(of: "bob  home", with: "bob  away")
      try Data(keys.utf8).write(to: server.keyFile)
    }
    let start = ContinuousClock.now
    let error = await #expect(throws: SyncTransportError.self) {
      while try await wakes.next() != nil {}
      throw SyncTransportError(.unreachable, message: "ended")
    }
    #expect(error != nil && ContinuousClock.now - start < .seconds(15))
    // Others hear as before.
    _ = try await anna.push(writer.insertions())
    #expect(try await others.next() == SyncWakeUp(zone: "home", head: 2))
  }

  @Test func rightsAreByZoneAndEntity() async throws {
    let server = try await RunningServer()
    var writer = SyncWriter(seed: 6)
    _ = try await server.transport().greet(writer.greeting())
    let bob = server.transport("bobb-bobb-bobb-bobb")
    var message = writer.insertions()
    message.pairs = [
      PairChange(
        pair: Pair(
          relationship: "Account.friends", first: message.records[0].id, second: message.id),
        clock: writer.clock(), isOn: true)
    ]
    let answer = try #require(try await bob.push(message).acceptance)
    #expect(answer.denied == [message.records[0].id: "This key may not write Account."])
    #expect(answer.deniedPairs.map(\.pair) == message.pairs.map(\.pair))
    #expect(answer.deniedPairs.allSatisfy { !$0.isOn && $0.clock == .never })
    #expect(answer.pairDenials == ["Account.friends": "This key may not write Account."])
    var other = SyncWriter(zone: "else", seed: 7)
    let greeting = other.greeting()
    #expect(try await bob.greet(greeting).zones.isEmpty)
    let error = await #expect(throws: SyncTransportError.self) {
      try await bob.pull(other.pull())
    }
    #expect(error?.reason == .forbidden && error?.isPassing == false)
  }
}
