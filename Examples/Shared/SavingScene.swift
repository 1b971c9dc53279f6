import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One window: a context of its own, what the window shows of it, and the moments to save it.
@MainActor
package final class SavingScene: NSObject, UISceneDelegate {
  package let rootViewController: UIViewController
  private let context: NSManagedObjectContext
  private let saveContext: @MainActor (NSManagedObjectContext) throws -> Void
  private var isSaveScheduled = false
  /// Told once somebody looks at the window.
  var news: [String] = []
  private var changes: NotificationObservation?

  package init(
    context: NSManagedObjectContext, rootViewController: UIViewController,
    savesEachEvent: Bool = true,
    save: @escaping @MainActor (NSManagedObjectContext) throws -> Void = { try $0.save() }
  ) {
    self.context = context
    saveContext = save
    self.rootViewController = rootViewController
    super.init()
    if savesEachEvent { observeChanges() }
  }

  private func observeChanges() {
    changes = NotificationObservation(
      of: .NSManagedObjectContextObjectsDidChange, object: context
    ) { [weak self] _ in self?.saveAtEndOfTurn() }
  }

  /// Once for all changes of an event: by the time that the page hears that it was carried out, it is
  /// in the store, and no kill can take it away.
  private func saveAtEndOfTurn() {
    guard context.hasChanges, !isSaveScheduled else { return }
    isSaveScheduled = true
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.isSaveScheduled = false
        self?.save()
      }
    }
  }

  private func save() {
    guard context.hasChanges else { return }
    do {
      try saveContext(context)
    } catch {
      rootViewController.showToast(
        "Not saved: \(words(for: error)) The changes are still here.")
    }
  }

  package func sceneDidBecomeActive(_ scene: UIScene) {
    for text in news { rootViewController.showToast(text) }
    news = []
  }

  package func sceneDidEnterBackground(_ scene: UIScene) { save() }
  package func sceneDidDisconnect(_ scene: UIScene) { save() }
}
