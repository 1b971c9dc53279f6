import Foundation
import Synchronization

/// The sessions that the key has opened: of browsers that need it no more for a day after each use.
///
/// A page keeps its session in the storage of its origin, which no other server of this machine
/// gets, and sends it in a header. The file lies beside the key's and has the permissions 0600. A
/// restart keeps the sessions; a new key ends them.
///
/// | line | is |
/// |---|---|
/// | `TOKEN SECONDS` | a session, and the end of its time in seconds since 1970 |
///
/// Several processes may have one key: each reads the file under its lock before it writes.
///
/// Sendable: guarded by the lock of `known`.
final class AccessSessions: Sendable {
  /// How long a session lasts after its last use, in seconds.
  static let lifetime: TimeInterval = 86_400
  /// A use is written down if the last one that was is that old, in seconds.
  private static let grain: TimeInterval = 600
  /// The maximum number of sessions; the oldest end first.
  static let most = 1000

  private let file: URL?
  private let known = Mutex<[String: Date]>([:])

  /// - Parameter file: where sessions outlive the process; nil for sessions that end with it.
  init(file: URL?) { self.file = file }

  /// Opens a session.
  func open(now: Date = Date()) -> String {
    let token = Token.make()
    known.withLock { known in
      change(&known, now: now) { $0[token] = now + Self.lifetime }
    }
    return token
  }

  /// Whether a session is open. Its day begins anew.
  func use(_ token: String, now: Date = Date()) -> Bool {
    guard Token.isOne(token) else { return false }
    return known.withLock { known in
      let end = now + Self.lifetime
      if let last = known[token], last > now, last > end - Self.grain { return true }
      var isOpen = false
      change(&known, now: now) { sessions in
        guard sessions[token] != nil else { return }
        sessions[token] = end
        isOpen = true
      }
      return isOpen
    }
  }

  // MARK: - The file

  private func change(
    _ known: inout [String: Date], now: Date, by body: (inout [String: Date]) -> Void
  ) {
    known = Self.lasting(known, now: now)
    guard let file else { return body(&known) }
    let descriptor = Glibc.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // Where no file can be written, sessions last as long as the process.
    guard descriptor >= 0 else { return body(&known) }
    defer { close(descriptor) }
    fchmod(descriptor, 0o600)
    flock(descriptor, LOCK_EX)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    let kept = (try? handle.readToEnd()) ?? Data()
    known = Self.lasting(Self.sessions(in: kept), now: now)
    let before = known
    body(&known)
    if known == before { return }
    let lines = known.map { "\($0.key) \(Int($0.value.timeIntervalSince1970))\n" }.sorted()
    // A session that is not written down lasts as long as the process.
    try? handle.truncate(atOffset: 0)
    try? handle.write(contentsOf: Data(lines.joined().utf8))
  }

  private static func lasting(_ sessions: [String: Date], now: Date) -> [String: Date] {
    let open = sessions.filter { $0.value > now }
    guard open.count >= most else { return open }
    let newest = open.sorted { $0.value > $1.value }.prefix(most - 1)
    return Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
  }

  private static func sessions(in data: Data) -> [String: Date] {
    var sessions: [String: Date] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, Token.isOne(String(parts[0])), let end = TimeInterval(parts[1]) else {
        continue
      }
      sessions[String(parts[0])] = Date(timeIntervalSince1970: end)
    }
    return sessions
  }
}
