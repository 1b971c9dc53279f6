import Foundation
import Synchronization
import Undo

/// Schedules a flush of windows whose undo and redo buttons may have changed.
///
/// One for all windows: each event of a window posts several notifications, which concern only that
/// window among hundreds.
@MainActor
final class UndoWatch {
  static let shared = UndoWatch()

  private struct Entry { weak var session: WindowSession? }
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The undo managers that have changed since the last pass over the windows.
  private nonisolated let changed = Mutex<Set<ObjectIdentifier>>([])

  private init() {
    let names = [
      "NSUndoManagerDidUndoChangeNotification", "NSUndoManagerDidRedoChangeNotification",
      "NSUndoManagerDidCloseUndoGroupNotification",
    ]
    for name in names {
      // Never removed: the observer lasts as long as the process.
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
