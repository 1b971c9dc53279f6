import Foundation

/// All contents of a model as single facts, to find the differences of two models.
///
/// The writer of a model reads it back and compares the facts, so that nothing is lost silently.
struct ModelFacts {
  /// The subject of a fact (the model, an entity or a property) and the name of the fact.
  struct Place: Hashable {
    var entity: String?
    var property: String?
    let fact: String
  }

  private(set) var facts: [Place: Any] = [:]
  /// Whether indexes named like their only property are left out. A source model makes one for each
  /// other index of that property alone.
  private let leavesOutPropertyIndexes: Bool

  init(of model: NSManagedObjectModel, withoutPropertyIndexes leavesOut: Bool = false) {
    leavesOutPropertyIndexes = leavesOut
    note("version identifiers", value: model.versionIdentifiers)
    for members in model.configurationMembers {
      note("the configuration “\(members.name)”", value: Set(members.entityNames))
    }
    for (name, request) in model.storedTemplates {
      note("the fetch request “\(name)”", value: Self.text(of: request))
    }
    for entity in model.entities { note(entity) }
  }

  /// The first place, in the order of names, at which the other facts differ.
  func firstDifference(from other: ModelFacts) -> Place? {
    let places = Set(facts.keys).union(other.facts.keys)
    return places.filter { !ModelValue.areEqual(facts[$0], other.facts[$0]) }.min {
      [$0.entity ?? "", $0.property ?? "", $0.fact].lexicographicallyPrecedes(
        [$1.entity ?? "", $1.property ?? "", $1.fact])
    }
  }

  private mutating func note(
    _ fact: String, value: Any?, entity: String? = nil, property: String? = nil
  ) {
    facts[Place(entity: entity, property: property, fact: fact)] = value
  }

  private mutating func note(_ entity: NSEntityDescription) {
    let name = entity.name ?? ""
    note("the class", value: entity.managedObjectClassName, entity: name)
    note("the superentity", value: entity.superentity?.name, entity: name)
    note("whether it is abstract", value: entity.isAbstract, entity: name)
    note("the version hash modifier", value: entity.versionHashModifier, entity: name)
    note("the renaming identifier", value: entity.renamingIdentifier, entity: name)
    note("the user info", value: Self.table(entity.userInfo), entity: name)
    note("the uniqueness constraints", value: entity.uniquenessConstraintNames, entity: name)
    note(
      "what Spotlight shows", value: entity.storedDisplayNameExpression?.description, entity: name)
    for index in entity.indexes
    where !leavesOutPropertyIndexes || index.onlyPlainName != index.name {
      note("the index “\(index.name)”", value: Self.text(of: index), entity: name)
    }
    for property in entity.ownProperties { note(property, entity: name, path: property.name) }
  }

  private mutating func note(_ property: NSPropertyDescription, entity: String, path: String) {
    func place(_ fact: String) -> Place { Place(entity: entity, property: path, fact: fact) }
    facts[place("the kind")] = "\(type(of: property))"
    facts[place("whether it is optional")] = property.isOptional
    facts[place("whether it is transient")] = property.isTransient
    facts[place("the version hash modifier")] = property.versionHashModifier
    facts[place("the renaming identifier")] = property.renamingIdentifier
    facts[place("whether Spotlight has it")] = property.isIndexedBySpotlight
    facts[place("whether an external record has it")] = property.storedInExternalRecord
    facts[place("the user info")] = Self.table(property.userInfo)
    facts[place("the validation")] = property.validationPredicates.map(\.modelText)
    facts[place("the validation warnings")] = property.validationWarnings
    switch property {
    case let attribute as NSAttributeDescription: note(attribute, entity: entity, path: path)
    case let relationship as NSRelationshipDescription:
      facts[place("the destination")] = relationship.destinationEntityName
      facts[place("the inverse")] = relationship.inverseRelationshipName
      facts[place("the counts")] = [relationship.minCount, relationship.maxCount]
      facts[place("the delete rule")] = relationship.deleteRule.rawValue
      facts[place("whether it is ordered")] = relationship.isOrdered
    case let fetched as NSFetchedPropertyDescription:
      facts[place("the fetch request")] = fetched.fetchRequest.map(Self.text)
    case let computed as NSExpressionDescription:
      facts[place("the expression")] = computed.expression?.description
      facts[place("the type")] = computed.expressionResultType.rawValue
    default: break
    }
  }

  private mutating func note(_ attribute: NSAttributeDescription, entity: String, path: String) {
    func place(_ fact: String) -> Place { Place(entity: entity, property: path, fact: fact) }
    facts[place("the type")] = attribute.attributeType.rawValue
    facts[place("the class of values")] = attribute.attributeValueClassName
    facts[place("the default value")] = attribute.defaultValue
    facts[place("the value transformer")] = attribute.valueTransformerName
    facts[place("external storage")] = attribute.allowsExternalBinaryDataStorage
    facts[place("whether history keeps it")] = attribute.preservesValueInHistoryOnDeletion
    facts[place("allowsCloudEncryption")] = attribute.allowsCloudEncryption
    if let derived = attribute as? NSDerivedAttributeDescription {
      facts[place("the derivation")] = derived.derivationExpression?.description
      facts[place("the filter of the derivation")] = derived.filteringPredicate?.modelText
    }
    guard let composite = attribute as? NSCompositeAttributeDescription else { return }
    facts[place("the elements")] = composite.elements.map(\.name)
    for element in composite.elements {
      note(element, entity: entity, path: path + "." + element.name)
    }
  }

  private static func table(_ userInfo: [AnyHashable: Any]?) -> [AnyHashable: Any]? {
    userInfo?.isEmpty == true ? nil : userInfo
  }

  private static func text(of index: NSFetchIndexDescription) -> [String] {
    let elements = index.elements.map { element in
      let computed = element.property as? NSExpressionDescription
      // The name of an expression is nothing but its place in the file.
      let name = computed == nil ? element.propertyName ?? "" : ""
      return "\(name) \(element.collationType) \(element.isAscending) "
        + "\(computed?.expression?.description ?? "") \(computed?.expressionResultType.rawValue ?? 0)"
    }
    return [index.partialIndexPredicate?.modelText ?? ""] + elements
  }

  private static func text(of request: NSFetchRequest<NSFetchRequestResult>) -> String {
    request.modelText
      + "|\(request.propertiesToFetch?.count ?? 0) \(request.propertiesToGroupBy?.count ?? 0)"
      + " \(request.relationshipKeyPathsForPrefetching ?? [])"
      + " \(request.havingPredicate?.modelText ?? "")"
  }
}

extension NSFetchIndexDescription {
  /// The name of the only property of an ascending binary index without a predicate; nil for other
  /// indexes.
  var onlyPlainName: String? {
    guard elements.count == 1, let element = elements.first, partialIndexPredicate == nil else {
      return nil
    }
    let isPlain =
      element.isAscending && element.collationType == .binary
      && !(element.property is NSExpressionDescription)
    return isPlain ? element.propertyName : nil
  }
}
