import Foundation
import KeyValueCoding
import Synchronization

/// Reads a key path of an object without key-value coding: Core Data supplies closures over the
/// slots of an entity's rows. Nil for a key path that key-value coding shall read.
package typealias KeyPathReader = (_ keyPath: String) -> ((AnyObject) -> TypedValue)?

/// What says where objects of one kind keep their values.
package protocol SlotLayout: AnyObject {
  var objectReader: KeyPathReader { get }
}

/// An object whose values lie in slots: a predicate that meets many of one layout is compiled for it
/// and finds them without looking at names.
package protocol SlottedObject: AnyObject {
  var slotLayout: any SlotLayout { get }
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
    try test(Evaluation(instance: object, bindings: variables)) == .true
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
    try compute(Evaluation(instance: object, bindings: variables))
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
  let object: Any?
  /// The object when it is known to be an instance of a class.
  let instance: AnyObject?
  var bindings: [String: Any]?

  init(object: Any?, bindings: [String: Any]?) {
    self.object = object
    instance = nil
    self.bindings = bindings
  }

  init(instance: AnyObject, bindings: [String: Any]?) {
    object = instance
    self.instance = instance
    self.bindings = bindings
  }
}

/// The compiled form that a predicate keeps for itself, made when it is first evaluated, and made anew
/// when objects of another layout come.
final class LazyCompilation {
  /// Lets the compiled form lie in a mutex. Sound because it is immutable, and captures only
  /// constants, which a predicate promises not to change.
  private struct Compiled: @unchecked Sendable {
    let predicate: CompiledPredicate
    let layout: (any SlotLayout)?
  }

  private let compiled = Mutex<Compiled?>(nil)

  func evaluate(_ predicate: NSPredicate, _ object: Any?, _ bindings: [String: Any]?) -> Bool {
    guard let object, let instance = classInstance(object),
      let slotted = instance as? any SlottedObject
    else {
      let ready = compilation(of: predicate, for: nil)
      return trapping { try ready.matches(value: object, variables: bindings) }
    }
    let ready = compilation(of: predicate, for: slotted.slotLayout)
    return trapping { try ready.matches(instance, variables: bindings) }
  }

  func forget() { compiled.withLock { $0 = nil } }

  private func compilation(
    of predicate: NSPredicate, for layout: (any SlotLayout)?
  ) -> CompiledPredicate {
    let known = compiled.withLock { $0?.layout === layout ? $0?.predicate : nil }
    if let known { return known }
    let made = Compiled(
      predicate: CompiledPredicate(predicate, reader: layout?.objectReader ?? { _ in nil }),
      layout: layout)
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
