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

  /// A setter that sets its own key is called by nobody else, since it would be by itself.
  @Test func settersAreRegisteredWhereTheyDoNotSetTheirOwnKeys() throws {
    var target = try TemporaryTarget()
    try target.addSource(
      """
      import CoreData
      class Item: NSManagedObject {
        @NSManaged var managed: String?
        var stored = 1
        let constant = 1
        static var shared = 1
        private var hidden = 1
        var computed: Int { 1 }
        var explicit: Int { get { 1 } }
        var both: Int {
          get { primitiveValue(forKey: "both") as! Int }
          set { setPrimitiveValue(newValue, forKey: "both") }
        }
        var named: Int { set(value) { stored = value } get { stored } }
        var observed: Int = 1 { willSet { stored = 1 } didSet { stored = 2 } }
        var own: Int { get { 1 } set { self.setValue(newValue, forKey: "own") } }
        var failing: Int { get throws { 1 } }
        var generated: Int {
          get { managedValue(Self.property) }
          set { setManagedValue(newValue, Self.property) }
        }
        var counted: Int {
          get { managedValue(Self.property) }
          set { stored += 1; setManagedValue(newValue, Self.property) }
        }
      }
      class Child: Item {
        override var both: Int { get { 1 } set { setValue(newValue, forKey: "both") } }
      }
      """)
    try target.withOutput { text in
      expectPart(#"setters: ["both", "counted", "named", "observed", "stored"]"#, in: text)
      expectPart(#"setters: ["counted", "named", "observed", "stored"]"#, in: text)
      #expect(!text.contains("generated") && !text.contains("failing"))
    }
  }
}
