import Foundation

/// The secret that lets a browser in: whoever knows it may open windows.
///
/// The printed address carries it, the browser keeps it in a cookie. Kept in a file of the user's
/// own, it is the same after a restart, so that open pages, bookmarks and links go on.
public struct AccessKey: Sendable, Equatable {
  public let text: String

  /// A new key, for as long as the process runs: 128 random bits.
  public init() { self.init(text: Token.make()) }

  private init(text: String) { self.text = text }

  /// The key in a file, which is made when there is none, for this user's eyes only.
  ///
  /// - Throws: what the system says about a file that can be neither read nor made.
  public init(file: URL) throws {
    do {
      let kept = try String(contentsOf: file, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if Token.isOne(kept) {
        self.init(text: kept)
        return
      }
    } catch CocoaError.fileReadNoSuchFile {
      // The first start.
    }
    self.init()
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path])
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data("\(text)\n".utf8))
  }

  /// Compares all of it, however early a difference is.
  func opens(with other: String) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// 128 random bits in hexadecimal digits.
enum Token {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  static func isOne(_ text: String) -> Bool {
    text.utf8.count == 32 && text.allSatisfy(\.isHexDigit)
  }
}
