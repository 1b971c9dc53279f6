import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One window: a context of its own, what the window shows of it, and the moments to save it.
@MainActor
package final class SavingScene: UISceneDelegate {
  package let rootViewController: UIViewController
  private let context: NSManagedObjectContext
  private var idleSave: DispatchWorkItem?
  private var changes: (any NSObjectProtocol)?

  /// The time without a change after which the changes are saved.
  private static let idleTime = DispatchTimeInterval.milliseconds(400)

  package init(
    context: NSManagedObjectContext, rootViewController: UIViewController,
    savesWhenIdle: Bool = true
  ) {
    self.context = context
    self.rootViewController = rootViewController
    if savesWhenIdle { observeChanges() }
  }

  private func observeChanges() {
    changes = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { [weak self] _ in
      MainActor.assumeIsolated { self?.saveWhenIdle() }
    }
  }

  private func saveWhenIdle() {
    idleSave?.cancel()
    guard context.hasChanges else { return }
    let work = DispatchWorkItem { [weak self] in
      MainActor.assumeIsolated { self?.save() }
    }
    idleSave = work
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.idleTime, execute: work)
  }

  private func save() {
    idleSave?.cancel()
    guard context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      rootViewController.showToast(
        "Not saved: \((error as NSError).localizedDescription) The changes are still here.")
    }
  }

  package func sceneDidEnterBackground(_ scene: UIScene) { save() }
  package func sceneDidDisconnect(_ scene: UIScene) { save() }

  isolated deinit {
    if let changes { NotificationCenter.default.removeObserver(changes) }
  }
}
