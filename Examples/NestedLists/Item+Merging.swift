import CoreData
import ListApplication

extension Item: MergedObject {
  package static func settle(_ meetings: [Meeting]) -> [String] {
    var words = meetings.compactMap { meeting in
      (meeting.conflict.sourceObject as? Item)?.leaveItself(meeting)
    }
    words += meetings.compactMap { meeting in
      (meeting.conflict.sourceObject as? Item)?.yieldToMove(meeting)
    }
    let moved = meetings.filter(\.isMoveWithinList)
    for list in Set(meetings.flatMap(\.lists)) {
      let moves = moved.filter { ($0.conflict.sourceObject as? Item)?.parent === list }
      let (items, stored) = list.renumberChildren()
      for case let item as Item in moves.map(\.conflict.sourceObject) where item.isMoved(to: stored)
      {
        words.append(item.wordsOfTwoMoves(among: items))
      }
    }
    return words
  }

  /// Moves the item to the end of the list that somebody else has put it into.
  package func take(_ value: Any?, for name: String) {
    guard name == "parent", let list = value as? Item else { return setValue(value, forKey: name) }
    move(into: list)
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

  /// Leaves the place to somebody else, who has put the item into another list while this side has
  /// moved it within the former one.
  private func yieldToMove(_ meeting: Meeting) -> String? {
    let (read, stored) = (meeting.conflict.objectSnapshot ?? [:], meeting.conflict.storedSnapshot)
    guard meeting.own["parent"] == nil, meeting.own["order"] != nil,
      let list = stored["parent"] as? NSManagedObjectID,
      list != read["parent"] as? NSManagedObjectID
    else { return nil }
    if let order = stored["order"] as? Int64 { self.order = order }
    return meeting.isMove
      ? "“\(title ?? "")” is in “\(parent?.title ?? "")” now: somebody else has just moved it there"
      : nil
  }

  /// Gives each item a position of its own after two processes assigned positions: by the stored
  /// order, and by age if that is equal, so that new items come last.
  ///
  /// Returns the items in their order, and the positions that they have in the store.
  @discardableResult
  private func renumberChildren() -> (items: [Item], stored: [NSManagedObjectID: Int64]) {
    let request = childrenRequest
    request.shouldRefreshRefetchedObjects = true
    // If the store cannot be read, the save in progress reports it.
    let items = (try? managedObjectContext?.fetch(request)) ?? []
    let stored = items.map { ($0.objectID, $0.committedOrder) }
    let ordered = items.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    for (place, item) in ordered.enumerated() where item.order != place {
      item.order = Int64(place)
    }
    return (ordered, Dictionary(uniqueKeysWithValues: stored))
  }
}

// A row that two processes have moved within its list: the place is the later one's, who is told.
extension Item {
  private var committedOrder: Int64 {
    guard changedValues()["order"] != nil else { return order }
    return committedValues(forKeys: ["order"])["order"] as? Int64 ?? 0
  }

  /// Whether it is this item that somebody else has moved past those that this side has seen beside
  /// it: none of them has been moved past more of them.
  private func isMoved(to now: [NSManagedObjectID: Int64]) -> Bool {
    let former = lastMove?.former ?? [:]
    func passed(_ item: NSManagedObjectID) -> [NSManagedObjectID] {
      guard let before = former[item], let after = now[item] else { return [] }
      return former.compactMap { other, order in
        guard other != item, order != before, let place = now[other], place != after else {
          return nil
        }
        return (order < before) == (place < after) ? nil : other
      }
    }
    let others = passed(objectID)
    return !others.isEmpty && others.prefix(20).allSatisfy { passed($0).count <= others.count }
  }

  private func wordsOfTwoMoves(among items: [Item]) -> String {
    let place = items.firstIndex(of: self) ?? 0
    let name = "“\(title ?? "")”"
    return place == 0
      ? "Somebody else has just moved \(name), too: it comes first now"
      : "Somebody else has just moved \(name), too: it comes after “\(items[place - 1].title ?? "")” now"
  }
}

extension Meeting {
  /// Lists in which this side's changes assigned positions.
  fileprivate var lists: [Item] {
    guard let item = conflict.sourceObject as? Item else { return [] }
    return [own["children"] == nil ? nil : item, own["order"] == nil ? nil : item.parent]
      .compactMap { $0 }
  }

  /// Whether this side's user has moved the item within its list.
  fileprivate var isMove: Bool {
    guard let item = conflict.sourceObject as? Item, let order = own["order"] as? Int64 else {
      return false
    }
    return own["parent"] == nil && item.lastMove?.order == order
  }

  /// Whether nobody else has put the item into another list meanwhile.
  fileprivate var isMoveWithinList: Bool {
    isMove
      && conflict.storedSnapshot["parent"] as? NSManagedObjectID
        == conflict.objectSnapshot?["parent"] as? NSManagedObjectID
  }
}
