import CoreData

/// Saves with numbers from 1, each of which follows from its number: so what the store has to have after the
/// n-th is known without anybody telling. The number itself is in the store, written by the same save.
///
/// Prints the number of a save when it has returned.
struct NumberedSaves {
  static let photoSize = 150_000

  private let context: NSManagedObjectContext

  init(_ coordinator: NSPersistentStoreCoordinator) {
    context = WriterModel.context(coordinator, author: "saves")
  }

  /// Until the process is killed.
  func run() throws {
    let counter = try context.performAndWait { try ObjectBox(makeCounter()) }
    StoreWriter.tell("ready")
    while true {
      let number = try context.performAndWait { try save(counter.object) }
      StoreWriter.tell("\(number)")
    }
  }

  private func makeCounter() throws -> NSManagedObject {
    if let found = try context.all("Counter", sortedBy: "number").first { return found }
    let counter = context.insert("Counter", [:])
    try context.save()
    return counter
  }

  private func save(_ counter: NSManagedObject) throws -> Int {
    let number = (counter.value(forKey: "shared") as? Int ?? 0) + 1
    counter.setValue(number, forKey: "shared")
    let note = context.insert("Note", ["code": "\(number)", "text": Self.newText(number)])
    if let photo = Self.photo(number) { note.setValue(photo, forKey: "photo") }
    if let code = Self.updated(by: number) {
      try context.note(code)?.setValue(Self.changedText(number), forKey: "text")
    }
    if let code = Self.deleted(by: number), let note = try context.note(code) {
      context.delete(note)
    }
    try context.save()
    return number
  }

  // MARK: - What a save does

  private static func newText(_ number: Int) -> String { "new by \(number)" }
  private static func changedText(_ number: Int) -> String { "changed by \(number)" }

  static func photo(_ number: Int) -> Data? {
    number % 4 == 0 ? Data(repeating: UInt8(truncatingIfNeeded: number), count: photoSize) : nil
  }

  private static func updated(by number: Int) -> String? {
    number % 3 == 0 ? "\(number - 1)" : nil
  }

  private static func deleted(by number: Int) -> String? {
    number % 5 == 0 ? "\(number - 3)" : nil
  }

  /// The texts of the notes by code, after the save with this number.
  static func expected(after last: Int) -> [String: String] {
    var notes: [String: String] = [:]
    for number in 1..<max(last + 1, 1) {
      notes["\(number)"] = newText(number)
      if let code = updated(by: number) { notes[code] = changedText(number) }
      if let code = deleted(by: number) { notes[code] = nil }
    }
    return notes
  }
}

/// An object on its way between blocks of its context's queue.
///
/// Sendable: used by one block after the other.
struct ObjectBox: @unchecked Sendable {
  let object: NSManagedObject

  init(_ object: NSManagedObject) { self.object = object }
}
