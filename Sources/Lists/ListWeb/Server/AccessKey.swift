import Foundation

/// The secret that a browser needs to open windows.
///
/// The printed address has it in its fragment, which browsers send to nobody. A page that is opened
/// with it gets a session of a day, which each use renews. Stored in a file of the user, the key
/// survives a restart, and so do the sessions, which are in a file beside it: open pages, bookmarks
/// and links stay valid.
public struct AccessKey: Sendable, Equatable {
  /// The key as text: 32 hexadecimal digits.
  public let text: String
  /// The file of the sessions that the key has opened; nil if they end with the process.
  let sessionsFile: URL?
  /// The file of the events that were carried out; nil if nobody knows after the process.
  let eventsFile: URL?

  /// Makes a new key of 128 random bits, which lasts as long as the process.
  public init() { self.init(text: Token.make()) }

  private init(text: String, file: URL? = nil) {
    self.text = text
    sessionsFile = file?.appendingPathExtension("sessions")
    eventsFile = file?.appendingPathExtension("events")
  }

  /// Reads the key from a file. A file that does not exist, or holds a damaged key, is written with
  /// a new one and the permissions 0600.
  ///
  /// A new key ends all sessions of the one before.
  ///
  /// - Parameters:
  ///   - file: the URL of the file, whose folder is made if needed.
  ///   - isNew: whether a new key is made, also if the file has one.
  /// - Throws: the system's error for a file that can neither be read nor written
  ///   (`CocoaError.fileWriteNoPermission` if it cannot be opened), and
  ///   `CocoaError.fileReadCorruptFile` for one that holds more than a key, which stays as it is.
  public init(file: URL, isNew: Bool = false) throws {
    do {
      let kept = try String(contentsOf: file, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if Token.isOne(kept), !isNew {
        self.init(text: kept, file: file)
        return
      }
      guard kept.utf8.count <= Self.longestDamaged, !kept.contains("\n") else {
        throw Self.foreign(file)
      }
    } catch CocoaError.fileReadInapplicableStringEncoding, CocoaError.fileReadCorruptFile {
      throw Self.foreign(file)
    } catch CocoaError.fileReadNoSuchFile {
      // The first start of the program.
    }
    self.init(text: Token.make(), file: file)
    // There are none at the first start.
    if let sessionsFile { try? FileManager.default.removeItem(at: sessionsFile) }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path])
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data("\(text)\n".utf8))
  }

  /// More bytes than that are another file's contents.
  private static let longestDamaged = 64

  private static func foreign(_ file: URL) -> CocoaError {
    let text =
      "\(file.path) is no access key, which has 32 hexadecimal digits. Name another file, or remove "
      + "it."
    return CocoaError(
      .fileReadCorruptFile,
      userInfo: [NSFilePathErrorKey: file.path, NSLocalizedDescriptionKey: text])
  }

  /// Compares in constant time: the duration does not depend on the position of the first
  /// difference.
  func opens(with other: String) -> Bool {
    let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
