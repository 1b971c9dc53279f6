import Synchronization

/// What wakes the connection that carries the messages of windows: of one, or of all that a browser
/// shows.
///
/// Thread-safe: windows wake it on the main queue, the connection looks elsewhere.
final class StreamLine: Sendable {
  /// What has happened since the connection looked last.
  struct News: Sendable {
    /// Windows with messages.
    var woken: Set<String> = []
    /// Windows that another connection carries now, or that are gone.
    var ended: Set<String> = []
  }

  let wakes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let news = Mutex(News())

  init() {
    (wakes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func wake(_ window: String) {
    news.withLock { _ = $0.woken.insert(window) }
    continuation.yield()
  }

  func end(_ window: String) {
    news.withLock { _ = $0.ended.insert(window) }
    continuation.yield()
  }

  /// Keeps the connection in use.
  func beat() { continuation.yield() }

  func take() -> News {
    news.withLock { news in
      defer { news = News() }
      return news
    }
  }
}
