import Foundation

/// Which entities and properties of two versions of a model belong together.
///
/// They do when their renaming identifiers are equal. That is a canonical name, kept over all versions, so
/// that the third version is matched with the first as it is with the second. What has lost its identifier on
/// the way is matched by its name, unless something else claims that. An attribute is matched with attributes, a
/// relationship with relationships, an element of a composite attribute with elements of what that was.
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
      source.entities, destination.entities, name: { $0.name }, identifier: \.renamingIdentifier)
    sources = Dictionary(
      pairs.map { (ObjectIdentifier($0.1), $0.0) }, uniquingKeysWith: { first, _ in first })
    destinations = Dictionary(
      pairs.map { (ObjectIdentifier($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a destination entity was; nil for a new one.
  package func source(of entity: NSEntityDescription) -> NSEntityDescription? {
    sources[ObjectIdentifier(entity)]
  }

  /// What becomes of a source entity; nil for one that is gone.
  func destination(of entity: NSEntityDescription) -> NSEntityDescription? {
    destinations[ObjectIdentifier(entity)]
  }

  /// The stored properties of a destination entity, inherited ones included, with what they were. Empty for an
  /// entity that is new.
  func properties(
    of entity: NSEntityDescription
  ) -> [(source: NSPropertyDescription, destination: NSPropertyDescription)] {
    guard let old = source(of: entity).map(Self.stored) else { return [] }
    let new = Self.stored(entity)
    let kinds = [\NSPropertyDescription.isAttribute, \.isRelationship]
    let pairs = kinds.flatMap { kind in
      Self.pairs(
        old.filter { $0[keyPath: kind] }, new.filter { $0[keyPath: kind] }, name: \.name,
        identifier: \.renamingIdentifier)
    }
    // What has kept nothing but its name cannot keep its values: whoever carries the migration out says so.
    let matched = Set(pairs.flatMap { [ObjectIdentifier($0.0), ObjectIdentifier($0.1)] })
    let left = Dictionary(
      uniqueKeysWithValues: old.filter { !matched.contains(ObjectIdentifier($0)) }.map {
        ($0.name, $0)
      })
    let rest = new.filter { !matched.contains(ObjectIdentifier($0)) }
    return pairs.map { (source: $0.0, destination: $0.1) }
      + rest.compactMap { part in left[part.name].map { (source: $0, destination: part) } }
  }

  /// The elements of a composite attribute, with what they were.
  static func elements(
    of old: NSCompositeAttributeDescription, _ new: NSCompositeAttributeDescription
  ) -> [(source: NSAttributeDescription, destination: NSAttributeDescription)] {
    pairs(old.elements, new.elements, name: { $0.name }, identifier: { $0.renamingIdentifier })
      .map { (source: $0.0, destination: $0.1) }
  }

  /// The key path of what an attribute, or an element of a composite one, was: `elements` are the names that lead from
  /// the attribute to it. Nil for an element that is new. Nothing is at the path where a value has become a composite.
  static func formerPath<Names: Collection>(
    of elements: Names, _ old: NSPropertyDescription, _ new: NSPropertyDescription
  ) -> String? where Names.Element: StringProtocol {
    guard let first = elements.first else { return old.name }
    guard let composite = old as? NSCompositeAttributeDescription,
      let destination = new as? NSCompositeAttributeDescription
    else { return "\(old.name).\(first)" }
    let pair = self.elements(of: composite, destination).first { $0.destination.name == first }
    return pair.flatMap { formerPath(of: elements.dropFirst(), $0.source, $0.destination) }
      .map { "\(old.name).\($0)" }
  }

  /// The properties of an entity that a store keeps, by name.
  static func stored(_ entity: NSEntityDescription) -> [NSPropertyDescription] {
    entity.properties.filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
      .sorted { $0.name < $1.name }
  }

  private static func pairs<Part: AnyObject>(
    _ old: [Part], _ new: [Part], name: (Part) -> String?, identifier: (Part) -> String?
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
    // An identifier of its own that nothing has says that the part is new.
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
