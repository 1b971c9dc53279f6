import CoreData
import Testing

@testable import CoreDataSamples

/// Items that come, move, are tagged and go, known by titles; nobody else touches them.
final class FamilyWorker: ThreadWorker, @unchecked Sendable {
  let context: NSManagedObjectContext
  private let name: String
  private var model: [String: String?] = [:]
  private var next = 0

  init(_ context: NSManagedObjectContext, _ name: String) {
    self.context = context
    self.name = name
  }

  var summary: String { "\(next) items made, \(model.count) left" }

  func step(_ random: inout SplitMix64) throws {
    for _ in 0..<3 { try change(&random) }
    try context.saveThrough()
    if random.next() % 8 == 0 { context.reset() }
    try check(context)
  }

  private func change(_ random: inout SplitMix64) throws {
    let titles = model.keys.sorted()
    let picked = titles.isEmpty ? nil : titles[Int(random.next() % UInt64(titles.count))]
    switch random.next() % 4 {
    case 0 where titles.count > 20: try delete(try #require(picked))
    case 1: try tag(picked)
    default: try insert(in: picked)
    }
  }

  private func item(_ title: String) throws -> Item {
    try #require(try context.items("title == %@", title).first)
  }

  private func insert(in parent: String?) throws {
    next += 1
    let title = "\(name):\(next)"
    context.makeItem(title, in: try parent.map(item))
    model[title] = .some(parent)
  }

  private func tag(_ title: String?) throws {
    guard let title else { return }
    let tag = context.insert("Tag", ["name": name])
    try item(title).mutableSetValue(forKey: "tags").add(tag)
  }

  private func delete(_ title: String) throws {
    context.delete(try item(title))
    forget(title)
  }

  private func forget(_ title: String) {
    for child in model.filter({ $0.value == title }).keys { forget(child) }
    model[title] = nil
  }

  func check(_ context: NSManagedObjectContext) throws {
    var found: [String: String?] = [:]
    for item in try context.items("title BEGINSWITH %@", name + ":") {
      found[item.title ?? ""] = .some(item.parent?.title)
      #expect(item.children.allSatisfy { $0.parent === item })
    }
    #expect(found == model, "family \(name)")
  }
}
