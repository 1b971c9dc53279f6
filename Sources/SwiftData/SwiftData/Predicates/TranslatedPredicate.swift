import CoreData
import Foundation

/// A Swift predicate translated for a store.
struct TranslatedPredicate {
  /// Predicate for the store: true for at least every model that the Swift predicate is true for.
  let predicate: NSPredicate
  /// Whether `predicate` is true for other models too, so that ``Predicate/holds(for:)`` must
  /// filter the results.
  let filtersInMemory: Bool
  /// The classes of related models whose values the predicate compares.
  let related: [ModelType]

  /// Returns whether the context has unsaved edits of related models. The store does not know these
  /// edits, and only the related models know which models lead to them, so the predicate must be
  /// evaluated in memory for all models.
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
  /// Translates the predicate for a fetch, with the semantics of Swift: nil differs from every
  /// value and is neither less nor greater, also under `!`, `??` and in collections. A force unwrap
  /// of nil does not match.
  ///
  /// A part that the store cannot evaluate (elements of an array attribute, characters of a string,
  /// most functions) is evaluated in memory; the rest still narrows the results in the store.
  ///
  /// Throws ``SwiftDataError/unsupportedPredicate``, with the part, for a property that no store
  /// keeps.
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

  /// Evaluates the predicate in memory, to finish a fetch. A force unwrap of nil and an arithmetic
  /// overflow count as no match.
  func holds(for input: repeat each Input) -> Bool {
    (try? evaluate(repeat each input)) ?? false
  }
}

/// Translates the tree of a Swift predicate.
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

  /// The object ID of a model; nil if neither the stores nor the context have the model.
  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
    identifier.isTemporary ? pending.objectID(identifier) : context.objectID(of: identifier)
  }

  /// The entities of a class and of all its subclasses.
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

  /// Translates an expression; throws ``Untranslatable`` if only memory can evaluate it.
  mutating func term(_ expression: any PredicateExpression) throws -> Term {
    if let value = Self.constant(expression) { return constant(value) }
    guard let translatable = expression as? any TranslatableExpression else {
      throw Untranslatable(expression)
    }
    return try translatable.term(by: &self)
  }

  /// Translates an expression to a condition: ``Condition/unknown`` if only memory can evaluate it.
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

  /// The value of an expression that does not depend on a model.
  private static func constant<E: PredicateExpression>(_ expression: E) -> Any? {
    // Evaluation throws at a model's variable, which has no binding.
    guard let value = try? expression.evaluate(PredicateBindings()) else { return nil }
    return value as Any
  }

  /// Records that a value of a related model is compared. Edits of the evaluated model itself are
  /// left out: the context applies them.
  mutating func noteValue(of object: NSExpression, _ type: ModelType) {
    if case .evaluatedObject = object.content { return }
    if !related.contains(where: { $0 === type }) { related.append(type) }
  }

  // MARK: - Variables

  func value(of variable: PredicateExpressions.VariableID) throws -> Term {
    guard let value = variables[variable] else { throw Untranslatable("a variable") }
    return value
  }

  /// Runs a part of the translation with a variable bound to a term.
  mutating func with<Result>(
    _ variable: PredicateExpressions.VariableID, as value: Term,
    body: (inout PredicateTranslation) throws -> Result
  ) rethrows -> Result {
    let outer = variables.updateValue(value, forKey: variable)
    defer { variables[variable] = outer }
    return try body(&self)
  }

  /// A new name for the variable of a subquery.
  mutating func freshName() -> String {
    variableCount += 1
    return "v\(variableCount)"
  }
}

/// The object IDs of unsaved models, by their identifiers. Built at the first lookup.
private final class PendingIdentifiers {
  private let context: ModelContext
  private lazy var known: [PersistentIdentifier: NSManagedObjectID] = Dictionary(
    context.managed.insertedInOrder.map { (PersistentIdentifier($0.objectID), $0.objectID) },
    uniquingKeysWith: { first, _ in first })

  init(_ context: ModelContext) { self.context = context }

  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? { known[identifier] }
}

/// A node of a Swift predicate that can be translated for a store.
protocol TranslatableExpression {
  func term(by translation: inout PredicateTranslation) throws -> Term
}

/// Thrown for a part of a predicate that only memory can evaluate.
struct Untranslatable: Error {
  let part: String

  init(_ part: String) { self.part = part }

  init(_ expression: any PredicateExpression) {
    self.init("\(type(of: expression))".prefix { $0 != "<" }.description)
  }
}
