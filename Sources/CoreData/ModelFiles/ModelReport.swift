import Foundation

/// What a program's error stream says of its models, where no caller could be told.
enum ModelReport {
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: \(text)\n".utf8))
  }
}
