import Foundation
import KeyValueCoding
import Synchronization

/// Reads a key path of an object without key-value coding: Core Data supplies closures over the
/// slots of an entity's rows. Nil for a key path that key-value coding shall read.
package typealias KeyPathReader = (_ keyPath: String) -> ((AnyObject) -> TypedValue)?

/// What says where objects of one kind keep their values.
package protocol SlotLayout: AnyObject {
  var objectReader: KeyPathReader { get }
  /// Whether a key path of an object leads over to-one relationships alone.
  func leadsToOneValue(_ keyPath: String) -> Bool
}

/// An object whose values lie in slots: a predicate that meets many of one layout is compiled for it
/// and finds them without looking at names.
package protocol SlottedObject: AnyObject {
  var slotLayout: any SlotLayout { get }
  /// The same for an object that is known to be of the class: asking an object whether it conforms takes longer than
  /// asking a predicate about it.
  static func slotLayout(of object: AnyObject) -> any SlotLayout
}

extension SlottedObject {
  package static func slotLayout(of object: AnyObject) -> any SlotLayout {
    unsafeDowncast(object, to: Self.self).slotLayout
  }
}

/// A predicate turned into closures, to be asked about many objects. Immutable.
package final class CompiledPredicate {
  typealias Test = (Evaluation) throws -> Truth

  private let test: Test

  /// - Parameters:
  ///   - nilRule: what a comparison with nil means.
  ///   - fetching: what answers FETCH; nil: the context that it names.
  ///   - reader: how the evaluated object's key paths are read.
  package init(
    _ predicate: NSPredicate, nilRule: NilRule = .memory,
    fetching: (any PredicateFetching)? = nil, reader: @escaping KeyPathReader = { _ in nil }
  ) {
    test = PredicateCompiler(
      nilRule: fetching == nil ? nilRule : nilRule.inFetch, reader: reader, fetching: fetching
    )
    .wholeTest(of: predicate)
  }

  /// Whether the predicate holds for an object. Throws ``PredicateEvaluationError`` or
  /// `KeyValueCodingError` where Apple's raises.
  package func matches(_ object: AnyObject, variables: [String: Any]? = nil) throws -> Bool {
    try withExtendedLifetime(object) {
      try test(Evaluation(instance: object, bindings: variables)) == .true
    }
  }

  /// The same for a value of any type, which key-value coding reads.
  package func matches(value: Any?, variables: [String: Any]? = nil) throws -> Bool {
    try test(Evaluation(object: value, bindings: variables)) == .true
  }
}

/// An expression turned into a closure, to be computed for many objects. Immutable.
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
  /// Apple's raises.
  package func value(with object: Any?, variables: [String: Any]?) throws -> Any? {
    let compute = PredicateCompiler(nilRule: .memory, reader: { _ in nil }).wholeCompute(self)
    return try compute(Evaluation(object: object, bindings: variables)).any
  }
}

/// What a predicate is asked about.
struct Evaluation {
  /// nil for an instance: to hold it twice is to count it twice.
  private let value: Any?
  /// The object when it is known to be an instance of a class. Not counted: whoever asks has it for as long as that
  /// takes.
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

/// The compiled form that a predicate keeps for itself, made when it is first evaluated, and made anew
/// when objects of another layout come. A part of its predicate, which needs no further allocation.
struct LazyCompilation: ~Copyable {
  /// Lets the compiled form lie in a mutex. Sound because it is immutable, and captures only
  /// constants, which a predicate promises not to change. One reference: each evaluation counts it.
  /// (Were it private, the compiler would crash.)
  final class Compiled: @unchecked Sendable {
    let predicate: CompiledPredicate
    let layout: (any SlotLayout)?
    /// Of the object that it was last compiled for.
    let type: (any SlottedObject.Type)?

    init(
      predicate: CompiledPredicate, layout: (any SlotLayout)?, type: (any SlottedObject.Type)?
    ) {
      self.predicate = predicate
      self.layout = layout
      self.type = type
    }

    /// Whether it is for objects of this one's class and layout.
    func fits(_ object: AnyObject) -> Bool {
      guard let type, ObjectIdentifier(type) == ObjectIdentifier(Swift.type(of: object)) else {
        return false
      }
      return type.slotLayout(of: object) === layout
    }
  }

  private let compiled = Mutex<Compiled?>(nil)

  func evaluate(_ predicate: NSPredicate, _ object: Any?, _ bindings: [String: Any]?) -> Bool {
    // Most objects are of the class that the last one was of: they are not even counted.
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
      return evaluate(predicate, value: object, bindings)
    }
    guard let type = type(of: instance) as? any SlottedObject.Type else {
      return evaluate(predicate, value: object, bindings)
    }
    let ready = compilation(of: predicate, for: type.slotLayout(of: instance), type)
    return trapping { try ready.matches(instance, variables: bindings) }
  }

  private func evaluate(
    _ predicate: NSPredicate, value: Any?, _ bindings: [String: Any]?
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

/// Why a predicate or an expression has no value for an object; where Apple's raises an exception.
public struct PredicateEvaluationError: Error, Equatable, CustomStringConvertible {
  /// What went wrong, in a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
