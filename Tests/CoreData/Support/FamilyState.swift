import CoreData

/// A family as plain values, its items by their numbers.
struct FamilyState: Equatable {
  struct Member: Equatable {
    var title: String?
    var parent: Int64?
    var hasTag = false
    var hasNote = false
  }

  var items: [Int64: Member] = [:]
  var hasTag = false
  var hasNote = false
  /// The members of each item that has some, in their order if they have one.
  var children: [Int64: [Int64]] = [:]
  /// What two ends of a relationship say differently; nil when all agree.
  var disagreement: String?

  init(_ context: NSManagedObjectContext) throws {
    func all(_ entity: String) throws -> [NSManagedObject] {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }
    func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
      switch object.value(forKey: key) {
      case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
      case let set as Set<NSManagedObject>: Array(set)
      default: []
      }
    }
    let (tags, notes) = (try all("Tag"), try all("Note"))
    hasTag = !tags.isEmpty
    hasNote = !notes.isEmpty
    let isOrdered =
      context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Item"]?
      .relationshipsByName["children"]?.isOrdered == true
    for case let item as Item in try all("Item") {
      let note = item.value(forKey: "note") as? NSManagedObject
      items[item.order] = Member(
        title: item.title, parent: item.parent?.order, hasTag: !members(item, "tags").isEmpty,
        hasNote: note != nil)
      let children = members(item, "children")
      let numbers = children.compactMap { ($0 as? Item)?.order }
      if !numbers.isEmpty { self.children[item.order] = isOrdered ? numbers : numbers.sorted() }
      for case let child as Item in children where child.parent !== item || child.isDeleted {
        disagreement = "\(child.order) is among the children of \(item.order), and not in it"
      }
      if let parent = item.parent {
        if parent.isDeleted {
          disagreement = "\(item.order) is in \(parent.order), which is deleted"
        }
        if !members(parent, "children").contains(item) {
          disagreement = "\(item.order) is in \(parent.order), and not among its children"
        }
      }
      for tag in members(item, "tags") where !members(tag, "items").contains(item) {
        disagreement = "\(item.order) has a tag that does not have it"
      }
      if let note, note.value(forKey: "item") as? Item !== item || note.isDeleted {
        disagreement = "\(item.order) has a note of another one"
      }
    }
    for tag in tags {
      for item in members(tag, "items") where !members(item, "tags").contains(tag) {
        disagreement = "a tag has an item that does not have it"
      }
    }
    for note in notes {
      guard let item = note.value(forKey: "item") as? Item else { continue }
      if item.value(forKey: "note") as? NSManagedObject !== note || item.isDeleted {
        disagreement = "a note is of \(item.order), which does not have it"
      }
    }
  }
}
