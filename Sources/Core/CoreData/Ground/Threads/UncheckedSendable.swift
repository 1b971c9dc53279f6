/// A value that is passed to a queue and used there alone. Each use says why that is sound.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
