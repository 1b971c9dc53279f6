import Foundation
import TestSupport

@testable import SwiftData

/// Predicates at random, made as `#Predicate` makes them.
struct PredicateGenerator {
  typealias Make = PredicateExpressions

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func next(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[next(elements.count)]
  }

  private func value<Output: Codable & Sendable>(_ value: Output) -> Erased<Output> {
    Erased(Make.Value(value))
  }

  private func get<Root, Output>(
    _ root: Erased<Root>, _ keyPath: any KeyPath<Root, Output> & Sendable
  ) -> Erased<Output> {
    Erased(Make.KeyPath(root: root, keyPath: keyPath))
  }

  mutating func predicate(depth: Int) -> Predicate<Volume> {
    Predicate<Volume> { condition(Erased($0), depth).base }
  }

  // MARK: - Conditions

  private mutating func condition(_ volume: Erased<Volume>, _ depth: Int) -> Erased<Bool> {
    if depth == 0 { return leaf(volume) }
    switch next(12) {
    case 0, 1:
      return Erased(
        Make.Conjunction(lhs: condition(volume, depth - 1), rhs: condition(volume, depth - 1)))
    case 2, 3:
      return Erased(
        Make.Disjunction(lhs: condition(volume, depth - 1), rhs: condition(volume, depth - 1)))
    case 4, 5: return Erased(Make.Negation(condition(volume, depth - 1)))
    case 6:
      return Erased(
        Make.Conditional(
          test: condition(volume, depth - 1), trueBranch: condition(volume, depth - 1),
          falseBranch: condition(volume, depth - 1)))
    case 7:
      return Erased(
        Make.NilCoalesce(
          lhs: optionalCondition(volume, depth - 1), rhs: condition(volume, depth - 1)))
    case 8:
      return equal(
        optionalCondition(volume, depth - 1), value(one(of: [nil, true, false] as [Bool?])))
    case 9:
      return equal(condition(volume, depth - 1), condition(volume, depth - 1))
    default: return leaf(volume)
    }
  }

  /// `a.flatMap { … }`, which is nil where `a` is.
  private mutating func optionalCondition(
    _ volume: Erased<Volume>, _ depth: Int
  ) -> Erased<Bool?> {
    switch next(5) {
    case 0: return get(volume, \.isLent)
    case 1:
      return Erased(Make.OptionalFlatMap(get(volume, \.original)) { condition(Erased($0), depth) })
    case 2:
      return Erased(Make.OptionalFlatMap(get(volume, \.sequels)) { members(Erased($0), depth) })
    case 3:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.writer)) { writer in
          members(get(Erased(writer), \.volumes), depth)
        })
    default:
      return Erased(Make.OptionalFlatMap(get(volume, \.subtitle)) { search(Erased($0)) })
    }
  }

  private mutating func members(_ members: Erased<[Volume]>, _ depth: Int) -> Erased<Bool> {
    let inner = max(depth - 1, 0)
    switch next(5) {
    case 0: return get(members, \.isEmpty)
    case 1: return compare(get(members, \.count), value(next(6)))
    case 2: return Erased(Make.SequenceContainsWhere(members) { condition(Erased($0), inner) })
    case 3: return Erased(Make.SequenceAllSatisfy(members) { condition(Erased($0), inner) })
    default:
      let found = Erased(Make.Filter(members) { condition(Erased($0), inner) })
      return compare(get(found, \.count), value(next(4)))
    }
  }

  private mutating func leaf(_ volume: Erased<Volume>) -> Erased<Bool> {
    switch next(16) {
    case 0: return get(volume, \.isRead)
    case 1, 2: return compare(number(volume, 2), number(volume, 1))
    case 3: return compare(real(volume), real(volume))
    case 4: return equal(optionalNumber(volume), optionalNumber(volume))
    case 5: return equal(text(volume), text(volume))
    case 6: return equal(optionalText(volume), optionalText(volume))
    case 7: return search(text(volume))
    case 8:
      return equal(
        get(volume, one(of: [\.secondGenre, \.secondGenre])),
        value(one(of: [nil, Topic.novel, .essay])))
    case 9: return equal(get(volume, \.genre), value(one(of: Topic.allCases)))
    case 10: return equal(get(volume, \.secondMood), value(one(of: [nil, Mood.light, .dark])))
    case 11: return equal(get(volume, \.mood), value(one(of: Mood.allCases)))
    case 12:
      return Erased(
        Make.RangeExpressionContains(
          range: Make.ClosedRange(lower: value(next(4)), upper: value(4 + next(100))),
          element: number(volume, 1)))
    case 13:
      return Erased(
        Make.SequenceContains(sequence: value([1, 7, next(9)]), element: number(volume, 1)))
    case 14:
      let texts: [String?] = [one(of: Self.texts), one(of: [nil, "Emma"])]
      return Erased(Make.SequenceContains(sequence: value(texts), element: optionalText(volume)))
    default:
      return Erased(Make.SequenceContains(sequence: get(volume, \.words), element: value("b")))
    }
  }

  // MARK: - Comparisons

  private mutating func equal<Output: Equatable>(
    _ left: Erased<Output>, _ right: Erased<Output>
  ) -> Erased<Bool> {
    next(2) == 0
      ? Erased(Make.Equal(lhs: left, rhs: right)) : Erased(Make.NotEqual(lhs: left, rhs: right))
  }

  private mutating func compare<Output: Comparable>(
    _ left: Erased<Output>, _ right: Erased<Output>
  ) -> Erased<Bool> {
    switch next(6) {
    case 0: Erased(Make.Comparison(lhs: left, rhs: right, op: .lessThan))
    case 1: Erased(Make.Comparison(lhs: left, rhs: right, op: .lessThanOrEqual))
    case 2: Erased(Make.Comparison(lhs: left, rhs: right, op: .greaterThan))
    case 3: Erased(Make.Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual))
    default: equal(left, right)
    }
  }

  private mutating func search(_ text: Erased<String>) -> Erased<Bool> {
    let pattern = value(one(of: Self.texts + ["e", "mm", "\n", "\u{301}"]))
    switch next(4) {
    case 0: return Erased(Make.CollectionContainsCollection(base: text, other: pattern))
    case 1: return Erased(Make.SequenceStartsWith(base: text, prefix: pattern))
    case 2: return get(text, \.isEmpty)
    default: return Erased(Make.build_localizedStandardContains(text, pattern))
    }
  }

  // MARK: - Values

  private static let texts = ["", "Emma", "Kim", "\u{212A}im", "Caf\u{E9}", "Cafe", "tale"]

  private mutating func number(_ volume: Erased<Volume>, _ depth: Int) -> Erased<Int> {
    if depth > 0 {
      switch next(7) {
      case 0:
        return Erased(
          Make.Arithmetic(
            lhs: number(volume, depth - 1), rhs: number(volume, depth - 1),
            op: one(of: [.add, .subtract, .multiply])))
      case 1:
        return Erased(
          Make.NilCoalesce(lhs: optionalNumber(volume), rhs: number(volume, depth - 1)))
      case 2:
        return Erased(
          Make.Conditional(
            test: get(volume, \.isRead), trueBranch: number(volume, depth - 1),
            falseBranch: number(volume, depth - 1)))
      case 3:
        return Erased(
          Make.IntRemainder(lhs: number(volume, depth - 1), rhs: value(one(of: [2, 3, -2]))))
      case 4:
        return Erased(
          Make.IntDivision(lhs: number(volume, depth - 1), rhs: value(one(of: [2, 3, -2]))))
      default: break
      }
    }
    switch next(4) {
    case 0: return value(one(of: [0, 1, 7, -3, 100]))
    case 1: return get(get(volume, \.size), \.width)
    case 2: return next(4) == 0 ? get(get(volume, \.title), \.count) : get(volume, \.pages)
    default: return get(volume, \.pages)
    }
  }

  private mutating func optionalNumber(_ volume: Erased<Volume>) -> Erased<Int?> {
    switch next(6) {
    case 0: return value(one(of: [nil, 0, 1, 1775]))
    case 1:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.writer)) { [self] in get(Erased($0), \.born) })
    case 2:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.original)) { [self] in get(Erased($0), \.pages) })
    case 3:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.sequels)) { [self] in get(Erased($0), \.count) })
    case 4:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.rank)) { [self] in get(Erased($0), \.rawValue) })
    default:
      return Erased(Make.OptionalFlatMap(get(volume, \.box)) { [self] in get(Erased($0), \.width) })
    }
  }

  private mutating func real(_ volume: Erased<Volume>) -> Erased<Double> {
    switch next(4) {
    case 0: return value(one(of: [0, 1.5, 4.5, -2]))
    case 1:
      return Erased(
        Make.NilCoalesce(lhs: get(volume, \.rating), rhs: value(one(of: [0, 4.5, 9]))))
    case 2: return Erased(Make.FloatDivision(lhs: get(volume, \.price), rhs: value(2.0)))
    default: return get(volume, \.price)
    }
  }

  private mutating func text(_ volume: Erased<Volume>) -> Erased<String> {
    switch next(4) {
    case 0: value(one(of: Self.texts))
    case 1:
      Erased(Make.NilCoalesce(lhs: optionalText(volume), rhs: value(one(of: Self.texts))))
    default: get(volume, \.title)
    }
  }

  private mutating func optionalText(_ volume: Erased<Volume>) -> Erased<String?> {
    switch next(6) {
    case 0: return value(one(of: [nil] + Self.texts))
    case 1:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.writer)) { [self] in get(Erased($0), \.name) })
    case 2:
      return Erased(
        Make.OptionalFlatMap(get(volume, \.box)) { [self] in get(Erased($0), \.unit) })
    case 3: return get(get(volume, \.size), \.unit)
    default: return get(volume, \.subtitle)
    }
  }
}
