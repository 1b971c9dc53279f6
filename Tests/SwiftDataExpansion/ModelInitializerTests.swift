#if SwiftData
  import Testing

  /// What is wrong with a class as a whole is said at the class.
  @Suite struct ModelInitializerTests {
    @Test(arguments: ["var a: Int", "var a = 1", "#if DEBUG\nvar a = 1\n#endif"])
    func aModelNeedsAnInitializer(_ member: String) {
      let complaints = Expansion("@Model final class M {\n\(member)\n}").complaints
      #expect(complaints == ["1:20 error: @Model requires an initializer be provided for 'M'"])
    }

    @Test(arguments: [
      "var a = 1\ninit() {}", "var a: Int\n#if DEBUG\ninit() {}\n#endif", "@Transient var a = 1",
      "var a: Int { 1 }", "static var a = 1", "",
    ])
    func othersDoNot(_ members: String) {
      #expect(Expansion("@Model final class M {\n\(members)\n}").complaints == [])
    }

    @Test(arguments: ["NSObject", "Foundation.NSObject", "NSManagedObject"])
    func aModelInheritsFromNoOtherClass(_ base: String) {
      let complaints = Expansion(
        "@Model final class M: \(base), Codable {\nvar a = 1\ninit() {}\n}"
      )
      .complaints
      #expect(
        complaints == [
          "1:23 error: a model inherits from another model or from no class, and 'M' inherits from '\(base)': remove it"
        ])
    }

    /// Stored in Swift 5 mode, as on Apple's systems; the compiler refuses it in Swift 6 mode.
    @Test func aConstantIsPersistedWithAWarning() {
      let expansion = Expansion(
        "@Model final class M {\nlet a: Int\ninit(a: Int) { self.a = a }\n}")
      #expect(expansion.complaints.count == 1)
      #expect(expansion.complaints.first?.hasPrefix("2:1 warning: 'a' is a 'let'") == true)
      #expect(expansion.text.contains("name: \"a\", keypath: \\M.a"))
    }
  }
#endif
