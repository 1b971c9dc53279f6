import CoreData
import Foundation
import Testing

/// Carries an object between two uses of one context's queue.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

enum Notifications {
  /// Saves, and returns the DidSave notification.
  static func ofSave(_ context: NSManagedObjectContext) throws -> Notification {
    let box = Box()
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { box.note = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.save()
    return try #require(box.note)
  }

  private final class Box: @unchecked Sendable {
    var note: Notification?
  }
}
