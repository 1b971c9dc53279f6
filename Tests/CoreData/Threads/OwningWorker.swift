import CoreData
import Testing

@testable import CoreDataSamples

/// The policies that merge by property: each worker is the only one to change its property, and none of
/// its changes is lost.
final class OwningWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let group: ItemGroup
  private let key: String
  private var saved: [NSManagedObjectID: Int] = [:]
  private var next = 0

  init(
    _ context: NSManagedObjectContext, _ group: ItemGroup, _ key: String, _ policy: NSMergePolicy
  ) {
    self.context = context
    self.group = group
    self.key = key
    context.mergePolicy = policy
  }

  var summary: String { "\(group.name).\(key) set \(next) times" }

  private func value(_ number: Int) -> Any {
    key == "date" ? Date(timeIntervalSinceReferenceDate: Double(number)) : NSNumber(value: number)
  }

  func step(_ random: inout SplitMix64) throws {
    if random.next() % 16 == 0 { context.reset() }
    let item = try group.item(&random, context)
    next += 1
    item.setValue(value(next), forKey: key)
    try context.save()
    saved[item.objectID] = next
  }

  func check(_ context: NSManagedObjectContext) throws {
    for (id, number) in saved {
      let found = try context.existingObject(with: id).value(forKey: key)
      #expect(found as? NSObject == value(number) as? NSObject, "\(group.name).\(key)")
    }
  }
}
