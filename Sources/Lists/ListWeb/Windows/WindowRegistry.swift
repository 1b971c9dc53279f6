import Foundation
import ListKit

/// All windows of a server, by token. It limits their number and closes windows that nothing shows
/// any more.
@MainActor
final class WindowRegistry {
  struct Limits: Sendable {
    var windows = 256
    /// The lifetime without a connection of a window whose page is being closed or has never
    /// connected: long enough for a reload.
    var closedLifetime = Duration.seconds(20)
    /// The time that a page may take from its first byte to its connection before its window may be
    /// closed for another one.
    var loadingTime = Duration.seconds(20)
    /// The lifetime without a connection of a window whose page is hidden or was disconnected.
    var idleLifetime = Duration.seconds(30 * 60)
  }

  private let limits: Limits
  private let makeWindow: @MainActor (UIWindowScene) throws -> UIWindow
  private let company: Company?
  nonisolated let record: EventRecord
  private var sessions: [String: WindowSession] = [:]
  private var lastSearch: ContinuousClock.Instant?

  /// - Parameters:
  ///   - company: the windows that each page shows, if it shows any.
  ///   - record: the events that were carried out, of windows that are gone, too.
  init(
    limits: Limits, company: Company? = Company(), record: EventRecord = EventRecord(file: nil),
    makeWindow: @escaping @MainActor (UIWindowScene) throws -> UIWindow
  ) {
    self.limits = limits
    self.company = company
    self.record = record
    self.makeWindow = makeWindow
  }

  var count: Int { sessions.count }

  /// Opens a new window at a place, or as near to it as possible; `nil` if the limit is reached and
  /// all windows are in use.
  ///
  /// - Parameters:
  ///   - locale: the reader's.
  ///   - width: the width of the page in pixels; 0 if it is not known yet.
  func open(
    at place: Place, locale: Locale = .current, width: Int = 0
  ) throws -> WindowSession? {
    if sessions.count >= limits.windows { dropOldest() }
    guard sessions.count < limits.windows else {
      findTheGone()
      return nil
    }
    let scene = UIWindowScene()
    scene.locale = locale
    scene.setWide(width >= WindowSession.leastWide)
    let window = try makeWindow(scene)
    let session = WindowSession(token: Token.make(), scene: scene, window: window)
    session.company = company
    session.restore(place)
    session.tellIfNotReached(place)
    sessions[session.token] = session
    return session
  }

  /// Whether another window can be opened, perhaps in the place of an idle one.
  var hasRoom: Bool { sessions.count < limits.windows || !idle.isEmpty }

  func session(_ token: String) -> WindowSession? { sessions[token] }

  /// Closes windows whose lifetime has ended.
  func expire(now: ContinuousClock.Instant = .now) {
    for session in sessions.values where !session.isStreaming {
      let isShort = session.isClosing || session.stream == 0
      let lifetime = isShort ? limits.closedLifetime : limits.idleLifetime
      if now - session.lastSeen > lifetime { close(session) }
    }
  }

  /// Makes every connection send a beat.
  private func beat() { for session in sessions.values { session.beat() } }

  func closeAll() { for session in sessions.values { close(session) } }

  /// Writes to every page, which reveals closed connections earlier than the next beat: a page that
  /// waits for a free window asks again in a few seconds. At most once a second.
  private func findTheGone() {
    if let lastSearch, .now - lastSearch < .seconds(1) { return }
    lastSearch = .now
    beat()
  }

  private func dropOldest() {
    if let oldest = idle.min(by: { $0.lastSeen < $1.lastSeen }) { close(oldest) }
  }

  /// The windows without a page. One that is still loading has no connection yet.
  private var idle: [WindowSession] {
    sessions.values.filter { !$0.isStreaming && !isLoading($0) }
  }

  private func isLoading(_ session: WindowSession) -> Bool {
    session.stream == 0 && !session.isClosing && .now - session.lastSeen < limits.loadingTime
  }

  private func close(_ session: WindowSession) {
    sessions[session.token] = nil
    session.close()
    // What was not answered any more is saved now.
    for (page, number) in session.ledger.lastDone {
      record.note(page: page, number: number, of: session.token)
    }
  }
}
