import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Texts are written where they lie in memory, which is one of several places: every form of a string, by every way of
/// writing one, is in the file with the bytes that it has.
@Suite struct TextFormTests {
  private static let forms: [String] = {
    let long = "a text that is too long to be kept in place"
    return [
      "", "a", "fifteen bytes !", "sixteen bytes !!", "é", "e\u{301}", "äöüßäöü", "äöüßäöüß", "🇫🇷",
      "\0", "a\0b",
      "\(long)\0\(long)", long, "\(long), with é", String(repeating: long, count: 500),
      String("x\(long)".dropFirst()), String(Substring("ab").suffix(1)),
      NSString(string: long) as String,
      NSString(string: "bridged é") as String, NSMutableString(string: "changeable") as String,
      String(decoding: Array(long.utf8), as: UTF8.self), long + "!", long.uppercased(),
      String(describing: 1.5), String(long.reversed()),
    ]
  }()

  enum Way: CaseIterable {
    case insertion, update, arrayOfDictionaries, dictionaryHandler, objectHandler, batchUpdate
  }

  private static func stack() throws -> TestStack {
    let row = NSEntityDescription()
    row.name = "Row"
    row.properties = [
      ModelPart.attribute("number", .integer64AttributeType),
      ModelPart.attribute("text"),
    ]
    let model = NSManagedObjectModel()
    model.entities = [row]
    return try TestStack(.sqlite, model: model)
  }

  @Test(arguments: Way.allCases)
  func everyFormIsWrittenAsItIs(way: Way) throws {
    let stack = try Self.stack()
    try stack.withContext { context in
      func insert(_ text: (Int) -> String?) throws {
        for number in Self.forms.indices {
          let object = context.insert("Row", ["number": number])
          object.setValue(text(number), forKey: "text")
        }
        try context.save()
      }
      var next = 0
      switch way {
      case .insertion: try insert { Self.forms[$0] }
      case .update:
        try insert { _ in "before" }
        for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Row")) {
          object.setValue(
            Self.forms[try #require(object.value(forKey: "number") as? Int)], forKey: "text")
        }
        try context.save()
      case .arrayOfDictionaries:
        let rows = Self.forms.enumerated().map { ["number": $0, "text": $1] as [String: Any] }
        _ = try context.execute(NSBatchInsertRequest(entityName: "Row", objects: rows))
      case .dictionaryHandler:
        _ = try context.execute(
          NSBatchInsertRequest(
            entityName: "Row",
            dictionaryHandler: { row in
              guard next < Self.forms.count else { return true }
              row["number"] = next
              row["text"] = Self.forms[next]
              next += 1
              return false
            }))
      case .objectHandler:
        _ = try context.execute(
          NSBatchInsertRequest(
            entityName: "Row",
            managedObjectHandler: { object in
              guard next < Self.forms.count else { return true }
              object.setValue(next, forKey: "number")
              object.setValue(Self.forms[next], forKey: "text")
              next += 1
              return false
            }))
      case .batchUpdate:
        try insert { _ in nil }
        for (number, text) in Self.forms.enumerated() {
          let request = NSBatchUpdateRequest(entityName: "Row")
          request.predicate = NSPredicate(format: "number == %@", number)
          request.propertiesToUpdate = ["text": text]
          _ = try context.execute(request)
        }
      }
    }
    let url = try #require(stack.coordinator.persistentStores.first?.url)
    let stored = try PlainSQL(url: url).rows(
      "SELECT typeof(ZTEXT) || ' ' || hex(ZTEXT) FROM ZROW ORDER BY ZNUMBER")
    let expected = Self.forms.map { text in
      "text " + text.utf8.map { String(format: "%02X", $0) }.joined()
    }
    #expect(stored == expected)
  }
}
