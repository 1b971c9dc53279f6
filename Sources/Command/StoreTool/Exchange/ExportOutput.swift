import Foundation

/// The destination of an export: a new file or folder, or an existing stream.
struct ExportOutput {
  private let url: URL
  private var isStandardOutput: Bool { url.path == "/dev/stdout" }

  /// Throws for an existing file or folder.
  init(_ url: URL) throws {
    self.url = url
    var status = stat()
    guard url.path != "/dev/stdout", stat(url.path, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { return }
    throw ToolError(
      .cannotCreate,
      description: "There is something at \(url.path) already; name another place, or remove it.")
  }

  func write(_ body: (ByteWriter) throws -> Void) throws {
    if isStandardOutput {
      let bytes = ByteWriter()
      try body(bytes)
      return try bytes.flush()
    }
    var status = stat()
    let isThere = stat(url.path, &status) == 0
    let descriptor = open(url.path, isThere ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard descriptor >= 0 else {
      throw ToolError(
        .cannotCreate,
        description: "\(url.path) cannot be made: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    let bytes = ByteWriter(descriptor: descriptor)
    try body(bytes)
    try bytes.flush()
  }

  func makeFolder() throws -> URL {
    guard !isStandardOutput else {
      throw ToolError(
        .usage,
        description:
          "CSV is a folder with a file for each entity, which the standard output cannot be: name a folder, or use "
          + "--format jsonl.")
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw ToolError(
        .cannotCreate,
        description: "The folder \(url.path) cannot be made: \(error.localizedDescription)")
    }
    return url
  }
}
