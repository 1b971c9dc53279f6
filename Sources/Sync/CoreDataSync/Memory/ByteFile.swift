import Foundation

/// Bytes that are too many to be kept in memory: in a file without a name, which goes with the
/// process. Where there is no room for one, they are in memory.
///
/// It grows only. Used by one session on one thread at a time.
final class ByteFile {
  /// Bytes that are kept until they are written together.
  private static let tailAtMost = 1 << 18
  private let folder: URL?
  private var file: Int32?
  /// How many bytes the file has.
  private var written = 0
  /// Those after them.
  private var tail: [UInt8] = []
  private var tailAtMost = ByteFile.tailAtMost

  /// - Parameter folder: where the file is to be; without one there is none.
  init(in folder: URL?) { self.folder = folder }

  deinit {
    if let file { close(file) }
  }

  var count: Int { written + tail.count }

  /// Adds bytes. Returns where they begin.
  func append(_ bytes: [UInt8]) -> Int {
    defer {
      tail += bytes
      if tail.count > tailAtMost { write() }
    }
    return count
  }

  /// Bytes that were added as one.
  func bytes(at start: Int, count: Int) -> [UInt8] {
    if start >= written { return Array(tail[(start - written)..<(start - written + count)]) }
    return Array(unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let file {
        let part = pread(
          file, buffer.baseAddress! + filled, count - filled, off_t(start + filled))
        if part < 0, errno == EINTR { continue }
        guard part > 0 else {
          preconditionFailure("Sync's own temporary file cannot be read: \(Self.lastError)")
        }
        filled += part
      }
    }
  }

  private static var lastError: String { String(cString: strerror(errno)) }

  private func write() {
    guard let folder else { return }
    if file == nil { file = Self.make(in: folder) }
    guard let file else { return wait() }
    let isWritten = tail.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let part = pwrite(
          file, buffer.baseAddress! + done, buffer.count - done, off_t(written + done))
        if part < 0, errno == EINTR { continue }
        guard part > 0 else { return false }
        done += part
      }
      return true
    }
    guard isWritten else { return wait() }
    written += tail.count
    tail.removeAll(keepingCapacity: true)
    tailAtMost = Self.tailAtMost
  }

  /// The disk is full, say: it is tried again when there is as much again.
  private func wait() { tailAtMost = tail.count * 2 }

  private static func make(in folder: URL) -> Int32? {
    let path = folder.appendingPathComponent(".sync-\(UUID().uuidString)").path
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      // It is read while the device is locked, too.
      try? FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: path)
    #endif
    unlink(path)
    return file
  }
}
