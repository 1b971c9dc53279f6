import CoreData
import ListApplication
import ListKit
import StoreTool

/// The store that all windows show, with the permission to change it.
@MainActor
final class BrowsedStore {
  let store: OpenedStore
  /// The session that saves changes; nil if nothing may be changed.
  let edits: EditSession?
  private let stack: PersistentStack
  /// Follows the saves of other processes; nil for a store that is read into memory as a whole.
  private let follower: StoreFollower?
  let warnings: [String]

  var name: String { store.url.lastPathComponent }

  /// The model's entities, ordered by name.
  let entities: [NSEntityDescription]

  init(_ store: OpenedStore, isEditing: Bool, makesBackup: Bool) {
    self.store = store
    edits =
      isEditing ? EditSession(store, title: "browse", makesBackup: makesBackup) : nil
    stack = PersistentStack(
      store.coordinator, name: store.url.lastPathComponent,
      timeout: TimeInterval(OpenedStore.timeout))
    do {
      follower = try StoreFollower(store)
      warnings = follower?.warnings ?? []
    } catch {
      follower = nil
      warnings =
        store.format.isFile && store.format != .sqlite
        ? [] : ["What others write is not followed: \(ToolError(error))"]
    }
    entities = store.model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// Makes a context for one window.
  func makeContext() -> NSManagedObjectContext {
    let context = stack.makeContext()
    context.transactionAuthor = OpenedStore.author
    // The other policies would overwrite or delete an object with equal unique values.
    context.mergePolicy = NSMergePolicy.error
    if edits == nil { context.undoManager = nil }
    follower?.add(context) { [weak context] in
      NotificationCenter.default.post(name: .contextDidFollowOthers, object: context)
    }
    return context
  }

  /// Runs `body`, which saves. If another program has locked the store, `body` runs again when the
  /// lock is released; the answer to the user's event waits for it.
  ///
  /// - Parameter failed: called with any other error of `body`.
  func saving(
    on controller: UIViewController, _ body: @escaping @MainActor () throws -> Void,
    failed: @escaping @MainActor (any Error) -> Void
  ) {
    do { try body() } catch  where StoreLock.isCause(of: error) {
      controller.view.window?.windowScene?.pendingWork = Task {
        do { try await stack.lock.waiting(body) } catch { failed(error) }
      }
    } catch {
      failed(error)
    }
  }

  /// The number of objects of each entity, subentities included, by entity name. Counted on a
  /// private queue.
  func counts() async throws -> [String: Int] {
    let context = store.makeContext()
    let names = entities.compactMap(\.name)
    return try await context.perform {
      try names.reduce(into: [:]) { counts, name in
        counts[name] = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
      }
    }
  }

  /// The object of an identifier in an address, such as `Book.p7`; nil if it does not exist, or no
  /// longer.
  func object(_ identifier: String, in context: NSManagedObjectContext) -> NSManagedObject? {
    // Not an error: an address may contain anything.
    try? store.object(identifier.replacing(".", with: "/"), in: context)
  }
}

extension NSManagedObject {
  /// The object's identifier in an address; nil for an object that is not saved yet.
  var addressName: String? {
    objectID.isTemporaryID ? nil : CellText.name(of: objectID).replacing("/", with: ".")
  }
}
