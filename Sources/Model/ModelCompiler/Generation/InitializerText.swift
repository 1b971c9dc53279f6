import ModelDocuments

/// An initializer with a parameter for each value that an object needs to be saved: every required
/// attribute and to-one relationship without a default.
struct InitializerText {
  let code: EntityCode

  var text: String {
    let needs = needs(of: code.entity)
    guard !code.entity.isAbstract, !needs.isEmpty, !isInherited(needs) else { return "" }
    // Two parameters of one name would be ambiguous.
    guard !needs.contains(where: { $0.name == "context" }) else { return "" }
    let parameters = needs.map { "\(SwiftName.escaped($0.name)): \(code.type(of: $0))" }
    let lines = needs.map { property in
      let name = SwiftName.escaped(property.name)
      return "    self.\(name) = \(name)\n"
    }
    let list = (["context: NSManagedObjectContext"] + parameters).joined(separator: ", ")
    return """

      extension \(code.className) {
        /// A new object in `context` with everything that it needs to be saved.
        \(code.options.modifier)convenience init(\(list)) {
          self.init(context: context)
      \(lines.joined())  }
      }

      """
  }

  /// The properties needed, inherited ones first, and by name within each entity.
  private func needs(of entity: ModelEntity) -> [ModelProperty] {
    code.names.lineage(of: entity).flatMap { entity in
      entity.properties.filter(isNeeded).sorted { $0.name < $1.name }
    }
  }

  private func isNeeded(_ property: ModelProperty) -> Bool {
    guard !property.isOptional else { return false }
    switch property.kind {
    case .attribute(let attribute):
      if case .derived = attribute.form { return false }
      return attribute.defaultValue == nil
    case .relationship(let relationship): return !relationship.isToMany
    case .fetched: return false
    }
  }

  /// Returns true if the superclass has an initializer with the same parameters.
  private func isInherited(_ needs: [ModelProperty]) -> Bool {
    let ancestors = code.names.lineage(of: code.entity).dropLast()
    guard let nearest = ancestors.last(where: { !$0.isAbstract && code.names.isGenerated($0) })
    else { return false }
    return self.needs(of: nearest).count == needs.count
  }
}
