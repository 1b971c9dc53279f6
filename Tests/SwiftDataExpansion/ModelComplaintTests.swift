#if SwiftData
  import Testing

  @Suite struct ModelComplaintTests {
    @Test(arguments: [
      ("struct", "a struct"), ("enum", "an enum"), ("actor", "an actor"),
      ("protocol", "a protocol"),
    ])
    func modelsAreClasses(_ keyword: String, _ kind: String) {
      let expansion = Expansion("@Model\n\(keyword) M {\n  var a: Int { 1 }\n}")
      #expect(
        expansion.complaints == [
          "1:1 error: @Model makes models of classes, and 'M' is \(kind): declare it as 'final class M'"
        ])
      #expect(!expansion.text.contains("persistentBackingData"))
    }

    /// A member, the place of the complaint in it, and what it says in part.
    @Test(arguments: [
      ("lazy var a = 1", 1, "error: 'a' cannot be lazy"),
      ("weak var a: M?", 1, "error: 'a' cannot be weak"),
      ("unowned var a: M", 1, "error: 'a' cannot be unowned"),
      ("let a: Int", 1, "warning: 'a' is a 'let'"),
      ("var a", 5, "error: 'a' needs a type or an initial value"),
      (
        "var a = 1, b = 2", 5,
        "error: each persisted property has a declaration of its own: write one 'var' each for 'a', 'b'"
      ),
      ("var (a, b) = (1, 2)", 5, "error: a persisted property has one name"),
      (
        "@Published var a = 1", 1,
        "error: 'a' is persisted, and its storage '_a' is the model's: remove '@Published'"
      ),
      (
        "@Transient var a: Int", 16,
        "error: 'a' is @Transient, so that a fetched model has no value for it"
      ),
      ("@Transient let a: Int?", 16, "error: 'a' is @Transient"),
      (
        "@Attribute(.unique) var a: Int { 1 }", 1,
        "error: 'a' is computed and not persisted: remove '@Attribute'"
      ),
      (
        "@Relationship var a: M? { nil }", 1,
        "error: 'a' is computed and not persisted: remove '@Relationship'"
      ),
      (
        "@Attribute @Relationship var a: M?", 12,
        "error: 'a' is either an attribute or a relationship"
      ),
      (
        "@Relationship(inverse: M.key) var a: M?", 24,
        "error: the inverse of 'a' is read before the program runs"
      ),
      ("@Attribute func a() {}", 1, "error: @Attribute belongs to a stored property"),
      (
        "var a = 1 { didSet {} }", 13,
        "warning: 'didSet' of the persisted property 'a' is not called"
      ),
      (
        "var a = 1 { willSet {} }", 13,
        "warning: 'willSet' of the persisted property 'a' is not called"
      ),
      ("var description = \"\"", 5, "error: a persisted property cannot be named 'description'"),
      ("var hashValue = 1", 5, "error: a persisted property cannot be named 'hashValue'"),
      (
        "var persistentModelID = 1", 5,
        "error: a persisted property cannot be named 'persistentModelID'"
      ),
      ("#Unique<M>()", 1, "error: #Unique is read before the program runs"),
      ("#Unique<M>(keys)", 12, "error: #Unique is read before the program runs"),
      ("#Unique<M>([\\.a, key])", 18, "error: #Unique is read before the program runs"),
      ("#Unique<M>(.binary([\\.a]))", 12, "error: #Unique is read before the program runs"),
      ("#Index<M>([])", 11, "error: #Index is read before the program runs"),
      ("#Index<M>(.rtree([\\.a, \"b\"]))", 24, "error: #Index is read before the program runs"),
    ])
    func complaintsAreAtTheirPlace(_ member: String, _ column: Int, _ message: String) {
      let complaints = Expansion("@Model final class M {\n\(member)\n}").complaints
      #expect(complaints.count == 1)
      #expect(complaints.first?.hasPrefix("2:\(column) \(message)") == true, "\(complaints)")
    }

    @Test(arguments: ["Unique", "Index"])
    func oneMacroOfAKindIsEnough(_ macro: String) {
      let complaints = Expansion(
        "@Model final class M {\n#\(macro)<M>([\\.a])\n#\(macro)<M>([\\.b])\n#\(macro)<M>([\\.c])\n}"
      ).complaints
      #expect(
        complaints == [
          "3:1 error: a model has one #\(macro): add these key paths, as arrays of their own, to the first #\(macro) of 'M'"
        ])
    }

    @Test func aModelIsNotGeneric() {
      let complaints = Expansion("@Model final class M<T> {}").complaints
      #expect(complaints.count == 1)
      #expect(complaints.first?.hasPrefix("1:21 error: a model class is one entity") == true)
    }

    @Test func aModelActorIsAnActor() {
      let complaints = Expansion("@ModelActor\nfinal class A {}").complaints
      #expect(
        complaints == [
          "1:1 error: @ModelActor gives an actor a context of its own: declare 'A' as an actor"
        ])
    }
  }
#endif
