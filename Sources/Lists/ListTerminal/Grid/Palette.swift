/// The colours of one terminal, by its colour depth and its light or dark background.
struct Palette: Equatable, Sendable {
  var depth: ColorDepth
  var isLight = false

  /// The escape sequence that sets a style, from any other one.
  func sequence(_ style: Style) -> String {
    var codes = ["0"]
    if style.isBold { codes.append("1") }
    if style.isFaint || (depth == .none && style.tone == .muted) { codes.append("2") }
    if style.isUnderlined { codes.append("4") }
    if style.isReversed || isShownReversed(style.ground) { codes.append("7") }
    if depth > .none {
      codes += foreground(style.tone, on: style.ground) + background(style.ground)
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  /// Whether a background is drawn reversed. With few colours it could make its text unreadable.
  private func isShownReversed(_ ground: Tone) -> Bool {
    depth < .indexed && (ground == .current || ground == .dangerGround)
  }

  private func foreground(_ tone: Tone, on ground: Tone) -> [String] {
    // On red, the text is white.
    if ground == .dangerGround, depth >= .indexed {
      return depth == .direct ? ["38;2;255;255;255"] : ["97"]
    }
    if depth == .sixteen, isShownReversed(ground) { return [] }
    guard let color = Self.colors[tone] else { return [] }
    switch depth {
    case .none: return []
    case .sixteen: return [isLight ? color.light.basic : color.dark.basic].compactMap(\.self)
    case .indexed: return ["38;5;\(isLight ? color.light.index : color.dark.index)"]
    case .direct: return ["38;2;" + (isLight ? color.light.direct : color.dark.direct)]
    }
  }

  private func background(_ ground: Tone) -> [String] {
    guard depth >= .indexed, let color = Self.colors[ground] else { return [] }
    let shade = isLight ? color.light : color.dark
    return [depth == .direct ? "48;2;" + shade.direct : "48;5;\(shade.index)"]
  }

  private struct Shade {
    let direct: String
    let index: Int
    let basic: String?

    init(_ direct: String, index: Int, basic: String? = nil) {
      self.direct = direct
      self.index = index
      self.basic = basic
    }
  }

  /// The colours of the page in a browser, and the closest ones of smaller palettes.
  private static let colors: [Tone: (light: Shade, dark: Shade)] = [
    .muted: (
      Shade("106;106;116", index: 242, basic: "90"), Shade("156;156;168", index: 247, basic: "90")
    ),
    .tint: (
      Shade("10;98;208", index: 26, basic: "34"), Shade("108;178;255", index: 75, basic: "94")
    ),
    .danger: (
      Shade("200;50;31", index: 160, basic: "31"), Shade("255;122;102", index: 209, basic: "91")
    ),
    .warning: (
      Shade("150;90;0", index: 94, basic: "33"), Shade("240;190;90", index: 215, basic: "93")
    ),
    .bar: (Shade("235;235;241", index: 255), Shade("27;27;31", index: 234)),
    .current: (Shade("214;231;252", index: 153), Shade("28;56;94", index: 24)),
    .field: (Shade("227;227;234", index: 254), Shade("46;46;53", index: 236)),
    .raised: (Shade("245;245;250", index: 255), Shade("38;38;43", index: 235)),
    .dangerGround: (Shade("200;50;31", index: 160), Shade("176;44;28", index: 124)),
    .red: (
      Shade("179;38;30", index: 124, basic: "31"), Shade("255;138;128", index: 210, basic: "91")
    ),
    .green: (
      Shade("26;107;52", index: 22, basic: "32"), Shade("123;216;143", index: 114, basic: "92")
    ),
    .purple: (
      Shade("122;63;184", index: 97, basic: "35"), Shade("199;155;255", index: 183, basic: "95")
    ),
    .orange: (
      Shade("168;85;0", index: 130, basic: "33"), Shade("255;185;94", index: 215, basic: "93")
    ),
    .teal: (
      Shade("0;112;122", index: 30, basic: "36"), Shade("95;215;224", index: 80, basic: "96")
    ),
    .pink: (
      Shade("176;32;110", index: 125, basic: "35"), Shade("255;143;196", index: 211, basic: "95")
    ),
    .olive: (
      Shade("95;101;0", index: 58, basic: "33"), Shade("211;217;90", index: 185, basic: "93")
    ),
    .blue: (
      Shade("42;75;194", index: 26, basic: "34"), Shade("147;168;255", index: 111, basic: "94")
    ),
  ]
}
