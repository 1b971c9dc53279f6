#if PortedSources
  import SourcePorter
  import Testing

  /// Declarations that copies are made without.
  @Suite struct OmissionTests {
    @Test(arguments: [
      (
        "extension A {\n  /// B.\n  @objc\n  var b: C { 1 }\n  func d() {}\n}", "A.b",
        "extension A {\n  /// B.\n  \n\n  func d() {}\n}"
      ),
      ("class A { class B: C {}; let d = 1 }", "A.B", "class A { ; let d = 1 }"),
      ("extension A.B { func c() {} }", "A.B.c", "extension A.B {  }"),
      (
        "struct A { enum B { case a; var c: D { 1 }\n#if X\nvar c: Int { 1 }\n#endif\n}; var c = 1 }",
        "A.B.c",
        "struct A { enum B { case a; \n#if X\n\n#endif\n}; var c = 1 }"
      ),
      (
        "extension A { enum B { struct C { let e = 1; static let d = 2 } } }", "A.B.C.d",
        "extension A { enum B { struct C { let e = 1;  } } }"
      ),
      ("func a() {\n}\nlet b = 1", "a", "\n\nlet b = 1"),
      (
        "struct A { init(_ b: C, d e: F<G, H>? = nil) {}; init(_ b: C) {}; init() {} }",
        "A.init(_:d:)", "struct A { ; init(_ b: C) {}; init() {} }"
      ),
      ("import A\nimport B\nstruct C {}", "import B", "import A\n\nstruct C {}"),
      ("struct A {}\nextension A {}", "extension A", "struct A {}\n"),
      ("#if X\nstruct A {}\n#endif\nlet b = 1", "A", "#if X\n\n#endif\nlet b = 1"),
      (
        "class A {\n#if X\nfunc b() {}\n#else\nfunc b(_ c: Int) {}\n#endif\n}", "A.b",
        "class A {\n#if X\n\n#else\n\n#endif\n}"
      ),
    ]) func linesStay(source: String, name: String, rest: String) {
      let ported = SourcePorter.port(
        [("/A.swift", source)], without: ["/A.swift": [name]])[0]
      #expect(ported.text.hasSuffix("line: 1)\n" + rest))
      #expect(ported.remarks.isEmpty)
    }

    @Test func whatIsLeftOutIsNotMadeKnown() {
      let source = "class A: NSObject { @objc func b(_ x: UIView) {}\n@objc func c() {} }"
      let text = SourcePorter.port(
        [("/A.swift", source)], without: ["/A.swift": ["A.b"]])[0].text
      #expect(text.contains("\"c\"") && !text.contains("UIView"))
    }

    @Test func whatIsNotThereIsWarnedOf() {
      let ported = SourcePorter.port(
        [("/A.swift", "class A {}")], without: ["/A.swift": ["A.b"]])[0]
      #expect(ported.remarks.map(\.reason) == ["there is no A.b to leave out"])
      #expect(ported.remarks.map(\.severity) == [.warning])
    }
  }
#endif
