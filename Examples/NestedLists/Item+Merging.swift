import CoreData
import ListApplication

extension Item: MergedObject {
  package static func settle(_ meetings: [Meeting]) -> [String] {
    let words = meetings.compactMap { meeting in
      (meeting.conflict.sourceObject as? Item)?.leaveItself(meeting)
    }
    for list in Set(meetings.flatMap(\.lists)) { list.renumberChildren() }
    return words
  }

  /// Two programs may each move one list into the other at the same moment: the second move is not made.
  private func leaveItself(_ meeting: Meeting) -> String? {
    guard meeting.own["parent"] != nil, isInItself else { return nil }
    let place = parent?.title ?? ""
    let stored = meeting.conflict.storedSnapshot
    parent = (stored["parent"] as? NSManagedObjectID).flatMap {
      managedObjectContext?.object(with: $0) as? Item
    }
    if let order = stored["order"] as? Int64 { self.order = order }
    return "“\(title ?? "")” was not moved: “\(place)” has just been moved into it"
  }

  private var isInItself: Bool {
    var seen: Set<Item> = []
    var item: Item? = self
    while let current = item {
      guard seen.insert(current).inserted else { return true }
      item = current.parent
    }
    return false
  }

  /// Both have given places: each item gets one of its own again, as the store has them, and new ones come last among
  /// equals.
  private func renumberChildren() {
    let request = childrenRequest
    request.shouldRefreshRefetchedObjects = true
    // A store that cannot be read says so at the save that is under way.
    let items = (try? managedObjectContext?.fetch(request)) ?? []
    let ordered = items.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    for (place, item) in ordered.enumerated() where item.order != place {
      item.order = Int64(place)
    }
  }
}

extension Meeting {
  /// Those in which places were given.
  fileprivate var lists: [Item] {
    guard let item = conflict.sourceObject as? Item else { return [] }
    return [own["children"] == nil ? nil : item, own["order"] == nil ? nil : item.parent]
      .compactMap { $0 }
  }
}
