import Foundation

@testable import CoreData
@testable import CoreDataSamples

/// A generated predicate: its format, what stands for each `%@` in it, and, for the part of the language
/// that plain Swift covers, what it says about a thing (nil: neither true nor false).
struct GeneratedPredicate {
  enum Argument {
    case value(Any?)
    case thing(Int)
    case things([Int])
    case tag(Int)
  }

  typealias Truth = (PlainThings, Int) -> Bool?

  var format: String
  var arguments: [Argument] = []
  var truth: Truth?

  /// The predicate for the objects of one context.
  func predicate(_ objects: ManagedThings) -> NSPredicate {
    NSPredicate(
      format: format,
      argumentArray: arguments.map { argument -> Any in
        switch argument {
        case .value(let value): value ?? NSNull()
        case .thing(let index): objects.things[index]
        case .things(let indices): indices.map { objects.things[$0] }
        case .tag(let index): objects.tags[index]
        }
      })
  }
}

/// Makes random predicates about ``ThingModel``.
struct PredicateGenerator {
  var random: SplitMix64
  let thingCount: Int
  let tagCount: Int

  mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

  mutating func options() -> String {
    pick(["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cl]", "[cdl]"])
  }

  mutating func word() -> String { pick(PlainThings.words) }

  static func quoted(_ word: String) -> String { "'\(word)'" }

  mutating func predicate(depth: Int) -> GeneratedPredicate {
    guard depth > 0 else { return comparison() }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return negated(predicate(depth: depth - 1))
    case 1, 2: return comparison()
    default:
      let (left, right) = (predicate(depth: depth - 1), predicate(depth: depth - 1))
      return Bool.random(using: &random) ? both(left, right) : either(left, right)
    }
  }

  private func negated(_ part: GeneratedPredicate) -> GeneratedPredicate {
    GeneratedPredicate(
      format: "NOT (\(part.format))", arguments: part.arguments,
      truth: part.truth.map { truth in { truth($0, $1).map { !$0 } } })
  }

  private func both(_ left: GeneratedPredicate, _ right: GeneratedPredicate) -> GeneratedPredicate {
    joined(left, right, "AND") { left, right in
      if left == false || right == false { return false }
      return left == nil || right == nil ? nil : true
    }
  }

  private func either(
    _ left: GeneratedPredicate, _ right: GeneratedPredicate
  ) -> GeneratedPredicate {
    joined(left, right, "OR") { left, right in
      if left == true || right == true { return true }
      return left == nil || right == nil ? nil : false
    }
  }

  private func joined(
    _ left: GeneratedPredicate, _ right: GeneratedPredicate, _ word: String,
    _ combine: @escaping (Bool?, Bool?) -> Bool?
  ) -> GeneratedPredicate {
    var truth: GeneratedPredicate.Truth?
    if let first = left.truth, let second = right.truth {
      truth = { combine(first($0, $1), second($0, $1)) }
    }
    return GeneratedPredicate(
      format: "(\(left.format)) \(word) (\(right.format))",
      arguments: left.arguments + right.arguments, truth: truth)
  }
}
