import ModelDocuments

/// The extension with an entity's own properties, the functions that change its to-many
/// relationships, and those of its fetch request templates. The idiomatic flavour adds names and an
/// initializer.
struct PropertiesText {
  let code: EntityCode

  private var className: String { code.className }
  private var modifier: String { code.options.modifier }
  private var isIdiomatic: Bool { code.options.flavour == .idiomatic }

  var text: String {
    let relationships = code.sorted { $0.relationship != nil }
    let properties =
      code.sorted { $0.attribute != nil }.map(property) + relationships.map(property)
      + code.sorted { $0.fetchRequest != nil }.map(property)
    let toMany = relationships.filter { $0.relationship?.isToMany == true }
    return keys() + request(followedBy: properties.joined())
      + toMany.map { ToManyText(code: code, property: $0, key: key($0.name)).text }.joined()
      + (isIdiomatic ? NamesText(code: code).text + InitializerText(code: code).text : "")
      + TemplateText(code: code).text
      + (code.isIdentifiable ? "\nextension \(className): Identifiable {}\n" : "")
  }

  private var keysName: String { code.names.path(of: code.entity).joined(separator: "_") + "Keys" }

  private func key(_ name: String) -> String { "\(keysName).\(SwiftName.constant(name))" }

  private func keys() -> String {
    let lines = code.entity.properties.map { property in
      "  static let \(SwiftName.constant(property.name)) = "
        + "\(className).managedProperty(\(SwiftName.literal(property.name)))\n"
    }
    return "\nprivate enum \(keysName) {\n\(lines.joined())}\n"
  }

  private func request(followedBy properties: String) -> String {
    """

    extension \(className) {
      /// A request for all objects of the entity “\(code.entity.name)”.
      \(modifier)class func fetchRequest() -> NSFetchRequest<\(className)> {
        NSFetchRequest<\(className)>(entityName: \(SwiftName.literal(code.entity.name)))
      }
    \(properties)}

    """
  }

  private func property(_ property: ModelProperty) -> String {
    let head = "\(modifier)var \(SwiftName.escaped(property.name)): \(code.type(of: property)) {"
    let key = key(property.name)
    let read = read(property, key: key)
    guard isWritable(property) else { return "\n  \(head)\n    \(read)\n  }\n" }
    return """

        \(head)
          get { \(read) }
          set { setManagedValue(newValue, \(key)) }
        }

      """
  }

  private func read(_ property: ModelProperty, key: String) -> String {
    if isIdiomatic, property.relationship?.isToMany == true { return "managedMembers(\(key))" }
    let type = code.type(of: property)
    return Self.overloaded.contains(type)
      ? "managedValue(\(key))" : "managedValue(\(key), as: \(type).self)"
  }

  /// Types for which CoreData has a specific accessor.
  private static let overloaded: Set<String> = {
    let values = ["Int16", "Int32", "Int64", "Bool", "Double", "Float", "String", "Date", "Data"]
    return Set(values + values.map { $0 + "?" } + ["TimeInterval", "NSSet?", "NSOrderedSet?"])
  }()

  /// Returns false for fetched properties and, in the idiomatic flavour, for derived attributes.
  private func isWritable(_ property: ModelProperty) -> Bool {
    if property.fetchRequest != nil { return false }
    guard isIdiomatic, case .derived = property.attribute?.form else { return true }
    return false
  }
}
