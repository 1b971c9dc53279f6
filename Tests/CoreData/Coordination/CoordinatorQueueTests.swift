import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The coordinator's own queue.
@Suite struct CoordinatorQueueTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())

  @Test func waitingCanBeNested() {
    let result = coordinator.performAndWait { coordinator.performAndWait { 42 } }
    #expect(result == 42)
  }

  @Test func resultsAndErrorsComeBack() async throws {
    #expect(await coordinator.perform { 1 + 1 } == 2)
    await #expect(throws: CocoaError.self) {
      try await coordinator.perform { throw CocoaError(.coreData) }
    }
    #expect(throws: CocoaError.self) {
      try coordinator.performAndWait { throw CocoaError(.coreData) }
    }
  }

  @Test func blocksRunOneAfterTheOther() async {
    let counter = Counter()
    countTo(1000, counter)
    #expect(await coordinator.perform { counter.value } == 1000)
  }

  /// Touched on the coordinator's queue alone.
  private final class Counter: @unchecked Sendable { var value = 0 }

  private func countTo(_ count: Int, _ counter: Counter) {
    for _ in 0..<count { coordinator.perform { counter.value += 1 } }
  }
}
