import Foundation
import Synchronization
import Undo

/// Tells windows that what they offer to undo may have changed.
///
/// One for all windows: several notifications come with each event of each of them, and among hundreds of
/// windows they concern one.
@MainActor
final class UndoWatch {
  static let shared = UndoWatch()

  private struct Entry { weak var session: WindowSession? }
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The undo managers that have changed since the windows were told.
  private nonisolated let changed = Mutex<Set<ObjectIdentifier>>([])

  private init() {
    let names = [
      "NSUndoManagerDidUndoChangeNotification", "NSUndoManagerDidRedoChangeNotification",
      "NSUndoManagerDidCloseUndoGroupNotification",
    ]
    for name in names {
      // For as long as the process runs, so nobody removes it.
      _ = NotificationCenter.default.addObserver(
        forName: Notification.Name(name), object: nil, queue: nil
      ) { [weak self] notification in
        if let manager = notification.object as? UndoManager { self?.note(manager) }
      }
    }
  }

  func add(_ session: WindowSession) {
    entries[ObjectIdentifier(session)] = Entry(session: session)
  }

  func remove(_ session: WindowSession) { entries[ObjectIdentifier(session)] = nil }

  private nonisolated func note(_ manager: UndoManager) {
    let isFirst = changed.withLock { changed in
      defer { changed.insert(ObjectIdentifier(manager)) }
      return changed.isEmpty
    }
    if isFirst { Task { @MainActor in tell() } }
  }

  private func tell() {
    let managers = changed.withLock { changed in
      defer { changed = [] }
      return changed
    }
    for entry in entries.values where entry.session?.showsAny(of: managers) == true {
      entry.session?.scheduleFlush()
    }
  }
}
