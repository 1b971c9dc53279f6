/// Turns off the check that contexts are used on their queues, before `main`: Apple's systems make
/// it only where it is asked for, and tests that pass there use a context from anywhere.
@section(".init_array") @used
private let goUnchecked: @convention(c) () -> Void = { ConcurrencyDebugging.isOnByDefault = false }
