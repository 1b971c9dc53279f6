/// The source of what a target with generated classes is tried with: a case for each attribute.
struct FamilySource {
  let flavour: FamilyTable.Flavour
  /// What stands before the names of generated classes.
  let prefix: String

  var text: String {
    let cases = FamilyTable.attributes.map { attribute in
      let kind = attribute.kind
      let type = kind.type(flavour, isScalar: attribute.isScalar, isOptional: attribute.isOptional)
      let value = kind.value(flavour, isScalar: attribute.isScalar)
      return """
            cases.append(
              FamilyCase("\(attribute.name)", \\.\(attribute.name), \(type).self, \(value)\(empty(attribute))) {
                $0.\(attribute.name) = $1
              })

        """
    }
    let keywords = FamilyModel.keywordNames.map { "    \\.`\($0)`,\n" }
    return """
      // swift-format-ignore-file
      // Written by FamilySource.swift. Do not edit.

      import CoreData
      import Foundation

      /// An attribute of a generated class: its property has this type, and nil reads as said.
      struct FamilyCase {
        let name: String
        let hasValue: (\(prefix)Whole) -> Bool
        /// nil where reading nil stops the program.
        let readsEmpty: (\(prefix)Whole) -> Bool?
        let set: (\(prefix)Whole) -> Void

        init<T>(
          _ name: String, _ path: ReferenceWritableKeyPath<\(prefix)Whole, T>, _: T.Type, _ value: T,
          empty: T? = nil, set: @escaping (\(prefix)Whole, T) -> Void
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
      \(cases.joined())    return cases
        }
      }

      nonisolated(unsafe) let keywordPaths: [ReferenceWritableKeyPath<\(prefix)Keyworded, String?>] = [
      \(keywords.joined())]

      """
  }

  private func empty(_ attribute: FamilyTable.Attribute) -> String {
    let isNeverNil =
      flavour == .idiomatic
      ? !attribute.isOptional : attribute.kind.scalar != nil && attribute.isScalar
    guard isNeverNil else { return ", empty: .some(nil)" }
    let zero =
      attribute.kind.attributeType == "Date" && flavour == .standard ? "0" : attribute.kind.empty
    return zero.map { ", empty: \($0)" } ?? ""
  }
}
