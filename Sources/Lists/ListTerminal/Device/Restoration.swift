import Foundation

/// Restores the terminal when the process ends by `exit`, by a trap or by a signal.
///
/// One terminal per process. Signal handlers read only numbers and memory that is never freed, all
/// written before the handlers can run.
enum Restoration {
  // Sound: written by the main actor while `isArmed` is false, read by signal handlers, on any
  // thread, only while it is true. `isArmed` is set last and cleared first.
  nonisolated(unsafe) private static var isArmed = false
  nonisolated(unsafe) private static var input: Int32 = -1
  nonisolated(unsafe) private static var output: Int32 = -1
  // On the heap: a global of this type gets too little memory (observed with Swift 6.3.1).
  nonisolated(unsafe) private static var settings: UnsafeMutablePointer<termios>?
  nonisolated(unsafe) private static var hasSettings = false
  nonisolated(unsafe) private static var sequence: UnsafeMutablePointer<UInt8>?
  nonisolated(unsafe) private static var length = 0
  nonisolated(unsafe) private static var areHandlersInstalled = false
  /// The original standard error, saved while the screen is in use.
  nonisolated(unsafe) private static var savedErrors: Int32 = -1
  nonisolated(unsafe) private static var errorFile: Int32 = -1

  @MainActor
  static func arm(input: Int32, output: Int32, settings: termios?, sequence: String) {
    if !areHandlersInstalled { installHandlers() }
    if isArmed { return }
    (self.input, self.output) = (input, output)
    hasSettings = settings != nil
    if self.settings == nil { self.settings = .allocate(capacity: 1) }
    if let settings { self.settings?.initialize(to: settings) }
    let bytes = Array(sequence.utf8)
    if Self.sequence == nil { Self.sequence = .allocate(capacity: 256) }
    length = min(bytes.count, 256)
    for (index, byte) in bytes.prefix(256).enumerated() { Self.sequence?[index] = byte }
    keepErrors()
    isArmed = true
  }

  /// Restores the terminal. Idempotent, and limited to calls that a signal handler may make.
  static func restore() {
    guard isArmed else { return }
    isArmed = false
    var offset = 0
    while offset < length, let sequence {
      let count = Glibc.write(output, sequence + offset, length - offset)
      if count <= 0 { break }
      offset += count
    }
    if hasSettings, let settings { tcsetattr(input, TCSANOW, settings) }
    showErrors()
  }

  // MARK: Standard error

  /// Redirects the standard error to an unnamed temporary file: its lines would damage the screen.
  /// `showErrors()` prints them later.
  private static func keepErrors() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    var name = Array("\(NSTemporaryDirectory())/ListTerminal-XXXXXX".utf8CString)
    errorFile = mkstemp(&name)
    guard errorFile >= 0 else { return }
    unlink(name)
    savedErrors = dup(STDERR_FILENO)
    dup2(errorFile, STDERR_FILENO)
  }

  private static func showErrors() {
    guard savedErrors >= 0 else { return }
    dup2(savedErrors, STDERR_FILENO)
    lseek(errorFile, 0, SEEK_SET)
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while true {
        let count = read(errorFile, buffer.baseAddress, buffer.count)
        if count <= 0 { break }
        _ = Glibc.write(STDERR_FILENO, buffer.baseAddress, count)
      }
    }
    close(errorFile)
    close(savedErrors)
    (errorFile, savedErrors) = (-1, -1)
  }

  // MARK: Crashes

  private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]

  /// Installs handlers for crashes. They restore the terminal, and then let the signal have its
  /// previous effect.
  private static func installHandlers() {
    areHandlersInstalled = true
    atexit { Restoration.restore() }
    for signal in crashes {
      sigaction(signal, nil, previous + Int(signal))
      var new = sigaction()
      new.__sigaction_handler.sa_sigaction = { number, information, _ in
        Restoration.restore()
        sigaction(number, Restoration.previous + Int(number), nil)
        // A fault is raised again by the instruction that caused it, so that crash reports show its
        // location. A signal that was sent (a code of 0 or less), or that has passed, must be
        // raised again.
        let isFault = number == SIGILL || number == SIGBUS || number == SIGFPE || number == SIGSEGV
        if isFault, let information, information.pointee.si_code > 0 { return }
        raise(number)
      }
      new.sa_flags = SA_NODEFER | SA_ONSTACK | SA_SIGINFO
      sigaction(signal, &new, nil)
    }
  }

  /// The previous handlers, such as one that prints a backtrace, by signal. Sound: written once
  /// before the handlers are installed, then only read; never freed.
  nonisolated(unsafe) private static let previous: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    return actions
  }()
}
