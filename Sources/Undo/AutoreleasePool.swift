/// Calls the closure and returns what it returns.
///
/// Objects live by reference counting alone on this platform: nothing is ever autoreleased, so there
/// is no pool to drain, and memory is free as soon as the last reference is gone. The function is
/// here for code that is shared with Apple's platforms.
public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
