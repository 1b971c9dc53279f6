import Foundation
import KeyValueCoding
import Testing

@Suite struct CollectionOperatorTests {
  private let orders: [[String: Any]] = [
    ["price": 3, "tags": ["a", "b"], "set": Set(["a"])],
    ["price": 1.5, "tags": ["b"], "set": Set(["a", "b"])],
    ["price": 3, "tags": [String](), "set": Set<String>()],
    ["tags": ["c"], "set": Set(["c"])],
  ]

  private func value(_ path: String) -> Any? { (orders as NSArray).value(forKeyPath: path) }

  @Test func numbersAreCombinedWithoutNil() {
    #expect(value("@count") as? Int == 4)
    #expect(value("@sum.price") as? Double == 7.5)
    #expect(value("@avg.price") as? Double == 2.5)
    #expect(value("@min.price") as? Double == 1.5)
    #expect(value("@max.price") as? Int == 3)
  }

  @Test func objectsAreUnitedInOrder() {
    #expect((value("@unionOfObjects.price") as? [Any])?.count == 3)
    #expect((value("@distinctUnionOfObjects.price") as? [Any])?.count == 2)
    #expect(value("@unionOfArrays.tags") as? [String] == ["a", "b", "b", "c"])
    #expect(value("@distinctUnionOfArrays.tags") as? [String] == ["a", "b", "c"])
    #expect(value("@distinctUnionOfSets.set") as? Set<String> == ["a", "b", "c"])
  }

  @Test func emptyCollectionsHaveTheirOwnAnswers() throws {
    let none = NSArray()
    #expect(none.value(forKeyPath: "@count") as? Int == 0)
    #expect(none.value(forKeyPath: "@sum.price") as? Int == 0)
    #expect(none.value(forKeyPath: "@avg.price") as? Int == 0)
    #expect(none.value(forKeyPath: "@max.price") == nil)
    #expect(try ValuePath("a.@count").value(of: ["b": 1]) == nil)
  }

  @Test func decimalsAndWholeNumbersStayExact() throws {
    let decimals = try (0..<10).map { _ in try #require(Decimal(string: "0.1")) }
    #expect(try ValuePath("@sum.self").value(of: decimals) as? Decimal == 1)
    #expect(try ValuePath("@sum.self").value(of: [Int64.max - 1, 1]) as? Int64 == Int64.max)
  }

  @Test func whatIsNoNumberOrNoCollectionThrows() {
    #expect(throws: KeyValueCodingError.self) { _ = try ValuePath("@sum.self").value(of: ["x"]) }
    #expect(throws: KeyValueCodingError.self) {
      _ = try ValuePath("@max.self").value(of: ["x", 1])
    }
    #expect(throws: KeyValueCodingError.self) {
      _ = try ValuePath("@unionOfArrays.self").value(of: [1])
    }
    #expect(throws: KeyValueCodingError.self) { _ = try ValuePath("a.@count").value(of: ["a": 1]) }
  }
}
