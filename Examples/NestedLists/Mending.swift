import CoreData
import ListApplication

/// Repairs lists that older versions or concurrent processes have damaged: cycles, which cannot be
/// reached from the root, and siblings with equal positions.
struct Mending {
  let context: NSManagedObjectContext

  /// Saves the repairs. Returns messages for the user about them.
  func run() throws -> [String] {
    let circles = try openCircles()
    try context.save()
    let places = try numberAnew()
    try context.save()
    return [circles, places].compactMap { $0 }
  }

  // MARK: - Cycles

  /// Moves one item of each cycle, with its contents, to the end of the root.
  private func openCircles() throws -> String? {
    let circles = Self.circles(in: try parents())
    if circles.isEmpty { return nil }
    guard let root = try Item.roots(in: context).first else { return nil }
    var titles: [String] = []
    for circle in circles {
      guard let first = circle.min(by: Self.isOlder),
        let item = try context.existingObject(with: first) as? Item
      else { continue }
      item.order = Int64(root.numberOfChildren)
      item.parent = root
      titles.append("“\(item.title ?? "")”")
    }
    return """
      Lists were inside of each other, where nobody could reach them. In “\(root.title ?? "")” are \
      now: \(titles.joined(separator: ", ")).
      """
  }

  /// The parents of all lists by list. Items without children cannot be in a cycle.
  private func parents() throws -> [NSManagedObjectID: NSManagedObjectID] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["parent"]
    request.returnsDistinctResults = true
    let lists = try context.fetch(request).compactMap { $0["parent"] as? NSManagedObjectID }
    var parents: [NSManagedObjectID: NSManagedObjectID] = [:]
    let share = 500
    for start in stride(from: 0, to: lists.count, by: share) {
      let some = Item.fetchRequest()
      some.predicate = NSPredicate(
        format: "SELF IN %@", Array(lists[start..<min(start + share, lists.count)]))
      for list in try context.fetch(some) { parents[list.objectID] = list.parent?.objectID }
    }
    return parents
  }

  private static func circles(
    in parents: [NSManagedObjectID: NSManagedObjectID]
  ) -> [[NSManagedObjectID]] {
    var circles: [[NSManagedObjectID]] = []
    var seen: Set<NSManagedObjectID> = []
    for start in parents.keys.sorted(by: isOlder) where !seen.contains(start) {
      var way: [NSManagedObjectID] = []
      var next: NSManagedObjectID? = start
      while let list = next, seen.insert(list).inserted {
        way.append(list)
        next = parents[list]
      }
      if let next, let place = way.firstIndex(of: next) { circles.append(Array(way[place...])) }
    }
    return circles
  }

  private static func isOlder(_ one: NSManagedObjectID, _ other: NSManagedObjectID) -> Bool {
    let names = [one, other].map { $0.uriRepresentation().lastPathComponent }
    return names[0].compare(names[1], options: .numeric) == .orderedAscending
  }

  // MARK: - Positions

  private func numberAnew() throws -> String? {
    let groups = try context.equalValues(["parent", "order"], of: Item.fetchRequest())
    let lists = Set(groups.compactMap { $0["parent"] as? NSManagedObjectID })
    for id in lists {
      guard let list = try context.existingObject(with: id) as? Item else { continue }
      for (place, item) in try context.fetch(list.childrenRequest).enumerated()
      where item.order != place {
        item.order = Int64(place)
      }
    }
    if lists.isEmpty { return nil }
    return """
      Items of \(lists.count == 1 ? "a list" : "\(lists.count) lists") had the same place: they stand \
      one after the other now.
      """
  }
}
