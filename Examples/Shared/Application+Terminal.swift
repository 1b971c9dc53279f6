import Foundation
import ListKit
import ListTerminal

// In a browser, in this terminal, or in both.
extension Application {
  /// Runs until one of what shows windows has ended: the server by a signal, the terminal by its user.
  func show(
    _ stack: PersistentStack, _ options: ApplicationOptions,
    _ onRunning: @escaping @MainActor (PersistentStack) -> Void
  ) async throws {
    guard let mode = options.terminal else {
      return try await serve(stack, options, announce: Self.print, onRunning)
    }
    let terminal = ListTerminal(mode: mode) { try makeWindow(stack, $0) }
    guard options.web else {
      onRunning(stack)
      return try await terminal.run()
    }
    let serving = Task {
      defer { terminal.stop() }
      try await serve(stack, options, announce: { terminal.tell($0) }, onRunning)
    }
    try await terminal.run()
    serving.cancel()
    // The server ends by being cancelled, which is no failure.
    do { try await serving.value } catch is CancellationError {}
  }

  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
