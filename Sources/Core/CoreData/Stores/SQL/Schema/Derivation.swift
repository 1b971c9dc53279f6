/// The source of a derived attribute's value:
///
///     name, author.name                           the value at the end of to-one relationships
///     canonical:(name), uppercase:, lowercase:    such a value with a function
///     pages.@count, pages.words.@sum              over the members of a to-many relationship
///     now()                                       the time of the last save
///
/// Source: developer.apple.com/documentation/coredata/nsderivedattributedescription
package enum Derivation {
  case value(path: [NSRelationshipDescription], NSAttributeDescription, function: String?)
  case count(NSRelationshipDescription)
  case sum(NSRelationshipDescription, NSAttributeDescription)
  case now

  /// Reads the derivation expression of an attribute. Throws 134060 with the reason if it is not
  /// supported.
  package init(_ attribute: NSDerivedAttributeDescription, of entity: NSEntityDescription) throws {
    let reader = DerivationReader(attribute: attribute, entity: entity)
    self = try reader.derivation()
  }
}

private struct DerivationReader {
  let attribute: NSDerivedAttributeDescription
  let entity: NSEntityDescription

  func derivation() throws -> Derivation {
    switch attribute.derivationExpression?.content {
    case .keyPath(let path, of: nil): return try derivation(path)
    case .function("now", let arguments) where arguments.isEmpty: return .now
    case .function("count:", let arguments):
      return .count(try toMany(path(arguments), what: "count:"))
    case .function("sum:", let arguments):
      return try derivation(path(arguments) + ".@sum")
    case .function(let name, let arguments)
    where ["canonical:", "uppercase:", "lowercase:"].contains(name):
      let value = try derivation(path(arguments))
      guard case .value(let path, let source, nil) = value else {
        throw refused("takes \(name) of a collection")
      }
      return .value(path: path, source, function: name)
    default:
      throw refused(
        "is no key path, no canonical:, uppercase: or lowercase: of one, and not now()")
    }
  }

  private func path(_ arguments: [NSExpression]) throws -> String {
    guard arguments.count == 1, case .keyPath(let path, of: nil) = arguments[0].content else {
      throw refused("has a function of something that is no key path")
    }
    return path
  }

  private func derivation(_ path: String) throws -> Derivation {
    let keys = path.split(separator: ".").map(String.init)
    guard let last = keys.last else { throw refused("is empty") }
    if keys.dropLast().contains(where: { $0.hasPrefix("@") }) {
      throw refused("uses an operator as an intermediate component")
    }
    switch last {
    case "@count": return .count(try toMany(keys.dropLast().joined(separator: "."), what: last))
    case "@sum":
      guard keys.count == 3 else { throw refused("must read relationship.attribute.@sum") }
      let relationship = try toMany(keys[0], what: last)
      guard let source = relationship.destinationEntity?.attributesByName[keys[1]],
        !source.isTransient
      else { throw refused("sums up “\(keys[1])”, which is no stored attribute") }
      return .sum(relationship, source)
    case _ where last.hasPrefix("@"): throw refused("uses \(last); there are @count and @sum")
    default: return try value(keys)
    }
  }

  private func toMany(_ key: String, what: String) throws -> NSRelationshipDescription {
    guard let relationship = entity.relationshipsByName[key], relationship.isToMany,
      !relationship.isTransient
    else { throw refused("takes \(what) of “\(key)”, which is no stored to-many relationship") }
    return relationship
  }

  private func value(_ keys: [String]) throws -> Derivation {
    var path: [NSRelationshipDescription] = []
    var place: NSEntityDescription? = entity
    for key in keys.dropLast() {
      guard let relationship = place?.relationshipsByName[key], !relationship.isToMany,
        !relationship.isTransient
      else { throw refused("leads through “\(key)”, which is no stored to-one relationship") }
      path.append(relationship)
      place = relationship.destinationEntity
    }
    guard let source = place?.attributesByName[keys[keys.count - 1]], !source.isTransient,
      !(source === attribute)
    else { throw refused("leads to “\(keys[keys.count - 1])”, which is no stored attribute") }
    return .value(path: path, source, function: nil)
  }

  private func refused(_ what: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "The derivation expression of “\(attribute.name)” of the entity "
        + "“\(entity.name ?? "")” \(what).")
  }
}
