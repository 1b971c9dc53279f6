/// A block that a queue runs once, and that is freed before its caller goes on: the caller may look
/// whether what the block used is gone, as tests for leaks do. A queue frees a job only some time
/// after it has run.
///
/// Sound: the job alone uses it, once.
final class SpentOnce<Result>: @unchecked Sendable {
  private var block: (() -> Result)?

  init(_ block: UncheckedSendable<() -> Result>) { self.block = block.value }

  /// Runs the block and frees it. Traps when called twice.
  func run() -> Result {
    defer { block = nil }
    return block!()
  }
}
