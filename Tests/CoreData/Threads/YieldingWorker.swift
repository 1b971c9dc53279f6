import CoreData
import Testing

@testable import CoreDataSamples

/// The policy that rolls back: who meets a conflict sees the store's values after the save; a change that
/// is still there has been saved and is not lost.
final class YieldingWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let group: ItemGroup
  private let name: String
  private var (next, yielded) = (0, 0)

  init(_ context: NSManagedObjectContext, _ group: ItemGroup, _ name: String) {
    self.context = context
    self.group = group
    self.name = name
    context.mergePolicy = NSMergePolicy.rollback
  }

  var summary: String { "yielded \(yielded) of \(next)" }

  func step(_ random: inout SplitMix64) throws {
    let item = try group.item(&random, context)
    next += 1
    let mine = "\(name)-\(next)"
    item.title = mine
    item.order += 1
    try context.save()
    if item.title == mine { group.countUp(item.objectID) } else { yielded += 1 }
  }
}
