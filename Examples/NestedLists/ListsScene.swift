import CoreData

#if canImport(UIKit)
  import UIKit
#else
  import ListKit
#endif

/// One window on the lists: a context of its own, and the moments to save it.
@MainActor
final class ListsScene: UISceneDelegate {
  private let context: NSManagedObjectContext
  private let rootItem: Item
  private(set) lazy var navigationController = UINavigationController(
    rootViewController: ItemViewController(parentItem: rootItem, context: context))
  private var idleSave: DispatchWorkItem?
  private var changes: (any NSObjectProtocol)?

  /// The time without a change after which the changes are saved.
  private static let idleTime = DispatchTimeInterval.milliseconds(400)

  init(stack: PersistentStack) throws {
    context = stack.makeContext()
    rootItem = try Store(managedObjectContext: context).rootItem()
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
      navigationController.topViewController?.showToast(
        "Not saved: \((error as NSError).localizedDescription) The changes are still here.")
    }
  }

  func sceneDidEnterBackground(_ scene: UIScene) { save() }
  func sceneDidDisconnect(_ scene: UIScene) { save() }

  isolated deinit {
    if let changes { NotificationCenter.default.removeObserver(changes) }
  }
}
