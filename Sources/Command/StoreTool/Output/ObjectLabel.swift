import CoreData

/// The label of an object: the value of the attribute that is most likely its name.
package enum ObjectLabel {
  private static let usualNames = [
    "title", "name", "fullName", "displayName", "label", "lastName", "subject", "caption",
    "filename", "fileName", "identifier",
  ]
  /// The types of values by which objects without a text are told apart.
  private static let telling: Set<NSAttributeType> = [
    .URIAttributeType, .dateAttributeType, .UUIDAttributeType,
  ]

  /// The attribute that is most likely the object's name; nil if there is none: a number or the
  /// size of some data is no name.
  package static func attribute(of entity: NSEntityDescription) -> NSAttributeDescription? {
    let attributes = entity.storedAttributes
    let texts = attributes.filter { $0.attributeType == .stringAttributeType }
    let usual = usualNames.lazy.compactMap { name in texts.first { $0.name == name } }.first
    return usual ?? texts.first ?? attributes.first { telling.contains($0.attributeType) }
  }

  /// `Entity/p7`, or `new Author “Austen”` for an object that is not saved yet: its ID is of this
  /// process alone.
  static func name(of object: NSManagedObject) -> String {
    guard object.objectID.isTemporaryID else { return CellText.name(of: object.objectID) }
    let entity = object.entity.name ?? ""
    guard let attribute = attribute(of: object.entity),
      let value = object.value(forKey: attribute.name)
    else { return "new \(entity)" }
    let text = CellText.short(.object(value))
    return text.isEmpty ? "new \(entity)" : "new \(entity) “\(text)”"
  }
}

extension NSEntityDescription {
  /// The attributes that the store has values of, ordered by name.
  package var storedAttributes: [NSAttributeDescription] {
    attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
  }
}
