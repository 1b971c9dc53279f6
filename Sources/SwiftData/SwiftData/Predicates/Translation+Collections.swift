import CoreData
import Foundation

extension Term.Members {
  /// The number of members that meet the filter.
  func count() throws -> NSExpression {
    guard let filter else {
      return collection.appending("@count")
    }
    return NSExpression(
      content: .keyPath(
        "@count", of: subquery(filter.variable, condition: try filter.condition.exactly())))
  }

  private func subquery(_ variable: String, condition: Condition) -> NSExpression {
    NSExpression(
      forSubquery: collection, usingIteratorVariable: variable, predicate: condition.predicate)
  }

  /// The members that also meet a condition on the variable of that name.
  func filtered(_ variable: String, condition: Condition) -> Term.Members {
    var result = self
    result.filter = (variable, filter.map { $0.condition && condition } ?? condition)
    return result
  }

  /// The condition that any member meets the filter. An inexact filter makes an inexact condition.
  var isNotEmpty: Condition {
    guard let filter else {
      return .comparison(
        collection.appending("@count"), type: .greaterThan, right: NSExpression(forConstantValue: 0)
      )
    }
    let count = NSExpression(
      content: .keyPath("@count", of: subquery(filter.variable, condition: filter.condition)))
    return Condition(
      Condition.comparison(count, type: .greaterThan, right: NSExpression(forConstantValue: 0))
        .predicate,
      isExact: filter.condition.isExact)
  }
}

extension PredicateTranslation {
  /// The members of a to-many relationship that meet a condition.
  fileprivate mutating func members(
    _ sequence: any PredicateExpression, variable: PredicateExpressions.VariableID,
    where test: any PredicateExpression, isNegated: Bool = false
  ) throws -> Term.Members {
    guard case .members(let members) = try term(sequence).content else {
      throw Untranslatable(sequence)
    }
    let name = members.filter?.variable ?? freshName()
    let member = Term(object: NSExpression(forVariable: name), members.type)
    let condition = try with(variable, as: member) { try $0.condition(test) }
    return members.filtered(name, condition: isNegated ? !condition : condition)
  }

  /// The conditions on each element of a captured sequence; nil for any other sequence. Throws for
  /// more than 100 elements.
  fileprivate mutating func conditions(
    _ sequence: any PredicateExpression, variable: PredicateExpressions.VariableID,
    test: any PredicateExpression
  ) throws -> [Condition]? {
    guard case .constant(let value) = try term(sequence).content,
      let elements = value as? any Sequence
    else { return nil }
    let values = Self.elements(elements)
    guard values.count <= 100 else { throw Untranslatable(sequence) }
    return try values.map { value in
      try with(variable, as: Term(constant: value)) { try $0.condition(test) }
    }
  }

  fileprivate static func elements(_ sequence: some Sequence) -> [Any] {
    sequence.map { $0 as Any }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    if let conditions = try translation.conditions(sequence, variable: variable.key, test: test) {
      return Term(.or(conditions))
    }
    return Term(try translation.members(sequence, variable: variable.key, where: test).isNotEmpty)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    if let conditions = try translation.conditions(sequence, variable: variable.key, test: test) {
      return Term(.and(conditions))
    }
    return Term(
      !(try translation.members(sequence, variable: variable.key, where: test, isNegated: true)
        .isNotEmpty))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    Term(.members(try translation.members(sequence, variable: variable.key, where: filter)))
  }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term {
    let element = try translation.term(element)
    switch try translation.term(sequence).content {
    case .constant(let value):
      guard let sequence = value as? any Sequence else { throw Untranslatable(self) }
      return Term(try element.isOne(of: PredicateTranslation.elements(sequence), translation))
    case .members(let members):
      guard case .object(let object, _, _) = element.content else { throw Untranslatable(self) }
      let name = members.filter?.variable ?? translation.freshName()
      let isIt = Condition.comparison(
        NSExpression(forVariable: name), type: .equalTo, right: object)
      return Term(!element.isNil && members.filtered(name, condition: isIt).isNotEmpty)
    default: throw Untranslatable(self)
    }
  }
}

extension Term {
  /// The condition that the value is among captured values, which may include nil.
  fileprivate func isOne(
    of values: [Any], _ translation: PredicateTranslation
  ) throws -> Condition {
    let wrapped = values.compactMap { unwrapped($0) }
    let amongNil: Condition = wrapped.count < values.count ? isNil : .no
    if wrapped.isEmpty { return amongNil }
    return amongNil || (!isNil && (try isOne(ofWrapped: wrapped, translation)))
  }

  private func isOne(
    ofWrapped values: [Any], _ translation: PredicateTranslation
  ) throws -> Condition {
    switch content {
    case .identifier(let object):
      let known = values.compactMap { ($0 as? PersistentIdentifier).flatMap(translation.objectID) }
      return known.isEmpty
        ? .no : .comparison(object, type: .in, right: NSExpression(forConstantValue: known))
    case .enumeration(_, _, let form):
      if case .cases = form.storage {
        return .or(try values.map { try equals(Term(constant: $0), isText: false) })
      }
    default: break
    }
    if values.first is any StringProtocol { return try isOne(ofTexts: values) }
    let boxes = try values.map(Self.boxed)
    return .comparison(try value(), type: .in, right: NSExpression(forConstantValue: boxes))
  }

  private func isOne(ofTexts values: [Any]) throws -> Condition {
    let patterns = try values.map(TextPattern.init)
    let forms = patterns.flatMap { $0.equalStrings ?? [] }
    let exact: Condition =
      forms.isEmpty
      ? .no : .comparison(try value(), type: .in, right: NSExpression(forConstantValue: forms))
    let others = patterns.filter { $0.equalStrings == nil }
    guard !others.isEmpty else { return exact }
    let folded = Condition.comparison(
      try value(), type: .in, right: NSExpression(forConstantValue: others.map(\.text)),
      options: .caseInsensitive, isExact: false)
    return exact || folded
  }
}
