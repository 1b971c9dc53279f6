import CoreDataSync
import Foundation

/// The pushes of all zones that wait to be carried out: those of one zone that come while
/// another is being saved are saved together, in one transaction.
actor PushQueue {
  private struct Waiting {
    let push: SyncLedger.Push
    let answer: CheckedContinuation<Pushed, any Error>
  }

  /// The most pushes of one transaction, and changes in them.
  private static let mostPushes = 64
  private static let mostChanges = 2000
  /// The most pushes that wait in a zone; more are refused.
  private static let mostWaiting = 1000

  private let ledger: SyncLedger
  private let pool: WorkPool
  private let onCommit: @Sendable (String) -> Void
  private var waiting: [String: [Waiting]] = [:]
  private var working: Set<String> = []

  init(ledger: SyncLedger, pool: WorkPool, onCommit: @escaping @Sendable (String) -> Void) {
    self.ledger = ledger
    self.pool = pool
    self.onCommit = onCommit
  }

  func push(_ push: SyncLedger.Push) async throws -> Pushed {
    let zone = push.message.zone
    guard waiting[zone, default: []].count < Self.mostWaiting else {
      throw SyncTransportError(
        .unavailable, message: "Too many pushes wait in this zone.", retryAfter: 2)
    }
    return try await withCheckedThrowingContinuation { answer in
      waiting[zone, default: []].append(Waiting(push: push, answer: answer))
      if working.insert(zone).inserted { Task { await work(in: zone) } }
    }
  }

  private func work(in zone: String) async {
    while let batch = next(in: zone) {
      let pushes = batch.map(\.push)
      do {
        let answers = try await pool.run { [ledger] in try ledger.push(pushes, to: zone) }
        for (one, answer) in zip(batch, answers) { one.answer.resume(returning: answer) }
        onCommit(zone)
      } catch {
        await carryOutAlone(batch, in: zone, after: error)
      }
    }
    working.remove(zone)
    waiting[zone] = nil
  }

  private func next(in zone: String) -> [Waiting]? {
    guard let all = waiting[zone], !all.isEmpty else { return nil }
    var changes = 0
    let batch = all.prefix(Self.mostPushes).prefix { one in
      let isFirst = changes == 0
      changes += one.push.message.records.count + one.push.message.pairs.count + 1
      return isFirst || changes <= Self.mostChanges
    }
    waiting[zone]?.removeFirst(batch.count)
    return Array(batch)
  }

  /// What fails together may be the fault of one of them.
  private func carryOutAlone(
    _ batch: [Waiting], in zone: String, after error: any Error
  ) async {
    guard batch.count > 1 else { return batch[0].answer.resume(throwing: error) }
    for one in batch {
      do {
        let answer = try await pool.run { [ledger] in try ledger.push([one.push], to: zone)[0] }
        one.answer.resume(returning: answer)
        onCommit(zone)
      } catch {
        one.answer.resume(throwing: error)
      }
    }
  }
}
