/// Which file lies at a path, links followed: another one has another identity, though it have the same bytes.
/// The number of a file that is gone may be given to another one, but not while somebody has it open.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// nil where there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
