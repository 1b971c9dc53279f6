import CoreData

/// The differences between a program's model and a newer version of it in the store. If an old
/// program cannot damage any of the additions, it may use the store together with newer programs.
///
///     optional attributes,           an old program does not change them; new rows get the
///     attributes with defaults       defaults of their columns
///     transient attributes, indexes  invisible to an old program
///     entities outside of the trees  never requested by an old program
///     that it knows
///
/// All other differences exclude old programs: renamed, changed or removed properties, new
/// relationships of a known entity (their inverses would not be updated), new subentities (their
/// rows would have an unknown kind), derived attributes (each program that saves computes them) and
/// constraints (an old program could not report the conflict).
struct ModelAdditions {
  /// The program's entities, as far as the store has them.
  let program: [EntityLayout]
  let stored: NSManagedObjectModel
  /// The numbers of the store's entities.
  let numbers: [String: Int]

  /// Whether a program with the older version may open the store.
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

  /// Returns whether known properties have kept their tables and columns. The names depend on the
  /// whole model, so a name conflict with a new property may change them.
  private func haveKeptPlaces() throws -> Bool {
    let (old, new) = (try schema(program), try schema(stored.entityLayouts()))
    let places = Dictionary(
      new.mapping.allEntities.map { ($0.layout.entity.name ?? "", self.places($0, schema: new)) },
      uniquingKeysWith: { first, _ in first })
    return old.mapping.allEntities.allSatisfy { entity in
      let own = self.places(entity, schema: old)
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

  /// The table and column of each property, by property name; the entity's table under "".
  private func places(_ entity: EntityMapping, schema: StoreSchema) -> [String: String] {
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
