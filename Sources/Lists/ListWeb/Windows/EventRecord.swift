import Foundation

/// Which events were carried out, for pages whose window is gone: an event whose answer was lost is
/// not offered to its user again.
///
/// The file lies beside the key's and has the permissions 0600; it outlives the process, however
/// that ends. An event of a page counts as carried out if a later one was: a page sends one at a
/// time.
///
/// | line | is |
/// |---|---|
/// | `TOKEN PAGE NUMBER` | a window's name, the number of its page, and that of the event |
///
/// Several processes may have one key: lines are appended in one piece. Old lines are dropped when
/// a server begins, and when the file is four times as long as then.
struct EventRecord: Sendable {
  /// The length in bytes of the file that a server begins with.
  static let most = 1 << 18

  private let file: URL?

  /// - Parameter file: nil for no record.
  init(file: URL?) {
    self.file = file
    forgetTheOld()
  }

  /// Notes an event whose changes are saved.
  func note(page: Int, number: Int, of token: String) {
    guard let file else { return }
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // Without the record the page says that the event was perhaps carried out.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array("\(token) \(page) \(number)\n".utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if lseek(descriptor, 0, SEEK_END) > 4 * Self.most { forgetTheOld() }
  }

  /// Whether an event was carried out, as far as is known.
  func has(page: Int, number: Int, of token: String) -> Bool {
    // There is none before the first event.
    guard let file, let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
    let beginning = "\(token) \(page) "
    return text.split(separator: "\n").contains { line in
      line.hasPrefix(beginning)
        && Int(line.dropFirst(beginning.count)).map { $0 >= number } ?? false
    }
  }

  private func forgetTheOld() {
    guard let file, let kept = try? Data(contentsOf: file), kept.count > Self.most else { return }
    let last = kept.suffix(Self.most).drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    // A record that is too long does no harm.
    try? last.write(to: file, options: .atomic)
    chmod(file.path, 0o600)
  }
}
