/// The result of a comparison. `unknown` occurs only under SQL's rule for nil.
package enum Truth: Int8, Comparable {
  case `false` = 0
  case unknown = 1
  case `true` = 2

  init(_ value: Bool) { self = value ? .true : .false }

  package static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }

  var negated: Truth {
    switch self {
    case .false: .true
    case .unknown: .unknown
    case .true: .false
    }
  }
}

/// The meaning of a comparison with nil.
package enum NilRule: Sendable {
  /// Apple's rule for objects in memory: nil differs from every value, so `author != "x"` holds for
  /// it.
  case memory
  /// Apple's rule, for a fetch: arithmetic follows SQL, so an operation with nil gives nil, and
  /// decimals are doubles.
  case memoryInFetch
  /// SQL's rule: a comparison with nil is unknown, and so is its negation; only a comparison with a
  /// literal nil tests for nil.
  case sql
}

extension NilRule {
  /// Whether arithmetic with nil and division by zero give nil, where memory has an error.
  var computesAsSQL: Bool { self != .memory }

  /// The corresponding rule in a fetch.
  package var inFetch: NilRule { self == .memory ? .memoryInFetch : self }
}
