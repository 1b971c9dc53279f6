import CoreData
import Foundation

/// A Swift predicate as a store understands it.
struct TranslatedPredicate {
  /// What the store is asked: true for every model that the Swift predicate is true for.
  let predicate: NSPredicate
  /// Whether it is true for others too, so that the results have to be asked again: ``Predicate/holds(for:)``.
  let filtersInMemory: Bool
  /// The classes of related models whose values it compares.
  let related: [ModelType]

  /// Whether the context has edits of related models. The store does not know them, and which models lead to the
  /// edited ones is known only to those: they are asked in memory, all of them.
  func dependsOnEdits(in context: ModelContext) -> Bool {
    if related.isEmpty { return false }
    let managed = context.managed
    return (managed.updatedInOrder + managed.deletedInOrder).contains { object in
      guard let object = object as? ManagedModelObject else { return false }
      return related.contains { object.modelType.isKind(of: $0) }
    }
  }
}

extension Predicate {
  /// The predicate for a fetch. It means what the Swift predicate means: nil differs from every value and is in no
  /// order, also under `!`, `??` and in collections. A force unwrap of nil makes a model no match.
  ///
  /// A part that the store cannot answer (elements of an array attribute, characters of a string, most functions) is
  /// left to memory, and with it no more than it takes: the rest narrows the results down.
  ///
  /// Throws ``SwiftDataError/unsupportedPredicate``, with the part, for a property that no store keeps.
  ///
  func translated(in context: ModelContext) throws -> TranslatedPredicate {
    var translation = PredicateTranslation(context)
    for (variable, type) in repeat (each variable, (each Input).self) {
      translation.evaluatedObject(variable.key, isA: type)
    }
    let condition = try translation.condition(expression)
    return TranslatedPredicate(
      predicate: condition.predicate, filtersInMemory: !condition.isExact,
      related: translation.related)
  }

  /// Whether the predicate is true for a model: what finishes a fetch in memory. A force unwrap of nil, and a number
  /// that is too large, make it none.
  func holds(for input: repeat each Input) -> Bool {
    (try? evaluate(repeat each input)) ?? false
  }
}

/// Walks the tree of a Swift predicate.
struct PredicateTranslation {
  private let context: ModelContext
  private let pending: PendingIdentifiers
  private var variables: [PredicateExpressions.VariableID: Term] = [:]
  private var variableCount = 0
  /// The classes of models at the ends of relationships whose values are compared.
  private(set) var related: [ModelType] = []

  init(_ context: ModelContext) {
    self.context = context
    pending = PendingIdentifiers(context)
  }

  /// The identity of a model; nil for one that neither the stores nor the context have.
  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
    identifier.isTemporary ? pending.objectID(identifier) : context.objectID(of: identifier)
  }

  /// The entity of a class and those that inherit from it.
  func entities(of type: ModelType) -> [NSEntityDescription] {
    let model = context.managed.persistentStoreCoordinator?.managedObjectModel
    var entities = [model?.entitiesByName[type.entityName]].compactMap { $0 }
    var next = 0
    while next < entities.count {
      entities += entities[next].subentities
      next += 1
    }
    return entities
  }

  mutating func evaluatedObject(_ variable: PredicateExpressions.VariableID, isA type: any Any.Type)
  {
    guard let model = type as? any PersistentModel.Type else { return }
    variables[variable] = Term(
      object: NSExpression.expressionForEvaluatedObject(), ModelType.of(model))
  }

  /// What an expression is to the store; throws ``Untranslatable`` for what only memory can answer.
  mutating func term(_ expression: any PredicateExpression) throws -> Term {
    if let value = Self.constant(expression) { return constant(value) }
    guard let translatable = expression as? any TranslatableExpression else {
      throw Untranslatable(expression)
    }
    return try translatable.term(by: &self)
  }

  /// An expression as a condition. What only memory can answer is true for every model here.
  mutating func condition(_ expression: any PredicateExpression) throws -> Condition {
    do {
      return try term(expression).condition()
    } catch is Untranslatable {
      return .unknown
    }
  }

  private func constant(_ value: Any) -> Term {
    if let id = unwrapped(value) as? PersistentIdentifier, let objectID = objectID(id) {
      return Term(.identifier(NSExpression(forConstantValue: objectID)))
    }
    return Term(constant: value)
  }

  /// The value of an expression that depends on no model.
  private static func constant<E: PredicateExpression>(_ expression: E) -> Any? {
    // A model's variable has no value here, which ends the evaluation.
    guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
    return value as Any
  }

  /// Notes that a value of a model is compared; the evaluated one's own edits are in the context's hands.
  mutating func noteValue(of object: NSExpression, _ type: ModelType) {
    if case .evaluatedObject = object.content { return }
    if !related.contains(where: { $0 === type }) { related.append(type) }
  }

  // MARK: - Variables

  func value(of variable: PredicateExpressions.VariableID) throws -> Term {
    guard let value = variables[variable] else { throw Untranslatable("a variable") }
    return value
  }

  /// Runs a part of the translation in which a variable stands for something.
  mutating func with<Result>(
    _ variable: PredicateExpressions.VariableID, as value: Term,
    _ body: (inout PredicateTranslation) throws -> Result
  ) rethrows -> Result {
    let outer = variables.updateValue(value, forKey: variable)
    defer { variables[variable] = outer }
    return try body(&self)
  }

  /// A name for the variable of a subquery.
  mutating func freshName() -> String {
    variableCount += 1
    return "v\(variableCount)"
  }
}

/// The models of a context that were never saved, by their identifiers. Looked up at the first question.
private final class PendingIdentifiers {
  private let context: ModelContext
  private lazy var known: [PersistentIdentifier: NSManagedObjectID] = Dictionary(
    context.managed.insertedInOrder.map { (PersistentIdentifier($0.objectID), $0.objectID) },
    uniquingKeysWith: { first, _ in first })

  init(_ context: ModelContext) { self.context = context }

  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? { known[identifier] }
}

/// A node of a Swift predicate that a store may understand.
protocol TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term
}

/// A part of a predicate that only memory can answer.
struct Untranslatable: Error {
  let part: String

  init(_ part: String) { self.part = part }

  init(_ expression: any PredicateExpression) {
    self.init("\(type(of: expression))".prefix { $0 != "<" }.description)
  }
}
