/// The lines that Core Data writes to standard error.
enum Console {
  /// Reports an error where none can be thrown.
  static func error(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8))
  }

  /// Reports that an operation is performed in another way than requested.
  static func warning(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: warning: \(text)\n".utf8))
  }
}
