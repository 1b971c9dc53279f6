@testable import CoreDataSamples

/// What may stand at a place of a predicate about ``ThingModel``.
enum ConstructKind: Sendable {
  case predicate, integer, text, date
  /// An object: `SELF`, a variable, a to-one relationship of one.
  case thing, tag
  /// The members of a to-many relationship, or some of them.
  case things, tags
}

/// A construct of the predicate language with places for others.
struct Construct: Sendable {
  /// A place for another construct.
  struct Hole: Sendable {
    let kind: ConstructKind
    /// What the variable of the construct stands for in there, if it has one.
    var binds: ConstructKind?
  }

  /// With `_1`, `_2` … for the holes and `_v` for the variable.
  let pattern: String
  let kind: ConstructKind
  let holes: [Hole]

  init(
    _ kind: ConstructKind, _ pattern: String, _ holes: ConstructKind...,
    binding: ConstructKind? = nil
  ) {
    self.pattern = pattern
    self.kind = kind
    self.holes = holes.map { Hole(kind: $0, binds: $0 == .predicate ? binding : nil) }
  }

  func text(_ parts: [String], variable: String) -> String {
    var text = ""
    var rest = pattern[...]
    while let mark = rest.firstIndex(of: "_") {
      let sign = rest[rest.index(after: mark)]
      text += rest[..<mark]
      text += sign.wholeNumberValue.map { parts[$0 - 1] } ?? "$\(variable)"
      rest = rest[rest.index(mark, offsetBy: 2)...]
    }
    return text + rest
  }
}

extension Construct {
  static let all = predicates + collections + integers + texts + dates + objects

  private static let predicates: [Construct] = [
    .init(.predicate, "_1 == _2", .integer, .integer),
    .init(.predicate, "_1 != _2", .integer, .integer),
    .init(.predicate, "_1 < _2", .integer, .integer),
    .init(.predicate, "_1 >= _2", .integer, .integer),
    .init(.predicate, "_1 BETWEEN {_2, _3}", .integer, .integer, .integer),
    .init(.predicate, "_1 IN {_2, 1, _3}", .integer, .integer, .integer),
    .init(.predicate, "_1 == _2", .text, .text), .init(.predicate, "_1 ==[c] _2", .text, .text),
    .init(.predicate, "_1 <[cd] _2", .text, .text),
    .init(.predicate, "_1 CONTAINS _2", .text, .text),
    .init(.predicate, "_1 BEGINSWITH[cd] _2", .text, .text),
    .init(.predicate, "_1 ENDSWITH _2", .text, .text), .init(.predicate, "_1 LIKE[c] 'a*'", .text),
    .init(.predicate, "_1 MATCHES 'a.*'", .text), .init(.predicate, "_1 IN _2", .text, .text),
    .init(.predicate, "_1 IN[c] {_2, 'b'}", .text, .text),
    .init(.predicate, "_1 <= _2", .date, .date),
    .init(.predicate, "_1 BETWEEN {_2, _3}", .date, .date, .date),
    .init(.predicate, "_1 == nil", .integer), .init(.predicate, "_1 != nil", .text),
    .init(.predicate, "_1 == nil", .thing), .init(.predicate, "_1 == _2", .thing, .thing),
    .init(.predicate, "_1 != _2", .thing, .thing),
    .init(.predicate, "_1 IN {_2, _3}", .thing, .thing, .thing),
    .init(.predicate, "_1 == _2", .tag, .tag),
    .init(.predicate, "(_1) AND (_2)", .predicate, .predicate),
    .init(.predicate, "(_1) OR (_2)", .predicate, .predicate),
    .init(.predicate, "NOT (_1)", .predicate),
    .init(.predicate, "ANY {_1, _2} == _3", .integer, .integer, .integer),
    .init(.predicate, "ALL {_1, _2} != _3", .text, .text, .text),
    .init(.predicate, "_1 IN FETCH(%@, %@, NO)", .thing),
    .init(.predicate, "_1.entity == _2.entity", .thing, .thing),
  ]

  private static let collections: [Construct] = [
    .init(.predicate, "_1 IN _2", .thing, .things),
    .init(.predicate, "_2 CONTAINS _1", .tag, .tags),
    .init(.predicate, "ANY _1.small == _2", .things, .integer),
    .init(.predicate, "ALL _1.small < _2", .things, .integer),
    .init(.predicate, "NONE _1.text ==[c] _2", .things, .text),
    .init(.predicate, "ANY _1.parent == _2", .things, .thing),
    .init(.predicate, "ALL _1 != _2", .things, .thing),
    .init(.predicate, "ANY _1.name CONTAINS _2", .tags, .text),
    .init(.predicate, "ALL _1.weight BETWEEN {0, _2}", .tags, .integer),
    .init(.predicate, "ANY _1.small IN {_2, _3}", .things, .integer, .integer),
    .init(.predicate, "_1.text CONTAINS _2", .things, .text),
    .init(.predicate, "_2 IN _1.name", .tags, .text),
    .init(.predicate, "ANY _1.text != nil", .things),
    .init(.predicate, "ANY _1.parent == nil", .things),
    .init(.things, "SUBQUERY(_1, _v, _2)", .things, .predicate, binding: .thing),
    .init(.tags, "SUBQUERY(_1, _v, _2)", .tags, .predicate, binding: .tag),
    .init(.things, "_1.children", .thing), .init(.tags, "_1.tags", .thing),
    .init(.things, "_1.things", .tag),
  ]

  private static let integers: [Construct] = [
    .init(.integer, "_1.small", .thing), .init(.integer, "_1.medium", .thing),
    .init(.integer, "_1.@count", .things), .init(.integer, "(_1)[SIZE]", .tags),
    .init(.integer, "_1.@sum.small", .things), .init(.integer, "_1.@max.medium", .things),
    .init(.integer, "_1.@avg.small", .things), .init(.integer, "count:(_1)", .tags),
    .init(.integer, "sum:(_1.small)", .things), .init(.integer, "min:(_1.weight)", .tags),
    .init(.integer, "average:(_1.medium)", .things),
    .init(.integer, "(_1 + _2)", .integer, .integer),
    .init(.integer, "(_1 - _2)", .integer, .integer),
    .init(.integer, "(_1 * _2)", .integer, .integer),
    .init(.integer, "(_1 / _2)", .integer, .integer),
    .init(.integer, "modulus:by:(_1, _2)", .integer, .integer),
    .init(.integer, "abs:(_1)", .integer),
    .init(.integer, "max:(_1, _2)", .integer, .integer), .init(.integer, "noindex:(_1)", .integer),
    .init(.integer, "TERNARY(_1, _2, _3)", .predicate, .integer, .integer),
    .init(.integer, "length:(_1)", .text), .init(.integer, "(_1).length", .text),
    .init(.integer, "CAST(_1, 'NSNumber')", .date), .init(.integer, "FETCH(%@, %@, YES)"),
    .init(.integer, "max:(small)"), .init(.integer, "sum:(parent.medium)"),
  ]

  private static let texts: [Construct] = [
    .init(.text, "_1.text", .thing), .init(.text, "_1.name", .tag),
    .init(.text, "_1.@max.text", .things),
    .init(.text, "uppercase:(_1)", .text), .init(.text, "canonical:(_1)", .text),
    .init(.text, "(_1).lowercaseString", .text), .init(.text, "_1.@min.name", .tags),
    .init(.text, "TERNARY(_1, _2, _3)", .predicate, .text, .text),
  ]

  private static let dates: [Construct] = [
    .init(.date, "_1.date", .thing), .init(.date, "_1.@min.date", .things),
    .init(.date, "CAST(_1, 'NSDate')", .integer),
    .init(.date, "TERNARY(_1, _2, _3)", .predicate, .date, .date),
  ]

  private static let objects: [Construct] = [
    .init(.thing, "_1.parent", .thing)
  ]
}
