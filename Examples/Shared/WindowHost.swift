import Foundation
import ListKit
import ListTerminal
import ListWeb

/// Shows windows in a browser, in this terminal, or in both.
@MainActor
package struct WindowHost {
  private let title: String
  private let options: WindowOptions
  private let makeKey: @MainActor (_ isNew: Bool) throws -> AccessKey
  private let makeWindow: @MainActor (UIWindowScene) throws -> UIWindow

  /// - Parameters:
  ///   - title: the title of the pages.
  ///   - makeKey: creates the key that admits a browser; called if there is a server. `isNew` asks
  ///     for another one than before.
  ///   - makeWindow: called for each window.
  package init(
    title: String, options: WindowOptions,
    makeKey: @escaping @MainActor (_ isNew: Bool) throws -> AccessKey,
    makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
  ) {
    self.title = title
    self.options = options
    self.makeKey = makeKey
    self.makeWindow = makeWindow
  }

  /// Runs until the server is ended by a signal or the terminal by its user.
  ///
  /// - Parameter onRunning: called once, when windows can be shown.
  package func run(_ onRunning: @escaping @MainActor () -> Void = {}) async throws {
    guard let mode = options.terminal else {
      return try await serve(announce: Self.print, onRunning)
    }
    let terminal = ListTerminal(mode: mode, makeWindow: makeWindow)
    guard options.web else {
      onRunning()
      return try await terminal.run()
    }
    let serving = Task {
      defer { terminal.stop() }
      try await serve(announce: { terminal.tell($0) }, onRunning)
    }
    try await terminal.run()
    serving.cancel()
    // The server ends by cancellation, which is no failure.
    do { try await serving.value } catch is CancellationError {}
  }

  /// - Parameter announce: receives the line with the address of the pages.
  private func serve(
    announce: @escaping @MainActor (String) -> Void, _ onRunning: @escaping @MainActor () -> Void
  ) async throws {
    let server = ListWebServer(
      title: title, port: options.port, key: options.open ? nil : try makeKey(options.newKey),
      maximumWindows: options.windows, makeWindow: makeWindow)
    try await server.run { address in
      announce("\(title) is at \(address.absoluteString)")
      onRunning()
    }
  }

  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
