#if PortedSources
  import SourcePorter
  import Testing

  /// Bodies that copies are made without.
  @Suite struct BodyOmissionTests {
    private static func trap(_ path: String, _ what: String = "X") -> String {
      "fatalError(\"\(path): \(what) cannot be built here, so that its body is left out\")"
    }

    /// Statements that call or set something of what is named go alone; the rest keeps its lines.
    @Test(arguments: [
      ("a()\nX.shared.b()", "a()\n"), ("a()\ntry? X.b()", "a()\n"),
      ("a()\nawait X.b(1, c)", "a()\n"),
      ("a()\n_ = X.b()", "a()\n"), ("a()\nX.b = 1", "a()\n"), ("a()\nX.b?.c![1].d()", "a()\n"),
      ("X()\na()", "\na()"), ("self.X = 1\na()", "\na()"), ("self.X?.b()\na()", "\na()"),
      ("a()\nb.X()", "a()\n"), ("a()\nb.c?.X(1)", "a()\n"), ("a()\nself.b.X = 1", "a()\n"),
      ("a()\ntry await b.X.c()", "a()\n"), ("a()\n_ = b.X()", "a()\n"),
      ("Task {\nawait b.X()\na() }", "Task {\n\na() }"),
      ("if a { X.b() } else { c() }", "if a {  } else { c() }"),
      ("if a { b() } else if c { X.b() }", "if a { b() } else if c {  }"),
      ("for a in b { X.b() }", "for a in b {  }"), ("defer { X.b() }\na()", "defer {  }\na()"),
      ("do { X.b() } catch { X.c() }", "do {  } catch {  }"),
      ("while a { X.b() }", "while a {  }"),
      ("guard a else {\nX.b()\nreturn }", "guard a else {\n\nreturn }"),
      ("q.async {\nX.b()\na() }", "q.async {\n\na() }"),
      ("#if os(iOS)\nX.b { 1 }\n#else\na()\n#endif", "#if os(iOS)\nX.b { 1 }\n#else\na()\n#endif"),
      ("#if os(iOS)\nX.b()\n#endif\na()", "#if os(iOS)\n\n#endif\na()"),
    ]) func statementsGo(_ body: String, _ rest: String) {
      expect(
        "class A { func f() {\n\(body)\n} }", ["in A.f: X"], "class A { func f() {\n\(rest)\n} }")
    }

    /// What gives a value, hands over code or decides something takes all of the body with it.
    @Test(arguments: [
      "let a = X.b()", "a = X.b()", "X.b { c() }", "X.b(done)", "return X.b()", "a(X.b())",
      "if X.b { c() }", "guard X.b else { return }", "for a in X.b {}",
      "switch a { case 1: X.b() }", "let a = b.X()", "a = b.X()", "b.X { c() }", "b.X(done)",
      "a(b.X())", "let a = Task { await b.X() }",
      "q.async { let a = X.b }", "throw X.b",
    ]) func bodiesGo(_ statement: String) {
      expect(
        "class A { func f(done: () -> Void) { \(statement) } }", ["in A.f: X"],
        "class A { func f(done: () -> Void) { \(Self.trap("A.f")) } }")
    }

    @Test(arguments: [
      ("init() { a = X() }", "init", "init() { T }"),
      ("deinit { a = X() }", "deinit", "deinit {  }"),
      ("func f() -> Int { X.b() }", "f", "func f() -> Int { T }"),
      ("func f() -> Void { X.b() }", "f", "func f() -> Void {  }"),
      ("var f: Int { X.b() }", "f", "var f: Int { T }"),
      ("var f: Int { get { X.b() } set { a() } }", "f", "var f: Int { get { T } set { a() } }"),
      ("var f = 1 { didSet { a = X.b } }", "f", "var f = 1 { didSet {  } }"),
      ("subscript(a: Int) -> Int { X.b() }", "subscript", "subscript(a: Int) -> Int { T }"),
      (
        "func f() {}\nfunc f(_ a: Int) { b = X.b }", "f", "func f() {}\nfunc f(_ a: Int) { T }"
      ),
    ]) func everyDeclaration(_ member: String, _ name: String, _ rest: String) {
      for (head, path) in [
        ("class A {", "A"), ("extension A.B {", "A.B"), ("enum A { struct B {", "A.B"),
      ] {
        let tail = head.contains("enum") ? "} }" : "}"
        expect(
          "\(head) \(member) \(tail)", ["in \(path).\(name): X"],
          "\(head) \(rest.replacing("T", with: Self.trap("\(path).\(name)"))) \(tail)")
      }
    }

    @Test func whatThrowsSaysSo() {
      expect(
        "func f() throws { a = X() }\nfunc g() throws(E) { a = X() }", ["in f: X", "in g: X"],
        "func f() throws { throw ObjectiveCSupport.LeftOutError(\"f: X cannot be built here, so that its body is left out\") }\n"
          + "func g() throws(E) { \(Self.trap("g")) }")
    }

    /// Functions of one name go without what each of them uses.
    @Test func functionsOfOneName() {
      expect(
        "func f() { a = X() }\nfunc f(_ a: Int) {\nY.b()\nc() }\nfunc f(_ a: A) { c() }",
        ["in f: X Z", "in f: Y"],
        "func f() { \(Self.trap("f")) }\nfunc f(_ a: Int) {\n\nc() }\nfunc f(_ a: A) { c() }")
    }

    /// The compiler has refused something in it, and nobody knows which name.
    @Test func allOfABody() {
      expect(
        "func f() -> Int {\n  a()\n  return b\n}", ["in f"],
        "func f() -> Int {\n  \(Self.trap("f", "what it does"))\n\n}")
    }

    @Test func conditionsOfOneFile() {
      let ported = SourcePorter.port(
        [("/A.swift", "#if os(iOS)\nlet a = 1\n#endif"), ("/B.swift", "#if os(iOS)\n#endif")],
        without: ["/A.swift": ["if os(iOS)"]])
      #expect(ported[0].text.hasSuffix("line: 1)\n#if true\nlet a = 1\n#endif"))
      #expect(ported[1].text.hasSuffix("line: 1)\n#if os(iOS)\n#endif"))
      for source in ported { #expect(source.remarks.isEmpty) }
    }

    private func expect(_ source: String, _ names: [String], _ rest: String) {
      let ported = SourcePorter.port([("/A.swift", source)], without: ["/A.swift": names])[0]
      #expect(ported.text.hasSuffix("line: 1)\n" + rest))
      #expect(ported.text.hasPrefix("import ObjectiveCSupport\n"))
      #expect(ported.remarks.isEmpty, "\(ported.remarks)")
    }
  }
#endif
