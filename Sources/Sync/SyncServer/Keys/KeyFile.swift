import Foundation
import Synchronization

/// A file of keys, read anew whenever it has changed.
///
///     # key                            name  zones
///     9c1f0a52e6d84b7795d1e2ab03f4c6d8 anna  home=write shared=write,Account=read
///     41d07be2c9a34f5e8b60d2f7a1c3e598 page  *=read
///
/// A zone's right is `read` or `write`; entities that may only be read follow it. A key has at
/// least 16 characters.
public final class KeyFile: SyncKeyring {
  private struct State {
    var stamp: Stamp?
    var keys: [String: SyncKey] = [:]
  }

  private struct Stamp: Equatable {
    let date: Date
    let size: Int
    let number: Int
  }

  private let file: URL
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - file: the file, which is there.
  ///   - warn: told, once for each state of the file, why it cannot be read any more; by default
  ///     that goes to the standard error stream.
  /// - Throws: `KeyFileError` for a line that cannot be read, and the system's errors.
  public init(
    _ file: URL, warn: @escaping @Sendable (String) -> Void = KeyFile.warnOnStandardError
  ) throws {
    self.file = file
    self.warn = warn
    let stamp = try stamp()
    let keys = try Self.read(String(contentsOf: file, encoding: .utf8))
    state.withLock { $0 = State(stamp: stamp, keys: keys) }
    if keys.isEmpty { warn("\(file.path) has no key: nobody may sync until it has one.") }
    let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    if let rights = rights as? Int, rights & 0o007 != 0 {
      warn("Every user of this machine can read \(file.path): take that away by chmod 600.")
    }
  }

  /// Writes a line to the standard error stream.
  public static let warnOnStandardError: @Sendable (String) -> Void = { text in
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// The key of this text. As long as the file cannot be read, because it is gone or a line
  /// of it is wrong, the keys are those that it had before.
  public func key(_ text: String) -> SyncKey? {
    refresh()
    // A dictionary compares texts only where their hashes, which are the process's own, are equal:
    // the time that it takes says nothing of a key's beginning.
    return state.withLock { $0.keys[text] }
  }

  private func refresh() {
    // A file that is gone has a state, too: no stamp.
    let stamp = try? stamp()
    if state.withLock({ $0.stamp == stamp }) { return }
    do {
      let keys = try Self.read(String(contentsOf: file, encoding: .utf8))
      state.withLock { $0 = State(stamp: stamp, keys: keys) }
    } catch {
      state.withLock { $0.stamp = stamp }
      warn("\(file.path) is not read, its keys are those of before: \(error)")
    }
  }

  private func stamp() throws -> Stamp {
    let values = try FileManager.default.attributesOfItem(atPath: file.path)
    return Stamp(
      date: values[.modificationDate] as? Date ?? .distantPast,
      size: values[.size] as? Int ?? 0, number: values[.systemFileNumber] as? Int ?? 0)
  }

  // MARK: - Lines

  static let shortestKey = 16

  static func read(_ text: String) throws -> [String: SyncKey] {
    var keys: [String: SyncKey] = [:]
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      guard words.count >= 3 else {
        throw KeyFileError(line: number + 1, text: "expected a key, a name and zones")
      }
      guard words[0].utf8.count >= shortestKey else {
        throw KeyFileError(
          line: number + 1, text: "a key has at least \(shortestKey) characters")
      }
      let zones = try words.dropFirst(2).map { try zone($0, line: number + 1) }
      let key = SyncKey(name: words[1], zones: Dictionary(zones) { $1 })
      guard keys.updateValue(key, forKey: words[0]) == nil else {
        throw KeyFileError(line: number + 1, text: "the key is there twice")
      }
    }
    return keys
  }

  /// "home=write,Account=read".
  private static func zone(_ word: String, line: Int) throws -> (String, SyncRights) {
    let parts = word.split(separator: ",").map { $0.split(separator: "=").map(String.init) }
    guard let first = parts.first, first.count == 2, ["read", "write"].contains(first[1]),
      parts.dropFirst().allSatisfy({ $0.count == 2 && $0[1] == "read" })
    else {
      throw KeyFileError(
        line: line, text: "expected ZONE=read or ZONE=write,ENTITY=read…, found \(word)")
    }
    return (
      first[0],
      SyncRights(
        mayWrite: first[1] == "write", readOnly: Set(parts.dropFirst().map { $0[0] }))
    )
  }

  // MARK: - Revoking

  /// Takes all keys of a name out of a file.
  ///
  /// - Returns: how many there were.
  public static func revoke(_ name: String, in file: URL) throws -> Int {
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { line in
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      return words.count < 2 || words[1] != name
    }
    guard kept.count < lines.count else { return 0 }
    let permissions = try FileManager.default.attributesOfItem(atPath: file.path)
    try Data(kept.joined(separator: "\n").utf8).write(to: file, options: .atomic)
    if let mode = permissions[.posixPermissions] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
    return lines.count - kept.count
  }
}

/// Why a file of keys cannot be read.
public struct KeyFileError: LocalizedError, CustomStringConvertible, Sendable {
  /// The number of the line, from 1.
  public let line: Int
  let text: String
  public var description: String { "Line \(line) of the keys: \(text)." }
  /// The `description`.
  public var errorDescription: String? { description }
}
