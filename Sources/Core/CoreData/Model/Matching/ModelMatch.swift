import Foundation

/// Corresponding entities and properties of two versions of a model.
///
/// They correspond if their renaming identifiers are equal. A renaming identifier is a canonical
/// name, kept over all versions, so that the third version matches the first as it matches the
/// second. A part that has lost its identifier is matched by its name, unless another part claims
/// that name. Attributes match attributes, relationships match relationships, and elements of a
/// composite attribute match elements of the old one.
///
/// Source: developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
package struct ModelMatch {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  private let sources: [ObjectIdentifier: NSEntityDescription]
  private let destinations: [ObjectIdentifier: NSEntityDescription]

  init(source: NSManagedObjectModel, destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    let pairs = Self.pairs(
      source.entities, new: destination.entities, name: { $0.name },
      identifier: \.renamingIdentifier)
    sources = Dictionary(
      pairs.map { (ObjectIdentifier($0.1), $0.0) }, uniquingKeysWith: { first, _ in first })
    destinations = Dictionary(
      pairs.map { (ObjectIdentifier($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  /// The source of a destination entity; nil for a new entity.
  package func source(of entity: NSEntityDescription) -> NSEntityDescription? {
    sources[ObjectIdentifier(entity)]
  }

  /// The destination of a source entity; nil for a removed entity.
  func destination(of entity: NSEntityDescription) -> NSEntityDescription? {
    destinations[ObjectIdentifier(entity)]
  }

  /// The stored properties of a destination entity, inherited ones included, with their sources.
  /// Empty for a new entity.
  func properties(
    of entity: NSEntityDescription
  ) -> [(source: NSPropertyDescription, destination: NSPropertyDescription)] {
    guard let old = source(of: entity).map(Self.stored) else { return [] }
    let new = Self.stored(entity)
    let kinds = [\NSPropertyDescription.isAttribute, \.isRelationship]
    let pairs = kinds.flatMap { kind in
      Self.pairs(
        old.filter { $0[keyPath: kind] }, new: new.filter { $0[keyPath: kind] }, name: \.name,
        identifier: \.renamingIdentifier)
    }
    // Properties with equal names but of different kinds cannot keep their values; the migration
    // reports them.
    let matched = Set(pairs.flatMap { [ObjectIdentifier($0.0), ObjectIdentifier($0.1)] })
    let left = Dictionary(
      uniqueKeysWithValues: old.filter { !matched.contains(ObjectIdentifier($0)) }.map {
        ($0.name, $0)
      })
    let rest = new.filter { !matched.contains(ObjectIdentifier($0)) }
    return pairs.map { (source: $0.0, destination: $0.1) }
      + rest.compactMap { part in left[part.name].map { (source: $0, destination: part) } }
  }

  /// The elements of a composite attribute, with their sources.
  static func elements(
    of old: NSCompositeAttributeDescription, _ new: NSCompositeAttributeDescription
  ) -> [(source: NSAttributeDescription, destination: NSAttributeDescription)] {
    pairs(old.elements, new: new.elements, name: { $0.name }, identifier: { $0.renamingIdentifier })
      .map { (source: $0.0, destination: $0.1) }
  }

  /// The old key path of an attribute or of an element of a composite attribute; `elements` are the
  /// names from the attribute to the element. Nil for a new element. There is no slot at the path
  /// if a plain attribute has become a composite.
  static func formerPath<Names: Collection>(
    of elements: Names, _ old: NSPropertyDescription, new: NSPropertyDescription
  ) -> String? where Names.Element: StringProtocol {
    guard let first = elements.first else { return old.name }
    guard let composite = old as? NSCompositeAttributeDescription,
      let destination = new as? NSCompositeAttributeDescription
    else { return "\(old.name).\(first)" }
    let pair = self.elements(of: composite, destination).first { $0.destination.name == first }
    return pair.flatMap { formerPath(of: elements.dropFirst(), $0.source, new: $0.destination) }
      .map { "\(old.name).\($0)" }
  }

  /// The stored properties of an entity, sorted by name.
  static func stored(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
      .sorted { $0.name < $1.name }
  }

  private static func pairs<Part: AnyObject>(
    _ old: [Part], new: [Part], name: (Part) -> String?, identifier: (Part) -> String?
  ) -> [(Part, Part)] {
    var free = Dictionary(
      old.map { (identifier($0) ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    var pairs: [(Part, Part)] = []
    var rest: [Part] = []
    for part in new {
      if let match = free.removeValue(forKey: identifier(part) ?? "") {
        pairs.append((match, part))
      } else {
        rest.append(part)
      }
    }
    var byName = Dictionary(
      free.values.map { (name($0) ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    // An explicit identifier without a match marks a new part.
    for part in rest where identifier(part) == name(part) {
      if let match = byName.removeValue(forKey: name(part) ?? "") { pairs.append((match, part)) }
    }
    return pairs
  }
}

extension NSPropertyDescription {
  fileprivate var isRelationship: Bool { self is NSRelationshipDescription }
  fileprivate var isAttribute: Bool { !isRelationship }
}
