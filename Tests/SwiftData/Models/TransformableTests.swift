import SwiftData
import Testing

// Transformers as they are written for Apple's SwiftData, which Foundation has there: nothing else is imported.

final class Shade: NSObject, @unchecked Sendable {
  let red: Int

  init(red: Int) { self.red = red }
}

final class ShadeTransformer: ValueTransformer, @unchecked Sendable {
  static let name = NSValueTransformerName(rawValue: String(describing: ShadeTransformer.self))

  override class func transformedValueClass() -> AnyClass { Shade.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Shade).map { Data([UInt8($0.red)]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map { Shade(red: Int($0)) }
  }

  static func register() {
    ValueTransformer.setValueTransformer(ShadeTransformer(), forName: name)
  }
}

final class DatesTransformer: NSSecureUnarchiveFromDataTransformer, @unchecked Sendable {
  override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSDate.self] }

  static func register() {
    ValueTransformer.setValueTransformer(
      DatesTransformer(), forName: NSValueTransformerName("DatesTransformer"))
  }
}

@Model
final class Wall {
  @Attribute(.transformable(by: ShadeTransformer.self)) var shade: Shade?
  @Attribute(.transformable(by: "ShadeTransformer")) var trim: Shade
  @Attribute(.transformable(by: DatesTransformer.self)) var painted: [Date] = []

  init(_ shade: Shade) {
    self.shade = shade
    trim = shade
  }
}

struct TransformableTests {
  @Test func transformersAreFoundByTypeAndByName() throws {
    ShadeTransformer.register()
    DatesTransformer.register()
    try LibraryStore.withFile { url in
      func open() throws -> ModelContext {
        ModelContext(try ModelContainer(for: Wall.self, configurations: .init(url: url)))
      }
      let context = try open()
      let wall = Wall(Shade(red: 7))
      wall.painted = [Date(timeIntervalSinceReferenceDate: 5)]
      context.insert(wall)
      try context.save()
      wall.shade = nil
      try context.save()
      let found = try #require(try open().fetch(FetchDescriptor<Wall>()).first)
      #expect(found.shade == nil && found.trim.red == 7)
      #expect(found.painted == [Date(timeIntervalSinceReferenceDate: 5)])
    }
  }
}
