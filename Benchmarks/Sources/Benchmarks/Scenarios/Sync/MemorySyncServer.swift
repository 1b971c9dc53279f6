import CoreDataSync
import Foundation
import Synchronization

/// A server that takes whatever it is sent and gives it back in pages: what is measured is the device.
final class MemorySyncServer: SyncTransport {
  private struct State {
    var rows: [Page.Row] = []
    /// Of all pushes, as they would travel.
    var bytes = 0
  }
  private let state = Mutex(State())
  private let epoch = RecordID(high: 1, low: 1)
  /// Whether the bytes of pushes are counted.
  private let countsBytes: Bool

  init(countingBytes countsBytes: Bool = false) { self.countsBytes = countsBytes }

  var bytes: Int { state.withLock(\.bytes) }

  /// What it has, as the peers read it.
  var items: [SyncedItem] {
    state.withLock { state in
      state.rows.compactMap { row in
        if case .record(let record) = row { SyncedItem(record.registers) } else { nil }
      }
    }
  }

  private var now: UInt64 { UInt64(Date().timeIntervalSince1970 * 1000) }

  func greet(_ greeting: SyncGreeting) async throws -> SyncWelcome {
    SyncWelcome(
      now: now,
      zones: Dictionary(
        uniqueKeysWithValues: greeting.zones.map {
          ($0, SyncWelcome.Zone(epoch: epoch, head: 0, horizon: 0))
        }))
  }

  func push(_ message: PushMessage) async throws -> Pushed {
    let size = countsBytes ? message.encodedMessage().count : 0
    state.withLock { state in
      state.bytes += size
      for change in message.records {
        state.rows.append(
          .record(
            RecordRow(
              id: change.id, entity: change.entity, life: change.life, registers: change.registers,
              facts: change.facts, isWhole: change.life != nil)))
      }
    }
    return Pushed(outcome: .accepted(Acceptance()), epoch: epoch, now: now)
  }

  func pull(_ request: PullRequest) async throws -> Pulled {
    let page = state.withLock { state in
      let start = min(Int(request.cursor), state.rows.count)
      let end = min(start + request.limit, state.rows.count)
      return Page(
        rows: Array(state.rows[start..<end]), cursor: Int64(end), head: Int64(state.rows.count),
        isDone: end == state.rows.count)
    }
    return Pulled(outcome: .page(page), epoch: epoch, now: now)
  }

  func changes(in zones: [String]) -> AsyncThrowingStream<SyncWakeUp, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}

/// An item as it travels.
struct SyncedItem: ItemReading {
  let title: String?
  let order: Int64
  let date: Date?
  let value: Double

  init(_ registers: [String: Register]) {
    title = if case .text(let text)? = registers["title"]?.value { text } else { nil }
    order = if case .integer(let number)? = registers["order"]?.value { number } else { 0 }
    date =
      if case .date(let seconds)? = registers["date"]?.value {
        Date(timeIntervalSinceReferenceDate: seconds)
      } else { nil }
    value = if case .double(let number)? = registers["value"]?.value { number } else { 0 }
  }
}
