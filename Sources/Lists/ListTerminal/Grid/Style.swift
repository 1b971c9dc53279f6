/// The purpose of a colour. The palette maps it to the terminal's colours.
enum Tone: Int, Sendable, CaseIterable {
  /// The terminal's default colour.
  case standard
  case muted, tint, danger, warning
  /// Backgrounds: of bars, of the current row, of fields, of content over the screen, of danger.
  case bar, current, field, raised, dangerGround
  /// The colours of other windows.
  case red, green, purple, orange, teal, pink, olive, blue

  /// The colour of another window, as its page has it.
  static func other(_ colour: Int) -> Tone {
    let all: [Tone] = [.red, .green, .purple, .orange, .teal, .pink, .olive, .blue]
    return all[colour % all.count]
  }
}

/// The appearance of a cell.
struct Style: Hashable, Sendable {
  var tone = Tone.standard
  var ground = Tone.standard
  var isBold = false
  var isUnderlined = false
  /// Reversed colours: the only mark of a selection on terminals with few colours.
  var isReversed = false
  var isFaint = false

  static let plain = Style()
  static let muted = Style(tone: .muted)
  static let tint = Style(tone: .tint)
  static let danger = Style(tone: .danger)
  static let bold = Style(isBold: true)

  func on(_ ground: Tone) -> Style {
    var style = self
    style.ground = ground
    return style
  }

  var bold: Style {
    var style = self
    style.isBold = true
    return style
  }

  var underlined: Style {
    var style = self
    style.isUnderlined = true
    return style
  }

  var reversed: Style {
    var style = self
    style.isReversed = true
    return style
  }
}
