import CoreData
import ListApplication
import ListKit
import StoreTool

/// The store that all windows show, and what may be done to it.
@MainActor
final class BrowsedStore {
  let store: OpenedStore
  /// Nil when nothing may be changed.
  let edits: EditSession?
  private let stack: PersistentStack
  /// What other processes save; nil for a store that is read whole, once.
  private let follower: StoreFollower?
  let warnings: [String]

  var name: String { store.url.lastPathComponent }

  /// In the order of their names.
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

  /// A window's own.
  func makeContext() -> NSManagedObjectContext {
    let context = stack.makeContext()
    context.transactionAuthor = OpenedStore.author
    // The others would let an object with the same unique values go.
    context.mergePolicy = NSMergePolicy.error
    if edits == nil { context.undoManager = nil }
    follower?.add(context) { [weak context] in
      NotificationCenter.default.post(name: .contextDidFollowOthers, object: context)
    }
    return context
  }

  /// Runs `body`, which saves: at once, or when another program that is writing to the store has ended. The answer to
  /// what the user did waits for it.
  ///
  /// - Parameter failed: takes what `body` throws otherwise.
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

  /// How many objects each entity has, those of its subentities among them. Counted on a queue of its own.
  func counts() async throws -> [String: Int] {
    let context = store.makeContext()
    let names = entities.compactMap(\.name)
    return try await context.perform {
      try names.reduce(into: [:]) { counts, name in
        counts[name] = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
      }
    }
  }

  /// The object of a name in an address, such as `Book.p7`; nil when there is none, or no longer.
  func object(_ identifier: String, in context: NSManagedObjectContext) -> NSManagedObject? {
    // An address may name anything.
    try? store.object(identifier.replacing(".", with: "/"), in: context)
  }
}

extension NSManagedObject {
  /// Its name in an address; nil for an object that is not saved yet.
  var addressName: String? {
    objectID.isTemporaryID ? nil : CellText.name(of: objectID).replacing("/", with: ".")
  }
}
