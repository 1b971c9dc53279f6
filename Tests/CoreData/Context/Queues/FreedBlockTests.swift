import CoreData
import Testing

@testable import CoreDataSamples

/// A block that a caller has waited for is gone when the caller goes on, with all that it used:
/// tests for leaks look at once.
@Suite struct FreedBlockTests {
  final class Token: Sendable {}
  private struct Failure: Error {}

  /// Who runs a block.
  enum Runner: CaseIterable {
    case background, main, child, coordinator, container

    func run(_ token: Token, throwing: Bool, in stack: TestStack) async throws {
      let block: @Sendable () throws -> Void = {
        withExtendedLifetime(token) {}
        if throwing { throw Failure() }
      }
      switch self {
      case .background: try await stack.makeContext().perform(block)
      case .main:
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        try await context.perform(block)
      case .child:
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.makeContext()
        try await child.perform(schedule: .enqueued, block)
      case .coordinator: try await stack.coordinator.perform(block)
      case .container:
        let model = NSManagedObjectModel()
        let container = NSPersistentContainer(name: "Nothing", managedObjectModel: model)
        try await container.performBackgroundTask { _ in try block() }
      }
    }
  }

  @Test(arguments: Runner.allCases, [false, true])
  func whatABlockUsesIsFreed(_ runner: Runner, throwing: Bool) async throws {
    let stack = try TestStack(.inMemory)
    for _ in 0..<200 {
      weak var left: Token?
      do {
        let token = Token()
        left = token
        try? await runner.run(token, throwing: throwing, in: stack)
      }
      #expect(left == nil)
    }
  }
}
