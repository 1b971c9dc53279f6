import Foundation

/// Writes a model as the keyed archive that Apple's framework reads. Keys in brackets are optional.
///
///     NSManagedObjectModel   NSEntities, NSFetchRequestTemplates, NSVersionIdentifiers,
///                            [NSConfigurations]
///     NSEntityDescription    NSEntityName, NSClassNameForEntity, NSProperties, NSSubentities,
///                            NSSuperentity, NSManagedObjectModel, NSUserInfo,
///                            NSVersionHashModifier, NSRenamingIdentifier, [NSIsAbstract],
///                            [NSUniqueTuples], [NSCompoundIndexes, NSFetchIndexDescriptions]
///     NSPropertyDescription  NSPropertyName, NSEntity, NSRenamingIdentifier, _P, [NSIsOptional],
///                            [NSIsTransient], [NSIsReadOnly], [NSIsIndexed], [NSUserInfo],
///                            [NSVersionHashModifier], [NSValidationPredicates,
///                            NSValidationWarnings]
///     …Attribute…            NSAttributeType, NSAttributeValueClassName, NSDefaultValue,
///                            NSValueTransformerName, NSFlagsKey (4 external storage,
///                            16 kept on deletion)
///     …Relationship…         NSDestinationEntity, NSInverseRelationship,
///                            _NSDestinationEntityName, _NSInverseRelationshipName, NSMinCount,
///                            NSMaxCount, NSDeleteRule, [NSIsOrdered]
///     …FetchedProperty…      NSFetchRequest, _NSFetchRequestEntityName
///     …DerivedAttribute…     NSDerivationExpression, NSFilteringPredicate
final class ModelArchiveWriter {
  /// The two forms of the archive: a compiled model and a store's model cache.
  enum Style {
    /// A `.mom`: entities list their own properties.
    case compiled
    /// `Z_MODELCACHE`: entities list inherited properties too, in a dictionary of known keys.
    case cache
  }

  private static let emptySlot = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  let builder = ArchiveBuilder()
  private let model: NSManagedObjectModel
  private let style: Style
  private lazy var modelReference = builder.reserve()
  private(set) var entityReferences: [String: ArchiveBuilder.Reference] = [:]
  /// Reserved references of the properties that entities declare themselves, by entity and
  /// property.
  private var propertyReferences: [String: [String: ArchiveBuilder.Reference]] = [:]

  init(model: NSManagedObjectModel, style: Style) {
    self.model = model
    self.style = style
  }

  func data() throws -> Data {
    // Sorted by name, so that equal models have equal bytes.
    let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    _ = modelReference
    for entity in entities {
      guard let name = entity.name, !name.isEmpty, entityReferences[name] == nil else {
        throw ModelFileError(
          file: "model archive", entity: entity.name,
          problem: "an archive holds entities by their names; this one has none, or that of another"
        )
      }
      entityReferences[name] = builder.reserve()
      propertyReferences[name] = Dictionary(
        entity.ownProperties.sorted { $0.name < $1.name }.map { ($0.name, builder.reserve()) },
        uniquingKeysWith: { _, last in last })
    }
    for entity in entities { try write(entity) }
    var fields: [String: Any] = [
      "NSEntities": self.entities(), "NSFetchRequestTemplates": try templates(),
      "NSVersionIdentifiers": try identifiers(),
    ]
    if !model.configurationMembers.isEmpty { fields["NSConfigurations"] = configurations() }
    if style == .compiled { fields.merge(compilerFields) { own, _ in own } }
    builder.fill(modelReference, class: ArchiveClass.model, fields: fields)
    return try builder.data(root: modelReference)
  }

  /// The versions that the compiler wrote into the archive from which the model was read.
  private var compilerFields: [String: Any] {
    let versions = model.compilerVersions
    var fields: [String: Any] = [:]
    fields["CDMCompilerToolVersion"] = versions["CDMCompilerToolVersion"].flatMap { Double($0) }
    fields["CDMCompilerXcodeVersion"] = versions["CDMCompilerXcodeVersion"].flatMap { Int($0) }
    return fields
  }

  /// The reference of a property that an entity declares; null for none.
  func reference(to property: NSPropertyDescription?) -> ArchiveBuilder.Reference {
    guard let property, let entity = property.declaringEntity?.name else { return .null }
    return propertyReferences[entity]?[property.name] ?? .null
  }

  func reference(toEntity name: String?) -> ArchiveBuilder.Reference {
    name.flatMap { entityReferences[$0] } ?? .null
  }

  private func entities() -> ArchiveBuilder.Reference {
    let pairs = entityReferences.sorted { $0.key < $1.key }
    guard style == .cache else {
      return builder.dictionary(
        pairs.map { ($0.key, $0.value) }, class: ArchiveClass.mutableDictionary)
    }
    let keys = builder.list(pairs.map { builder.string($0.key) }, class: ArchiveClass.array)
    let mapping = builder.add(
      class: ArchiveClass.knownKeysMapping, ["length": pairs.count, "keys": keys, "version": 1])
    let values = builder.list(pairs.map(\.value), class: ArchiveClass.array)
    return builder.add(
      class: ArchiveClass.knownKeysDictionary,
      [
        "values": values, "searchMapping": mapping, "emptyToken": builder.string(Self.emptySlot),
        "version": 1,
      ])
  }

  private func write(_ entity: NSEntityDescription) throws {
    let name = entity.name ?? ""
    let properties = try listedProperties(of: entity).map { property in
      (property.name, try write(property, listedIn: entity))
    }
    let subentities = entity.subentities.map { ($0.name ?? "", reference(toEntity: $0.name)) }
      .sorted { $0.0 < $1.0 }
    let className = entity.managedObjectClassName ?? "NSManagedObject"
    var fields: [String: Any] = [
      "NSEntityName": builder.string(name),
      "NSClassNameForEntity": className == "NSManagedObject" ? .null : builder.string(className),
      "NSProperties": builder.dictionary(properties, class: ArchiveClass.mutableDictionary),
      "NSSubentities": builder.dictionary(subentities, class: ArchiveClass.mutableDictionary),
      "NSSuperentity": reference(toEntity: entity.superentity?.name),
      "NSManagedObjectModel": modelReference,
      "NSUserInfo": try value(entity.userInfo ?? [:]),
      "NSVersionHashModifier": builder.string(entity.versionHashModifier),
      "NSRenamingIdentifier": builder.string(entity.renamingIdentifier),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = true }
    fields.merge(try indexFields(of: entity)) { _, last in last }
    builder.fill(reference(toEntity: name), class: ArchiveClass.entity, fields: fields)
  }

  private func listedProperties(of entity: NSEntityDescription) -> [NSPropertyDescription] {
    (style == .cache ? entity.properties : entity.ownProperties).sorted { $0.name < $1.name }
  }

  /// Writes a property. An inherited one is written as a copy that belongs to the entity listing
  /// it.
  private func write(
    _ property: NSPropertyDescription, listedIn entity: NSEntityDescription
  ) throws -> ArchiveBuilder.Reference {
    let isOwn = property.declaringEntity === entity
    let room = isOwn ? reference(to: property) : builder.reserve()
    try write(property, into: room, entity: reference(toEntity: entity.name))
    return room
  }

  private func templates() throws -> ArchiveBuilder.Reference {
    guard !model.storedTemplates.isEmpty else { return .null }
    let pairs = try model.storedTemplates.sorted { $0.key < $1.key }.map {
      ($0.key, try write($0.value))
    }
    return builder.dictionary(pairs, class: ArchiveClass.mutableDictionary)
  }

  private func identifiers() throws -> ArchiveBuilder.Reference {
    let sorted = model.versionIdentifiers.sorted { "\($0)" < "\($1)" }
    return builder.list(try sorted.map { try value($0.base) }, class: ArchiveClass.set)
  }

  private func configurations() -> ArchiveBuilder.Reference {
    let pairs = model.configurationMembers.sorted { $0.name < $1.name }.map { members in
      let entities = members.entityNames.sorted().map { reference(toEntity: $0) }
      return (members.name, builder.list(entities, class: ArchiveClass.set))
    }
    return builder.dictionary(pairs, class: ArchiveClass.mutableDictionary)
  }
}
