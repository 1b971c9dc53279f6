import ModelDocuments

/// The inputs for the code of one entity's class.
struct EntityCode {
  let entity: ModelEntity
  let options: CodeOptions
  let names: ClassNames
  /// The model's fetch request templates for this entity.
  let templates: [ModelFetchRequest]
  let className: String
  let superclassName: String
  /// Properties that the class declares itself.
  private let handWritten: Set<String>

  init(
    _ entity: ModelEntity, of model: SourceModel, options: CodeOptions, names: ClassNames,
    handWritten: Set<String> = []
  ) throws {
    self.entity = entity
    self.handWritten = handWritten
    self.options = options
    self.names = names
    templates = model.current.fetchRequests.filter { $0.entityName == entity.name }
      .sorted { $0.name < $1.name }
    className = names.name(of: entity)
    superclassName = names.name(ofEntity: entity.parentName)
    try check(model)
  }

  /// The properties to generate that match, by name.
  func sorted(_ isWanted: (ModelProperty) -> Bool) -> [ModelProperty] {
    entity.properties.filter { isWanted($0) && !handWritten.contains($0.name) }
      .sorted { $0.name < $1.name }
  }

  func type(of property: ModelProperty) -> String {
    SwiftType(flavour: options.flavour, names: names).type(of: property)
  }

  /// Whether the class declares conformance to Identifiable; subclasses inherit it from the first
  /// class of a hierarchy.
  var isIdentifiable: Bool {
    guard superclassName == ClassNames.root else { return false }
    guard let id = entity.properties.first(where: { $0.name == "id" }) else { return true }
    return isHashable(id)
  }

  /// Returns true if an attribute named `id` can serve as the identity, which must be hashable.
  private func isHashable(_ property: ModelProperty) -> Bool {
    guard let attribute = property.attribute else { return true }
    if options.flavour == .idiomatic, SwiftType.rawType(of: property) != nil { return false }
    switch attribute.type {
    case .composite: return false
    case .transformable: return attribute.customClassName == nil
    case .undefined: return options.flavour != .idiomatic
    default: return true
    }
  }

  // MARK: - Validation

  /// Names of properties that every managed object has.
  private static let taken: Set<String> = [
    "self", "description", "debugDescription", "hash", "hashValue", "objectID", "entity",
    "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "hasPersistentChangedValues", "isFault", "faultingState",
  ]

  private func check(_ model: SourceModel) throws {
    func fail(_ property: ModelProperty?, _ problem: String) -> ModelFileError {
      .generating(model: model.name, entity: entity.name, property: property?.name, problem)
    }
    for part in names.path(of: entity) where !SwiftName.isIdentifier(part) {
      throw fail(nil, "its class name “\(part)” cannot stand in Swift code")
    }
    for property in entity.properties {
      guard SwiftName.isIdentifier(property.name) else {
        throw fail(property, "its name cannot stand in Swift code")
      }
      guard !Self.taken.contains(property.name) else {
        throw fail(property, "every managed object has a property of this name; choose another")
      }
      if options.flavour == .idiomatic, let type = SwiftType.rawType(of: property),
        !Self.hasRawValues(property)
      {
        throw fail(property, "only texts and integers have raw values of the type \(type)")
      }
    }
    for (name, twins) in Dictionary(
      grouping: templates, by: { TemplateText.functionName($0.name) }) where twins.count > 1
    {
      throw fail(
        nil,
        "the fetch request templates “\(twins[0].name)” and “\(twins[1].name)” both become \(name)")
    }
  }

  private static func hasRawValues(_ property: ModelProperty) -> Bool {
    switch property.attribute?.type {
    case .string, .integer16, .integer32, .integer64: true
    default: false
    }
  }
}
