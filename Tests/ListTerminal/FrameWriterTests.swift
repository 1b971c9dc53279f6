import TerminalDriver
import Testing

@testable import ListTerminal

struct FrameWriterTests {
  private let writer = FrameWriter(
    palette: Palette(depth: .direct), symbols: Symbols(isUnicode: true))

  @Test func onlyWhatDiffersIsWritten() {
    var old = Canvas(width: 40, height: 4)
    old.write("Bread and butter", x: 2, y: 1, style: .plain)
    var new = old
    new.write("B", x: 12, y: 1, style: .plain)
    let text = writer.text(from: old, to: new)
    #expect(text.contains("B") && !text.contains("read") && text.utf8.count < 40)
    #expect(writer.text(from: new, to: new).isEmpty)
  }

  @Test func marksAreAroundWhatIsDrawnAtOnce() {
    var writer = writer
    writer.isSynchronized = true
    let text = writer.text(from: nil, to: Canvas(width: 3, height: 1))
    #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
  }

  /// Whatever was on the screen and however the terminal counts joined characters, the differences
  /// lead to what a drawing from nothing shows.
  @Test(arguments: TerminalScreen.Widths.allCases)
  func differencesLeadToTheSameScreen(_ widths: TerminalScreen.Widths) {
    var random = Random(seed: 7)
    let words = ["Milk", "漢字", "👩‍🌾", "e\u{301}", "한글", "❤️", " ", "a", "🇨🇭x", "ｱｲ", "——"]
    for round in 0..<300 {
      let (width, height) = (1 + random.below(30), 1 + random.below(6))
      var screen = TerminalScreen(columns: width, rows: height, widths: widths)
      var shown: Canvas?
      for _ in 0..<6 {
        var canvas = shown ?? Canvas(width: width, height: height)
        for _ in 0..<random.below(5) {
          let style = random.choice([Style.plain, .tint, .muted, Style.bold.on(.current), .danger])
          let text = (0...random.below(4)).map { _ in random.choice(words) }.joined()
          canvas.write(text, x: random.below(width), y: random.below(height), style: style)
        }
        screen.write(writer.text(from: shown, to: canvas))
        shown = canvas
        var fresh = TerminalScreen(columns: width, rows: height, widths: widths)
        fresh.write(writer.text(from: nil, to: canvas))
        #expect(screen.difference(from: fresh) == nil, "seed 7, round \(round)")
        if screen.cells != fresh.cells { return }
        #expect(screen.unknown.isEmpty)
      }
    }
  }

  @Test func withoutColoursThereAreNone() {
    let palette = Palette(depth: .none)
    for tone in Tone.allCases {
      for ground in Tone.allCases {
        let codes = palette.sequence(Style(tone: tone).on(ground)).split(separator: "[")[1]
          .dropLast()
        #expect(codes.split(separator: ";").allSatisfy { ["0", "1", "2", "4", "7"].contains($0) })
      }
    }
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.direct),
    (["TERM": "xterm-256color"], .indexed), (["TERM": "xterm"], .sixteen),
    (["TERM": "dumb"], .none),
    (["TERM": "vt100"], .none), ([:], .none),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
    (["TERM": "xterm-256color", "CLICOLOR": "0"], .none),
    (["TERM": "dumb", "FORCE_COLOR": "1"], .sixteen),
  ])
  func coloursAreAsTheEnvironmentSays(_ environment: [String: String], _ depth: ColorDepth) {
    #expect(ColorDepth(environment: environment) == depth)
  }
}
