import CoreData
import Foundation
import Testing

/// The models of five of the applications.
enum ApplicationModels {
  static let names = ["NestedLists", "Goods", "Books", "Heroes", "Employees"]

  static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func model(_ name: String) throws -> NSManagedObjectModel {
    let examples = fixtures.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Examples/\(name)")
    let places = [fixtures, examples].map { $0.appendingPathComponent("\(name).xcdatamodeld") }
    let url = places.first { FileManager.default.fileExists(atPath: $0.path) }
    return try NSManagedObjectModel(contentsOfModelAt: #require(url, "no model named \(name)"))
  }
}
