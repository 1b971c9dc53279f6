#if PortedSources
  import SourcePorter
  import Testing

  /// Protocols, conditions, lines and overrides, which concern more than one place.
  @Suite struct StructureRewritingTests: RewritingSuite {
    @Test(arguments: [
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; func f(_ p: P?) { p?.a }",
        "protocol P: AnyObject { var a: Int { get throws } }; func f(_ p: P?) { "
          + "ObjectiveCSupport.optionalProperty(p, { try $0.a }) }"),
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; struct Q { let a: Int }; func f(_ q: Q) { q.a }",
        "protocol P: AnyObject { var a: Int { get throws } }; struct Q { let a: Int }; func f(_ q: Q) { q.a }"
      ),
      Rewriting(
        "@objc protocol P { @objc optional var a: Int { get } }; class C { weak var p: P?; func f() { guard let p else { return }; _ = p.a } }",
        "protocol P: AnyObject { var a: Int { get throws } }; class C { weak var p: P?; func f() { guard let p else { return }; "
          + "_ = ObjectiveCSupport.optionalProperty(p, { try $0.a }) } }"),
      Rewriting(
        "@objc protocol P { @objc optional func a(_ x: Int) }; func f(_ p: P?) { if p?.a == nil {} }",
        "protocol P: AnyObject { func a(_ x: Int) throws }; func f(_ p: P?) { "
          + "if !ObjectiveCSupport.responds(p, to: Selector(\"a:\")) {} }"),
    ]) func optionalProperties(_ rewriting: Rewriting) { expect(rewriting) }

    @Test func optionalRequirementsMayThrow() {
      let source = """
        @objc protocol P { @objc optional func a(_ x: Int); func b(); @objc optional func c() -> Bool }
        func f(_ p: P?) {
          p?.a?(1)
          let c = p?.c?() ?? true
          p!.a!(2)
          f(nil)
        }
        """
      expect(
        Rewriting(
          source,
          """
          protocol P: AnyObject { func a(_ x: Int) throws; func b(); func c() throws -> Bool }
          func f(_ p: P?) {
          _ = (try? p?.a(1))
          let c = (try? p?.c()) ?? true
          _ = (try! p!.a(2))
          f(nil)
          }
          """))
      let text = SourcePorter.port(source: source, path: "/App/File.swift").text
      #expect(
        text.contains(
          "extension P { func a(_ x: Int) throws { throw ObjectiveCSupport.MissingRequirement() }; "
        ))
    }

    @Test func closuresAreCalledAsEver() {
      let source = """
        @objc protocol P { @objc optional func done(_ x: Int) }
        class A { var done: ((Int) -> Void)?; var other: (() -> Void)? }
        func f(_ a: A) { a.done?(1); a.other?() }
        """
      #expect(body(source).contains("a.done?(1); a.other?()"))
    }

    @Test func conditionsThatHoldAreTrue() {
      let ported = SourcePorter.port(
        [("/A.swift", "#if DEBUG && os(macOS) && !OTHER\n#endif")],
        conditions: ["DEBUG", "os(macOS)"])
      #expect(ported[0].text.contains("#if true && true && !OTHER\n"))
    }

    /// Whatever is written elsewhere about what stands in an `#if` has its condition.
    @Test(arguments: [
      ("#if A\nclass B: NSObject { @objc func c() {} }\n#endif", "#if (A)\nB.__objectiveC1()\n"),
      (
        "#if A\n#elseif B\n#else\nclass C: NSObject { @objc func d() {} }\n#endif",
        "#if !(A) && !(B)\nC.__objectiveC1()\n"
      ),
      (
        "#if A\n#if B\nclass C: NSObject { @objc func d() {} }\n#endif\n#endif",
        "#if (A) && (B)\nC.__objectiveC1()\n"
      ),
      (
        "class B: NSObject {\n#if A\n@objc func c() {}\n#endif\n}",
        "#if (A)\nc.method(\"c\", 0, { o, _ in o.c() })\n#endif\n"
      ),
      (
        "class B: NSObject {\n#if A\n@objc var c = 1\n#endif\n}",
        "#if (A)\nc.property(\"c\", \\B.c)\n#endif\n"
      ),
      (
        "class B {\n#if A\n@objc(C) class C: NSObject {}\n#endif\n}",
        "#if (A)\nB.C.__objectiveC2()\n#endif\n"
      ),
      (
        "@objc protocol P {\n#if A\n@objc optional func a()\n#endif\n}",
        "#if (A)\nfunc a() throws { throw ObjectiveCSupport.MissingRequirement() }\n#endif\n"
      ),
      (
        "#if A\n@objc protocol P { @objc optional func a() }\n#endif",
        "#if (A)\nextension P { func a() throws { throw ObjectiveCSupport.MissingRequirement() } }\n#endif\n"
      ),
      (
        "class B: C {}\n#if A\nextension B {\n#if !D\noverride func e() {}\n#endif\n}\n#endif",
        "#if (!D) && (A)\n#sourceLocation(file: \"/A.swift\", line: 5)\noverride func e() {}\n#endif\n"
      ),
    ]) func conditionsAreKept(source: String, part: String) {
      let text = SourcePorter.port(source: source, path: "/A.swift").text
      #expect(text.contains(part), "\(text)")
    }

    /// Every line is where it was, but for what is put behind the members of a type.
    @Test func linesStay() {
      let source = """
        import UIKit
        @objc(
          Name
        )
        class A: NSObject {
          @objc
          dynamic
          var title = #keyPath(
            A.title
          )
        }
        let last = #line
        """
      let lines = SourcePorter.port(source: source, path: "/A.swift").text.split(
        separator: "\n", omittingEmptySubsequences: false)
      // The import and the place before the first line.
      #expect(lines[1] == "#sourceLocation(file: \"/A.swift\", line: 1)")
      #expect(lines[2 + 11] == "let last = #line")
    }

    @Test func overridesMoveIntoTheClass() {
      let ported = SourcePorter.port([
        ("/App/Class.swift", "class A: B {\n}\nlet line = 3"),
        ("/App/More.swift", "\nextension A { override class func entity() -> C { c } }"),
      ])
      #expect(
        ported[0].text.contains(
          """
          class A: B {

          #sourceLocation(file: "/App/More.swift", line: 2)
          override class func entity() -> C { c }
          #sourceLocation(file: "/App/Class.swift", line: 2)
          }
          """))
      #expect(ported[1].text.hasSuffix("extension A {  }"))
    }

    @Test func overridesKeepTheAccessThatTheirExtensionGives() {
      for (declaration, expected) in [
        ("public extension A { override func f() {} }", "\npublic override func f() {}"),
        ("public extension A { internal override func f() {} }", "\ninternal override func f() {}"),
        (
          "package extension A { @objc override var f: Int { 1 } }",
          "\n package override var f: Int { 1 }"
        ),
        ("public extension A { override open func f() {} }", "\noverride open func f() {}"),
        ("private extension A { override func f() {} }", "\noverride func f() {}"),
        ("extension A { override func f() {} }", "\noverride func f() {}"),
        (
          "public extension A {\n#if B\noverride func f() {}\n#endif\n}",
          "\npublic override func f() {}"
        ),
      ] {
        let ported = SourcePorter.port([
          ("/App/Class.swift", "class A: B {\n}"), ("/App/More.swift", declaration),
        ])
        #expect(ported[0].text.contains(expected), "\(declaration): \(ported[0].text)")
      }
    }
  }
#endif
