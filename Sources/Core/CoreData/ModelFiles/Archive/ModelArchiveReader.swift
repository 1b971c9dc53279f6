import Foundation

/// Reads a model from a keyed archive: a `.mom`, or the model cache of a store.
///
/// The keys are in the table of `ModelArchiveWriter`. Relationships are read by the names of their
/// destinations and inverses, so that the reader does not follow the cycles of the object graph.
struct ModelArchiveReader {
  let archive: KeyedArchive

  static func model(from data: Data, file: String) throws -> NSManagedObjectModel {
    try ModelArchiveReader(archive: KeyedArchive(data: data, file: file)).model()
  }

  private func model() throws -> NSManagedObjectModel {
    guard let root = try archive.record(at: archive.root), root.isKind(of: "NSManagedObjectModel")
    else { throw archive.error("its root is not an NSManagedObjectModel") }
    let records = try root.entries("NSEntities").map { entry in
      guard let record = try archive.record(at: entry.value),
        record.isKind(of: "NSEntityDescription")
      else { throw archive.error("“\(entry.key)” is not an entity") }
      return record
    }
    let model = NSManagedObjectModel()
    model.entities = try entities(from: records)
    try readIdentifiers(of: model, from: root)
    try readConfigurations(of: model, from: root)
    try readTemplates(of: model, from: root)
    return model
  }

  private func entities(from records: [ArchiveRecord]) throws -> [NSEntityDescription] {
    var entities: [String: NSEntityDescription] = [:]
    var parents: [String: String] = [:]
    for record in records {
      let name = try record.requiredText("NSEntityName")
      guard entities.updateValue(try entity(from: record, name: name), forKey: name) == nil else {
        throw archive.error("there is more than one entity named “\(name)”")
      }
      parents[name] = try record.record("NSSuperentity")?.requiredText("NSEntityName")
    }
    try link(entities, parents: parents)
    for record in records { try readProperties(of: record, entities: entities, parents: parents) }
    return try records.compactMap { entities[try $0.requiredText("NSEntityName")] }
  }

  private func link(
    _ entities: [String: NSEntityDescription], parents: [String: String]
  ) throws {
    var children: [String: [NSEntityDescription]] = [:]
    for (name, parent) in parents.sorted(by: { $0.key < $1.key }) {
      guard entities[parent] != nil, let entity = entities[name] else {
        throw archive.error("the superentity “\(parent)” of “\(name)” is missing")
      }
      _ = try ancestors(of: name, in: parents)
      children[parent, default: []].append(entity)
    }
    for (name, list) in children { entities[name]?.subentities = list }
  }

  /// The names of an entity's ancestors, nearest first.
  private func ancestors(of name: String, in parents: [String: String]) throws -> [String] {
    var list: [String] = []
    var current = name
    while let parent = parents[current] {
      guard list.count < KeyedArchive.deepest, parent != name else {
        throw archive.error("the entity “\(name)” is its own ancestor")
      }
      list.append(parent)
      current = parent
    }
    return list
  }

  /// Removes inherited properties, which the model caches of stores list again as copies.
  private func readProperties(
    of record: ArchiveRecord, entities: [String: NSEntityDescription], parents: [String: String]
  ) throws {
    let name = try record.requiredText("NSEntityName")
    guard let entity = entities[name] else { return }
    var inherited: Set<String> = []
    for ancestor in try ancestors(of: name, in: parents) {
      guard let ancestorEntity = entities[ancestor] else { continue }
      inherited.formUnion(declaredNames(of: ancestorEntity))
    }
    entity.properties = entity.ownProperties.filter { !inherited.contains($0.name) }
  }

  private func declaredNames(of entity: NSEntityDescription) -> [String] {
    entity.ownProperties.map(\.name)
  }

  private func readIdentifiers(
    of model: NSManagedObjectModel, from root: ArchiveRecord
  ) throws {
    let values = try root.elements("NSVersionIdentifiers").compactMap { try archive.value(at: $0) }
    model.versionIdentifiers = Set(values.compactMap { $0 as? AnyHashable })
    for key in ["CDMCompilerToolVersion", "CDMCompilerXcodeVersion"] {
      model.compilerVersions[key] = (try root.object(key) as? NSNumber)?.stringValue
    }
  }

  private func readConfigurations(
    of model: NSManagedObjectModel, from root: ArchiveRecord
  ) throws {
    for (name, list) in try root.entries("NSConfigurations") {
      let members = try archive.record(at: list)?.identifiers("NS.objects") ?? []
      let names = try members.compactMap {
        try archive.record(at: $0)?.requiredText("NSEntityName")
      }
      model.setEntityNames(names.sorted(), forConfigurationName: name)
    }
  }

  private func readTemplates(of model: NSManagedObjectModel, from root: ArchiveRecord) throws {
    for (name, identifier) in try root.entries("NSFetchRequestTemplates") {
      guard let record = try archive.record(at: identifier) else { continue }
      model.setFetchRequestTemplate(try fetchRequest(from: record), forName: name)
    }
  }
}
