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

  /// Runs until the server is ended by a signal or the terminal by its user. Throws a `POSIXError`
  /// if the standard output cannot be written.
  ///
  /// - Parameter onRunning: called once, when windows can be shown.
  package func run(_ onRunning: @escaping @MainActor () -> Void = {}) async throws {
    let company = options.hideOthers ? nil : Company()
    guard let mode = options.terminal else {
      return try await serve(company, announce: print, onRunning)
    }
    let terminal = ListTerminal(mode: mode, company: company, makeWindow: makeWindow)
    guard options.web else {
      onRunning()
      return try await terminal.run()
    }
    let serving = Task {
      defer { terminal.stop() }
      try await serve(company, announce: terminal.tell, onRunning)
    }
    try await terminal.run()
    serving.cancel()
    // The server ends by cancellation, which is no failure.
    do { try await serving.value } catch is CancellationError {}
  }

  /// - Parameters:
  ///   - company: all windows, if each shows the others.
  ///   - announce: receives the line with the address of the pages.
  private func serve(
    _ company: Company?, announce: @escaping @MainActor (String) throws -> Void,
    _ onRunning: @escaping @MainActor () -> Void
  ) async throws {
    let server = ListWebServer(
      title: title, port: options.port, key: options.open ? nil : try makeKey(options.newKey),
      maximumWindows: options.windows, company: company, makeWindow: makeWindow)
    var failure: (any Error)?
    try await server.run { address in
      do { try announce("\(title) is at \(address.absoluteString)") } catch {
        failure = error
        // Nobody else knows the address: it has a key in it.
        return server.stop()
      }
      onRunning()
    }
    if let failure { throw failure }
  }

  private func print(_ line: String) throws {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }
  }
}
