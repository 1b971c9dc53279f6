import CoreData
import Foundation

extension PredicateTranslation {
  /// Casts a model to another class of its tree; nil if it is not of that class.
  fileprivate mutating func cast(
    _ input: any PredicateExpression, to type: any Any.Type
  ) throws -> Term {
    var value = try term(input)
    guard case .object(let object, let known, let declared) = value.content,
      let desired = type as? any PersistentModel.Type
    else { throw Untranslatable(input) }
    let model = ModelType.of(desired)
    if known.inherits(from: model) { return value }
    value.content = .object(object, model, declared: declared)
    let entities = NSExpression(forConstantValue: entities(of: model))
    let isOne = Condition.comparison(object.appending("entity"), type: .in, right: entities)
    value.isNil = value.isNil || !isOne
    return value
  }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(!(try translation.cast(input, to: Desired.self).isNil))
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.cast(input, to: Desired.self)
  }
}

/// A force cast that fails makes no match, as `as?` would.
extension PredicateExpressions.ForceCast: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.cast(input, to: Desired.self)
  }
}

extension ModelType {
  func inherits(from other: ModelType) -> Bool {
    self === other || base?.inherits(from: other) == true
  }
}
