import Foundation

/// A format of `os_log` and `os_signpost`: printf conversions with optional annotations in braces,
/// such as `%{public}@` or `%{private, mask.hash}s`.
struct LogFormat {
  private let format: [Character]

  init(_ format: StaticString) { self.format = Array("\(format)") }

  func text(_ arguments: [Any?]) -> String {
    var text = ""
    var rest = arguments[...]
    var place = format.startIndex
    while place < format.endIndex {
      let character = format[place]
      place += 1
      guard character == "%" else {
        text.append(character)
        continue
      }
      guard let conversion = Conversion(format, &place) else {
        text.append(character)
        continue
      }
      switch conversion.letter {
      case "%": text += "%"
      // Formats `errno`, without an argument.
      case "m": text += String(cString: strerror(errno))
      default:
        let width = conversion.takesWidth ? (rest.popFirst() ?? nil) as? Int : nil
        let precision = conversion.takesPrecision ? (rest.popFirst() ?? nil) as? Int : nil
        if let argument = rest.popFirst() {
          text += conversion.text(argument, width: width, precision: precision)
        } else {
          text += "<missing>"
        }
      }
    }
    return text
  }
}

/// One conversion, `%…`, of a format.
private struct Conversion {
  let letter: Character
  private var options: [String] = []
  private var flags = ""
  private var width = ""
  private var precision: String?

  var takesWidth: Bool { width == "*" }
  var takesPrecision: Bool { precision == "*" }

  /// Parses a conversion after the percent sign. Returns nil and leaves `place` unchanged if there
  /// is none.
  init?(_ format: [Character], _ place: inout Int) {
    var next = place
    func peek() -> Character? { next < format.count ? format[next] : nil }
    func take(_ isWanted: (Character) -> Bool) -> String {
      var taken = ""
      while let character = peek(), isWanted(character) {
        taken.append(character)
        next += 1
      }
      return taken
    }
    if peek() == "{" {
      next += 1
      options = take { $0 != "}" }.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      next += 1
    }
    flags = take { "-+ #0".contains($0) }
    width = take { $0.isNumber || $0 == "*" }
    if peek() == "." {
      next += 1
      precision = take { $0.isNumber || $0 == "*" }
    }
    _ = take { "hlqLzjt".contains($0) }
    guard let letter = peek(), "%@sdiuoxXcCpfFeEgGaAmDUOS".contains(letter) else { return nil }
    self.letter = letter
    place = next + 1
  }

  func text(_ argument: Any?, width: Int?, precision: Int?) -> String {
    let privacy = OSLogPrivacy(options)
    let isPrivateByType = letter == "@" || letter == "s" || letter == "S"
    return privacy.shown(
      value(
        argument, width.map { "\($0)" } ?? self.width, precision.map { "\($0)" } ?? self.precision),
      isPrivateByType: isPrivateByType)
  }

  private func value(_ argument: Any?, _ width: String, _ precision: String?) -> String {
    guard let argument, !(argument is NSNull) else { return "(null)" }
    let layout = "%\(flags)\(width)" + (precision.map { ".\($0)" } ?? "")
    switch letter {
    case "d", "i", "D", "u", "U", "o", "O", "x", "X", "c", "C":
      guard let number = Self.integer(argument) else { return "\(argument)" }
      if let meaning = meaning(number) { return meaning }
      if letter == "c" || letter == "C" {
        return Unicode.Scalar(UInt32(truncatingIfNeeded: number)).map { "\($0)" } ?? "?"
      }
      return String(format: layout + "ll" + letter.lowercasedUnlessHex, number)
    case "f", "F", "e", "E", "g", "G", "a", "A":
      guard let number = Self.double(argument) else { return "\(argument)" }
      return String(format: layout + String(letter), number)
    case "p":
      guard let pointer = argument as? any Strideable & CVarArg else { return "\(argument)" }
      return "\(pointer)"
    default: return padded(Self.string(argument), width, precision)
    }
  }

  private func meaning(_ number: Int64) -> String? {
    for option in options {
      switch option {
      case "bool": return number == 0 ? "false" : "true"
      case "BOOL": return number == 0 ? "NO" : "YES"
      case "time_t": return SecondsSince1970.text(Int(number))
      case "errno", "darwin.errno":
        return OSLogInt32ExtendedFormat.darwinErrno.text(Int32(truncatingIfNeeded: number))
      case "darwin.signal":
        return OSLogInt32ExtendedFormat.darwinSignal.text(Int32(truncatingIfNeeded: number))
      case "darwin.mode":
        return OSLogInt32ExtendedFormat.darwinMode.text(Int32(truncatingIfNeeded: number))
      default: continue
      }
    }
    return nil
  }

  private func padded(_ text: String, _ width: String, _ precision: String?) -> String {
    let text = precision.flatMap { Int($0) }.map { String(text.prefix($0)) } ?? text
    let columns = OSLogStringAlignment.right(columns: Int(width) ?? 0)
    let fromLeft = OSLogStringAlignment.left(columns: Int(width) ?? 0)
    return flags.contains("-") ? fromLeft.aligned(text) : columns.aligned(text)
  }

  private static func integer(_ argument: Any) -> Int64? {
    if let number = argument as? any BinaryInteger { return Int64(truncatingIfNeeded: number) }
    if let truth = argument as? Bool { return truth ? 1 : 0 }
    return (argument as? NSNumber)?.int64Value
  }

  private static func double(_ argument: Any) -> Double? {
    if let number = argument as? any BinaryFloatingPoint { return Double(number) }
    return (argument as? NSNumber)?.doubleValue
  }

  private static func string(_ argument: Any) -> String {
    if let pointer = argument as? UnsafePointer<CChar> { return String(cString: pointer) }
    if let pointer = argument as? UnsafeMutablePointer<CChar> { return String(cString: pointer) }
    return (argument as? any CustomStringConvertible)?.description ?? "\(argument)"
  }
}

extension Character {
  /// The letter for `String(format:)`: `D`, `U` and `O` are older forms of `ld`, `lu` and `lo`.
  fileprivate var lowercasedUnlessHex: String { self == "X" ? "X" : lowercased() }
}

extension OSLogPrivacy {
  /// The privacy from the annotations of a conversion.
  fileprivate init(_ options: [String]) {
    let mask: Mask = options.contains { $0.hasPrefix("mask.") } ? .hash : .none
    if options.contains("public") {
      self = .public
    } else if options.contains("sensitive") {
      self = .sensitive(mask: mask)
    } else if options.contains("private") {
      self = .private(mask: mask)
    } else {
      self = .auto(mask: mask)
    }
  }
}
