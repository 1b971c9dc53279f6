/// The differences of two versions of a model, in the terms of a migration plan.
struct ModelChanges {
  let match: ModelMatch

  typealias Entity = StoreMigrationPlan.Entity
  typealias Property = StoreMigrationPlan.Property

  func entities() -> [Entity] {
    let present = match.destination.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
      .map(entity)
    let gone = match.source.entities.filter { match.destination(of: $0) == nil }
      .map { entity in
        Entity(name: entity.name ?? "", change: .removed, properties: [])
      }
    return present + gone.sorted { $0.name < $1.name }
  }

  private func entity(_ entity: NSEntityDescription) -> Entity {
    let name = entity.name ?? ""
    guard let source = match.source(of: entity) else {
      return Entity(name: name, change: .added, properties: [])
    }
    let isRenamed = source.name != name
    let isSame = source.versionHash == entity.versionHash
    return Entity(
      name: name, formerName: isRenamed ? source.name : nil,
      change: isRenamed ? .renamed : isSame ? .copied : .transformed,
      properties: properties(of: entity, source))
  }

  // MARK: - Properties

  private func properties(
    of entity: NSEntityDescription, _ source: NSEntityDescription
  ) -> [Property] {
    let pairs = match.properties(of: entity)
    let old = Dictionary(
      pairs.map { ($0.destination.name, $0.source) }, uniquingKeysWith: { first, _ in first })
    let kept = Set(pairs.map(\.source.name))
    let present = ModelMatch.stored(entity).compactMap { property in
      guard let former = old[property.name] else {
        return Self.added(property, kind: Self.kind(property))
      }
      return change(of: property, former)
    }
    let gone = ModelMatch.stored(source).filter { !kept.contains($0.name) }
      .map { Property(name: $0.name, kind: Self.kind($0), change: .removed) }
    return present + gone
  }

  private func change(
    of property: NSPropertyDescription, _ former: NSPropertyDescription
  ) -> Property? {
    Self.change(of: property, former, kind: Self.kind(property))
  }

  private static func change(
    of property: NSPropertyDescription, _ former: NSPropertyDescription, kind: Property.Kind
  ) -> Property? {
    let details = Self.details(of: property, former)
    let elements = Self.elements(of: property, former)
    let isRenamed = property.name != former.name
    guard isRenamed || !details.isEmpty || !elements.isEmpty else { return nil }
    return Property(
      name: property.name, formerName: isRenamed ? former.name : nil, kind: kind,
      change: isRenamed ? .renamed : .changed, details: details, elements: elements)
  }

  /// The changed elements of a composite attribute.
  private static func elements(
    of property: NSPropertyDescription, _ former: NSPropertyDescription
  ) -> [Property] {
    guard let new = property as? NSCompositeAttributeDescription,
      let old = former as? NSCompositeAttributeDescription
    else { return [] }
    let pairs = ModelMatch.elements(of: old, new)
    let present = new.elements.compactMap { element in
      guard let pair = pairs.first(where: { $0.destination === element }) else {
        return added(element, kind: .element)
      }
      return change(of: element, pair.source, kind: .element)
    }
    let kept = Set(pairs.map { ObjectIdentifier($0.source) })
    let gone = old.elements.filter { !kept.contains(ObjectIdentifier($0)) }
      .map { Property(name: $0.name, kind: .element, change: .removed) }
    return present + gone
  }

  /// A new property; a composite attribute includes its elements.
  private static func added(
    _ property: NSPropertyDescription, kind: Property.Kind
  ) -> Property {
    let elements = (property as? NSCompositeAttributeDescription)?.elements ?? []
    return Property(
      name: property.name, kind: kind, change: .added, details: details(ofNew: property),
      elements: elements.map { added($0, kind: .element) })
  }

  private static func kind(_ property: NSPropertyDescription) -> Property.Kind {
    property is NSRelationshipDescription ? .relationship : .attribute
  }

  private static func details(ofNew property: NSPropertyDescription) -> [String] {
    guard let attribute = property as? NSAttributeDescription else {
      return property.isOptional ? [] : ["mandatory"]
    }
    let value = attribute.defaultValue == nil ? "without a default" : "with a default"
    return [attribute.attributeType.modelName] + (attribute.isOptional ? [] : ["mandatory", value])
  }

  private static func details(
    of property: NSPropertyDescription, _ former: NSPropertyDescription
  ) -> [String] {
    var details: [String] = []
    if former.isOptional != property.isOptional {
      details.append(property.isOptional ? "optional now" : "mandatory now")
    }
    switch (former, property) {
    case (let former as NSAttributeDescription, let attribute as NSAttributeDescription):
      if former.attributeType != attribute.attributeType {
        details.append("\(former.attributeType.modelName) → \(attribute.attributeType.modelName)")
      }
      if former.allowsExternalBinaryDataStorage != attribute.allowsExternalBinaryDataStorage {
        details.append(
          attribute.allowsExternalBinaryDataStorage ? "in files of its own" : "in the rows")
      }
    case (let former as NSRelationshipDescription, let relationship as NSRelationshipDescription):
      details += Self.details(of: relationship, former)
    default: details.append("\(kind(former)) → \(kind(property))")
    }
    return details
  }

  private static func details(
    of relationship: NSRelationshipDescription, _ former: NSRelationshipDescription
  ) -> [String] {
    var details: [String] = []
    if former.isToMany != relationship.isToMany {
      details.append(relationship.isToMany ? "to-one → to-many" : "to-many → to-one")
    }
    if former.isOrdered != relationship.isOrdered {
      details.append(relationship.isOrdered ? "ordered now" : "unordered now")
    }
    let names = [former, relationship].map { $0.destinationEntity?.name ?? "" }
    if names[0] != names[1] { details.append("leads to \(names[1]), led to \(names[0])") }
    return details
  }
}

extension NSManagedObjectModel {
  /// The differences between this model and an older version: every entity, in the terms of a
  /// migration plan.
  package final func changes(from source: NSManagedObjectModel) -> [StoreMigrationPlan.Entity] {
    ModelChanges(match: ModelMatch(source: source, destination: self)).entities()
  }
}
