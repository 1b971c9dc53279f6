import Foundation
import Testing

@testable import ListWeb

/// The hand-written JSON of messages is that of an encoder.
@Suite struct PatchTextTests {
  private static let texts =
    [
      "", "Bread", "“Käse” 🧀", "a/b", "\u{2028}\u{7F}", "\"\\\"\\\\",
      "<li class=\"row\">&amp;</li>",
    ]
    + (0..<0x20).compactMap { UnicodeScalar($0).map { "x\($0)y" } }

  private static var operations: [PatchOperation] {
    var all = PatchOperation("all")
    all.id = "e1"
    all.html = "<b>"
    all.alert = "alert"
    all.how = "push"
    all.text = "text"
    all.title = "title"
    all.typed = "typed"
    all.enabled = true
    all.clears = false
    all.byOthers = true
    all.row = "r1"
    all.rows = ["r1", "r2"]
    all.first = -7
    all.removed = [.init(row: "r1", cause: "update"), .init(row: "r2", cause: "scroll")]
    all.moved = [.init(row: "r3", place: 0)]
    all.inserted = [.init(place: 4, cause: "scroll", html: "<li>")]
    all.reloaded = [.init(row: "r5", html: "<li>"), .init(row: "r6", html: "")]
    all.counts = [[0, 12], [3, 0]]
    all.sections = [
      .init(title: nil, count: 2, footer: nil), .init(title: "A", count: 0, footer: nil),
      .init(title: nil, count: 1, footer: "foot"), .init(title: "B", count: 9, footer: ""),
    ]
    all.index = ["A", "B"]
    var rows = PatchOperation("rows")
    (rows.removed, rows.moved, rows.inserted, rows.reloaded) = ([], [], [], [])
    rows.grids = [nil]
    return [all, rows, PatchOperation("alert")]
  }

  @Test func allFieldsAreThoseOfAnEncoder() {
    #expect(PatchText.text(Self.operations) == JSON.text(Self.operations))
    #expect(PatchText.text([]) == "[]")
  }

  @Test(arguments: texts) func textsAreReadAsTheyWere(_ text: String) throws {
    var operation = PatchOperation("row")
    operation.html = text
    operation.rows = [text, text]
    let message = PatchText.text([operation])
    let read = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [[String: Any]]
    #expect(read?.first?["html"] as? String == text)
    #expect(read?.first?["rows"] as? [String] == [text, text])
    // A message is one line of a stream.
    #expect(!message.utf8.contains { $0 < 0x20 })
  }

  @Test func markupEscapesWhatHasAMeaningInIt() {
    for (text, escaped) in [
      ("", ""), ("Käse 🧀", "Käse 🧀"), ("a&b", "a&amp;b"), ("<i>'\"", "&lt;i&gt;&#39;&quot;"),
      ("\0é", "\u{FFFD}é"),
    ] { #expect(HTML.text(text).markup == escaped) }
  }
}
