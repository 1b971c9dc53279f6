import CoreData

/// What a store of a newer version of the model has gained over a program's version: where it is nothing that an old program
/// could do harm to, the program works on beside newer ones.
///
///     optional attributes, attributes with defaults       an old program leaves them as they are, and new rows have the
///                                                         defaults of their columns
///     transient attributes, indexes                       nothing that it sees
///     entities outside of the trees that it knows         nothing that it asks for
///
/// Nothing else: what was renamed, changed or taken away, a new relationship of a known entity (whose inverse would not
/// be kept), a new subentity (whose rows would be of an unknown kind), derived attributes (which whoever saves computes)
/// and constraints (of which an old program could not say what collides) are for the new program alone.
struct ModelAdditions {
  /// Of the program, as far as the store has it.
  let program: [EntityLayout]
  let stored: NSManagedObjectModel
  /// Of the store's entities.
  let numbers: [String: Int]

  /// Whether a program of the older version may open the store.
  var areHarmless: Bool {
    guard !program.isEmpty, program.allSatisfy({ isKept($0.entity) }) else { return false }
    return (try? haveKeptPlaces()) ?? false
  }

  private func isKept(_ entity: NSEntityDescription) -> Bool {
    guard let new = stored.entitiesByName[entity.name ?? ""],
      new.superentity?.name == entity.superentity?.name, new.isAbstract == entity.isAbstract,
      Set(new.subentities.map(\.name)) == Set(entity.subentities.map(\.name)),
      Set(new.uniquenessConstraintNames) == Set(entity.uniquenessConstraintNames)
    else { return false }
    let (old, others) = (entity.propertiesByName, new.propertiesByName)
    return old.allSatisfy { others[$0.key]?.versionHash == $0.value.versionHash }
      && others.allSatisfy { old[$0.key] != nil || isHarmless($0.value) }
  }

  private func isHarmless(_ property: NSPropertyDescription) -> Bool {
    guard let attribute = property as? NSAttributeDescription else {
      return property is NSFetchedPropertyDescription
    }
    if attribute is NSDerivedAttributeDescription { return false }
    return attribute.isTransient || attribute.isOptional || attribute.defaultValue != nil
  }

  /// Names of tables and columns are worked out of the whole model: two that were alike may have come to others.
  private func haveKeptPlaces() throws -> Bool {
    let (old, new) = (try schema(program), try schema(stored.entityLayouts()))
    let places = Dictionary(
      new.mapping.allEntities.map { ($0.layout.entity.name ?? "", self.places($0, new)) },
      uniquingKeysWith: { first, _ in first })
    return old.mapping.allEntities.allSatisfy { entity in
      let own = self.places(entity, old)
      let other = places[entity.layout.entity.name ?? ""] ?? [:]
      return own.allSatisfy { other[$0.key] == $0.value }
    }
  }

  private func schema(_ layouts: [EntityLayout]) throws -> StoreSchema {
    var builder = SchemaBuilder(
      layouts: layouts,
      numbers: layouts.reduce(into: [:]) { $0[$1.number] = numbers[$1.entity.name ?? ""] })
    return try builder.build()
  }

  /// Where each property is, by its name.
  private func places(_ entity: EntityMapping, _ schema: StoreSchema) -> [String: String] {
    var places = ["": entity.table]
    for (slot, column) in zip(entity.layout.slots, entity.columns) {
      guard let column else { continue }
      places[slot.name] =
        "\(column.name) \(column.entityColumn ?? "") \(column.orderColumn ?? "")"
    }
    for relationship in entity.layout.toMany {
      if let join = schema.mapping.join(of: relationship) {
        places[relationship.name] =
          "\(join.table) \(join.ownerColumn) \(join.memberColumn) \(join.orderColumn ?? "")"
      } else if let key = schema.mapping.foreignKeys[ObjectIdentifier(relationship)] {
        places[relationship.name] = "\(key.name) \(key.orderColumn ?? "")"
      }
    }
    return places
  }
}
