/// Calls the closure and returns its result.
///
/// There is no pool to drain: objects live by reference counting alone on this platform, nothing is
/// autoreleased, and memory is free as soon as the last reference is gone. The function exists for
/// code that is shared with Apple's platforms.
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
