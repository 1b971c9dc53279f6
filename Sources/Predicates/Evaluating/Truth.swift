/// The outcome of a comparison: SQL's third one arises only under its rule for nil.
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

/// What a comparison with nil means.
package enum NilRule: Sendable {
  /// Apple's rule for objects in memory: nil differs from every value, so `author != "x"` holds for
  /// it.
  case memory
  /// The same for a fetch, which computes as SQL does in any case: arithmetic with nil gives nil, and
  /// decimals are doubles.
  case memoryInFetch
  /// SQL's rule: a comparison with nil is neither true nor false, and so is its negation; only a
  /// comparison with a literal nil asks for nil itself.
  case sql
}

extension NilRule {
  /// Whether arithmetic with nil, and a division by zero, give nil where memory has an error.
  var computesAsSQL: Bool { self != .memory }

  /// The rule of a fetch.
  package var inFetch: NilRule { self == .memory ? .memoryInFetch : self }
}
