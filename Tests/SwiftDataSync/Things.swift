import CoreData
import SwiftData
import Testing

// A model with every kind of value.

enum Mood: String, Codable, Sendable { case calm, wild, sad }
enum Grade: Int, Codable, Sendable { case first = 10, second, third }
enum Phase: Codable, Sendable, Equatable { case new, full, old }
enum Shape: Codable, Sendable, Equatable { case round(Double), box(w: Int, h: Int), none }

struct Size: Codable, Sendable, Equatable {
  var width: Double
  var unit: String?
}

struct Place: Codable, Sendable, Equatable {
  var size: Size
  var mood: Mood
  var phase: Phase?
  var names: [String]
}

struct Blank: Codable, Sendable, Equatable {
  var text: String?
  var number: Int?
}

final class Tint: NSObject, @unchecked Sendable {
  // Sendable: constant.
  let red: UInt8

  init(_ red: UInt8) { self.red = red }

  override func isEqual(_ object: Any?) -> Bool { (object as? Tint)?.red == red }
}

final class TintTransformer: ValueTransformer, @unchecked Sendable {
  override class func transformedValueClass() -> AnyClass { Tint.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Tint).map { Data([$0.red]) } }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map { Tint($0) }
  }

  static func register() {
    ValueTransformer.setValueTransformer(
      TintTransformer(), forName: NSValueTransformerName("TintTransformer"))
  }
}

@Model
final class Thing {
  var int = 0
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var float: Float = 0
  var double = 0.0
  var flag = false
  var text = ""
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var data = Data()
  var link = URL(fileURLWithPath: "/")
  var price = Decimal(0)
  var maybeInt: Int?
  var maybeUInt64: UInt64?
  var maybeFloat: Float?
  var maybeDouble: Double?
  var maybeFlag: Bool?
  var maybeText: String?
  var maybeDate: Date?
  var maybeUUID: UUID?
  var maybeData: Data?
  @Attribute(.externalStorage) var picture: Data?
  var maybeLink: URL?
  var maybePrice: Decimal?
  var mood = Mood.calm
  var maybeMood: Mood?
  var grade = Grade.first
  var maybeGrade: Grade?
  var phase = Phase.new
  var maybePhase: Phase?
  var shape = Shape.none
  var maybeShape: Shape?
  var size = Size(width: 0)
  var maybeSize: Size?
  var place = Place(size: Size(width: 0), mood: .calm, names: [])
  var maybePlace: Place?
  var blank = Blank()
  var texts: [String] = []
  var numbers: [Int] = []
  var maybeDates: [Date]?
  var sizes: [Size] = []
  var moods: [Mood] = []
  var counts: [String: Int] = [:]
  var set: Set<Int> = []
  var parts: DateComponents?
  @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint?
  @Attribute(originalName: "former") var renamed: String?
  @Attribute(.spotlight, .allowsCloudEncryption) var secret: String?

  init() {}
}

/// A kind of property: sets the property's value by its number, and compares with it. Number 0 is nil, where there is
/// nil, or the least of the type.
struct Kind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let set: @Sendable (Thing, Int) -> Void
  let has: @Sendable (Thing, Int) -> Bool

  private init<Value: Equatable & Sendable>(
    _ name: String, _ path: ReferenceWritableKeyPath<Thing, Value> & Sendable, _ values: Value...
  ) {
    testDescription = name
    set = { $0[keyPath: path] = values[$1] }
    has = { $0[keyPath: path] == values[$1] }
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456)

  private static let first: [Kind] = [
    Kind("Int", \.int, 0, .max, .min), Kind("Int8", \.int8, 0, .max, .min),
    Kind("Int16", \.int16, 0, .max, .min), Kind("Int32", \.int32, 0, .max, .min),
    Kind("Int64", \.int64, 0, .max, .min), Kind("UInt8", \.uint8, 0, .max, 7),
    Kind("UInt16", \.uint16, 0, .max, 7), Kind("UInt32", \.uint32, 0, .max, 7),
    Kind("UInt64", \.uint64, 0, .max, 7), Kind("Float", \.float, 0, 0.1, -.infinity),
    Kind("Double", \.double, 0, 0.1, .infinity), Kind("Bool", \.flag, false, true, false),
    Kind("String", \.text, "", "Grüße 🌍\n\0end", "b"),
    Kind("Date", \.date, Date(timeIntervalSinceReferenceDate: 0), day, .distantFuture),
    Kind("UUID", \.uuid, UUID(), UUID(), UUID()),
    Kind("Data", \.data, Data(), Data([0, 255]), Data(count: 1000)),
    Kind(
      "URL", \.link, URL(fileURLWithPath: "/"), URL(string: "https://a.b/c?d=%20#e")!,
      URL(string: "mailto:x@y.z")!),
    Kind("Decimal", \.price, 0, Decimal(string: "-12345678.0625")!, 3),
    Kind("Int?", \.maybeInt, nil, 1, 0), Kind("UInt64?", \.maybeUInt64, nil, .max, 0),
    Kind("Float?", \.maybeFloat, nil, 1, 0), Kind("Double?", \.maybeDouble, nil, 0.1, 0),
    Kind("Bool?", \.maybeFlag, nil, true, false), Kind("String?", \.maybeText, nil, "a", ""),
    Kind("Date?", \.maybeDate, nil, day, .distantPast),
    Kind("UUID?", \.maybeUUID, nil, UUID(), UUID()),
    Kind("Data?", \.maybeData, nil, Data([1]), Data()),
    Kind(
      "external Data?", \.picture, nil, Data(repeating: 7, count: 300_000),
      Data(repeating: 8, count: 10)),
    Kind("URL?", \.maybeLink, nil, URL(string: "https://a.b")!, URL(fileURLWithPath: "/c")),
    Kind("Decimal?", \.maybePrice, nil, Decimal(string: "0.1")!, 0),
  ]

  private static let second: [Kind] = [
    Kind("String enumeration", \.mood, .calm, .wild, .sad),
    Kind("String enumeration?", \.maybeMood, nil, .wild, .sad),
    Kind("Int enumeration", \.grade, .first, .second, .third),
    Kind("Int enumeration?", \.maybeGrade, nil, .second, .third),
    Kind("enumeration of cases", \.phase, .new, .full, .old),
    Kind("enumeration of cases?", \.maybePhase, nil, .full, .old),
    Kind("enumeration with values", \.shape, .none, .round(0.5), .box(w: 1, h: 2)),
    Kind("enumeration with values?", \.maybeShape, nil, .round(0.5), Shape.none),
    Kind("structure", \.size, Size(width: 0), Size(width: 1, unit: "m"), Size(width: 2)),
    Kind("structure?", \.maybeSize, nil, Size(width: 1, unit: "m"), Size(width: 2)),
    Kind("structure of structures", \.place, place(0), place(1), place(2)),
    Kind("structure of structures?", \.maybePlace, nil, place(1), place(2)),
    Kind("structure of nil", \.blank, Blank(), Blank(text: "a"), Blank(number: 1)),
    Kind("[String]", \.texts, [], ["a", "ü"], ["b"]), Kind("[Int]", \.numbers, [], [1, -2], [3]),
    Kind("[Date]?", \.maybeDates, nil, [day], []),
    Kind("[structure]", \.sizes, [], [Size(width: 1)], [Size(width: 2, unit: "m")]),
    Kind("[enumeration]", \.moods, [], [.wild, .sad], [.calm]),
    Kind("dictionary", \.counts, [:], ["a": 1], ["b": 2, "c": 3]),
    Kind("set", \.set, [], [1], [2, 3]),
    Kind("DateComponents?", \.parts, nil, DateComponents(year: 2026), DateComponents(hour: 1)),
    Kind("transformable?", \.tint, nil, Tint(1), Tint(2)),
    Kind("renamed String?", \.renamed, nil, "a", "b"),
    Kind("encrypted String?", \.secret, nil, "a", "b"),
  ]

  static let all = first + second

  private static func place(_ number: Int) -> Place {
    Place(
      size: Size(width: Double(number), unit: number == 1 ? "m" : nil),
      mood: number == 1 ? .wild : .calm, phase: number == 1 ? .full : nil,
      names: (0..<number).map(String.init))
  }
}
