import Foundation
import Synchronization

/// What a program's error stream says of its models, where no caller could be told.
enum ModelReport {
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: \(text)\n".utf8))
  }

  /// Writes what was not written by this process yet: a model may be read several times.
  static func writeOnce(_ text: String) {
    if written.withLock({ $0.insert(text).inserted }) { write(text) }
  }

  private static let written = Mutex<Set<String>>([])
}
