import Foundation
import KeyValueCoding
import Synchronization

/// Reads a key path of an object without key-value coding: Core Data supplies closures over the
/// slots of an entity's rows. Returns nil for a key path that key-value coding has to read.
package typealias KeyPathReader = (_ keyPath: String) -> ((AnyObject) -> TypedValue)?

/// The layout of the values of objects of one kind.
package protocol SlotLayout: AnyObject {
  var objectReader: KeyPathReader { get }
}

/// An object that knows its relationships: a managed object, or a row that stands for one.
package protocol RelatedObject: AnyObject {
  /// Returns whether a key path of the object consists of to-one relationships only.
  func leadsToOneValue(_ keyPath: String) -> Bool
}

/// An object whose values are in slots. A predicate is compiled for a layout and then reads values
/// without looking up names.
package protocol SlottedObject: AnyObject {
  var slotLayout: any SlotLayout { get }
  /// The layout of an object that is known to be of the class. Cheaper than testing the object for
  /// conformance, which takes longer than evaluating a predicate.
  static func slotLayout(of object: AnyObject) -> any SlotLayout
}

extension SlottedObject {
  package static func slotLayout(of object: AnyObject) -> any SlotLayout {
    // Sound: the caller guarantees the class of the object.
    unsafeDowncast(object, to: Self.self).slotLayout
  }
}

/// A predicate compiled to closures, for evaluation with many objects. Immutable.
package final class CompiledPredicate {
  typealias Test = (Evaluation) throws -> Truth

  private let test: Test

  /// Compiles a predicate.
  ///
  /// - Parameters:
  ///   - nilRule: the meaning of a comparison with nil.
  ///   - fetching: evaluates FETCH; nil stands for the context that the expression names.
  ///   - reader: reads the key paths of the evaluated object.
  package init(
    _ predicate: NSPredicate, nilRule: NilRule = .memory,
    fetching: (any PredicateFetching)? = nil, reader: @escaping KeyPathReader = { _ in nil }
  ) {
    test = PredicateCompiler(
      nilRule: fetching == nil ? nilRule : nilRule.inFetch, reader: reader, fetching: fetching
    )
    .wholeTest(of: predicate)
  }

  /// Returns whether the predicate holds for an object. Throws ``PredicateEvaluationError`` or
  /// `KeyValueCodingError` where Apple's raises an exception.
  package func matches(_ object: AnyObject, variables: [String: Any]? = nil) throws -> Bool {
    try withExtendedLifetime(object) {
      try test(Evaluation(instance: object, bindings: variables)) == .true
    }
  }

  /// Returns whether the predicate holds for a value of any type, which key-value coding reads.
  package func matches(value: Any?, variables: [String: Any]? = nil) throws -> Bool {
    try test(Evaluation(object: value, bindings: variables)) == .true
  }
}

/// An expression compiled to a closure, for evaluation with many objects. Immutable.
package final class CompiledExpression {
  private let compute: PredicateCompiler.Compute

  package init(
    _ expression: NSExpression, nilRule: NilRule = .memory,
    reader: @escaping KeyPathReader = { _ in nil }
  ) {
    compute = PredicateCompiler(nilRule: nilRule, reader: reader).wholeCompute(expression)
  }

  package func value(of object: AnyObject, variables: [String: Any]? = nil) throws -> TypedValue {
    try withExtendedLifetime(object) {
      try compute(Evaluation(instance: object, bindings: variables))
    }
  }
}

extension NSExpression {
  /// The value for an object. Throws ``PredicateEvaluationError`` or `KeyValueCodingError` where
  /// Apple's raises an exception.
  package func value(with object: Any?, variables: [String: Any]?) throws -> Any? {
    let compute = PredicateCompiler(nilRule: .memory, reader: { _ in nil }).wholeCompute(self)
    return try compute(Evaluation(object: object, bindings: variables)).any
  }
}

/// The object and the variable bindings of one evaluation.
struct Evaluation {
  /// The object if it is not known to be a class instance. Nil otherwise: a second reference would
  /// be counted too.
  private let value: Any?
  /// The object if it is known to be a class instance. Unretained: the caller of the evaluation
  /// keeps it alive.
  let reference: Unmanaged<AnyObject>?
  var bindings: [String: Any]?

  var instance: AnyObject? { reference?.takeUnretainedValue() }

  var object: Any? { instance ?? value }

  init(object: Any?, bindings: [String: Any]?) {
    value = object
    reference = nil
    self.bindings = bindings
  }

  init(instance: AnyObject, bindings: [String: Any]?) {
    value = nil
    reference = .passUnretained(instance)
    self.bindings = bindings
  }
}

/// The compiled form that a predicate caches: made at the first evaluation, and again for objects
/// of another layout. Stored inline in the predicate, without an allocation of its own.
struct LazyCompilation: ~Copyable {
  /// A compiled predicate with its layout, in one object so that an evaluation counts one
  /// reference.
  ///
  /// Unchecked: immutable, and it captures only constants, which a predicate promises not to
  /// change. (Not private: the compiler crashes if it is.)
  final class Compiled: @unchecked Sendable {
    let predicate: CompiledPredicate
    let layout: (any SlotLayout)?
    /// The class of the object for which it was last compiled.
    let type: (any SlottedObject.Type)?

    init(
      predicate: CompiledPredicate, layout: (any SlotLayout)?, type: (any SlottedObject.Type)?
    ) {
      self.predicate = predicate
      self.layout = layout
      self.type = type
    }

    /// Returns whether the compiled form is for the class and layout of the object.
    func fits(_ object: AnyObject) -> Bool {
      guard let type, ObjectIdentifier(type) == ObjectIdentifier(Swift.type(of: object)) else {
        return false
      }
      return type.slotLayout(of: object) === layout
    }
  }

  private let compiled = Mutex<Compiled?>(nil)

  func evaluate(_ predicate: NSPredicate, object: Any?, bindings: [String: Any]?) -> Bool {
    // Most objects have the class of the previous one: for those, the object is not even retained.
    // Sound: `withExtendedLifetime` and the caller's argument keep it alive.
    if let instance = uncountedInstance(object), let known = compiled.withLock({ $0 }),
      instance._withUnsafeGuaranteedRef(known.fits)
    {
      return withExtendedLifetime(object) {
        trapping {
          try instance._withUnsafeGuaranteedRef {
            try known.predicate.matches($0, variables: bindings)
          }
        }
      }
    }
    guard let object, let instance = classInstance(object) else {
      return evaluate(predicate, value: object, bindings: bindings)
    }
    guard let type = type(of: instance) as? any SlottedObject.Type else {
      return evaluate(predicate, value: object, bindings: bindings)
    }
    let ready = compilation(of: predicate, for: type.slotLayout(of: instance), type)
    return trapping { try ready.matches(instance, variables: bindings) }
  }

  private func evaluate(
    _ predicate: NSPredicate, value: Any?, bindings: [String: Any]?
  ) -> Bool {
    let ready = compilation(of: predicate, for: nil, nil)
    return trapping { try ready.matches(value: value, variables: bindings) }
  }

  func forget() { compiled.withLock { $0 = nil } }

  private func compilation(
    of predicate: NSPredicate, for layout: (any SlotLayout)?, _ type: (any SlottedObject.Type)?
  ) -> CompiledPredicate {
    let known = compiled.withLock { $0?.layout === layout ? $0?.predicate : nil }
    if let known, type == nil { return known }
    let made = Compiled(
      predicate: known
        ?? CompiledPredicate(predicate, reader: layout?.objectReader ?? { _ in nil }),
      layout: layout, type: type)
    compiled.withLock { $0 = made }
    return made.predicate
  }
}

/// The reason why a predicate or an expression has no value for an object; thrown where Apple's
/// raises an exception.
public struct PredicateEvaluationError: Error, Equatable, CustomStringConvertible {
  /// The reason in a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
