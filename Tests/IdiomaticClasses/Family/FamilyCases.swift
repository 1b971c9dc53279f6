// swift-format-ignore-file
// Written by FamilySource.swift. Do not edit.

import CoreData
import Foundation

/// An attribute of a generated class: its property has this type, and nil reads as said.
struct FamilyCase {
  let name: String
  let hasValue: (Family.Whole) -> Bool
  /// nil where reading nil stops the program.
  let readsEmpty: (Family.Whole) -> Bool?
  let set: (Family.Whole) -> Void

  init<T>(
    _ name: String, _ path: ReferenceWritableKeyPath<Family.Whole, T>, _: T.Type, _ value: T,
    empty: T? = nil, set: @escaping (Family.Whole, T) -> Void
  ) {
    self.name = name
    hasValue = { Self.isSame($0[keyPath: path], value) }
    readsEmpty = { object in empty.map { Self.isSame(object[keyPath: path], $0) } }
    self.set = { set($0, value) }
  }

  private static func isSame(_ left: Any, _ right: Any) -> Bool {
    object(left) == object(right)
  }

  private static func object(_ value: Any) -> NSObject? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return (value as AnyObject) as? NSObject }
    return mirror.children.first.flatMap { object($0.value) }
  }

  static var all: [FamilyCase] {
    var cases: [FamilyCase] = []
    cases.append(
      FamilyCase("integer16RequiredBoxed", \.integer16RequiredBoxed, Int16.self, 7, empty: 0) {
        $0.integer16RequiredBoxed = $1
      })
    cases.append(
      FamilyCase("integer16RequiredScalar", \.integer16RequiredScalar, Int16.self, 7, empty: 0) {
        $0.integer16RequiredScalar = $1
      })
    cases.append(
      FamilyCase("integer16OptionalBoxed", \.integer16OptionalBoxed, Int16?.self, 7, empty: .some(nil)) {
        $0.integer16OptionalBoxed = $1
      })
    cases.append(
      FamilyCase("integer16OptionalScalar", \.integer16OptionalScalar, Int16?.self, 7, empty: .some(nil)) {
        $0.integer16OptionalScalar = $1
      })
    cases.append(
      FamilyCase("integer32RequiredBoxed", \.integer32RequiredBoxed, Int32.self, 7, empty: 0) {
        $0.integer32RequiredBoxed = $1
      })
    cases.append(
      FamilyCase("integer32RequiredScalar", \.integer32RequiredScalar, Int32.self, 7, empty: 0) {
        $0.integer32RequiredScalar = $1
      })
    cases.append(
      FamilyCase("integer32OptionalBoxed", \.integer32OptionalBoxed, Int32?.self, 7, empty: .some(nil)) {
        $0.integer32OptionalBoxed = $1
      })
    cases.append(
      FamilyCase("integer32OptionalScalar", \.integer32OptionalScalar, Int32?.self, 7, empty: .some(nil)) {
        $0.integer32OptionalScalar = $1
      })
    cases.append(
      FamilyCase("integer64RequiredBoxed", \.integer64RequiredBoxed, Int64.self, 7, empty: 0) {
        $0.integer64RequiredBoxed = $1
      })
    cases.append(
      FamilyCase("integer64RequiredScalar", \.integer64RequiredScalar, Int64.self, 7, empty: 0) {
        $0.integer64RequiredScalar = $1
      })
    cases.append(
      FamilyCase("integer64OptionalBoxed", \.integer64OptionalBoxed, Int64?.self, 7, empty: .some(nil)) {
        $0.integer64OptionalBoxed = $1
      })
    cases.append(
      FamilyCase("integer64OptionalScalar", \.integer64OptionalScalar, Int64?.self, 7, empty: .some(nil)) {
        $0.integer64OptionalScalar = $1
      })
    cases.append(
      FamilyCase("doubleRequiredBoxed", \.doubleRequiredBoxed, Double.self, 1.5, empty: 0) {
        $0.doubleRequiredBoxed = $1
      })
    cases.append(
      FamilyCase("doubleRequiredScalar", \.doubleRequiredScalar, Double.self, 1.5, empty: 0) {
        $0.doubleRequiredScalar = $1
      })
    cases.append(
      FamilyCase("doubleOptionalBoxed", \.doubleOptionalBoxed, Double?.self, 1.5, empty: .some(nil)) {
        $0.doubleOptionalBoxed = $1
      })
    cases.append(
      FamilyCase("doubleOptionalScalar", \.doubleOptionalScalar, Double?.self, 1.5, empty: .some(nil)) {
        $0.doubleOptionalScalar = $1
      })
    cases.append(
      FamilyCase("floatRequiredBoxed", \.floatRequiredBoxed, Float.self, 1.5, empty: 0) {
        $0.floatRequiredBoxed = $1
      })
    cases.append(
      FamilyCase("floatRequiredScalar", \.floatRequiredScalar, Float.self, 1.5, empty: 0) {
        $0.floatRequiredScalar = $1
      })
    cases.append(
      FamilyCase("floatOptionalBoxed", \.floatOptionalBoxed, Float?.self, 1.5, empty: .some(nil)) {
        $0.floatOptionalBoxed = $1
      })
    cases.append(
      FamilyCase("floatOptionalScalar", \.floatOptionalScalar, Float?.self, 1.5, empty: .some(nil)) {
        $0.floatOptionalScalar = $1
      })
    cases.append(
      FamilyCase("booleanRequiredBoxed", \.booleanRequiredBoxed, Bool.self, true, empty: false) {
        $0.booleanRequiredBoxed = $1
      })
    cases.append(
      FamilyCase("booleanRequiredScalar", \.booleanRequiredScalar, Bool.self, true, empty: false) {
        $0.booleanRequiredScalar = $1
      })
    cases.append(
      FamilyCase("booleanOptionalBoxed", \.booleanOptionalBoxed, Bool?.self, true, empty: .some(nil)) {
        $0.booleanOptionalBoxed = $1
      })
    cases.append(
      FamilyCase("booleanOptionalScalar", \.booleanOptionalScalar, Bool?.self, true, empty: .some(nil)) {
        $0.booleanOptionalScalar = $1
      })
    cases.append(
      FamilyCase("dateRequiredBoxed", \.dateRequiredBoxed, Date.self, Date(timeIntervalSinceReferenceDate: 5), empty: Date(timeIntervalSinceReferenceDate: 0)) {
        $0.dateRequiredBoxed = $1
      })
    cases.append(
      FamilyCase("dateRequiredScalar", \.dateRequiredScalar, Date.self, Date(timeIntervalSinceReferenceDate: 5), empty: Date(timeIntervalSinceReferenceDate: 0)) {
        $0.dateRequiredScalar = $1
      })
    cases.append(
      FamilyCase("dateOptionalBoxed", \.dateOptionalBoxed, Date?.self, Date(timeIntervalSinceReferenceDate: 5), empty: .some(nil)) {
        $0.dateOptionalBoxed = $1
      })
    cases.append(
      FamilyCase("dateOptionalScalar", \.dateOptionalScalar, Date?.self, Date(timeIntervalSinceReferenceDate: 5), empty: .some(nil)) {
        $0.dateOptionalScalar = $1
      })
    cases.append(
      FamilyCase("decimalRequired", \.decimalRequired, Decimal.self, 1.5, empty: 0) {
        $0.decimalRequired = $1
      })
    cases.append(
      FamilyCase("decimalOptional", \.decimalOptional, Decimal?.self, 1.5, empty: .some(nil)) {
        $0.decimalOptional = $1
      })
    cases.append(
      FamilyCase("stringRequired", \.stringRequired, String.self, "text", empty: "") {
        $0.stringRequired = $1
      })
    cases.append(
      FamilyCase("stringOptional", \.stringOptional, String?.self, "text", empty: .some(nil)) {
        $0.stringOptional = $1
      })
    cases.append(
      FamilyCase("binaryRequired", \.binaryRequired, Data.self, Data([1, 2]), empty: Data()) {
        $0.binaryRequired = $1
      })
    cases.append(
      FamilyCase("binaryOptional", \.binaryOptional, Data?.self, Data([1, 2]), empty: .some(nil)) {
        $0.binaryOptional = $1
      })
    cases.append(
      FamilyCase("uuidRequired", \.uuidRequired, UUID.self, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!) {
        $0.uuidRequired = $1
      })
    cases.append(
      FamilyCase("uuidOptional", \.uuidOptional, UUID?.self, UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, empty: .some(nil)) {
        $0.uuidOptional = $1
      })
    cases.append(
      FamilyCase("uriRequired", \.uriRequired, URL.self, URL(string: "https://example.org/a")!) {
        $0.uriRequired = $1
      })
    cases.append(
      FamilyCase("uriOptional", \.uriOptional, URL?.self, URL(string: "https://example.org/a")!, empty: .some(nil)) {
        $0.uriOptional = $1
      })
    cases.append(
      FamilyCase("transformableRequired", \.transformableRequired, NSObject.self, NSArray(array: ["a"])) {
        $0.transformableRequired = $1
      })
    cases.append(
      FamilyCase("transformableOptional", \.transformableOptional, NSObject?.self, NSArray(array: ["a"]), empty: .some(nil)) {
        $0.transformableOptional = $1
      })
    cases.append(
      FamilyCase("textsRequired", \.textsRequired, [String].self, ["a", "b"], empty: []) {
        $0.textsRequired = $1
      })
    cases.append(
      FamilyCase("textsOptional", \.textsOptional, [String]?.self, ["a", "b"], empty: .some(nil)) {
        $0.textsOptional = $1
      })
    cases.append(
      FamilyCase("compositeRequired", \.compositeRequired, [String: Any].self, ["part": "text"], empty: [:]) {
        $0.compositeRequired = $1
      })
    cases.append(
      FamilyCase("compositeOptional", \.compositeOptional, [String: Any]?.self, ["part": "text"], empty: .some(nil)) {
        $0.compositeOptional = $1
      })
    return cases
  }
}

nonisolated(unsafe) let keywordPaths: [ReferenceWritableKeyPath<Family.Keyworded, String?>] = [
    \.`Any`,
    \.`Protocol`,
    \.`Self`,
    \.`Type`,
    \.`as`,
    \.`associatedtype`,
    \.`break`,
    \.`case`,
    \.`catch`,
    \.`class`,
    \.`continue`,
    \.`default`,
    \.`defer`,
    \.`deinit`,
    \.`do`,
    \.`else`,
    \.`enum`,
    \.`extension`,
    \.`fallthrough`,
    \.`false`,
    \.`fileprivate`,
    \.`for`,
    \.`func`,
    \.`guard`,
    \.`if`,
    \.`import`,
    \.`in`,
    \.`init`,
    \.`inout`,
    \.`internal`,
    \.`is`,
    \.`let`,
    \.`nil`,
    \.`open`,
    \.`operator`,
    \.`private`,
    \.`protocol`,
    \.`public`,
    \.`repeat`,
    \.`rethrows`,
    \.`return`,
    \.`static`,
    \.`struct`,
    \.`subscript`,
    \.`super`,
    \.`switch`,
    \.`throw`,
    \.`throws`,
    \.`true`,
    \.`try`,
    \.`typealias`,
    \.`var`,
    \.`where`,
    \.`while`,
]
