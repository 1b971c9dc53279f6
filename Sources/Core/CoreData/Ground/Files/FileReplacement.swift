/// Writes a file whole or not at all: the bytes go to a temporary file beside it, which is renamed
/// once they are on the disk. A concurrent reader sees the old file.
struct FileReplacement {
  private static let bufferSize = 1 << 16

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Replaces the file at `url` with the bytes that `body` writes; an error leaves the file
  /// unchanged.
  static func write(to url: URL, _ body: (inout FileReplacement) throws -> Void) throws {
    let target = url.resolvingSymlinksInPath()
    let folder = target.deletingLastPathComponent()
    let draft = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
    do {
      try make(draft, like: target, body: body)
      try check(FileCalls.current.rename(draft.path, target.path), url: url)
    } catch {
      unlink(draft.path)
      throw error
    }
    try synchronise(folder, url: url)
  }

  private static func make(
    _ draft: URL, like target: URL, body: (inout FileReplacement) throws -> Void
  ) throws {
    let descriptor = FileCalls.current.create(draft.path)
    try check(descriptor, url: target)
    defer { close(descriptor) }
    try keepMode(of: target, descriptor)
    var file = FileReplacement(descriptor: descriptor)
    try body(&file)
    try file.flush(target)
    try check(FileCalls.current.synchronise(descriptor), url: target)
  }

  /// Copies the permissions of an existing file to the new one.
  private static func keepMode(of target: URL, _ descriptor: Int32) throws {
    var status = stat()
    guard stat(target.path, &status) == 0 else { return }
    try check(fchmod(descriptor, status.st_mode & 0o7777), url: target)
  }

  /// Flushes the folder, so that the renaming is on the disk too.
  private static func synchronise(_ folder: URL, url: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    try check(descriptor, url: url)
    defer { close(descriptor) }
    try check(fsync(descriptor), url: url)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func write(_ bytes: some Collection<UInt8>, for url: URL) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { try flush(url) }
  }

  private mutating func flush(_ url: URL) throws {
    var start = 0
    while start < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        FileCalls.current.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      if count < 0, errno == EINTR { continue }
      try Self.check(Int32(clamping: count), url: url)
      start += count
    }
    buffer.removeAll(keepingCapacity: true)
  }

  // MARK: - Errors

  private static func check(_ result: Int32, url: URL) throws {
    guard result < 0 else { return }
    let number = errno
    throw CoreDataError.file(
      code(number), url: url,
      reason:
        "The store at \(url.path) could not be written: \(String(cString: strerror(number))).",
      underlying: NSError(domain: NSPOSIXErrorDomain, code: Int(number)))
  }

  private static func code(_ number: Int32) -> CocoaError.Code {
    switch number {
    case EACCES, EPERM: .fileWriteNoPermission
    case EROFS: .fileWriteVolumeReadOnly
    case ENOSPC, EDQUOT: .fileWriteOutOfSpace
    case ENOENT, ENOTDIR: .fileNoSuchFile
    default: .persistentStoreSave
    }
  }
}
