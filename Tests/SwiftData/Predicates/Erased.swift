import Foundation

@testable import SwiftData

/// An expression whose type says its value alone, so that a generator can put any in the place of any.
struct Erased<Output>: StandardPredicateExpression {
  let base: any StandardPredicateExpression<Output>

  init(_ base: some StandardPredicateExpression<Output>) { self.base = base }

  func evaluate(_ bindings: PredicateBindings) throws -> Output { try base.evaluate(bindings) }

  func encode(to encoder: any Encoder) throws { fatalError("a generated predicate is not coded") }

  init(from decoder: any Decoder) throws { fatalError("a generated predicate is not coded") }
}

extension Erased: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    try translation.term(base)
  }
}

extension Erased: CustomStringConvertible {
  /// The tree without the types of its parts.
  var description: String { "\(base)" }
}
