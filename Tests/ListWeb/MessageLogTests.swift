import Testing

@testable import ListWeb

@Suite struct MessageLogTests {
  @Test func whatWasMissedIsSentWithoutGapOrRepetition() {
    let log = MessageLog()
    for number in 1...10 { log.append("message \(number)") }
    #expect(log.messages(after: 7)?.map(\.sequence) == [8, 9, 10])
    #expect(log.messages(after: 10)?.isEmpty == true)
    #expect(log.messages(after: 0)?.count == 10)
  }

  @Test func aPageTooFarBehindStartsAnew() {
    let log = MessageLog()
    for number in 0...MessageLog.maximumMessages { log.append("message \(number)") }
    #expect(log.messages(after: 0) == nil)
    #expect(log.messages(after: 1)?.count == MessageLog.maximumMessages)
    #expect(log.messages(after: -1) == nil)
    #expect(log.messages(after: log.last + 1) == nil)
  }

  @Test func bytesAreBoundedToo() {
    let log = MessageLog()
    let text = String(repeating: "x", count: MessageLog.maximumBytes / 4)
    for _ in 0..<20 { log.append(text) }
    #expect(log.messages.count <= 4)
    #expect(log.last == 20)
  }
}

extension MessageLog.Message: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.sequence == right.sequence && left.text == right.text
  }
}
