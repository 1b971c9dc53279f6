/// What a handler has been told, which a test on the same thread looks at afterwards.
final class Told<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
