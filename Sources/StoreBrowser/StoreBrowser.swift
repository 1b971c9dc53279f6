import CoreData
import ListApplication
import ListKit
import ListWeb
import StoreTool

/// Any store as an application, in a browser and in a terminal: `coredata browse`.
///
///     EntitiesViewController          the entities, with their counts
///       ObjectsViewController         objects of one: all, found ones, or the members of a relationship
///         ObjectViewController        one object: its values, and where its relationships lead
@MainActor
package struct StoreBrowser {
  private let subject: BrowsedStore

  /// - Parameters:
  ///   - isEditing: whether values can be changed; the store must be open for writing.
  ///   - makesBackup: of the store, before it is changed first.
  package init(_ store: OpenedStore, isEditing: Bool, makesBackup: Bool) {
    subject = BrowsedStore(store, isEditing: isEditing, makesBackup: makesBackup)
  }

  /// How long a save on the main queue waits for somebody who has locked a file, in seconds.
  package nonisolated static var mainQueueTimeout: TimeInterval { StoreLock.mainQueueTimeout }

  /// What cannot be followed of what others write.
  package var warnings: [String] { subject.warnings }

  /// Runs until the server or the terminal ends.
  package func run(_ options: WindowOptions) async throws {
    let host = WindowHost(
      title: subject.name, options: options, makeKey: { AccessKey() }, makeWindow: makeWindow)
    try await host.run()
  }

  /// The scene's delegate lives as long as its window.
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
