import Testing

@testable import ListTerminal

struct LineEditorTests {
  private func edit(_ text: String, _ keys: KeyPress...) -> LineEditor {
    var editor = LineEditor(text)
    for key in keys { _ = editor.handle(key) }
    return editor
  }

  private func take(_ didIt: Bool, _ text: String) -> String? { didIt ? text : nil }

  @Test func typingGoesToTheCursor() {
    #expect(
      edit("bc", .control("a"), .character("a"), .plain(.end), .character("d")).text == "abcd")
    #expect(edit("abc", .plain(.left), .plain(.backspace)).text == "ac")
    #expect(edit("abc", .plain(.home), .plain(.delete)).text == "bc")
  }

  @Test func wordsAreMovedOverAndCut() {
    #expect(edit("one two  three", .control("w")).text == "one two  ")
    #expect(edit("one two", .alt(.character("b")), .character("x")).text == "one xtwo")
    #expect(edit("one two", .plain(.home), .alt(.character("d"))).text == " two")
    #expect(edit("one two", .control("u"), .control("y"), .control("y")).text == "one twoone two")
    #expect(edit("one two", .plain(.home), .control("k")).text == "")
  }

  @Test func charactersAreWhole() {
    #expect(edit("e\u{301}👩‍🌾", .plain(.backspace)).text == "e\u{301}")
    #expect(edit("x", .character("e"), .character("\u{301}")).text == "xe\u{301}")
  }

  @Test func whatWasTypedIsTakenBackAndBroughtAgain() {
    var editor = edit("a", .character("b"), .character("c"), .control("w"))
    let (first, second) = (take(editor.undo(), editor.text), take(editor.undo(), editor.text))
    #expect(first == "abc" && second == "a")
    let third = take(editor.undo(), editor.text)
    #expect(third == nil)
    let fourth = take(editor.redo(), editor.text)
    #expect(fourth == "abc")
  }

  @Test func theCursorIsAlwaysSeen() {
    let editor = edit("0123456789")
    let end = editor.window(columns: 5, secret: nil)
    #expect(end.glyphs.map(\.text).joined() == "6789" && end.cursor == 4)
    let start = edit("0123456789", .plain(.home)).window(columns: 5, secret: nil)
    #expect(start.cursor == 0)
    #expect(edit("secret").window(columns: 9, secret: "•").glyphs.map(\.text).joined() == "••••••")
  }

  @Test func noControlGetsIn() {
    var editor = LineEditor()
    editor.insert("a\u{1B}[31m\u{0}b")
    #expect(editor.text == "a[31mb")
  }
}
