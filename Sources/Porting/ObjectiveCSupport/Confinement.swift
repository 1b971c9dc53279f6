/// Turns off the check that contexts are used on their queues, where nobody asks for it.
///
/// Ported packages call it before `main`: Apple's systems check nothing then, and tests that pass
/// there use a context from anywhere.
public func leaveContextsUnchecked() { ConcurrencyDebugging.isOnByDefault = false }
