import Predicates

/// The predicate of a history request, prepared for one store.
///
/// Tokens have no order of their own: they are compared by their transaction number for the store.
struct HistoryPredicate {
  private let storeUUID: String
  private let entity: NSEntityDescription

  /// A test of transactions or changes.
  ///
  /// - Throws: error 134060 for keys that they lack, 134501 for a token without a number for the
  ///   store, 134301 for an expired token.
  static func test<Subject: NSObject>(
    _ predicate: NSPredicate, entity: NSEntityDescription, storeUUID: String
  ) throws -> (Subject) throws -> Bool {
    let ready = HistoryPredicate(storeUUID: storeUUID, entity: entity)
    // The meaning of a comparison with nil in the store's SQL.
    let compiled = CompiledPredicate(try ready.predicate(predicate), nilRule: .sql)
    return { subject in try CoreDataError.explaining { try compiled.matches(subject) } }
  }

  private func predicate(_ predicate: NSPredicate) throws -> NSPredicate {
    switch predicate {
    case let comparison as NSComparisonPredicate: try self.comparison(comparison)
    case let compound as Foundation.NSCompoundPredicate:
      CompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: try compound.subpredicates.map(self.predicate))
    default: predicate
    }
  }

  private func comparison(_ comparison: NSComparisonPredicate) throws -> NSPredicate {
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    try [left, right].forEach(check)
    let numbers = try [left, right].map(number)
    guard numbers.contains(where: { $0 != nil }) else { return comparison }
    return NSComparisonPredicate(
      leftExpression: numbers[0] ?? byNumber(left), rightExpression: numbers[1] ?? byNumber(right),
      modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
      options: comparison.options)
  }

  /// A token's transaction number in the store; nil for any other expression.
  private func number(_ expression: NSExpression) throws -> NSExpression? {
    guard case .constant(let token as NSPersistentHistoryToken) = expression.content else {
      return nil
    }
    guard let number = token.numbers[storeUUID] else {
      throw HistoryError.notInToken(storeUUID, token: token)
    }
    // As Apple's: the token before the first transaction cannot be compared.
    guard number > 0 else { throw HistoryError.expired(token) }
    return NSExpression(forConstantValue: NSNumber(value: number))
  }

  private func byNumber(_ expression: NSExpression) -> NSExpression {
    guard case .keyPath(let path, of: nil) = expression.content else { return expression }
    return switch path {
    case "token" where entity === HistoryEntities.transaction:
      NSExpression(forKeyPath: "transactionNumber")
    case "token", "transaction.token": NSExpression(forKeyPath: "transaction.transactionNumber")
    default: expression
    }
  }

  private func check(_ expression: NSExpression) throws {
    for child in expression.content.children { try check(child) }
    guard case .keyPath(let path, of: nil) = expression.content else { return }
    var keys = path.split(separator: ".").map(String.init)[...]
    var entity = entity
    if keys.count > 1, keys.first == "transaction", entity === HistoryEntities.change {
      keys = keys.dropFirst()
      entity = HistoryEntities.transaction
    }
    guard let key = keys.first, key == "self" || entity.propertiesByName[key] != nil else {
      throw CoreDataError.make(
        .coreData, reason: "keypath \(path) not found in entity \(entity.name ?? "")")
    }
  }
}

/// The errors of history requests.
package enum HistoryError {
  /// Error 134501: the token has no number for the store.
  static func notInToken(_ storeUUID: String, token: NSPersistentHistoryToken) -> NSError {
    let reason = "Store - ( \"\(storeUUID)\" ) not found in token - \(token)"
    return CoreDataError.make(code: 134501, reason: reason, userInfo: ["Reason": reason])
  }

  /// Error 134301: part of the history after the token was deleted.
  package static func expired(_ token: NSPersistentHistoryToken) -> NSError {
    CoreDataError.make(
      code: NSPersistentHistoryTokenExpiredError,
      reason:
        "The history after \(token) is not complete any more; read the objects anew, and go on from "
        + "the current token.",
      userInfo: [NSPersistentHistoryTokenKey: token])
  }

  /// Error 134091: none of the stores that were asked tracks history.
  static var noHistory: NSError {
    CoreDataError.make(
      .persistentStoreUnsupportedRequestType,
      reason:
        "No store that the request goes to notes its history: add a SQLite store with the option "
        + "NSPersistentHistoryTrackingKey.")
  }
}
