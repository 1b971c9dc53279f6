internal import _FoundationICU

/// The number of terminal columns of a character.
///
/// Terminals add up the widths of code points: wide East Asian ones have two columns, marks and
/// format characters none, ambiguous ones one. An emoji has two, regardless of the number of its
/// code points: newer terminals agree, and for others `FrameWriter` sets the position of the next
/// character explicitly.
enum DisplayWidth {
  static func columns(of character: Character) -> Int {
    if character.isASCII { return 1 }
    var sum = 0
    for scalar in character.unicodeScalars {
      if scalar == variationSelector16 || scalar.properties.isEmojiPresentation { return 2 }
      sum += columns(of: scalar)
    }
    return min(sum, maximum)
  }

  /// The maximum width of a character composed of many letters.
  static let maximum = 4
  private static let variationSelector16: Unicode.Scalar = "\u{FE0F}"

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The medial and final letters of a Hangul syllable are drawn into the initial one.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    let width = swift_u_getIntPropertyValue(UChar32(scalar.value), UCHAR_EAST_ASIAN_WIDTH)
    return width == wide || width == fullWidth ? 2 : 1
  }

  private static let wide = Int32(U_EA_WIDE.rawValue)
  private static let fullWidth = Int32(U_EA_FULLWIDTH.rawValue)
}
