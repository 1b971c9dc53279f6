import Foundation

extension NSManagedObjectModel {
  /// A deep, mutable copy.
  public final func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    copy.adoptCopies(of: entities)
    copy.configurationMembers = configurationMembers
    copy.storedTemplates = storedTemplates.mapValues { $0.copiedRequest }
    copy.versionIdentifiers = versionIdentifiers
    copy.localizationDictionary = localizationDictionary
    copy.compilerVersions = compilerVersions
    return copy
  }

  /// Adds copies of entities, with the inheritance among them.
  package final func adoptCopies(of originals: [NSEntityDescription]) {
    var copies: [ObjectIdentifier: NSEntityDescription] = [:]
    for original in originals {
      copies[ObjectIdentifier(original)] = original.copy() as? NSEntityDescription
    }
    for original in originals {
      copies[ObjectIdentifier(original)]?.subentities = original.subentities.compactMap {
        copies[ObjectIdentifier($0)]
      }
    }
    entities += originals.compactMap { copies[ObjectIdentifier($0)] }
  }

  package final func hasSameContents(as other: NSManagedObjectModel) -> Bool {
    entitiesByName == other.entitiesByName
      && configurationTable == other.configurationTable
      && ModelValue.areEqual(versionIdentifiers, other.versionIdentifiers)
      && storedTemplates.mapValues(\.modelText) == other.storedTemplates.mapValues(\.modelText)
      && localizationDictionary == other.localizationDictionary
  }

  private var configurationTable: [String: Set<String>] {
    Dictionary(
      configurationMembers.map { ($0.name, Set($0.entityNames)) },
      uniquingKeysWith: { _, last in last })
  }
}
