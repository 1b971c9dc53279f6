import Foundation
import Testing
import os

struct LogFormattingTests {
  private func text(_ message: OSLogMessage) -> String {
    let label = LogRecorder.label()
    os.Logger(subsystem: label, category: "").notice(message)
    return LogRecorder.messages(label).first?.text ?? "nothing"
  }

  @Test func wholeNumbers() {
    #expect(text("\(255, format: .decimal)") == "255")
    #expect(text("\(255, format: .decimal(explicitPositiveSign: true))") == "+255")
    #expect(text("\(-5, format: .decimal(minDigits: 3))") == "-005")
    #expect(text("\(255, format: .hex)") == "ff")
    #expect(text("\(255, format: .hex(includePrefix: true, uppercase: true))") == "0XFF")
    #expect(text("\(UInt8(8), format: .octal(includePrefix: true))") == "0o10")
    #expect(text("\(Int64.min, format: .hex)") == "-8000000000000000")
  }

  @Test func fractions() {
    #expect(text("\(1.005, format: .fixed(precision: 1))") == "1.0")
    #expect(text("\(1.5, format: .fixed(precision: 2, explicitPositiveSign: true))") == "+1.50")
    #expect(text("\(1500.0, format: .exponential)") == "1.500000e+03")
    #expect(text("\(0.25, format: .hybrid)") == "0.25")
    #expect(text("\(Float(1), format: .hex)") == "0x1p+0")
    #expect(text("\(CGFloat(2.5))") == "2.500000")
  }

  @Test func meanings() {
    #expect(text("\(false, format: .answer)") == "NO")
    #expect(text("\(ENOENT, format: .darwinErrno)") == "[2: No such file or directory]")
    #expect(text("\(Int32(0o100644), format: .darwinMode)") == "-rw-r--r--")
    #expect(text("\(Int32(0o040755), format: .darwinMode)") == "drwxr-xr-x")
    #expect(text("\(0, format: .secondsSince1970)") == "1970-01-01T00:00:00Z")
    #expect(text("\(inet_addr("127.0.0.1").signed, format: .ipv4Address)") == "127.0.0.1")
  }

  @Test func columns() {
    #expect(text("[\("ab", align: .left(columns: 4), privacy: .public)]") == "[ab  ]")
    #expect(text("[\("ab", align: .right(columns: 4), privacy: .public)]") == "[  ab]")
    #expect(text("[\("ab", align: .right(columns: 1), privacy: .public)]") == "[ab]")
    #expect(text("[\(7, align: .right(columns: 3))]") == "[  7]")
    #expect(text("[\("secret", align: .right(columns: 11))]") == "[  <private>]")
  }

  /// What printf prints too.
  @Test func formatsOfPrintf() {
    let cases: [(StaticString, [Any?], String)] = [
      ("100%%", [], "100%"), ("%d", [-3], "-3"), ("%5d|", [42], "   42|"),
      ("%-5d|", [42], "42   |"),
      ("%05d", [42], "00042"), ("%ld", [Int64.min], "-9223372036854775808"),
      ("%lu", [UInt64.max], "18446744073709551615"), ("%x", [255], "ff"), ("%#X", [255], "0XFF"),
      ("%.2f", [1.239], "1.24"), ("%8.1f|", [2.25], "     2.2|"), ("%e", [1.0], "1.000000e+00"),
      ("%f", [NSNumber(value: 0.5)], "0.500000"), ("%c", [65], "A"),
      ("%{public}s", ["text"], "text"), ("%{public}.2s", ["text"], "te"),
      ("%{public}6s|", ["text"], "  text|"), ("%{public}@", [nil], "(null)"),
      ("%{public}@", [[1, 2]], "[1, 2]"), ("%{bool}d", [true], "true"), ("%{BOOL}d", [0], "NO"),
      ("%{time_t}d", [0], "1970-01-01T00:00:00Z"), ("%*d", [4, 7], "   7"),
      ("%.*f", [1, 0.25], "0.2"),
      ("%d and %d", [1], "1 and <missing>"), ("5% Yes", [], "5% Yes"), ("%", [], "%"),
    ]
    for (format, arguments, expected) in cases {
      let label = LogRecorder.label()
      write(format, arguments, OSLog(subsystem: label, category: ""))
      #expect(LogRecorder.messages(label).first?.text == expected, "\(format)")
    }
  }

  /// Arguments are no array for the function.
  private func write(_ format: StaticString, _ arguments: [Any?], _ log: OSLog) {
    switch arguments.count {
    case 0: os_log(format, log: log)
    case 1: os_log(format, log: log, arguments[0])
    default: os_log(format, log: log, arguments[0], arguments[1])
    }
  }
}

extension in_addr_t {
  fileprivate var signed: Int32 { Int32(bitPattern: self) }
}
