import ModelDocuments

/// The two files that Xcode writes for an entity, without author and date at their heads.
struct XcodeText {
  let code: EntityCode

  private var name: String { code.className }

  /// The class's name in Objective-C.
  private var objectiveCName: String { code.names.path(of: code.entity).last ?? "" }

  var classText: String {
    let declaration =
      "@objc(\(objectiveCName))\npublic class \(objectiveCName): \(code.superclassName) {\n\n}\n"
    let body =
      code.namespaces.isEmpty
      ? declaration : "extension \(code.namespaces.joined(separator: ".")) {\n\n\(declaration)\n}\n"
    return "import Foundation\nimport CoreData\n\n\(body)"
  }

  var propertiesText: String {
    let relationships = code.sorted { $0.relationship != nil }
    let properties =
      code.sorted { $0.attribute != nil } + relationships + code.sorted { $0.fetchRequest != nil }
    let toMany = relationships.filter { $0.relationship?.isToMany == true }
    return """
      import Foundation
      import CoreData


      extension \(name) {

          @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {
              return NSFetchRequest<\(name)>(entityName: \(SwiftName.literal(code.entity.name)))
          }

      \(properties.map(declaration).joined())
      }

      """ + toMany.map(accessors).joined()
        + (code.isIdentifiable ? "\nextension \(name) : Identifiable {\n\n}\n" : "")
  }

  private func declaration(of property: ModelProperty) -> String {
    "    @NSManaged public var \(SwiftName.escaped(property.name)): \(code.type(of: property))\n"
  }

  private func accessors(of property: ModelProperty) -> String {
    let isOrdered = property.relationship?.isOrdered == true
    let member = code.names.name(ofEntity: property.relationship?.destination)
    let name = SwiftName.capitalized(property.name)
    let forms = (isOrdered ? Self.ordered : []) + Self.unordered
    let functions = forms.map { selector, signature in
      "    @objc(\(selector))\n    @NSManaged public func \(signature)\n"
    }
    let text = """

      // MARK: Generated accessors for \(property.name)
      extension \(self.name) {

      \(functions.joined(separator: "\n"))
      }

      """
    return text.replacing("*Name*", with: name).replacing("*name*", with: property.name)
      .replacing("*Member*", with: member)
      .replacing("*Set*", with: isOrdered ? "NSOrderedSet" : "NSSet")
  }

  private static let unordered = [
    ("add*Name*Object:", "addTo*Name*(_ value: *Member*)"),
    ("remove*Name*Object:", "removeFrom*Name*(_ value: *Member*)"),
    ("add*Name*:", "addTo*Name*(_ values: *Set*)"),
    ("remove*Name*:", "removeFrom*Name*(_ values: *Set*)"),
  ]

  private static let ordered = [
    ("insertObject:in*Name*AtIndex:", "insertInto*Name*(_ value: *Member*, at idx: Int)"),
    ("removeObjectFrom*Name*AtIndex:", "removeFrom*Name*(at idx: Int)"),
    (
      "insert*Name*:atIndexes:", "insertInto*Name*(_ values: [*Member*], at indexes: NSIndexSet)"
    ),
    ("remove*Name*AtIndexes:", "removeFrom*Name*(at indexes: NSIndexSet)"),
    (
      "replaceObjectIn*Name*AtIndex:withObject:", "replace*Name*(at idx: Int, with value: *Member*)"
    ),
    (
      "replace*Name*AtIndexes:with*Name*:",
      "replace*Name*(at indexes: NSIndexSet, with values: [*Member*])"
    ),
  ]
}
