import Foundation
import ListKit

/// All windows of a server, by token. It bounds their number and lets those go that nobody looks
/// at.
@MainActor
final class WindowRegistry {
  struct Limits: Sendable {
    var windows = 256
    /// For a page that said that it goes away, or never connected: long enough for a reload.
    var closedLifetime = Duration.seconds(20)
    /// How long a page may take from its first byte to its connection before another may have its
    /// place.
    var loadingTime = Duration.seconds(20)
    /// For a page that is hidden or lost its connection.
    var idleLifetime = Duration.seconds(30 * 60)
  }

  private let limits: Limits
  private let makeWindow: @MainActor (UIWindowScene) throws -> UIWindow
  private var sessions: [String: WindowSession] = [:]
  private var lastSearch: ContinuousClock.Instant?

  init(limits: Limits, makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow) {
    self.limits = limits
    self.makeWindow = makeWindow
  }

  var count: Int { sessions.count }

  /// A new window at a place, or as near as there is; `nil` when there are too many that somebody
  /// looks at.
  func open(at place: Place) throws -> WindowSession? {
    if sessions.count >= limits.windows { dropOldest() }
    guard sessions.count < limits.windows else {
      findTheGone()
      return nil
    }
    let scene = UIWindowScene()
    let window = try makeWindow(scene)
    let session = WindowSession(token: Token.make(), scene: scene, window: window)
    session.restore(place)
    session.tellIfNotReached(place)
    sessions[session.token] = session
    return session
  }

  func session(_ token: String) -> WindowSession? { sessions[token] }

  /// Ends windows whose time is over.
  func expire(now: ContinuousClock.Instant = .now) {
    for session in sessions.values where !session.isStreaming {
      let isShort = session.isClosing || session.stream == 0
      let lifetime = isShort ? limits.closedLifetime : limits.idleLifetime
      if now - session.lastSeen > lifetime { close(session) }
    }
  }

  /// Writes to every page.
  private func beat() { for session in sessions.values { session.beat() } }

  func closeAll() { for session in sessions.values { close(session) } }

  /// A page that ended without a word is noticed when it is written to: whoever waits for a window, and asks again in a
  /// few seconds, need not wait for the next beat.
  private func findTheGone() {
    if let lastSearch, .now - lastSearch < .seconds(1) { return }
    lastSearch = .now
    beat()
  }

  private func dropOldest() {
    // A page that is still being loaded has not connected yet: it is not the one to make room.
    let idle = sessions.values.filter { !$0.isStreaming && !isLoading($0) }
    if let oldest = idle.min(by: { $0.lastSeen < $1.lastSeen }) { close(oldest) }
  }

  private func isLoading(_ session: WindowSession) -> Bool {
    session.stream == 0 && !session.isClosing && .now - session.lastSeen < limits.loadingTime
  }

  private func close(_ session: WindowSession) {
    sessions[session.token] = nil
    session.close()
  }
}
