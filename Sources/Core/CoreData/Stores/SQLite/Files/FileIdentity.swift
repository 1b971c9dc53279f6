/// The identity of the file at a path, links followed: another file has another identity, even with
/// equal bytes. The number of a removed file may be reused, but not while a process has it open.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
