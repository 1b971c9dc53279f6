import Foundation
import KeyValueCoding
import Testing

/// Answers keys, and a computed one.
final class Person: KeyValueCodable {
  var name: String?
  var age: Int
  var friends = NSSet()

  init(_ name: String?, _ age: Int) {
    self.name = name
    self.age = age
  }

  func value(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "age": NSNumber(value: age)
    case "friends": friends
    case "isAdult": NSNumber(value: age >= 18)
    default: value(forUndefinedKey: key)
    }
  }

  func setValue(_ value: Any?, forKey key: String) {
    switch key {
    case "name": name = value as? String
    case "age": age = (value as? NSNumber)?.intValue ?? 0
    default: setValue(value, forUndefinedKey: key)
    }
  }

  func value(forUndefinedKey key: String) -> Any? { "no \(key)" }
}

private struct Place {
  var city = "Turin"; var zip: Int? = nil; var owner: Person? = Person("Ada", 36);
  var label: String { city }
}

private class Animal { let legs = 4 }

private final class Dog: Animal { let sound = "wau" }

@Suite struct KeyedValueTests {
  private func value(_ object: Any?, _ path: String) throws -> Any? {
    try ValuePath(path).value(of: object)
  }

  @Test func conformingObjectsAnswerTheirKeys() throws {
    let ada = Person("Ada", 36)
    #expect(try value(ada, "name") as? String == "Ada")
    #expect(try value(ada, "isAdult") as? Bool == true)
    #expect(try value(ada, "other") as? String == "no other")
    #expect(ada.value(forKeyPath: "name.length") as? Int == 3)
  }

  @Test func nilAndNullAnswerForEveryKey() throws {
    #expect(try value(nil, "a.b") == nil)
    #expect(try value(NSNull(), "a.b") is NSNull)
    #expect(try value(Person(nil, 1), "name.length") == nil)
  }

  @Test func dictionariesOfBothKindsAnswer() throws {
    #expect(try value(["a": ["b": 1]], "a.b") as? Int == 1)
    #expect(try value(["a": 1] as NSDictionary, "a") as? Int == 1)
    #expect(try value(["a": 1], "missing") == nil)
    #expect((["a": ["b": 1]] as NSDictionary).value(forKeyPath: "a.b") as? Int == 1)
  }

  @Test func collectionsAnswerWithTheirElementsValues() throws {
    let people = [Person("Ada", 36), Person(nil, 7)]
    #expect((try value(people, "age") as? [Int]) == [36, 7])
    #expect((try value(people, "name") as? [Any])?.last is NSNull)
    #expect((try value(NSSet(array: people), "name") as? Set<String>) == ["Ada"])
    #expect(
      (try value(NSOrderedSet(array: people), "age") as? NSOrderedSet)?.array as? [Int] == [36, 7])
    #expect((people as NSArray).value(forKey: "age") as? [Int] == [36, 7])
  }

  @Test func reflectionReadsStoredProperties() throws {
    #expect(try value(Place(), "city") as? String == "Turin")
    #expect(try value(Place(), "zip") == nil)
    #expect(try value(Place(), "owner.age") as? Int == 36)
    #expect(try value(Dog(), "sound") as? String == "wau")
    #expect(try value(Dog(), "legs") as? Int == 4)
  }

  @Test func reflectionSaysWhatItCannotRead() {
    let error = #expect(throws: KeyValueCodingError.self) { _ = try value(Place(), "label") }
    #expect(
      error?.description.contains("not key value coding-compliant for the key label.") == true)
    #expect(error?.description.contains("KeyValueCodable") == true)
    let unknown = #expect(throws: KeyValueCodingError.self) { _ = try value(Dog(), "wings") }
    #expect(unknown?.description.hasPrefix("[<Dog 0x") == true)
  }

  @Test func foundationsValuesAnswerTheirUsualKeys() throws {
    #expect(try value("Ada", "length") as? Int == 3)
    #expect(try value("Ada", "uppercaseString") as? String == "ADA")
    #expect(try value(5, "stringValue") as? String == "5")
    #expect(try value(5, "self") as? Int == 5)
    #expect(try value(URL(string: "http://a.b/c"), "host") as? String == "a.b")
    #expect(
      try value(Date(timeIntervalSinceReferenceDate: 9), "timeIntervalSinceReferenceDate")
        as? Double == 9)
    #expect(try value(Data([1, 2]), "length") as? Int == 2)
  }

  @Test(arguments: ["", "a.", ".a", "a..b", "a.@nonsense.b"]) func malformedPathsThrow(
    _ path: String
  ) {
    #expect(throws: KeyValueCodingError.self) { _ = try ValuePath(path) }
  }

  @Test func valuesAreSetThroughPaths() throws {
    let ada = Person("Ada", 36)
    let owner: NSMutableDictionary = ["person": ada, "people": [ada, Person("Bo", 7)]]
    owner.setValue("Eva", forKeyPath: "person.name")
    #expect(ada.name == "Eva")
    owner.setValue(1, forKeyPath: "people.age")
    #expect(ada.age == 1)
    owner.setValue(5, forKey: "count")
    #expect(owner.value(forKey: "count") as? Int == 5)
    owner.setValue(nil, forKey: "count")
    #expect(owner.value(forKey: "count") == nil)
    owner.setValue("x", forKeyPath: "nobody.name")
  }

  @Test func whatCannotBeSetThrows() {
    #expect(throws: KeyValueCodingError.self) {
      try ValuePath("city").setValue("Rome", of: Place())
    }
    #expect(throws: KeyValueCodingError.self) { try ValuePath("@count").setValue(1, of: [1]) }
  }

  @Test func severalKeysAreReadAndSetAtOnce() {
    let person = Person(nil, 3)
    #expect(person.dictionaryWithValues(forKeys: ["name", "age"])["name"] is NSNull)
    person.setValuesForKeys(["name": "Cy", "age": 5])
    #expect(person.name == "Cy" && person.age == 5)
    person.setValuesForKeys(["name": NSNull()])
    #expect(person.name == nil)
  }
}
