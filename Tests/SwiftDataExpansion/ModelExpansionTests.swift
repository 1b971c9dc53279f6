#if SwiftData
  import Testing

  @Suite struct ModelExpansionTests {
    @Test func aClassBecomesAModel() {
      let expansion = Expansion(
        """
        @Model
        final class Book {
          init() {}
          @Attribute(.unique) var isbn: String
          var mood: Mood = .good
        }
        """)
      #expect(expansion.complaints == [])
      #expect(expansion.text.replacing("  init() {}\n", with: "") == Expected.model)
    }

    @Test func aSubclassOverridesItsBase() {
      let expansion = Expansion(
        """
        @Model
        public class Dog: Animal, Codable {
          init() {}
          var tricks = 1
        }
        """, isModelAlready: true)
      #expect(expansion.complaints == [])
      #expect(expansion.text.replacing("  init() {}\n", with: "") == Expected.subclass)
    }

    /// The line of `schemaMetadata` for a property.
    @Test(arguments: [
      ("var a: Int", "\"a\", keypath: \\M.a, defaultValue: nil, metadata: nil"),
      ("var a = 1", "\"a\", keypath: \\M.a, defaultValue: 1, metadata: nil"),
      ("var a: Double = 1", "\"a\", keypath: \\M.a, defaultValue: 1 as Double, metadata: nil"),
      ("var a: Int? = nil", "\"a\", keypath: \\M.a, defaultValue: nil, metadata: nil"),
      (
        "var a: String! = \"\"",
        "\"a\", keypath: \\M.a, defaultValue: \"\" as String?, metadata: nil"
      ),
      ("var a: Int = 1 + 2", "\"a\", keypath: \\M.a, defaultValue: (1 + 2) as Int, metadata: nil"),
      ("var a: [B] = []", "\"a\", keypath: \\M.a, defaultValue: [] as [B], metadata: nil"),
      ("var a = make(1)", "\"a\", keypath: \\M.a, defaultValue: make(1), metadata: nil"),
      ("let a = UUID()", "\"a\", keypath: \\M.a, defaultValue: UUID(), metadata: nil"),
      (
        "private(set) var `default` = 1",
        "\"default\", keypath: \\M.`default`, defaultValue: 1, metadata: nil"
      ),
      (
        "@Attribute(.unique, originalName: \"b\") var a: Int",
        "\"a\", keypath: \\M.a, defaultValue: nil, metadata: SwiftData.Schema.Attribute(.unique, originalName: \"b\")"
      ),
      (
        "@SwiftData.Attribute(hashModifier: \"2\") var a = 1",
        "\"a\", keypath: \\M.a, defaultValue: 1, metadata: SwiftData.Schema.Attribute(hashModifier: \"2\")"
      ),
      (
        "@Relationship(deleteRule: .cascade, inverse: \\B.m) var a: [B]",
        "\"a\", keypath: \\M.a, defaultValue: nil, metadata: "
          + "SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \\B.m)"
      ),
      (
        "@Relationship var a: B?",
        "\"a\", keypath: \\M.a, defaultValue: nil, metadata: SwiftData.Schema.Relationship()"
      ),
      (
        "#Unique<M>([\\.a], [\\.b, \\.c])",
        "\"unique\", keypath: \\M.self, defaultValue: nil, metadata: "
          + "SwiftData.Schema.Unique<M>([\\.a], [\\.b, \\.c])"
      ),
      (
        "#Index<M>(.binary([\\.a]), .rtree([\\.b, \\.c]))",
        "\"index\", keypath: \\M.self, defaultValue: nil, metadata: "
          + "SwiftData.Schema.Index<M>(.binary([\\.a]), .rtree([\\.b, \\.c]))"
      ),
    ])
    func theSchemaNamesProperties(_ property: String, _ metadata: String) {
      let expansion = Expansion("@Model final class M {\n  \(property)\n  init() {}\n}")
      #expect(expansion.complaints == [])
      #expect(expansion.text.contains("PropertyMetadata(name: \(metadata))"), "\(expansion.text)")
    }

    @Test(arguments: [
      "static var a = 1", "class var a: Int { 1 }", "var a: Int { 1 }",
      "var a: Int { get { 1 } set {} }",
      "@Transient var a = 1", "@Transient var a: Int?", "func a() {}", "struct A { var a = 1 }",
    ])
    func whatIsNotStoredIsNotPersisted(_ member: String) {
      let expansion = Expansion("@Model final class M {\n  \(member)\n}")
      #expect(expansion.complaints == [])
      #expect(expansion.text.contains("return []"))
      #expect(!expansion.text.contains("_a"))
    }

    @Test func propertiesUnderConditionsAreUnderThemInTheSchemaToo() {
      let text = Expansion(
        """
        @Model final class M {
          #if DEBUG
            var a = 1
          #elseif os(Linux)
            var b = 2
          #else
            var c = 3
          #endif
          var d = 4
        }
        """
      ).text
      #expect(
        text.contains(
          """
              #if DEBUG
              _a = _SwiftDataNoType()
              #elseif os(Linux)
              _b = _SwiftDataNoType()
              #else
              _c = _SwiftDataNoType()
              #endif
              _d = _SwiftDataNoType()
          """), "\(text)")
      #expect(
        text.contains(
          """
              #if DEBUG
              metadata.append(SwiftData.Schema.PropertyMetadata(name: "a",
          """), "\(text)")
    }

    @Test func transformableValuesGoTheirOwnWay() {
      let text = Expansion(
        "@Model final class M {\n  @Attribute(.transformable(by: T.self)) var a: Color\n}"
      ).text
      #expect(text.contains("_$backingData.setTransformableValue(forKey: \\.a, to: initialValue)"))
      #expect(text.contains("return self.getTransformableValue(forKey: \\.a)"))
      #expect(text.contains("self.setTransformableValue(forKey: \\.a, to: newValue)"))
    }

    @Test(arguments: [
      ("final class M", "public var", "static var", "init"),
      ("class M", "public var", "class var", "required init"),
      ("public final class M", "public var", "public static var", "public init"),
      ("public class M", "public var", "public class var", "public required init"),
      ("open class M", "open var", "open class var", "public required init"),
      ("package class M", "public var", "package class var", "package required init"),
      ("private class M", "public var", "class var", "required init"),
    ])
    func membersAreAsVisibleAsTheClass(
      _ declaration: String, _ data: String, _ schema: String, _ initializer: String
    ) {
      let text = Expansion("@Model \(declaration) {}").text
      #expect(text.contains("\n  \(data) persistentBackingData:"), "\(text)")
      #expect(text.contains("\n  \(schema) schemaMetadata:"), "\(text)")
      #expect(text.contains("\n  \(initializer)(backingData:"), "\(text)")
    }

    @Test func aClassThatSaysItIsAModelIsNoSubclass() {
      let text = Expansion("@Model final class M: PersistentModel {}", isModelAlready: true).text
      #expect(!text.contains("override"))
    }

    @Test func anActorGetsAContext() {
      let expansion = Expansion("@ModelActor public actor A {}")
      #expect(expansion.complaints == [])
      #expect(expansion.text == Expected.actor)
    }

    @Test(arguments: ["let a: Int", "init(modelContainer: ModelContainer) {}"])
    func anActorWithValuesOfItsOwnMakesItself(_ member: String) {
      let text = Expansion("@ModelActor actor A {\n  \(member)\n}").text
      #expect(text.contains("nonisolated let modelContainer: SwiftData.ModelContainer"))
      #expect(!text.contains("DefaultSerialModelExecutor"))
    }
  }
#endif
