import Foundation

/// An error about an invalid value, with a message for the user.
package struct Refusal: LocalizedError {
  package let errorDescription: String?
  package init(_ text: String) { errorDescription = text }
}

/// Errors about several values, by the names of their attributes.
package struct Refusals: LocalizedError {
  package private(set) var texts: [String: String] = [:]

  package init() {}

  package var errorDescription: String? { texts.values.sorted().joined(separator: "\n") }

  /// Notes that a value is invalid.
  package mutating func add(_ text: String, to key: String) { texts[key] = text }

  /// Returns the value that `read` makes; notes a ``Refusal``, and returns nil.
  package mutating func value<Value>(
    of key: String, _ read: () throws -> Value?
  ) rethrows -> Value? {
    do { return try read() } catch let refusal as Refusal {
      texts[key] = refusal.errorDescription
      return nil
    }
  }

  /// Throws these errors, if there are any.
  package func throwIfAny() throws { if !texts.isEmpty { throw self } }
}
