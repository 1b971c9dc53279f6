import Testing

@testable import ListTerminal

struct InputParserTests {
  private func parse(_ text: String) -> [TerminalInput] {
    var parser = InputParser()
    return parser.parse(text.utf8) + parser.flush()
  }

  @Test(arguments: [
    ("a", KeyPress.character("a")), ("é", .character("é")), ("漢", .character("漢")),
    ("\r", .plain(.enter)), ("\t", .plain(.tab)), ("\u{7F}", .plain(.backspace)),
    ("\u{1}", .control("a")), ("\u{1A}", .control("z")), ("\u{0}", .control(" ")),
    ("\u{1B}", .plain(.escape)), ("\u{1B}[A", .plain(.up)), ("\u{1B}OA", .plain(.up)),
    ("\u{1B}[1;2A", .shift(.up)), ("\u{1B}[1;3B", .alt(.down)), ("\u{1B}b", .alt(.character("b"))),
    ("\u{1B}[3~", .plain(.delete)), ("\u{1B}[5~", .plain(.pageUp)), ("\u{1B}[Z", .shift(.tab)),
    ("\u{1B}OQ", .plain(.function(2))), ("\u{1B}[12~", .plain(.function(2))),
    ("\u{1B}[[B", .plain(.function(2))),
    ("\u{1B}[122;6u", KeyPress(key: .character("z"), modifiers: [.control, .shift])),
    ("\u{1B}[27u", .plain(.escape)), ("\u{1B}[27;5;97~", .control("a")),
  ])
  func aKeyIsWhatTerminalsSendForIt(_ bytes: String, _ key: KeyPress) {
    #expect(parse(bytes) == [.key(key)])
  }

  @Test func aSequenceMayComeByteByByte() {
    var parser = InputParser()
    var inputs: [TerminalInput] = []
    for byte in "\u{1B}[1;5C漢\u{1B}[<0;3;4M".utf8 { inputs += parser.parse([byte]) }
    #expect(
      inputs == [
        .key(KeyPress(key: .right, modifiers: .control)), .key(.character("漢")),
        .mouse(MouseReport(action: .press, x: 2, y: 3)),
      ])
  }

  @Test func pastedTextIsTextWhateverIsInIt() {
    #expect(
      parse("\u{1B}[200~q\u{1B}[A\nx\u{3}\u{1B}[201~z") == [
        .paste("q\u{1B}[A\nx\u{3}"), .key(.character("z")),
      ])
  }

  @Test func theMouseReportsItsWheelDragsAndButtons() {
    let text = "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<32;5;6M\u{1B}[<0;5;6m\u{1B}[<2;1;1M"
    let actions = parse(text).map { input in
      if case .mouse(let report) = input { report.action } else { nil as MouseReport.Action? }
    }
    #expect(actions == [.wheelUp, .wheelDown, .drag, .release, .menu])
  }

  @Test func answersOfTheTerminalAreNotKeys() {
    #expect(parse("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\") == [.background(isLight: true)])
    #expect(parse("\u{1B}]11;rgb:1e/1e/2e\u{7}") == [.background(isLight: false)])
    #expect(parse("\u{1B}[?2026;2$y") == [.drawsSynchronized])
    #expect(parse("\u{1B}[?2026;0$y\u{1B}[?62;22c\u{1B}P1$r\u{1B}\\").isEmpty)
  }

  /// Any bytes are taken, in pieces of any size, and typing works afterwards.
  @Test func noBytesStopIt() {
    var random = Random(seed: 41)
    for _ in 0..<2000 {
      var parser = InputParser()
      for _ in 0..<4 {
        let pieces: [[UInt8]] = [
          [0x1B], [0x5B], Array("200~".utf8), Array("<0;9;9M".utf8), Array("]11;".utf8),
        ]
        let bytes = (0..<random.below(12)).flatMap { _ in
          random.below(3) == 0 ? pieces[random.below(pieces.count)] : [UInt8(random.below(256))]
        }
        _ = parser.parse(bytes)
        _ = parser.flush()
      }
      let end = parser.parse("\u{1B}[201~".utf8) + parser.flush() + parser.parse("k".utf8)
      #expect(end.last == .key(.character("k")))
    }
  }

  @Test func ofAPasteThatIsTooLongTheBeginningComes() {
    let text = "begin " + String(repeating: "x", count: 3 << 20) + " end"
    var parser = InputParser()
    let inputs = parser.parse("\u{1B}[200~\(text)\u{1B}[201~a".utf8)
    // Not compared as a whole: a failure would print it.
    guard case .paste(let pasted) = inputs.first else {
      Issue.record("no paste")
      return
    }
    #expect(pasted.count == 1 << 20 && pasted.hasPrefix("begin x"))
    #expect(inputs.last == .key(.character("a")))
  }
}
