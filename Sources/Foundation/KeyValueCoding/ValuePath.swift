/// A path of keys and collection operators, parsed once and applied to many objects:
/// `department.employees.@avg.salary`.
package struct ValuePath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case key(String)
    /// An operator, applied to the whole rest of the path, which is read from each element.
    case collectionOperator(CollectionOperator)
  }

  /// The path as text.
  package let text: String
  package let steps: [Step]

  /// Throws ``KeyValueCodingError/malformedPath(_:reason:)`` for an empty key or an unknown
  /// operator.
  package init(_ text: String) throws {
    self.text = text
    steps = try text.split(separator: ".", omittingEmptySubsequences: false).map {
      try Self.step(String($0), in: text)
    }
  }

  private static func step(_ part: String, in text: String) throws -> Step {
    if part.isEmpty {
      throw KeyValueCodingError.malformedPath(text, reason: "a key between the dots is empty")
    }
    guard part.hasPrefix("@") else { return .key(part) }
    guard let name = CollectionOperator(rawValue: String(part.dropFirst())) else {
      let known = CollectionOperator.allCases.map { "@" + $0.rawValue }.joined(separator: ", ")
      throw KeyValueCodingError.malformedPath(
        text, reason: "\(part) is no collection operator; there are \(known)")
    }
    return .collectionOperator(name)
  }

  /// The keys of a path without operators; nil if it has an operator.
  package var keys: [String]? {
    let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return keys.count == steps.count ? keys : nil
  }

  /// The value at the end of the path; nil if a value on the way is nil.
  package func value(of object: Any?) throws -> Any? {
    try Self.value(of: object, steps: steps[...]).map(KeyedValue.bridged)
  }

  /// The value at the end of the path for a predicate: keeps strings apart that a set of
  /// Foundation's would unify.
  package func typedValue(of object: Any?) throws -> TypedValue {
    TypedValue(try Self.value(of: object, steps: steps[...]))
  }

  static func value(of object: Any?, steps: ArraySlice<Step>) throws -> Any? {
    var current = object
    for (index, step) in zip(steps.indices, steps) {
      switch step {
      case .key(let key): current = try KeyedValue.unbridgedValue(of: current, forKey: key)
      case .collectionOperator(let name):
        return try name.value(of: current, rest: steps[(index + 1)...])
      }
    }
    return current
  }

  /// Sets the property at the end of the path. Does nothing if an object on the way is nil.
  package func setValue(_ value: Any?, of object: Any?) throws {
    let (owner, key) = try owner(from: object)
    try KeyedValue.setValue(value, of: owner, forKey: key)
  }

  /// The object that has the property at the end of the path, and the key of the property.
  func owner(from object: Any?) throws -> (owner: Any?, key: String) {
    guard case .key(let last)? = steps.last else {
      throw KeyValueCodingError.malformedPath(
        text, reason: "nothing can be set through a collection operator")
    }
    return (try Self.value(of: object, steps: steps.dropLast()), last)
  }
}
