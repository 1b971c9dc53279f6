import Foundation

extension ModelArchiveReader {
  /// An entity with the properties that its record lists, which may include inherited ones.
  func entity(from record: ArchiveRecord, name: String) throws -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = try record.text("NSClassNameForEntity")
    entity.isAbstract = try record.flag("NSIsAbstract")
    entity.versionHashModifier = try record.text("NSVersionHashModifier")
    entity.renamingIdentifier = try renamingIdentifier(of: record, name: name)
    entity.userInfo = try userInfo(of: record)
    entity.uniquenessConstraints = try uniqueTuples(of: record)
    entity.properties = try record.entries("NSProperties").map { entry in
      guard let property = try archive.record(at: entry.value) else {
        throw archive.error("the property “\(name).\(entry.key)” is missing")
      }
      return try self.property(from: property)
    }
    entity.indexes = try record.elements("NSFetchIndexDescriptions").map {
      try index(at: $0, entity: name)
    }
    return entity
  }

  /// Nil if the archive only repeats the name.
  private func renamingIdentifier(of record: ArchiveRecord, name: String) throws -> String? {
    let identifier = try record.text("NSRenamingIdentifier")
    return identifier == name ? nil : identifier
  }

  /// Nil if there is none or it is empty: archives write an empty dictionary for nil.
  private func userInfo(of record: ArchiveRecord) throws -> [AnyHashable: Any]? {
    guard let identifier = record.identifier("NSUserInfo") else { return nil }
    let table = try archive.value(at: identifier) as? [AnyHashable: Any]
    return table?.isEmpty == true ? nil : table
  }

  private func uniqueTuples(of record: ArchiveRecord) throws -> [[String]] {
    try record.elements("NSUniqueTuples").map { tuple in
      let members = try archive.record(at: tuple)?.identifiers("NS.objects") ?? []
      return try members.map { member in
        guard let name = try archive.value(at: member) as? String else {
          throw archive.error("a uniqueness constraint has something else than names")
        }
        return name
      }
    }
  }

  private func index(at identifier: Int, entity: String) throws -> NSFetchIndexDescription {
    guard let record = try archive.record(at: identifier) else {
      throw archive.error("an index of “\(entity)” is missing")
    }
    let elements = try record.elements("NSIndexElements").map { element in
      guard let record = try archive.record(at: element) else {
        throw archive.error("an index element of “\(entity)” is missing")
      }
      return try indexElement(from: record)
    }
    let index = NSFetchIndexDescription(
      name: try record.requiredText("NSIndexName"), elements: elements)
    index.partialIndexPredicate = try record.record("NSPartialIndexPredicate").map {
      try predicate($0)
    }
    return index
  }

  private func indexElement(
    from record: ArchiveRecord
  ) throws -> NSFetchIndexElementDescription {
    let raw = try record.integer("NSFetchIndexElementType") ?? 0
    guard let type = UInt(exactly: raw).flatMap(NSFetchIndexElementType.init(rawValue:)) else {
      throw record.wrong("NSFetchIndexElementType", expected: "0 or 1")
    }
    let element: NSFetchIndexElementDescription
    if let expression = try record.record("NSIndexedProperty").map({ try property(from: $0) }) {
      element = NSFetchIndexElementDescription(property: expression, collationType: type)
    } else {
      let name = try record.requiredText("NSPropertyName")
      element = NSFetchIndexElementDescription(propertyName: name, collationType: type)
    }
    element.isAscending = try record.flag("NSAscending")
    return element
  }

  /// Sets the values that all kinds of properties have.
  func setCommon(of property: NSPropertyDescription, from record: ArchiveRecord) throws {
    property.name = try record.requiredText("NSPropertyName")
    property.isOptional = try record.flag("NSIsOptional")
    property.isTransient = try record.flag("NSIsTransient")
    property.storedIsIndexed = try record.flag("NSIsIndexed")
    property.isIndexedBySpotlight = try record.flag("NSIndexedBySpotlight")
    property.storedInExternalRecord = try record.flag("NSIsStoredInTruth")
    property.versionHashModifier = try record.text("NSVersionHashModifier")
    property.renamingIdentifier = try renamingIdentifier(of: record, name: property.name)
    property.userInfo = try userInfo(of: record)
    let predicates = try record.elements("NSValidationPredicates").map { identifier in
      guard let record = try archive.record(at: identifier) else {
        throw archive.error("a validation predicate of “\(property.name)” is missing")
      }
      return try predicate(record)
    }
    let warnings = try record.elements("NSValidationWarnings").map {
      try archive.value(at: $0) ?? NSNull()
    }
    property.setValidationPredicates(predicates, withValidationWarnings: warnings)
  }
}
