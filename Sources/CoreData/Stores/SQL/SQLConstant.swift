/// A constant of a predicate as a parameter.
enum SQLConstant {
  case null
  case value(SQLValue)
  /// Equal to nothing that the other side may be: a string against a number, an object that was never saved.
  case unequal

  init(_ constant: Any?, as kind: SQLOperand.Kind, context: SQLQueryContext) {
    if let url = constant as? URL, kind == .uri {
      self = .value(.text(url.absoluteString))
      return
    }
    switch (kind, TypedValue(constant)) {
    case (_, .null): self = .null
    case (.number, .integer(let value)): self = .value(.integer(value))
    case (.number, .double(let value)): self = .value(.real(value))
    case (.number, .decimal(let value)): self = .value(Self.number(value))
    case (.text, .string(let value)): self = .value(.text(value))
    case (.date, .date(let value)):
      self = .value(.real(value.timeIntervalSinceReferenceDate))
    case (.data, .data(let value)): self = .value(.data(value))
    case (.uuid, .uuid(let value)):
      var bytes = value.uuid
      self = .value(.data(withUnsafeBytes(of: &bytes) { Data($0) }))
    case (.object(let rootNumber), .object(let object)):
      let key = context.key(of: object, rootNumber: rootNumber)
      self = key.map { .value(.integer($0)) } ?? .unequal
    default: self = .unequal
    }
  }

  private static func number(_ decimal: Decimal) -> SQLValue {
    let text = decimal.description
    if let integer = Int64(text) { return .integer(integer) }
    return .real(Double(text) ?? .nan)
  }
}

/// What a query needs to know of its store.
struct SQLQueryContext {
  let mapping: SQLMapping
  let storeUUID: String
  let dialect: SQLDialect

  func entity(_ layout: EntityLayout) throws -> EntityMapping {
    if let entity = mapping[layout] { return entity }
    throw SQLGeneration.unsupported(
      "the entity “\(layout.entity.name ?? "")”, which the store does not have")
  }

  /// The key of an object, or of an object ID, that this store may have; nil for one of another store or
  /// of another tree of entities, and for one that was never saved.
  func key(of object: AnyObject, rootNumber: Int) -> Int64? {
    let compared = (object as? any ComparedByIdentity)?.comparedIdentity ?? object
    guard let identity = compared as? NSManagedObjectID, !identity.isTemporaryID,
      identity.space?.storeUUID == storeUUID, identity.layout.rootNumber == rootNumber
    else { return nil }
    return identity.packed.key
  }
}

/// Errors of what predicates and sort descriptors ask for and SQL has not.
enum SQLGeneration {
  static func unsupported(_ what: String, in predicate: NSPredicate? = nil) -> NSError {
    let place = predicate.map { " in the predicate \(shape(of: $0))" } ?? ""
    return CoreDataError.make(
      .coreData,
      reason:
        "A fetch from a SQLite store cannot use \(what)\(place). Fetch with a wider predicate "
        + "and filter the objects.")
  }

  static func unknownKey(_ key: String, _ layout: EntityLayout) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "keypath \(key) not found in entity \(layout.entity.name ?? "")")
  }

  /// The names in a predicate without its values, which stay out of messages.
  private static func shape(of predicate: NSPredicate) -> String {
    guard let comparison = predicate as? NSComparisonPredicate else {
      return "of class \(type(of: predicate))"
    }
    return [comparison.leftExpression, comparison.rightExpression].map {
      $0.expressionType == .keyPath ? "“\($0.keyPath)”" : "\($0.expressionType)"
    }.joined(separator: " \(comparison.predicateOperatorType) ")
  }
}
