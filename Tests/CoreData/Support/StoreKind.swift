import CoreData
import Foundation
import Testing

/// The kinds of store that every behaviour is tried on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory = "InMemory"
  case sqlite = "SQLite"

  static let all = allCases

  /// Whether a store that is opened again has what was saved.
  var isDurable: Bool { self == .sqlite }

  var testDescription: String { rawValue }
}
