import CoreData
import Foundation
import PostgreSQLServer
import Testing

/// The kinds of store that every behaviour is tried on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory = "InMemory"
  case sqlite = "SQLite"
  case binary = "Binary"
  case xml = "XML"
  /// A schema of a server that runs as long as the tests do. Its module need not be imported: linked into the
  /// tests, it registers its class.
  case postgreSQL = "PostgreSQL"
  /// A class of the tests' own that derives from `NSAtomicStore`.
  case clientAtomic = "ClientAtomic"
  /// A class of the tests' own that derives from `NSIncrementalStore`.
  case clientIncremental = "ClientIncremental"

  static let all: [StoreKind] = {
    registerClients()
    return allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isAvailable }
  }()

  /// Where a test's store is: the file that it names, or what stands for it on a server.
  func url(_ file: URL?) throws -> URL? {
    guard self == .postgreSQL, let file else { return file }
    return try PostgreSQLServer.url(insteadOf: file)
  }

  /// Those that lie in a file or in memory by this package's own means.
  static let builtIn = all.filter { !$0.isClients }

  /// Those that derive attributes.
  static let withDerivedAttributes = all.filter { $0 == .sqlite || $0 == .postgreSQL }

  /// To be called before a client's store is added.
  static func registerClients() {
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientAtomicStore.self, forStoreType: clientAtomic.rawValue)
    NSPersistentStoreCoordinator.registerStoreClass(
      ClientIncrementalStore.self, forStoreType: clientIncremental.rawValue)
  }

  /// Whether a store that is opened again has what was saved.
  var isDurable: Bool { isFile || self == .postgreSQL }

  /// Whether the URL is that of a file.
  var isFile: Bool { self == .sqlite || self == .binary || self == .xml }

  /// Whether it notes its history.
  var hasHistory: Bool { speaksSQL }

  /// Whether it gives keys without seeing objects: a client's store is asked for its references.
  var givesKeys: Bool { !isClients }

  var isClients: Bool { self == .clientAtomic || self == .clientIncremental }

  /// Whether the class itself judges predicates and sort descriptors, and answers a fetch with
  /// identities whose values are read later, one by one.
  var evaluatesItself: Bool { self == .clientIncremental }

  /// Whether this package makes the dictionaries: those of an incremental store come as its class
  /// returns them.
  var makesDictionaries: Bool { !evaluatesItself }

  /// Whether predicates are put into SQL.
  var speaksSQL: Bool { self == .sqlite || self == .postgreSQL }

  /// Whether it executes batch requests; Apple's atomic stores refuse them, as these do.
  var hasBatches: Bool { speaksSQL }

  var testDescription: String { rawValue }
}
