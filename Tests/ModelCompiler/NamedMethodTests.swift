import Foundation
import Testing

@testable import ModelCompiler

/// Methods that Objective-C finds by their names, in targets whose sources are compiled as they are.
@Suite(.enabled(if: TemporaryTarget.compiler != nil, "there is no swiftc on the path"))
struct NamedMethodTests {
  private static let source = """
    import CoreData
    class Item: NSManagedObject {
      @NSManaged var name: String?
      var fullName: String { name ?? "" }
      func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      func validateURLText(_ ioValue : AutoreleasingUnsafeMutablePointer<AnyObject?>) {}
      class func keyPathsForValuesAffectingFullName() -> Set<String> { ["name"] }
      static var keyPathsForValuesAffectingLabel: Set<String> { ["name"] }
      // None of these is found by its name.
      private func validateHidden(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      func validateBoth(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, deeply: Bool) throws {}
      func validateLabelled(value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      func validatePlain(_ value: String) throws {}
      func validated(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      class func validateOfClass(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      func keyPathsForValuesAffectingNobody() -> Set<String> { [] }
      #if os(iOS)
      func validatePhone(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      #endif
    }
    extension Item {
      func validateOrder(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
    }
    @MainActor extension Item {
      func validateOnMain(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
    }
    """

  @Test func areRegisteredByTheirKeys() throws {
    var target = try TemporaryTarget()
    try target.addSource(Self.source)
    try target.withOutput { text in
      expectPart(
        """
        validations: [
          "name": { try ($0 as! Item).validateName($1) },
          "URLText": { ($0 as! Item).validateURLText($1) },
          "order": { try ($0 as! Item).validateOrder($1) },
        ],
        """, in: text)
      expectPart(
        """
        keyPathsAffecting: [
          "fullName": { Item.keyPathsForValuesAffectingFullName() },
          "label": { Item.keyPathsForValuesAffectingLabel },
        ],
        """, in: text)
      expectPart("keyPaths: [ \"fullName\": \\Item.fullName, ],", in: text)
      for name in [
        "Hidden", "Both", "Labelled", "Plain", "validated(", "OfClass", "Nobody", "Phone", "OnMain",
      ] {
        #expect(!text.contains(name), "\(name)")
      }
    }
  }

  @Test func extensionsOfGeneratedClassesHaveThemToo() throws {
    var target = try TemporaryTarget()
    try target.addModel(
      """
      <entity name="Item" representedClassName="Item" codeGenerationType="class">
        <attribute name="name" optional="YES" attributeType="String"/>
      </entity>
      """)
    try target.addSource(
      """
      import CoreData
      extension Item {
        func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      """)
    try target.withOutput { text in
      expectPart("\"name\": { try ($0 as! Item).validateName($1) },", in: text)
    }
  }
}
