import CoreData
import Testing

@testable import CoreDataSamples

/// The error policy: who meets a conflict reads again and tries again. Nothing is lost.
final class CountingWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let group: ItemGroup
  private var (done, conflicts) = (0, 0)

  init(_ context: NSManagedObjectContext, _ group: ItemGroup) {
    self.context = context
    self.group = group
  }

  var summary: String { "counted \(done), \(conflicts) conflicts" }

  func step(_ random: inout SplitMix64) throws {
    if context.parent != nil { context.refreshAllObjects() }
    for _ in 0..<50 where try countUp(&random) { return }
  }

  private func countUp(_ random: inout SplitMix64) throws -> Bool {
    let item = try group.item(&random, context)
    item.order += 1
    do { try context.saveThrough() } catch let error as CocoaError
      where error.code == .managedObjectMerge
    {
      conflicts += 1
      context.giveUp()
      return false
    }
    group.countUp(item.objectID)
    done += 1
    return true
  }
}
