import Foundation
import KeyValueCoding

extension PredicateFunction {
  static let strings: [PredicateFunction] = [
    string("uppercase:") { .string($0.uppercased()) },
    string("lowercase:") { .string($0.lowercased()) },
    string("canonical:") {
      .string(StringFolding([.caseInsensitive, .diacriticInsensitive]).fold($0))
    },
    string("length:") { .integer(Int64($0.utf16.count)) },
  ]

  static let others: [PredicateFunction] = [
    PredicateFunction("now") { arguments, name in
      try expect(0, arguments: arguments, name: name)
      return .date(Date())
    },
    PredicateFunction("random") { arguments, name in
      try expect(0, arguments: arguments, name: name)
      return .integer(Int64.random(in: 0..<Int64(Int32.max)))
    },
    PredicateFunction("random:", body: random),
    PredicateFunction("randomn:", body: random),
    PredicateFunction("noindex:") { arguments, name in
      try expect(1, arguments: arguments, name: name)
      return arguments[0]
    },
    PredicateFunction("distanceToLocation:fromLocation:") { arguments, name in
      try expect(2, arguments: arguments, name: name)
      if arguments.contains(where: \.isNull) { return .null }
      return .double(
        try Location(arguments[0], user: name).distance(from: Location(arguments[1], user: name)))
    },
    PredicateFunction("castObject:toType:") { arguments, name in
      try expect(2, arguments: arguments, name: name)
      return try PredicateCast.cast(arguments[0], to: text(arguments[1], name: name))
    },
    PredicateFunction("objectFrom:withIndex:") { arguments, name in
      try expect(2, arguments: arguments, name: name)
      throw PredicateEvaluationError("\(name) is written with brackets: a[b].")
    },
  ]

  /// A random integer from 0 up to, but not including, the argument.
  @Sendable private static func random(
    _ arguments: [TypedValue], name: String
  ) throws -> TypedValue {
    try expect(1, arguments: arguments, name: name)
    let bound = try integer(arguments[0], name: name)
    guard bound > 0 else { throw PredicateEvaluationError("\(name) needs a positive number.") }
    return .integer(Int64.random(in: 0..<bound))
  }
}
