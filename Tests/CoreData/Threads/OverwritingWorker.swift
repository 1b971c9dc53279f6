import CoreData
import Testing

@testable import CoreDataSamples

/// The policy that overwrites: the last one to save has its whole object in the store, never a mixture.
final class OverwritingWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let group: ItemGroup
  private let name: String
  private var next = 0

  init(_ context: NSManagedObjectContext, _ group: ItemGroup, _ name: String) {
    self.context = context
    self.group = group
    self.name = name
    context.mergePolicy = NSMergePolicy.overwrite
  }

  var summary: String { "overwritten \(next)" }

  func step(_ random: inout SplitMix64) throws {
    let item = try group.item(&random, context)
    next += 1
    item.title = "\(name)-\(next)"
    item.order = Int64(next)
    try context.save()
  }

  func check(_ context: NSManagedObjectContext) throws {
    for id in group.ids { try Self.checkPair(context.existingObject(with: id)) }
  }

  static func checkPair(_ object: NSManagedObject) throws {
    let item = try #require(object as? Item)
    let number = item.title.flatMap { $0.split(separator: "-").last }.flatMap { Int64($0) }
    #expect(number == item.order, "a mixture of two saves")
  }
}
