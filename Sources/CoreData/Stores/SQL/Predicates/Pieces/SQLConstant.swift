import KeyValueCoding
import Predicates

/// A constant of a predicate as a parameter.
enum SQLConstant {
  case null
  case value(SQLValue)
  /// Equal to nothing that the other side may be: a string against a number, an object that was never saved.
  case unequal

  init(_ constant: Any?, as kind: SQLOperand.Kind, context: SQLQueryContext) {
    if kind == .uri, let url = constant as? URL {
      self = .value(.text(url.absoluteString))
      return
    }
    switch (kind, TypedValue(constant)) {
    case (_, .null): self = .null
    case (.number, .integer(let value)), (.decimal, .integer(let value)):
      self = .value(.integer(value))
    case (.number, .double(let value)), (.decimal, .double(let value)):
      self = .value(.real(value))
    case (.number, .decimal(let value)), (.decimal, .decimal(let value)):
      let number = Number.decimal(value)
      self = .value(number.exactInteger.map { .integer($0) } ?? .real(number.doubleValue))
    case (.text, .string(let value)): self = .value(.text(value))
    case (.date, .date(let value)):
      self = .value(.real(value.timeIntervalSinceReferenceDate))
    case (.data, .data(let value)): self = .value(.data(value))
    case (.uuid, .uuid(let value)):
      var bytes = value.uuid
      self = .value(.data(withUnsafeBytes(of: &bytes) { Data($0) }))
    case (.entity, .object(let entity as NSEntityDescription)):
      let number = context.number(of: entity)
      self = number.map { .value(.integer(Int64($0))) } ?? .unequal
    case (.object(let rootNumber), .object(let object)):
      let key = context.key(of: object, rootNumber: rootNumber)
      self = key.map { .value(.integer($0)) } ?? .unequal
    default: self = .unequal
    }
  }
}

extension SQLConstant {
  /// The same for equality, where a number stands for its digits beside a text.
  init(
    _ constant: Any?, equalTo kind: SQLOperand.Kind, isOfMixedList: Bool, context: SQLQueryContext
  ) {
    if kind == .text, !isOfMixedList, let digits = TypedValue(constant).digits {
      self = .value(.text(digits))
    } else {
      self.init(
        constant, comparedWith: kind, isOfMixedList: isOfMixedList, context: context)
    }
  }

  /// The same for every comparison by size, where a text that is a number stands for this number beside one.
  init(
    _ constant: Any?, comparedWith kind: SQLOperand.Kind, isOfMixedList: Bool,
    context: SQLQueryContext
  ) {
    let number = kind.isNumber && !isOfMixedList ? TypedValue(constant).numberOfText : nil
    self.init(number?.any ?? constant, as: kind, context: context)
  }
}

/// What a query needs to know of its store.
package struct SQLQueryContext {
  package let mapping: SQLMapping
  package let storeUUID: String
  package let dialect: SQLDialect
  /// What a comparison with nil means.
  package let nilRule: NilRule

  package init(
    mapping: SQLMapping, storeUUID: String, dialect: SQLDialect, nilRule: NilRule
  ) {
    self.mapping = mapping
    self.storeUUID = storeUUID
    self.dialect = dialect
    self.nilRule = nilRule
  }

  func entity(_ layout: EntityLayout) throws -> EntityMapping {
    if let entity = mapping[layout] { return entity }
    throw SQLGeneration.unsupported(
      "the entity “\(layout.entity.name ?? "")”, which the store does not have")
  }

  /// The store's number of an entity; nil for one that the store does not have.
  func number(of entity: NSEntityDescription) -> Int? {
    mapping.allEntities.first { $0.layout.entity.isEqual(entity) }?.entityNumber
  }

  /// The key of an object, or of an object ID, that this store may have; nil for one of another store or
  /// of another tree of entities, and for one that was never saved.
  func key(of object: AnyObject, rootNumber: Int) -> Int64? {
    guard let identity = identity(of: object), !identity.isTemporaryID,
      identity.space?.storeUUID == storeUUID, identity.layout.rootNumber == rootNumber
    else { return nil }
    return identity.packed.key
  }

  func identity(of object: AnyObject) -> NSManagedObjectID? {
    let compared = (object as? any ComparedByIdentity)?.comparedIdentity ?? object
    // Of an object that was saved since: the ID that it has now.
    return (compared as? NSManagedObjectID)?.resolved
  }
}
