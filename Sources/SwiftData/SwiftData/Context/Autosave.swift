import CoreData
import Foundation

/// Saves a context of the main queue at the end of its turn in which the context was changed.
final class Autosave {
  private unowned let context: ModelContext
  private var observer: (any NSObjectProtocol)?

  init(_ context: ModelContext) { self.context = context }

  deinit { stop() }

  var isEnabled = false {
    didSet {
      guard isEnabled != oldValue else { return }
      if isEnabled { start() } else { stop() }
    }
  }

  private func stop() {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    observer = nil
  }

  private func start() {
    guard context.managed.concurrencyType == .mainQueueConcurrencyType else { return }
    let managed = context.managed
    observer = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didChangeObjectsNotification, object: managed, queue: nil
    ) { [weak managed] _ in
      // Whoever uses the context elsewhere would meet the save in the middle of what they do.
      guard managed?.isOnItsQueue ?? false else { return }
      DispatchQueue.main.async { [weak managed] in
        managed?.modelContext?.autosaveNow()
      }
    }
  }
}
