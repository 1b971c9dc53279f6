/// The system's calls by which files of external data are written. Tests put failing ones in their place.
struct FileCalls: Sendable {
  @TaskLocal static var current = FileCalls()

  /// Makes a file that is not there yet and opens it for writing; negative for an error in `errno`.
  var create: @Sendable (String) -> Int32 = {
    open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
  }
  /// Returns how many bytes were written, perhaps fewer than there are.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = {
    Glibc.write($0, $1.baseAddress, $1.count)
  }
  /// Returns 0 when what was written is on the disk.
  var synchronise: @Sendable (Int32) -> Int32 = { fsync($0) }
}
