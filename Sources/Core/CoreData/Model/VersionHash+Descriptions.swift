import Foundation

extension NSPropertyDescription {
  /// The part of the version hash that all kinds of properties share.
  final var versionHashBase: VersionHash.Base {
    VersionHash.Base(name: name, isOptional: isOptional, modifier: versionHashModifier)
  }
}

extension NSEntityDescription {
  func computedVersionHash() -> Data {
    let stored = properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
    return VersionHash.entity(
      name: name ?? "", isAbstract: isAbstract, superentity: superentity?.versionHash,
      properties: stored.map { ($0.name, $0.versionHash) },
      uniquenessConstraints: uniquenessConstraintNames, modifier: versionHashModifier)
  }
}
