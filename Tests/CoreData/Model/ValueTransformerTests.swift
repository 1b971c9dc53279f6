import Foundation
import Testing

@testable import CoreData

struct ValueTransformerTests {
  private final class Reversing: ValueTransformer, @unchecked Sendable {
    override func transformedValue(_ value: Any?) -> Any? {
      (value as? String).map { String($0.reversed()) }
    }
  }

  @Test func aRegisteredTransformerIsFoundByName() throws {
    let name = NSValueTransformerName("ValueTransformerTests.Reversing")
    ValueTransformer.setValueTransformer(Reversing(), forName: name)
    let transformer = try #require(ValueTransformer(forName: name))
    #expect(transformer.transformedValue("abc") as? String == "cba")
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
  }

  @Test func theStandardTransformersExist() throws {
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(negate.transformedValue(true) as? Bool == false)
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    #expect(isNil.transformedValue(nil) as? Bool == true)
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(isNotNil.transformedValue(nil) as? Bool == false)
  }

  @Test func theSecureTransformerArchivesAndBack() throws {
    let transformer = try #require(
      ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
    let data = try #require(transformer.reverseTransformedValue(["a", "b"] as NSArray) as? Data)
    #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    #expect(transformer.transformedValue(Data("no archive".utf8)) == nil)
  }
}
