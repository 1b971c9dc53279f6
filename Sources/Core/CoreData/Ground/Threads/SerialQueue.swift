import Dispatch

/// A serial queue that detects that it runs the current thread, so that waiting for it can be
/// nested.
///
/// Sendable: a dispatch queue and a key, both constant.
package final class SerialQueue: @unchecked Sendable {
  private let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  package init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the caller runs on this queue.
  package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  package func perform(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

  package func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    isCurrent ? try block() : try queue.sync(execute: block)
  }

  package func perform<Result>(
    _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    let outcome = await withCheckedContinuation { continuation in
      let block = SpentOnce(UncheckedSendable { Outcome(block) })
      queue.async {
        let outcome = block.run()
        continuation.resume(returning: outcome)
      }
    }
    return try outcome.get(block)
  }

  /// The outcome of a block, passed between threads.
  ///
  /// Sendable: made on one thread, then read on another; never used by both at once.
  private struct Outcome<Value>: @unchecked Sendable {
    private let result: Swift.Result<Value, any Error>

    init(_ block: () throws -> Value) { result = Swift.Result { try block() } }

    /// Gives the result or throws the error. The block is not called: the parameter lets the
    /// compiler accept `rethrows`, since only the block can have thrown the error.
    func get(_ block: () throws -> Value) rethrows -> Value {
      try Self.unwrap(result, block: block)
    }

    private static func unwrap(
      _ result: Swift.Result<Value, any Error>, block: () throws -> Value
    ) rethrows -> Value {
      switch result {
      case .success(let value): return value
      case .failure(let error): try rethrowing(error, block: block)
      }
    }

    private static func rethrowing(
      _ error: any Error, block: () throws -> Value
    ) rethrows -> Never {
      // `rethrows` allows an error only from a call of the parameter.
      func raise(_ body: () throws -> Value) throws -> Never { throw error }
      try raise(block)
    }
  }
}
