import CoreData
import Foundation
import Testing

/// The kinds of stores that the conformance suite runs over: those that are built in.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory = "InMemory"
  case sqlite = "SQLite"

  static var all: [StoreKind] {
    let registered = NSPersistentStoreCoordinator.registeredStoreTypes
    return allCases.filter { registered[$0.rawValue] != nil }
  }

  /// Whether a store that is opened again has what was saved.
  var isDurable: Bool { self == .sqlite }

  var testDescription: String { rawValue }
}
