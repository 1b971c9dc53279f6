import Foundation

@testable import CoreData

/// Models of every type of attribute and property with every flag, as a seed has them.
struct RandomModel {
  private var random: SplitMix64
  private let entityNames: [String]
  private var composites: [NSCompositeAttributeDescription] = []

  static func model(seed: UInt64) -> NSManagedObjectModel {
    var maker = RandomModel(seed: seed)
    return maker.model()
  }

  private init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    entityNames = (0..<Int.random(in: 2...6, using: &random)).map { "Entity\($0)" }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func word() -> String {
    let words = ["alpha", "Käse 🧀", "a<b>&\"c\"", "it's", "two\nlines\t", "", "%@ $x", "日本"]
    return words.randomElement(using: &random) ?? ""
  }

  private mutating func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var entities: [NSEntityDescription] = []
    for name in entityNames { entities.append(entity(name)) }
    for index in entities.indices.dropFirst() where chance(40) {
      let parent = entities[Int.random(in: 0..<index, using: &random)]
      parent.subentities.append(entities[index])
    }
    addRelationships(to: entities)
    model.entities = entities.filter { $0.superentity == nil }
    for entity in model.entities { finish(entity) }
    if chance(70) { model.versionIdentifiers = [word()] }
    for number in 0..<Int.random(in: 0...2, using: &random) {
      model.setEntities(
        model.entities.filter { _ in chance(50) }, forConfigurationName: "Configuration \(number)")
    }
    for number in 0..<Int.random(in: 0...3, using: &random) {
      model.setFetchRequestTemplate(request(), forName: "request\(number)")
    }
    return model
  }

  private mutating func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    if chance(60) { entity.managedObjectClassName = chance(50) ? name : "Module.\(name)" }
    entity.isAbstract = chance(20)
    if chance(20) { entity.versionHashModifier = word() + "m" }
    if chance(20) { entity.renamingIdentifier = "Old\(name)" }
    if chance(30) { entity.userInfo = userInfo() }
    var properties: [NSPropertyDescription] = []
    for type in ModelAttributeType.allCases where type != .composite {
      for number in 0..<Int.random(in: 0...2, using: &random) {
        properties.append(attribute("\(name)_\(type)\(number)", type))
      }
    }
    if chance(40) { properties.append(composite("\(name)_composite", depth: 0)) }
    if chance(50) { properties.append(contentsOf: derived(name)) }
    if chance(40) { properties.append(fetched("\(name)_fetched")) }
    entity.properties = properties.shuffled(using: &random)
    return entity
  }

  private mutating func userInfo() -> [AnyHashable: Any] {
    var table: [AnyHashable: Any] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) { table[word()] = word() }
    return table
  }

  private mutating func fillCommon(_ property: NSPropertyDescription) {
    property.isOptional = chance(60)
    if chance(15) { property.versionHashModifier = word() + "m" }
    if chance(20) { property.renamingIdentifier = "old_\(property.name)" }
    property.isIndexedBySpotlight = chance(15)
    property.storedInExternalRecord = chance(10)
    if chance(20) { property.userInfo = userInfo() }
  }

  private mutating func attribute(
    _ name: String, _ type: ModelAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = NSAttributeType(rawValue: type.number) ?? .undefinedAttributeType
    fillCommon(attribute)
    attribute.isTransient = type == .undefined || type == .objectID || chance(10)
    attribute.allowsExternalBinaryDataStorage = type == .binary && chance(50)
    attribute.preservesValueInHistoryOnDeletion = chance(15)
    if type == .transformable {
      if chance(60) { attribute.valueTransformerName = "NSSecureUnarchiveFromData" }
      if chance(60) { attribute.attributeValueClassName = "Palette" }
    }
    if chance(50) { attribute.defaultValue = value(type) }
    let limits = limits(type)
    if limits.minimum != nil || limits.maximum != nil || limits.pattern != nil {
      let rules = LimitRules(limits: limits, type: type).rules
      attribute.setValidationPredicates(
        rules.map(\.predicate), withValidationWarnings: rules.map { NSNumber(value: $0.code) })
    }
    return attribute
  }

  private mutating func constant(_ type: ModelAttributeType) -> ModelConstant? {
    let bits = random.next()
    let seconds = Double(Int32(truncatingIfNeeded: bits)) / 7
    switch type {
    case .integer16: return .integer(Int64(Int16(truncatingIfNeeded: bits)))
    case .integer32: return .integer(Int64(Int32(truncatingIfNeeded: bits)))
    case .integer64: return .integer(Int64(truncatingIfNeeded: bits))
    case .double: return .double(seconds)
    case .float: return .float(Float(seconds))
    case .decimal: return .decimal(Decimal(Int(Int32(truncatingIfNeeded: bits))) / 1000)
    case .boolean: return .boolean(bits % 2 == 0)
    case .string: return .text(word())
    case .date: return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid:
      return .uuid(
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(bits % 256))))
    case .uri: return URL(string: "https://example.org/\(bits)").map(ModelConstant.url)
    case .undefined, .binary, .transformable, .objectID, .composite: return nil
    }
  }

  private mutating func value(_ type: ModelAttributeType) -> Any? { constant(type)?.value }

  private mutating func limits(_ type: ModelAttributeType) -> ModelLimits {
    var limits = ModelLimits()
    switch type {
    case .string:
      if chance(30) { limits.minimum = .integer(1) }
      if chance(30) { limits.maximum = .integer(40) }
      if chance(30) { limits.pattern = "[a-z]+\\d*" }
    case .integer16, .integer32, .integer64, .double, .float, .decimal, .date:
      if chance(30) { limits.minimum = constant(type) }
      if chance(30) { limits.maximum = constant(type) }
    default: break
    }
    return limits
  }

  /// Two composites of one name have the same elements, as in a file.
  private mutating func composite(_ name: String, depth: Int) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    fillCommon(composite)
    if chance(40), let known = composites.randomElement(using: &random) {
      composite.elements = known.elements.compactMap { $0.copy() as? NSAttributeDescription }
      return composite
    }
    var elements: [NSAttributeDescription] = []
    for type in [ModelAttributeType.string, .double, .uuid, .date] where chance(60) {
      elements.append(attribute("element_\(type)", type))
    }
    if depth < 2, chance(30) { elements.append(self.composite("inner", depth: depth + 1)) }
    composite.elements = elements
    composites.append(composite)
    return composite
  }

  private mutating func derived(_ name: String) -> [NSDerivedAttributeDescription] {
    let source = NSDerivedAttributeDescription()
    source.name = "\(name)_derived"
    source.attributeType = .dateAttributeType
    source.derivationExpression = NSExpression(format: chance(50) ? "now()" : "when.start")
    let text = NSDerivedAttributeDescription()
    text.name = "\(name)_text"
    text.attributeType = .stringAttributeType
    text.derivationExpression = NSExpression(
      format: chance(50) ? "canonical:(title)" : "uppercase:(owner.title)")
    for attribute in [source, text] { fillCommon(attribute) }
    return [source, text]
  }

  private mutating func fetched(_ name: String) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    property.name = name
    fillCommon(property)
    property.fetchRequest = request()
    return property
  }

  private mutating func request() -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(
      entityName: entityNames.randomElement(using: &random) ?? "Entity0")
    let predicates = [
      "title BEGINSWITH[cd] \"a\" AND NOT (count > 3)", "owner == $FETCH_SOURCE",
      "ANY tags.name IN {\"a\", \"b\"}", "SUBQUERY(items, $x, $x.done == YES).@count > 0",
      "price BETWEEN {1, 2.5} OR title == nil",
    ]
    if chance(70) {
      request.predicate = NSPredicate(format: predicates.randomElement(using: &random) ?? "")
    }
    if chance(30) { request.fetchLimit = 7 }
    if chance(30) { request.fetchBatchSize = 20 }
    if chance(30) { request.resultType = .managedObjectIDResultType }
    request.includesSubentities = chance(70)
    request.includesPropertyValues = chance(70)
    request.returnsObjectsAsFaults = chance(70)
    request.returnsDistinctResults = chance(30)
    request.includesPendingChanges = chance(70)
    return request
  }

  private mutating func addRelationships(to entities: [NSEntityDescription]) {
    for number in 0..<Int.random(in: 1...6, using: &random) {
      guard let one = entities.randomElement(using: &random),
        let other = entities.randomElement(using: &random)
      else { continue }
      let (there, back) = (
        relationship("there\(number)", other), relationship("back\(number)", one)
      )
      if chance(80) {
        there.inverseRelationship = back
        back.inverseRelationship = there
      }
      one.properties = one.ownProperties + [there]
      other.properties = other.ownProperties + [back]
    }
  }

  private mutating func relationship(
    _ name: String, _ destination: NSEntityDescription
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    fillCommon(relationship)
    relationship.isTransient = chance(10)
    relationship.maxCount = [0, 1, 1, 5].randomElement(using: &random) ?? 0
    relationship.minCount = [0, 0, 1].randomElement(using: &random) ?? 0
    relationship.isOrdered = chance(30)
    relationship.deleteRule =
      [.noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
      .randomElement(using: &random) ?? .nullifyDeleteRule
    return relationship
  }

  // MARK: - What refers to properties

  private mutating func finish(_ entity: NSEntityDescription) {
    let stored = entity.attributesByName.keys.sorted()
    guard stored.count > 2 else { return }
    var indexes: [NSFetchIndexDescription] = []
    for property in entity.ownProperties where property is NSAttributeDescription && chance(15) {
      property.storedIsIndexed = true
      indexes.append(index(property.name, [element(property.name, isPlain: true)]))
    }
    for number in 0..<Int.random(in: 0...3, using: &random) {
      let names = stored.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random))
      let index = index("index\(number)", names.map { element($0, isPlain: false) })
      if chance(30) { index.partialIndexPredicate = NSPredicate(format: "count > 3") }
      indexes.append(index)
    }
    if chance(30) { indexes.append(index("computed", [computed()])) }
    entity.indexes = indexes
    if chance(40) {
      entity.uniquenessConstraints = [Array(stored.prefix(2)), [stored[2]]]
    }
  }

  private func index(
    _ name: String, _ elements: [NSFetchIndexElementDescription]
  ) -> NSFetchIndexDescription {
    NSFetchIndexDescription(name: name, elements: elements)
  }

  private mutating func element(_ name: String, isPlain: Bool) -> NSFetchIndexElementDescription {
    let isSpatial = !isPlain && chance(20)
    let element = NSFetchIndexElementDescription(
      propertyName: name, collationType: isSpatial ? .rTree : .binary)
    element.isAscending = isPlain || chance(60)
    return element
  }

  private mutating func computed() -> NSFetchIndexElementDescription {
    let property = NSExpressionDescription()
    property.name = "uppercase:(title)"
    property.expression = NSExpression(format: "uppercase:(title)")
    property.expressionResultType = .stringAttributeType
    return NSFetchIndexElementDescription(property: property, collationType: .binary)
  }
}
