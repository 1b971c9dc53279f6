import Foundation

/// The bits of an archived fetch request's flags.
///
/// Only the standard combination (30) is known from archives of Apple's framework. The order of the
/// bits within it is our choice.
enum ArchivedFetchFlag: Int, CaseIterable {
  case distinctResults = 1
  case subentities = 2
  case propertyValues = 4
  case faults = 8
  case pendingChanges = 16
}

extension ModelArchiveReader {
  /// Reads a fetch request.
  ///
  /// - Parameter name: the name of an entity that is not in the archive, as for a fetched property
  ///   that is archived alone.
  func fetchRequest(
    from record: ArchiveRecord, entityName name: String? = nil
  ) throws -> NSFetchRequest<NSFetchRequestResult> {
    guard let entity = try record.record("NSEntity")?.requiredText("NSEntityName") ?? name else {
      throw record.wrong("NSEntity", expected: "an entity")
    }
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
    request.predicate = try record.record("NSPredicate").map { try predicate($0) }
    if record.identifier("NSSortDescriptors") != nil, try record.object("NSSortDescriptors") != nil
    {
      request.sortDescriptors = try record.elements("NSSortDescriptors").map { try order(at: $0) }
    }
    request.fetchLimit = try record.integer("NSFetchLimit") ?? 0
    request.fetchOffset = try record.integer("NSFetchOffset") ?? 0
    request.fetchBatchSize = try record.integer("NSBatchSize") ?? 0
    request.resultType = .init(rawValue: UInt(clamping: try record.integer("NSResultType") ?? 0))
    if let flags = try record.integer("NSFetchRequestFlags") { set(flags, on: request) }
    return request
  }

  private func set(_ flags: Int, on request: NSFetchRequest<NSFetchRequestResult>) {
    func has(_ flag: ArchivedFetchFlag) -> Bool { flags & flag.rawValue != 0 }
    request.returnsDistinctResults = has(.distinctResults)
    request.includesSubentities = has(.subentities)
    request.includesPropertyValues = has(.propertyValues)
    request.returnsObjectsAsFaults = has(.faults)
    request.includesPendingChanges = has(.pendingChanges)
  }

  private func order(at identifier: Int) throws -> NSSortDescriptor {
    guard let record = try archive.record(at: identifier) else {
      throw archive.error("a sort descriptor is missing")
    }
    let key = try record.requiredText("NSKey")
    let isAscending = try record.flag("NSAscending")
    return NSSortDescriptor(
      key: key, ascending: isAscending, selectorName: try record.text("NSSelector"))
  }
}
