import CoreDataSync
import Foundation
import TestSupport
import Testing

/// Bytes at random, and messages with faults at random: each is read or refused with a reason, and what is read is
/// written again.
@Suite struct WireFuzzTests {
  /// SYNC_SEED and FUZZ_SECONDS choose others.
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed = environment["SYNC_SEED"].flatMap(UInt64.init) ?? 1
  private static let seconds = environment["FUZZ_SECONDS"].flatMap(Double.init) ?? 3

  /// Whether the bytes were a message.
  private func read<Message: SyncMessage & Equatable>(_ type: Message.Type, _ data: Data) throws
    -> Bool
  {
    let message: Message
    do { message = try Message(encodedMessage: data) } catch is SyncWireError { return false }
    // Doubles that are no numbers are not equal to themselves: their bytes are.
    let again = message.encodedMessage()
    #expect(try Message(encodedMessage: again).encodedMessage() == again)
    return true
  }

  private func readAll(_ data: Data) throws -> Int {
    try [
      read(PushMessage.self, data), read(Pushed.self, data), read(PullRequest.self, data),
      read(Pulled.self, data), read(SyncGreeting.self, data), read(SyncWelcome.self, data),
    ].count { $0 }
  }

  @Test func bytesAreReadOrRefused() throws {
    let end = ContinuousClock.now + .seconds(Self.seconds)
    var seed = Self.seed
    var (count, readCount) = (0, 0)
    while ContinuousClock.now < end {
      var samples = WireSamples(seed: seed)
      var data = [
        samples.push().encodedMessage(), samples.pushed().encodedMessage(),
        samples.pull().encodedMessage(), samples.pulled().encodedMessage(),
        samples.greeting().encodedMessage(), samples.welcome().encodedMessage(),
      ][samples.number(5)]
      for _ in 0...samples.number(3) { damage(&data, &samples) }
      do { readCount += try readAll(data) } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
      seed += 1
      count += 1
    }
    print("\(count) damaged messages from seed \(Self.seed), \(readCount) of them read")
  }

  private func damage(_ data: inout Data, _ samples: inout WireSamples) {
    guard !data.isEmpty else { return }
    let place = samples.number(data.count - 1)
    switch samples.number(5) {
    case 0: data[place] = UInt8(samples.number(255))
    case 1: data = data.prefix(place)
    case 2: data.insert(UInt8(samples.number(255)), at: place)
    case 3: data.remove(at: place)
    case 4: data[place] = [0x5B, 0x9B, 0xBB, 0x7B, 0xDB, 0xFF, 0x9F][samples.number(6)]
    default:
      let source = samples.number(data.count - 1)
      data.replaceSubrange(place..<min(place + 8, data.count), with: data[source...].prefix(8))
    }
  }

  /// Lengths that no memory has, and nesting that no stack has.
  @Test func hugeClaimsCostNothing() throws {
    let head: [UInt8] = [0x85, 1, 0x80, 0x80, 0]
    let huge: [UInt8] = [0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    for major in [2, 3, 4, 5] as [UInt8] {
      let claim = [huge[0] | major << 5] + huge.dropFirst()
      for data in [
        [0x85, 1] + claim, head + claim, head + [0xA1, 0] + claim, head + [0xA1, 6] + claim,
        head + [0xA1, 0x17] + claim,
      ] {
        #expect(try readAll(Data(data)) == 0)
      }
    }
    for opening in [[0x81], [0xA1, 0x17], [0xC1], [0x82, 7]] as [[UInt8]] {
      let nested = Array(repeating: opening, count: 100_000).joined()
      #expect(try readAll(Data(head + [0xA1, 0x17] + nested)) == 0)
      #expect(try readAll(Data(head + nested)) == 0)
    }
  }
}
