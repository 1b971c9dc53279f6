/// The system's calls by which files are written and named that are not SQLite's: those of external data, stores of
/// one file, and migrated stores. Tests put failing ones in their place.
struct FileCalls: Sendable {
  @TaskLocal static var current = FileCalls()

  /// Makes a file that is not there yet and opens it for writing; negative for an error in `errno`.
  var create: @Sendable (String) -> Int32 = {
    open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  }
  /// Returns how many bytes were written, perhaps fewer than there are.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = {
    Glibc.write($0, $1.baseAddress, $1.count)
  }
  /// Returns 0 when what was written is on the disk.
  var synchronise: @Sendable (Int32) -> Int32 = { fsync($0) }
  /// Gives a file another name; returns 0 when it has it.
  var rename: @Sendable (String, String) -> Int32 = { Glibc.rename($0, $1) }
  /// Gives a file one more name that no other has; returns 0 when it has it.
  var link: @Sendable (String, String) -> Int32 = { Glibc.link($0, $1) }
  /// Makes a file of the same bytes.
  var copy: @Sendable (String, String) throws -> Void = {
    try FileManager.default.copyItem(atPath: $0, toPath: $1)
  }
}
