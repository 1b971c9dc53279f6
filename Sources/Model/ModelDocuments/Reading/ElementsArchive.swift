import Foundation

/// Reads the `elements` of Xcode 4.2 and older, a keyed archive of the editor's own objects, and
/// converts them to the elements that newer versions write. Mapping models still contain copies of
/// their models in this format.
///
///     XDPMModel       _modelVersionIdentifier, _configurationsByName { name: [entity] },
///                     _xd_rootPackage → XDBucketForClassesstorage { name: entity }
///                     Some have XDPMConfiguration { _name, _entities } in the place of [entity].
///     an entity       _name, XDBucketForOwnedAttributesstorage { name: property },
///                     XDBucketForGeneralizationsstorage [ object that refers to the superentity ]
///     a property      _name; XDPMAttribute, XDPMRelationship or XDPMFetchedProperty
///     both            XDBucketForStereotypesstorage { stereotype:
///                     XDBucketForOwnedAttributesstorage { key: object whose _default is the
///                     value } }
///
/// The keys of the stereotypes are in the tables below. Objects that occur in none of the known
/// archives (fetched properties, fetch request templates) are left out with a warning; they are no
/// part of version hashes.
struct ElementsArchive {
  static let fileName = "elements"
  /// The name of elements that stand for unreadable objects.
  static let unreadName = "unread"

  private static let ownedKey = "XDBucketForOwnedAttributesstorage"

  private let archive: KeyedArchive
  private let root: ArchiveRecord
  private let entities: [(name: String, record: ArchiveRecord)]

  static func root(of data: Data, file: String) throws -> ModelElement {
    try ElementsArchive(archive: KeyedArchive(data: data, file: file)).model()
  }

  private init(archive: KeyedArchive) throws {
    self.archive = archive
    guard let root = try archive.record(at: archive.root), root.isKind(of: "XDModel") else {
      throw archive.error("its root is not a model of the editor")
    }
    self.root = root
    let package = try root.record("_xd_rootPackage")
    entities = try Self.records(in: package, "XDBucketForClassesstorage").sorted {
      $0.name < $1.name
    }
  }

  private func model() throws -> ModelElement {
    let identifier = try root.text("_modelVersionIdentifier")
    let children = try entities.map { try entity($0.record, named: $0.name) } + configurations()
    return ModelElement(
      name: "model", attributes: ["userDefinedModelVersionIdentifier": identifier ?? ""],
      children: children)
  }

  private func configurations() throws -> [ModelElement] {
    try root.entries("_configurationsByName").map { name, identifier in
      let value = try archive.record(at: identifier)
      let isObject = value?.isKind(of: "XDPMConfiguration") == true
      let list = isObject ? try value?.record("_entities") : value
      let members = try list?.identifiers("NS.objects") ?? []
      let names = try members.compactMap { try archive.record(at: $0)?.text("_name") }
      return ModelElement(
        name: "configuration", attributes: ["name": name],
        children: names.map { ModelElement(name: "memberEntity", attributes: ["name": $0]) })
    }
  }

  private func entity(_ record: ArchiveRecord, named name: String) throws -> ModelElement {
    var notes = try Notes(of: record, keys: ElementsArchive.entityKeys)
    notes.attributes["name"] = name
    notes.attributes["parentEntity"] = try parent(of: record)
    let requests = try notes.record("XD_PSK_fetchRequestsArray")?.identifiers("NS.objects") ?? []
    let unread = requests.isEmpty ? [] : [Self.unread("its fetch requests")]
    let properties = try Self.records(in: record, Self.ownedKey).sorted { $0.name < $1.name }
    let children = try properties.map { try property($0.record, named: $0.name) }
    let constraints = try notes.groups(
      "XDPMUniquenessConstraints", outer: "uniquenessConstraints", inner: "uniquenessConstraint",
      element: "constraint")
    let indexes = try notes.groups(
      "XDPMCompoundIndexes", outer: "compoundIndexes", inner: "compoundIndex", element: "index")
    return ModelElement(
      name: "entity", attributes: notes.attributes,
      children: try children + constraints + indexes + notes.userInfo() + unread)
  }

  /// The name of the superentity. The field that refers to it is not known; besides the
  /// superentity, the object refers only to the entity itself.
  private func parent(of record: ArchiveRecord) throws -> String? {
    for identifier in try record.elements("XDBucketForGeneralizationsstorage") {
      let fields = try archive.record(at: identifier)?.fields ?? [:]
      let targets = Set(fields.values.compactMap(KeyedArchive.identifier))
      let others = entities.filter {
        targets.contains($0.record.identifier) && $0.record.identifier != record.identifier
      }
      if let parent = others.first { return parent.name }
    }
    return nil
  }

  private func property(
    _ record: ArchiveRecord, named name: String
  ) throws -> ModelElement {
    let kind: String
    switch record.className {
    case "XDPMAttribute": kind = "attribute"
    case "XDPMRelationship": kind = "relationship"
    default: return Self.unread("“\(name)”, of the kind \(record.className),")
    }
    var notes = try Notes(of: record, keys: ElementsArchive.propertyKeys)
    notes.attributes["name"] = name
    if let number = notes.attributes["attributeType"] {
      let type = ModelAttributeType.allCases.first { String($0.number) == number }
      notes.attributes["attributeType"] = type?.rawValue ?? number
    }
    if let number = notes.attributes["deletionRule"].flatMap({ UInt($0) }) {
      notes.attributes["deletionRule"] =
        ModelReader.deleteRules.first { $0.value == number }?.key ?? String(number)
    }
    return ModelElement(
      name: kind, attributes: notes.attributes, children: try notes.userInfo())
  }

  private static func unread(_ what: String) -> ModelElement {
    ModelElement(name: unreadName, attributes: ["name": what])
  }

  /// The objects of a table by name; empty if there is no table.
  fileprivate static func records(
    in owner: ArchiveRecord?, _ key: String
  ) throws -> [(name: String, record: ArchiveRecord)] {
    try owner?.entries(key).compactMap { name, identifier in
      try owner?.archive.record(at: identifier).map { (name, $0) }
    } ?? []
  }

  /// The stereotypes of an entity or a property: attributes in the form of newer files, and the
  /// objects behind them.
  private struct Notes {
    var attributes: [String: String] = [:]
    private var owners: [String: ArchiveRecord] = [:]

    init(of record: ArchiveRecord, keys: [String: String]) throws {
      for stereotype in try records(in: record, "XDBucketForStereotypesstorage") {
        for (key, owner) in try records(in: stereotype.record, ownedKey) {
          owners[key] = owner
          if let name = keys[key] { attributes[name] = try text(key) }
        }
      }
    }

    func record(_ key: String) throws -> ArchiveRecord? { try owners[key]?.record("_default") }

    /// A value in the form of newer files: the name of an object, a number, YES or NO.
    private func text(_ key: String) throws -> String? {
      switch try owners[key]?.object("_default") {
      case let text as String: text
      case let number as NSNumber where Self.isFlag(key): number.boolValue ? "YES" : "NO"
      case let number as NSNumber: number.stringValue
      case .some: try record(key)?.text("_name")
      case nil: nil
      }
    }

    private static func isFlag(_ key: String) -> Bool {
      key.contains("_is")
        || ["XD_PRK_ordered", "XD_PAttK_allowsExternalBinaryDataStorage"].contains(key)
    }

    /// Lists of lists of names, in the form of newer files.
    func groups(
      _ key: String, outer: String, inner: String, element: String
    ) throws -> [ModelElement] {
      guard let list = try record(key) else { return [] }
      let groups = try list.identifiers("NS.objects").map { group in
        let names = try list.archive.record(at: group)?.identifiers("NS.objects") ?? []
        let children = try names.map { name in
          ModelElement(
            name: element, attributes: ["value": try list.archive.object(at: name) as? String ?? ""]
          )
        }
        return ModelElement(name: inner, children: children)
      }
      return groups.isEmpty ? [] : [ModelElement(name: outer, children: groups)]
    }

    /// The entries with string values; newer files have no others.
    func userInfo() throws -> [ModelElement] {
      let archive = owners.values.first?.archive
      let entries = try ["XD_PSK_userInfo", "XD_PPSK_userInfo"].flatMap { key in
        try record(key)?.entries().compactMap { name, identifier in
          (try archive?.object(at: identifier) as? String).map { (name, $0) }
        } ?? []
      }
      guard !entries.isEmpty else { return [] }
      let children = entries.map { name, value in
        ModelElement(name: "entry", attributes: ["key": name, "value": value])
      }
      return [ModelElement(name: "userInfo", attributes: [:], children: children)]
    }
  }

  private static let entityKeys = [
    "XD_PSK_entityClassName": "representedClassName", "XD_PSK_isAbstract": "isAbstract",
    "XD_PSK_versionHashModifier": "versionHashModifier", "XD_PSK_elementID": "elementID",
  ]

  private static let propertyKeys = [
    "XD_PPSK_isStoredInTruthFile": "storedInTruthFile", "XD_PPSK_isIndexed": "indexed",
    "XD_PPSK_versionHashModifier": "versionHashModifier", "XD_PPSK_isOptional": "optional",
    "XD_PPSK_isSpotlightIndexed": "spotlightIndexingEnabled", "XD_PPSK_elementID": "elementID",
    "XD_PPSK_isTransient": "transient",
    "XD_PAttK_attributeType": "attributeType", "XD_PAttK_minValueString": "minValueString",
    "XD_PAttK_maxValueString": "maxValueString",
    "XD_PAttK_regularExpressionString": "regularExpressionString",
    "XD_PAttK_defaultValueAsString": "defaultValueString",
    "XD_PAttK_valueTransformerName": "valueTransformerName",
    "XD_PRK_inverseRelationship": "inverseName", "XD_PRK_destination": "destinationEntity",
    "XD_PRK_minCount": "minCount", "XD_PRK_maxCount": "maxCount", "XD_PRK_isToMany": "toMany",
    "XD_PRK_deleteRule": "deletionRule", "XD_PRK_ordered": "ordered",
    "XD_PAttK_allowsExternalBinaryDataStorage": "allowsExternalBinaryDataStorage",
  ]
}
