import CoreData
import Foundation
import Testing

/// The kinds of store that every behaviour is tried on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory = "InMemory"
  case sqlite = "SQLite"
  case binary = "Binary"
  case xml = "XML"
  /// A class of the tests' own that derives from `NSAtomicStore`.
  case clientAtomic = "ClientAtomic"
  /// A class of the tests' own that derives from `NSIncrementalStore`.
  case clientIncremental = "ClientIncremental"

  static let all: [StoreKind] = {
    registerClients()
    return allCases
  }()

  /// Those that lie in a file or in memory by this package's own means.
  static let builtIn = all.filter { !$0.isClients }

  /// To be called before a client's store is added.
  static func registerClients() {
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientAtomicStore.self, forStoreType: clientAtomic.rawValue)
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientIncrementalStore.self, forStoreType: clientIncremental.rawValue)
  }

  /// Whether a store that is opened again has what was saved.
  var isDurable: Bool { self == .sqlite || self == .binary || self == .xml }

  /// Whether it gives keys without seeing objects: a client's store is asked for its references.
  var givesKeys: Bool { !isClients }

  var isClients: Bool { self == .clientAtomic || self == .clientIncremental }

  /// Whether the class itself judges predicates and sort descriptors, and answers a fetch with
  /// identities whose values are read later, one by one.
  var evaluatesItself: Bool { self == .clientIncremental }

  /// Whether this package makes the dictionaries: those of an incremental store come as its class
  /// returns them.
  var makesDictionaries: Bool { !evaluatesItself }

  /// Whether it executes batch requests; Apple's atomic stores refuse them, as these do.
  var hasBatches: Bool { self == .sqlite }

  var testDescription: String { rawValue }
}
