import CoreData

/// An edit, as a device tells it: `begin 17 star anna-3`, `done 17`.
enum Edit {
  /// A note with a code of its own.
  case add(code: String, folder: String)
  /// A text that nobody else writes.
  case write(code: String, text: String)
  /// One star more.
  case star(code: String)
  case move(code: String, folder: String)
  case tag(code: String, name: String)
  case delete(code: String)

  var words: String {
    switch self {
    case .add(let code, let folder): "add \(code) \(folder)"
    case .write(let code, let text): "write \(code) \(text)"
    case .star(let code): "star \(code)"
    case .move(let code, let folder): "move \(code) \(folder)"
    case .tag(let code, let name): "tag \(code) \(name)"
    case .delete(let code): "delete \(code)"
    }
  }
}

/// Somebody who edits a store at random.
///
/// Sendable: one task at a time has it.
struct Editor: @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let name: String
  private var next: Int

  init(_ container: NSPersistentContainer, name: String, next: Int) {
    context = container.newBackgroundContext()
    (self.name, self.next) = (name, next)
  }

  /// Makes an edit, saves it, and tells both. A conflict with what the engine saves meanwhile is
  /// told too, as `conflict` with the number, and nothing of that edit is kept.
  mutating func edit() throws {
    let number = next
    next += 1
    try context.performAndWait {
      context.reset()
      let edit = try choose(number)
      SyncDevice.tell("begin \(number) \(edit.words)")
      do {
        try make(edit)
        try context.save()
        SyncDevice.tell("done \(number)")
      } catch let error as CocoaError where Self.conflicts.contains(error.code) {
        context.rollback()
        SyncDevice.tell("conflict \(number)")
      }
    }
  }

  private static let conflicts: [CocoaError.Code] = [
    .managedObjectMerge, .managedObjectConstraintMerge,
  ]

  private func choose(_ number: Int) throws -> Edit {
    let folder = "folder\(Int.random(in: 1...4))"
    let code = "\(name)-\(number)"
    let codes = try all("Note").compactMap { $0.value(forKey: "code") as? String }
    guard let other = codes.randomElement(), number % 4 != 0 else {
      return .add(code: code, folder: folder)
    }
    return switch Int.random(in: 0..<12) {
    case 0..<4: .star(code: other)
    case 4..<7: .write(code: other, text: "text-\(code)")
    case 7..<9: .move(code: other, folder: folder)
    case 9..<11: .tag(code: other, name: "tag\(Int.random(in: 1...6))")
    default: .delete(code: other)
    }
  }

  private func make(_ edit: Edit) throws {
    switch edit {
    case .add(let code, let folder):
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(code, forKey: "code")
      note.setValue(try named("Folder", folder), forKey: "folder")
    case .write(let code, let text): try note(code)?.setValue(text, forKey: "text")
    case .star(let code):
      guard let note = try note(code) else { return }
      note.setValue((note.value(forKey: "stars") as? Int ?? 0) + 1, forKey: "stars")
    case .move(let code, let folder):
      try note(code)?.setValue(named("Folder", folder), forKey: "folder")
    case .tag(let code, let name):
      try note(code)?.mutableSetValue(forKey: "tags").add(named("Tag", name))
    case .delete(let code): try note(code).map(context.delete)
    }
  }

  // MARK: - Objects

  private func all(_ entity: String) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  private func note(_ code: String) throws -> NSManagedObject? {
    try find("Note", where: "code", is: code)
  }

  private func named(_ entity: String, _ name: String) throws -> NSManagedObject {
    if let found = try find(entity, where: "name", is: name) { return found }
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    return object
  }

  private func find(_ entity: String, where key: String, is value: String) throws
    -> NSManagedObject?
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", key, value)
    return try context.fetch(request).first
  }
}
