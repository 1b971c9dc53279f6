/// The system calls that write and rename files outside of SQLite: external files, stores of one
/// file, and migrated stores. Tests replace them by failing ones.
struct FileCalls: Sendable {
  @TaskLocal static var current = FileCalls()

  /// Creates a file that must not exist and opens it for writing; negative for an error in `errno`.
  var create: @Sendable (String) -> Int32 = {
    open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  }
  /// Returns the number of bytes written, which may be fewer than given.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = {
    Glibc.write($0, $1.baseAddress, $1.count)
  }
  /// Flushes a file; returns 0 when its bytes are on the disk.
  var synchronise: @Sendable (Int32) -> Int32 = { fsync($0) }
  /// Renames a file; returns 0 on success.
  var rename: @Sendable (String, String) -> Int32 = { Glibc.rename($0, $1) }
  /// Gives a file a further name, which must not exist; returns 0 on success.
  var link: @Sendable (String, String) -> Int32 = { Glibc.link($0, $1) }
  /// Copies a file.
  var copy: @Sendable (String, String) throws -> Void = {
    try FileManager.default.copyItem(atPath: $0, toPath: $1)
  }
}
