import Foundation
import Testing
import os

/// Every kind of value × every privacy × every way to say it.
struct LogPrivacyTests {
  private struct Point: CustomStringConvertible {
    var description: String { "here" }
  }
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "broken" }
  }

  private let privacies: [(OSLogPrivacy, name: String)] = [
    (.auto, ""), (.auto(mask: .hash), "mask.hash"), (.public, "public"), (.private, "private"),
    (.private(mask: .hash), "private, mask.hash"), (.sensitive, "sensitive"),
    (.sensitive(mask: .hash), "sensitive, mask.hash"),
  ]

  private let values: [(text: String, isPrivate: Bool, (OSLogPrivacy) -> OSLogMessage)] = [
    ("7", false, { "\(7, privacy: $0)" }), ("8", false, { "\(UInt8(8), privacy: $0)" }),
    ("1.500000", false, { "\(1.5, privacy: $0)" }),
    ("2.500000", false, { "\(Float(2.5), privacy: $0)" }),
    ("true", false, { "\(true, privacy: $0)" }), ("Int", false, { "\(Int.self, privacy: $0)" }),
    ("me", true, { "\("me", privacy: $0)" }), ("here", true, { "\(Point(), privacy: $0)" }),
    ("name", true, { "\("name" as NSString, privacy: $0)" }),
    ("broken", true, { "\(Failure() as any Error, privacy: $0)" }),
    ("(null)", true, { "\(nil as NSString?, privacy: $0)" }),
  ]

  private func expected(_ text: String, _ isPrivate: Bool, _ privacy: String) -> String {
    let words = privacy.split(separator: ", ")
    let isHidden =
      words.contains("private") || words.contains("sensitive") || (isPrivate && privacy != "public")
    if !isHidden { return text }
    return words.contains("mask.hash") ? "<mask.hash: …>" : "<private>"
  }

  /// The hash of a run is nobody's business.
  private func withoutHash(_ text: String) -> String {
    text.replacing(/'[0-9a-f]+'/, with: "…")
  }

  @Test func interpolations() {
    for (text, isPrivate, message) in values {
      for (privacy, name) in privacies {
        let label = LogRecorder.label()
        os.Logger(subsystem: label, category: "").notice(message(privacy))
        os_log(.info, log: OSLog(subsystem: label, category: ""), message(privacy))
        #expect(
          LogRecorder.messages(label).map { withoutHash($0.text) }
            == Array(repeating: expected(text, isPrivate, name), count: 2), "\(text) \(name)")
      }
    }
  }

  @Test func formats() {
    let log = { OSLog(subsystem: $0, category: "") }
    let label = LogRecorder.label()
    os_log("%d", log: log(label), 7)
    os_log("%{public}d", log: log(label), 7)
    os_log("%{private}d", log: log(label), 7)
    os_log("%{private, mask.hash}d", log: log(label), 7)
    os_log("%{sensitive}d", log: log(label), 7)
    os_log("%@", log: log(label), "me")
    os_log("%s", log: log(label), "me")
    os_log("%{public}@", log: log(label), "me")
    os_log("%{private}@", log: log(label), "me")
    os_log("%{mask.hash}@", log: log(label), "me")
    os_log("%{sensitive, mask.hash}@", log: log(label), "me")
    #expect(
      LogRecorder.messages(label).map { withoutHash($0.text) } == [
        "7", "7", "<private>", "<mask.hash: …>", "<private>", "<private>", "<private>", "me",
        "<private>", "<mask.hash: …>", "<mask.hash: …>",
      ])
  }

  @Test func equalValuesHaveEqualHashes() {
    let label = LogRecorder.label()
    let logger = os.Logger(subsystem: label, category: "")
    for name in ["a", "a", "b"] { logger.info("\(name, privacy: .private(mask: .hash))") }
    let texts = LogRecorder.messages(label).map(\.text)
    #expect(texts[0] == texts[1] && texts[1] != texts[2])
  }
}
