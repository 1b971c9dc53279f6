import Foundation

extension NSURL {
  /// The URL of a file.
  public class func fileURL(withPath path: String) -> URL { URL(fileURLWithPath: path) }

  /// The URL of a file or a directory.
  public class func fileURL(withPath path: String, isDirectory isDir: Bool) -> URL {
    URL(fileURLWithPath: path, isDirectory: isDir)
  }
}
