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

  /// Reverts a move that would put a list inside itself: two processes may each move one list into
  /// the other at the same time, and the second move is dropped. Returns a message for the user.
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

  /// Gives each item a position of its own after two processes assigned positions: by the stored
  /// order, and by age if that is equal, so that new items come last.
  private func renumberChildren() {
    let request = childrenRequest
    request.shouldRefreshRefetchedObjects = true
    // If the store cannot be read, the save in progress reports it.
    let items = (try? managedObjectContext?.fetch(request)) ?? []
    let ordered = items.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    for (place, item) in ordered.enumerated() where item.order != place {
      item.order = Int64(place)
    }
  }
}

extension Meeting {
  /// Lists in which this side's changes assigned positions.
  fileprivate var lists: [Item] {
    guard let item = conflict.sourceObject as? Item else { return [] }
    return [own["children"] == nil ? nil : item, own["order"] == nil ? nil : item.parent]
      .compactMap { $0 }
  }
}
