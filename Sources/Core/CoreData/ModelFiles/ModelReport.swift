import Foundation
import Synchronization

/// Messages about models on standard error, for errors that no caller can receive.
enum ModelReport {
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("CoreData: \(text)\n".utf8))
  }

  /// Writes a text unless this process has written it before: a model may be read several times.
  static func writeOnce(_ text: String) {
    if written.withLock({ $0.insert(text).inserted }) { write(text) }
  }

  private static let written = Mutex<Set<String>>([])
}
