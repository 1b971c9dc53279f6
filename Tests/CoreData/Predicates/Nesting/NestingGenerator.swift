@testable import CoreDataSamples

/// Makes predicates of ``Construct``s: each construct in each place of each other one, and random nestings.
struct NestingGenerator {
  /// What names mean at a place: the objects that a key path may start from.
  struct Scope {
    var things = ["SELF"]
    var tags: [String] = []

    func binding(_ variable: String, _ kind: ConstructKind?) -> Scope {
      var scope = self
      switch kind {
      case .thing: scope.things.append("$\(variable)")
      case .tag: scope.tags.append("$\(variable)")
      default: break
      }
      return scope
    }
  }

  var random: SplitMix64
  private var variableCount = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: - Pairs

  /// A predicate with `inner` in the hole of `outer` of that number; nil where it does not go there. `isWithin`
  /// puts all that into a SUBQUERY over a relationship of a relationship.
  mutating func pair(
    _ outer: Construct, hole: Int, _ inner: Construct, isWithin: Bool
  ) -> String? {
    guard outer.holes[hole].kind == inner.kind else { return nil }
    var scope = Scope()
    let variable = makeVariable()
    if isWithin { scope = scope.binding(variable, .thing) }
    let text = fill(outer, scope) { generator, index, kind, scope in
      index == hole
        ? generator.fill(inner, scope) { generator, _, kind, scope in
          generator.leaf(kind, scope)
        } : generator.leaf(kind, scope)
    }
    guard let text else { return nil }
    let predicate = predicate(of: text, outer.kind, scope)
    return plain(
      isWithin ? "SUBQUERY(parent.children, $\(variable), \(predicate)).@count > 0" : predicate)
  }

  /// A predicate about a value.
  private mutating func predicate(
    of text: String, _ kind: ConstructKind, _ scope: Scope
  ) -> String {
    switch kind {
    case .predicate: text
    case .things, .tags: "\(text).@count > 0"
    case .date, .integer: "\(text) \(pick(["==", "<=", "!="])) \(leaf(kind, scope) ?? "1")"
    case .text, .thing, .tag: "\(text) \(pick(["==", "!="])) \(leaf(kind, scope) ?? "nil")"
    }
  }

  /// Nil where a hole has nothing to be filled with: there is no tag outside of a SUBQUERY.
  private mutating func fill(
    _ construct: Construct, _ scope: Scope,
    _ part: (inout NestingGenerator, Int, ConstructKind, Scope) -> String?
  ) -> String? {
    let variable = makeVariable()
    var parts: [String] = []
    for (index, hole) in construct.holes.enumerated() {
      let inner = scope.binding(variable, hole.binds)
      guard let text = part(&self, index, hole.kind, inner) else { return nil }
      parts.append(text)
    }
    return construct.text(parts, variable: variable)
  }

  private mutating func makeVariable() -> String {
    variableCount += 1
    return "v\(variableCount)"
  }

  /// A bare key in place of `SELF.key`, now and then.
  private mutating func plain(_ text: String) -> String {
    Bool.random(using: &random) ? text.replacingOccurrences(of: "SELF.", with: "") : text
  }

  // MARK: - Random nestings

  mutating func predicate(depth: Int) -> String {
    plain(text(.predicate, depth: depth, Scope()) ?? "TRUEPREDICATE")
  }

  private mutating func text(_ kind: ConstructKind, depth: Int, _ scope: Scope) -> String? {
    let candidates = Construct.all.filter { $0.kind == kind }
    guard depth > 0, let construct = candidates.randomElement(using: &random) else {
      return leaf(kind, scope)
    }
    let filled = fill(construct, scope) { generator, _, kind, scope in
      generator.text(kind, depth: depth - 1, scope)
    }
    return filled ?? leaf(kind, scope)
  }

  // MARK: - Leaves

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }

  /// The simplest construct of a kind.
  private mutating func leaf(_ kind: ConstructKind, _ scope: Scope) -> String? {
    let thing = pick(scope.things)
    switch kind {
    case .predicate:
      guard let tag = scope.tags.randomElement(using: &random) else {
        return "\(thing).small > \(pick([-1, 0, 1]))"
      }
      return "\(tag).weight > \(thing).small"
    case .integer: return pick(["\(pick([-1, 0, 1, 2, 3]))", "\(thing).small", "\(thing).medium"])
    case .text: return pick(["'\(pick(["", "a", "ab", "É"]))'", "\(thing).text", "\(thing).other"])
    case .date: return "\(thing).date"
    case .thing: return pick([thing, "\(thing).parent"])
    case .tag: return scope.tags.randomElement(using: &random)
    case .things: return pick(["\(thing).children", "\(thing).parent.children"])
    case .tags: return pick(["\(thing).tags", "\(thing).parent.tags"])
    }
  }
}
