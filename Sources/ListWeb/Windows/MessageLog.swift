/// The latest messages to a window, numbered without gaps, so that a page which lost its connection
/// gets what it missed.
///
/// Bounded in number and bytes: a page that is further behind starts anew with the whole state.
struct MessageLog {
  struct Message: Sendable {
    let sequence: Int
    let text: String
  }

  static let maximumMessages = 256
  static let maximumBytes = 1 << 20

  private(set) var messages: [Message] = []
  private(set) var last = 0
  private var bytes = 0

  mutating func append(_ text: String) {
    last += 1
    messages.append(Message(sequence: last, text: text))
    bytes += text.utf8.count
    while messages.count > Self.maximumMessages || bytes > Self.maximumBytes, messages.count > 1 {
      bytes -= messages.removeFirst().text.utf8.count
    }
  }

  /// The messages after a number; `nil` when some of them are gone or the number is not one of
  /// ours.
  func messages(after sequence: Int) -> ArraySlice<Message>? {
    guard (0...last).contains(sequence) else { return nil }
    guard sequence < last else { return [] }
    guard let oldest = messages.first, oldest.sequence <= sequence + 1 else { return nil }
    return messages[(sequence + 1 - oldest.sequence)...]
  }
}
