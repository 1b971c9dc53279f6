/// What a colour is for; the palette knows what it looks like in this terminal.
enum Tone: Int, Sendable, CaseIterable {
  /// The terminal's own.
  case standard
  case muted, tint, danger, warning
  /// Grounds: of bars, of the row that the keys mean, of fields, of what lies over the screen.
  case bar, current, field, raised, dangerGround
}

/// How a cell is drawn.
struct Style: Hashable, Sendable {
  var tone = Tone.standard
  var ground = Tone.standard
  var isBold = false
  var isUnderlined = false
  /// Where colours are few, this is the only mark of what is chosen.
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
