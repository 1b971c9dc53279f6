import Foundation

/// What a handler has been told, which a test on the same thread looks at afterwards.
final class Told<Value>: @unchecked Sendable {
  var value: Value
  /// The test's.
  let thread = Thread.current

  init(_ value: Value) { self.value = value }
}
