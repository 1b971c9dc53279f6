import Foundation
import KeyValueCoding
import Testing

@Suite struct ElementCollectionTests {
  @Test func everyKindOfCollectionShowsItsElements() throws {
    let collections: [(Any, ElementCollection.Kind)] = [
      ([1, 2], .array), ([1, 2] as NSArray, .array), (Set([1, 2]), .set),
      (NSSet(array: [1, 2]), .set),
      (NSOrderedSet(array: [1, 2]), .orderedSet), (["a": 1, "b": 2], .dictionary),
      ([1: 1, 2: 2], .dictionary), (["a": 1, "b": 2] as NSDictionary, .dictionary),
    ]
    for (value, kind) in collections {
      let collection = try #require(ElementCollection(value))
      #expect(collection.kind == kind && collection.count == 2)
      #expect(Set(collection.elements.map { TypedValue($0) }) == [.integer(1), .integer(2)])
    }
  }

  @Test func otherValuesAreNoCollections() {
    for value in ["text", 1, Date(), NSObject(), NSString(), Data([1])] as [Any] {
      #expect(ElementCollection(value) == nil)
    }
  }

  @Test func dictionariesAnswerKeysOfAnyType() {
    #expect(ElementCollection(["a": 1])?.value(forKey: "a") as? Int == 1)
    #expect(ElementCollection([7: 1])?.value(forKey: 7) as? Int == 1)
    #expect(ElementCollection(["a": 1] as NSDictionary)?.value(forKey: "a") as? Int == 1)
    #expect(ElementCollection([1])?.value(forKey: "a") == nil)
  }
}
