import Foundation
import Synchronization

/// Sets that stand for a property and that nobody has asked for anything, as where one was made only to be cast.
///
/// A cast to `Set` is Foundation's, which reads the members of its own two classes alone here, and gives an empty set for
/// every other one without a word. Nothing of the set is called meanwhile: that nobody calls anything is all that shows.
package enum UnaskedCollection {
  private static let told = Mutex<Set<String>>([])

  /// Says so on standard error, once for each property.
  package static func report(_ key: String, of owner: String) {
    guard told.withLock({ $0.insert("\(owner).\(key)").inserted }) else { return }
    let text =
      "CoreData: warning: a set of mutableSetValue(forKey: \"\(key)\") of \(owner) was made and never looked into. "
      + "If it was cast to Set, the cast gave an empty set, whatever the members: cast value(forKey:) or use "
      + "allObjects.\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
