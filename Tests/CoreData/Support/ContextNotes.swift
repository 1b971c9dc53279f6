import CoreData
import Testing

/// The notifications that a context posts while a test does something.
final class ContextNotes: @unchecked Sendable {
  // One context's notifications come one after the other.
  private(set) var notes: [Notification] = []

  private init() {}

  /// The notifications of `name` that `context` posts during `body`.
  static func of(
    _ context: NSManagedObjectContext,
    _ name: Notification.Name = .NSManagedObjectContextObjectsDidChange,
    during body: () throws -> Void
  ) rethrows -> [Notification] {
    let log = ContextNotes()
    let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      log.notes.append($0)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
    return log.notes
  }
}

extension Notification {
  func objects(_ key: String) -> Set<NSManagedObject> {
    userInfo?[key] as? Set<NSManagedObject> ?? []
  }

  func identities(_ key: String) -> Set<NSManagedObjectID> {
    userInfo?[key] as? Set<NSManagedObjectID> ?? []
  }

  /// The keys that have something: `inserted 2, updated 1`.
  var summary: String {
    let counts = (userInfo ?? [:]).compactMap { key, value -> String? in
      let count =
        (value as? Set<NSManagedObject>)?.count ?? (value as? [Any])?.count
        ?? (value as? Set<NSManagedObjectID>)?.count ?? 0
      return count == 0 ? nil : "\(key) \(count)"
    }
    return counts.sorted().joined(separator: ", ")
  }
}
