extension String {
  /// The path without its last name: the folder of the file.
  var parentFolder: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == utf8.startIndex ? "/" : String(self[..<slash])
  }

  /// The last name of a path.
  var lastPathName: Substring {
    self[(utf8.lastIndex(of: UInt8(ascii: "/")).map(utf8.index(after:)) ?? startIndex)...]
  }
}
