import CoreData
import ListApplication
import ListKit
import ListWeb
import StoreTool

/// An application for any store, in a browser or in a terminal: `coredata browse`.
///
///     EntitiesViewController          the entities, with their counts
///       ObjectsViewController         objects: all of an entity, those found, or members
///         ObjectViewController        one object: its values, and where its relationships lead
@MainActor
package struct StoreBrowser {
  private let subject: BrowsedStore

  /// Makes an application for a store.
  ///
  /// - Parameters:
  ///   - store: the store, which must be open for writing if `isEditing` is set.
  ///   - isEditing: whether values can be changed.
  ///   - makesBackup: whether the store is copied before its first change.
  package init(_ store: OpenedStore, isEditing: Bool, makesBackup: Bool) {
    subject = BrowsedStore(store, isEditing: isEditing, makesBackup: makesBackup)
  }

  /// The time that a save on the main queue waits for the lock of another process, in seconds.
  package nonisolated static var mainQueueTimeout: TimeInterval { StoreLock.mainQueueTimeout }

  /// Changes of other processes that cannot be followed, as texts for the user.
  package var warnings: [String] { subject.warnings }

  /// Runs until the server or the terminal ends.
  package func run(_ options: WindowOptions) async throws {
    let host = WindowHost(
      title: subject.name, options: options, makeKey: { _ in AccessKey() }, makeWindow: makeWindow)
    try await host.run()
  }

  /// Makes a window with its own context. The scene retains its delegate, which therefore lives as
  /// long as the window.
  package func makeWindow(_ scene: UIWindowScene) throws -> UIWindow {
    let context = subject.makeContext()
    let root = UINavigationController(
      rootViewController: EntitiesViewController(subject, context: context))
    scene.delegate = SavingScene(
      scene, context: context, rootViewController: root, save: { try subject.edits?.save($0) })
    let window = UIWindow(windowScene: scene)
    window.rootViewController = root
    return window
  }
}
