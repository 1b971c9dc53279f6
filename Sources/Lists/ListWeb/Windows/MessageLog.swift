import Synchronization

/// The last messages to a window, numbered without gaps, so that a page can fetch what it missed
/// while it was disconnected.
///
/// Bounded in number and bytes: a page that is further behind gets the whole state instead.
///
/// Thread-safe: connections read it without waiting for the main queue.
final class MessageLog: Sendable {
  struct Message: Sendable {
    let sequence: Int
    let content: Text
    var text: String { content.text }

    init(sequence: Int, content: Text) {
      self.sequence = sequence
      self.content = content
    }

    init(sequence: Int, text: String) { self.init(sequence: sequence, content: Text(text)) }
  }

  /// The text of a message: of pieces, the long ones of which many windows share.
  struct Text: Sendable {
    private let pieces: [String]

    init(_ text: String) { pieces = [text] }
    init(pieces: [String]) { self.pieces = pieces }

    var text: String { pieces.count == 1 ? pieces[0] : pieces.joined() }
    /// The length in bytes.
    var count: Int { pieces.reduce(0) { $0 + $1.utf8.count } }
  }

  static let maximumMessages = 256
  static let maximumBytes = 1 << 20

  private struct State {
    var messages: [Message] = []
    var last = 0
    var bytes = 0

    mutating func append(_ text: Text) {
      last += 1
      messages.append(Message(sequence: last, content: text))
      bytes += text.count
      while messages.count > maximumMessages || bytes > maximumBytes, messages.count > 1 {
        bytes -= messages.removeFirst().content.count
      }
    }
  }

  private let state = Mutex(State())

  var messages: [Message] { state.withLock(\.messages) }
  var last: Int { state.withLock(\.last) }

  func append(_ text: Text) { state.withLock { $0.append(text) } }
  func append(_ text: String) { append(Text(text)) }

  /// The messages after a number; `nil` if some of them are no longer recorded, or the number was
  /// never used.
  func messages(after sequence: Int) -> ArraySlice<Message>? {
    state.withLock { state in
      guard (0...state.last).contains(sequence) else { return nil }
      guard sequence < state.last else { return [] }
      guard let oldest = state.messages.first, oldest.sequence <= sequence + 1 else { return nil }
      return state.messages[(sequence + 1 - oldest.sequence)...]
    }
  }
}
