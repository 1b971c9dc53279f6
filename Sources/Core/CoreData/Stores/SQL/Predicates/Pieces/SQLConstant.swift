import KeyValueCoding
import Predicates

/// A constant of a predicate, as a parameter.
enum SQLConstant {
  case null
  case value(SQLValue)
  /// Equals no value of the other side: a string beside a number, or an unsaved object.
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
  /// The constant in a test for equality: beside a text a number becomes its digits.
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

  /// The constant in a comparison by order: beside a number a text becomes the number that it
  /// spells.
  init(
    _ constant: Any?, comparedWith kind: SQLOperand.Kind, isOfMixedList: Bool,
    context: SQLQueryContext
  ) {
    let number = kind.isNumber && !isOfMixedList ? TypedValue(constant).numberOfText : nil
    self.init(number?.any ?? constant, as: kind, context: context)
  }
}

/// The parts of a store that building a query needs.
package struct SQLQueryContext {
  package let mapping: SQLMapping
  package let storeUUID: String
  package let dialect: SQLDialect
  /// The rule for comparisons with nil.
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

  /// The store's number of an entity; nil if the store does not have it.
  func number(of entity: NSEntityDescription) -> Int? {
    mapping.allEntities.first { $0.layout.entity.isEqual(entity) }?.entityNumber
  }

  /// The key of an object in this store, by the object or its ID; nil for an object of another
  /// store or another entity tree, and for an unsaved one.
  func key(of object: AnyObject, rootNumber: Int) -> Int64? {
    guard let identity = identity(of: object), !identity.isTemporaryID,
      identity.space?.storeUUID == storeUUID, identity.layout.rootNumber == rootNumber
    else { return nil }
    return identity.packed.key
  }

  func identity(of object: AnyObject) -> NSManagedObjectID? {
    let compared = (object as? any ComparedByIdentity)?.comparedIdentity ?? object
    // The current ID of an object that was saved after `object` was made.
    return (compared as? NSManagedObjectID)?.resolved
  }
}
