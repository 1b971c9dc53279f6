import Dispatch
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What every store must do when several threads use it at once.
@Suite struct StoreConformanceConcurrencyTests {
  /// Writers set two rows to one value in one save; a reader must never see two values.
  @Test(arguments: StoreKind.all.filter { !$0.evaluatesItself })
  func readersSeeWholeSaves(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    try stack.insert(
      stack.makeRow("Tag", ["name": .text("0")]), stack.makeRow("Tag", ["name": .text("0")]))
    let plan = try stack.plan("Tag")
    let outcome = Outcome(stack)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      outcome.collect {
        let plan = try outcome.stack.plan("Tag")
        for round in 0..<40 {
          if worker == 0 {
            try Self.setBoth(outcome.stack, plan, to: "\(round)")
          } else {
            let rows = try outcome.stack.store.rows(plan)
            if rows.count != 2 || rows[0][0] != rows[1][0] { outcome.tear() }
          }
        }
      }
    }
    #expect(outcome.errors.isEmpty)
    #expect(outcome.tears == 0)
    #expect(try stack.values(plan, of: "name") == [.text("39"), .text("39")])
  }

  private static func setBoth(_ stack: StoreStack, _ plan: FetchPlan, to name: String) throws {
    var changes = StoreChanges()
    for row in try stack.store.rows(plan) {
      changes.updated += try stack.update(row, ["name": .text(name)]).updated
    }
    try stack.save(changes)
  }

  /// Keys are given once, whoever asks.
  @Test(arguments: StoreKind.all.filter(\.givesKeys))
  func threadsGetDifferentKeys(kind: StoreKind) throws {
    let stack = try StoreStack(kind)
    let layout = try stack.layout("Person")
    let outcome = Outcome(stack)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      outcome.collect {
        for _ in 0..<20 { outcome.add(try outcome.stack.store.reserveKeys(3, for: layout)) }
      }
    }
    #expect(outcome.errors.isEmpty)
    let all = outcome.keys.flatMap { [$0, $0 + 1, $0 + 2] }
    #expect(Set(all).count == 480)
  }

  /// What the threads of one test have in common. Sound: `lock` guards what changes.
  private final class Outcome: @unchecked Sendable {
    let stack: StoreStack
    private let lock = NSLock()
    private var found: (errors: [any Error], keys: [Int64], tears: Int) = ([], [], 0)

    init(_ stack: StoreStack) { self.stack = stack }

    var errors: [any Error] { lock.withLock { found.errors } }
    var keys: [Int64] { lock.withLock { found.keys } }
    var tears: Int { lock.withLock { found.tears } }

    func add(_ key: Int64) { lock.withLock { found.keys.append(key) } }
    func tear() { lock.withLock { found.tears += 1 } }

    func collect(_ body: () throws -> Void) {
      do { try body() } catch { lock.withLock { found.errors.append(error) } }
    }
  }
}
