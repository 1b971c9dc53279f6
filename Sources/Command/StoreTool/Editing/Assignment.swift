import CoreData

/// A change of one property, in the form of a command's argument.
///
///     title=Emma              a value, parsed by the attribute's type
///     author=Author/p1        a to-one relationship
///     tags=Tag/p1,Tag/p2      all members of a to-many relationship
///     tags+=Tag/p3            adds members; tags-=Tag/p3 removes some
package struct Assignment: Sendable {
  private enum Operation: String {
    case set = "=", add = "+=", remove = "-="
  }

  private let key: String
  private let operation: Operation
  /// The value; nil removes it.
  private let text: String?
  /// Whether `@FILE` means the contents of a file. True for arguments of a command, false for
  /// imported values.
  private let mayReadFiles: Bool

  package init(_ argument: String) throws {
    guard
      let match = argument.wholeMatch(
        of: /([^=+\-\s][^=+\s]*?)\s*(\+=|-=|=)(.*)/.dotMatchesNewlines()),
      let operation = Operation(rawValue: String(match.2))
    else {
      throw ToolError(
        .usage,
        description:
          "“\(argument)” is no change: expected KEY=VALUE, KEY+=ENTITY/pN or KEY-=ENTITY/pN.")
    }
    key = String(match.1)
    self.operation = operation
    text = String(match.3)
    mayReadFiles = true
  }

  /// Sets a value that was imported from a file.
  init(setting key: String, to text: String) {
    self.key = key
    operation = .set
    self.text = text
    mayReadFiles = false
  }

  /// Removes the value.
  package init(clearing key: String) {
    self.key = key
    operation = .set
    text = nil
    mayReadFiles = false
  }

  func apply(to object: NSManagedObject, in store: OpenedStore) throws {
    switch try property(of: object.entity) {
    case let relationship as NSRelationshipDescription:
      try apply(relationship, to: object, store: store)
    case let attribute as NSAttributeDescription:
      guard operation == .set else {
        throw ToolError(
          .usage,
          description:
            "\(key) is an attribute: “\(operation.rawValue)” is for relationships to many.")
      }
      object.setValue(
        try text.map { try ValueText.value($0, for: attribute, mayReadFiles: mayReadFiles) },
        forKeyPath: key)
    default: throw ToolError(.usage, description: "\(key) cannot be changed.")
    }
  }

  /// The property of a key, which may be the path of an element of a composite attribute. Throws
  /// for a derived one.
  private func property(of entity: NSEntityDescription) throws -> NSPropertyDescription {
    var keys = key.split(separator: ".").map(String.init)[...]
    var found = keys.popFirst().flatMap { entity.propertiesByName[$0] }
    while let next = keys.popFirst() {
      found = (found as? NSCompositeAttributeDescription)?.elements.first { $0.name == next }
    }
    if let found, !(found is NSCompositeAttributeDescription),
      !(found is NSDerivedAttributeDescription)
    {
      return found
    }
    if let composite = found as? NSCompositeAttributeDescription {
      let parts = composite.valuePaths.joined(separator: ", ")
      throw ToolError(
        .usage, description: "“\(key)” is a composite: set its values, which are \(parts).")
    }
    let names = entity.properties.filter {
      !($0 is NSDerivedAttributeDescription) && !($0 is NSFetchedPropertyDescription)
    }
    .map(\.name).sorted().joined(separator: ", ")
    throw ToolError(
      .usage,
      description:
        "\(entity.name ?? "") has no property “\(key)” that can be set; it has: \(names).")
  }

  private func apply(
    _ relationship: NSRelationshipDescription, to object: NSManagedObject, store: OpenedStore
  ) throws {
    guard let context = object.managedObjectContext else { return }
    let names = (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let others = try names.map { name in
      let other = try store.object(name, in: context)
      guard let target = relationship.destinationEntity, other.entity.isKindOf(entity: target)
      else {
        throw ToolError(
          .usage,
          description:
            "\(name) cannot be in \(key): expected an object of \(relationship.destinationEntity?.name ?? "")."
        )
      }
      return other
    }
    guard relationship.isToMany else {
      guard operation == .set, others.count <= 1 else {
        throw ToolError(.usage, description: "\(key) leads to one object: give it one with “=”.")
      }
      return object.setValue(others.first, forKey: key)
    }
    let members =
      relationship.isOrdered
      ? object.mutableOrderedSetValue(forKey: key).array.compactMap { $0 as? NSManagedObject }
      : object.mutableSetValue(forKey: key).allObjects.compactMap { $0 as? NSManagedObject }
    let result: [NSManagedObject]
    switch operation {
    case .set: result = others
    case .add: result = members + others.filter { other in !members.contains { $0 === other } }
    case .remove: result = members.filter { member in !others.contains { $0 === member } }
    }
    object.setValue(
      relationship.isOrdered ? NSOrderedSet(array: result) : NSSet(array: result), forKey: key)
  }
}
