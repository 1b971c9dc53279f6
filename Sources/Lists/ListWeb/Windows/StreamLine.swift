import Synchronization

/// Wakes the connection that carries the messages of a window, or of all windows of a browser.
///
/// Thread-safe: windows call it on the main queue, the connection reads it on another thread.
final class StreamLine: Sendable {
  /// The events since the connection last read them.
  struct News: Sendable {
    /// Windows with new messages.
    var woken: Set<String> = []
    /// Windows that another connection carries now, or that are closed.
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

  /// Makes the connection send a beat.
  func beat() { continuation.yield() }

  func take() -> News {
    news.withLock { news in
      defer { news = News() }
      return news
    }
  }
}
