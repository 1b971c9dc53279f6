import CoreData

/// Rows whose places both sides have changed, of a class that has no rules of its own for that.
///
/// Each row of such a list gets a place of its own, by the places that the merge has left and,
/// where two are equal, by age. The user is told, since the order is neither side's.
extension NSManagedObject {
  static func settlePlaces(_ meetings: [Meeting]) -> [String] {
    let lists = Set(meetings.compactMap(\.contestedList))
    for list in lists { list.renumberRows() }
    return lists.isEmpty ? [] : ["Somebody else has just moved rows of this list, too"]
  }
}

/// The objects that belong to one owner and have places beside each other.
private struct RowList: Hashable {
  let owner: NSManagedObject
  /// The relationship of the rows to their owner, and the attribute with the place.
  let relationship: String
  let place: NSAttributeDescription
  let rowEntity: NSEntityDescription

  func renumberRows() {
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = rowEntity
    request.predicate = NSPredicate(format: "%K == %@", relationship, owner)
    // Others may have moved rows that this side has not.
    request.shouldRefreshRefetchedObjects = true
    // If the store cannot be read, the save in progress reports it.
    let rows = (try? owner.managedObjectContext?.fetch(request)) ?? []
    let ordered = rows.sorted { ($0.number(place), $0.rank) < ($1.number(place), $1.rank) }
    for (number, row) in ordered.enumerated() where row.number(place) != number {
      row.setValue(number, forKey: place.name)
    }
  }
}

extension NSManagedObject {
  fileprivate func number(_ place: NSAttributeDescription) -> Int {
    value(forKey: place.name) as? Int ?? 0
  }

  /// Earlier rows come first.
  fileprivate var rank: Int {
    Int(objectID.uriRepresentation().lastPathComponent.drop { !$0.isNumber }) ?? .max
  }
}

extension Meeting {
  /// The list in which both sides have given the object a place.
  fileprivate var contestedList: RowList? {
    let row = conflict.sourceObject
    guard let place = row.entity.attributesByName.values.first(where: \.isPlace),
      own[place.name] != nil,
      let stored = conflict.storedSnapshot[place.name] as? NSObject,
      !stored.isEqual(conflict.objectSnapshot?[place.name]),
      let (relationship, owner) = row.containers.first, let owner
    else { return nil }
    return RowList(
      owner: owner, relationship: relationship.name, place: place, rowEntity: relationship.entity)
  }
}
