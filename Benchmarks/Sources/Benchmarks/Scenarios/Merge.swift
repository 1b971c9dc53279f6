import CoreData

/// A background context has saved a change of every object; a context that has them all registered merges
/// the save and reads the new values. Nobody else does this work: two sizes show how it grows.
extension Scenario {
  static func merge(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, in: workspace)
    let stack = try workspace.opening("ours") { try Stack(fixture.url) }
    let items = try stack.context.fetch(Item.allChildren)
    let background = stack.backgroundContext()
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { number in
          let notification = try background.changeAll()
          var checksum = Checksum()
          let duration = ContinuousClock().measure {
            stack.context.mergeChanges(fromContextDidSave: notification)
            stack.context.processPendingChanges()
            for item in items { checksum.add(item) }
          }
          try expectMerged(items, number)
          return Outcome(duration: duration, checksum: checksum)
        }
      ])
  }

  /// Each run has added one to each order.
  private static func expectMerged(_ items: [Item], _ number: Int) throws {
    let sum = items.reduce(0) { $0 + Int($1.order) }
    let count = items.count
    try BenchmarkError.expect(
      "Sum of the merged orders", sum, toBe: count * (count - 1) + (number + 1) * count)
  }
}

extension NSManagedObjectContext {
  fileprivate func changeAll() throws -> Notification {
    try performAndWait {
      for item in try fetch(Item.allChildren) { item.order += 1 }
      return try saveForMerging()
    }
  }
}
