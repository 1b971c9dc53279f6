import Foundation
import TestSupport
import Testing

@testable import CoreDataSync

@Suite struct WireTests {
  private func expectSame<Message: SyncMessage & Equatable>(_ message: Message) throws {
    let data = message.encodedMessage()
    let read = try Message(encodedMessage: data)
    #expect(read == message)
    #expect(read.encodedMessage() == data)
  }

  @Test func everyMessageIsReadAsItWasWritten() throws {
    for seed in 0..<UInt64(300) {
      var samples = WireSamples(seed: seed)
      try expectSame(samples.push())
      try expectSame(samples.pushed())
      try expectSame(samples.pull())
      try expectSame(samples.pulled())
      try expectSame(samples.greeting())
      try expectSame(samples.welcome())
    }
  }

  @Test func fieldsOfLaterProtocolsAreSkipped() throws {
    var writer = WireWriter()
    writer.fields {
      $0.field(0) { $0.name("home") }
      $0.number(1, 5)
      $0.number(2, 4)
      $0.number(3, 3)
      $0.number(5, 100)
      $0.field(9) {
        $0.array(count: 2)
        $0.body.map(count: 1)
        $0.body.text("key")
        $0.body.double(0.5)
        $0.body.data([1, 2, 3])
      }
      $0.field(10) { $0.body.null() }
    }
    let request = PullRequest(zone: "home", cursor: 5, base: 4, safe: 3, epoch: nil, limit: 100)
    #expect(try PullRequest(encodedMessage: Data(writer.message())) == request)
  }

  @Test func anotherProtocolIsRefusedWithTheOneThatIsSpoken() throws {
    var writer = WireWriter()
    writer.fields { _ in }
    let error = #expect(throws: SyncWireError.self) {
      try PullRequest(encodedMessage: Data(writer.message(protocolNumber: 7)))
    }
    #expect(error?.reason == .protocolNumber)
    #expect(error?.message.contains("1 is the lowest") ?? false)
  }

  /// What travels for one changed property, and for an insertion with five.
  @Test func messagesAreSmall() throws {
    var generator = SplitMix64(seed: 1)
    func id() -> RecordID { .random(using: &generator) }
    let replica = ReplicaID(generator.next())
    let clock = Clock(ticks: 1_795_000_000_000 << 16, replica: replica)
    func push(_ change: RecordChange) -> PushMessage {
      PushMessage(
        zone: "home", id: id(), replica: replica, previous: id(), epoch: id(), safe: 12_345,
        records: [change])
    }
    let edit = RecordChange(
      id: id(), entity: "Note", registers: ["title": .init(clock: clock, value: .text("Milk"))])
    #expect(push(edit).encodedMessage().count <= 140)
    let values: [String: SyncValue] = [
      "title": .text("Milk"), "body": .text(String(repeating: "x", count: 60)),
      "created": .date(817_000_000.25), "rank": .integer(12), "folder": .reference(id()),
    ]
    let insertion = RecordChange(
      id: id(), entity: "Note", life: Life(isDead: false, clock: clock),
      registers: values.mapValues { Register(clock: clock, value: $0) })
    let bytes = (push(edit).encodedMessage().count, push(insertion).encodedMessage().count)
    print("Bytes of a push: one property \(bytes.0), an insertion of five \(bytes.1)")
    #expect(bytes.1 <= 300)
  }
}
