#if PortedSources
  import SourcePorter
  import Testing

  /// What cannot be rewritten is said with its place, and what to do.
  @Suite struct RemarkTests {
    @Test(arguments: [
      ("class A { @NSCopying var a: NSString }", 1, 11, "@NSCopying"),
      ("\nlet s = #selector(unknown)", 2, 9, "the selector of unknown"),
      ("extension A {\n  override func f() {} }", 2, 3, "an extension cannot override"),
      (
        "@objc protocol P { @objc optional func a() }\nfunc f(_ p: P?) { if let a = p?.a {} }", 2,
        30,
        "the optional method a"
      ),
      (
        "@objc protocol P { @objc optional func a(_ x: Int) }\nfunc f(_ p: P) throws { p.a?(try g()) }",
        2, 25, "arguments try"
      ),
      ("let x = undo.prepare(withInvocationTarget: a)", 1, 9, "prepared"),
      ("let k = #keyPath(a[0])", 1, 9, "this key path"),
    ]) func hasItsPlace(source: String, line: Int, column: Int, reason: String) throws {
      let remarks = SourcePorter.port(source: source, path: "/A.swift").remarks
      let remark = try #require(remarks.first)
      #expect(remarks.count == 1)
      #expect(remark.line == line && remark.column == column)
      #expect(remark.reason.contains(reason))
      #expect(!remark.remedy.isEmpty)
      #expect(
        remark.text(path: "/A.swift").hasPrefix(
          "/A.swift:\(line):\(column): error: \(remark.reason); "))
    }

    @Test(arguments: [
      ("class A<T>: NSObject, NSCoding {}", 1, 1),
      ("class A<T> {\n  class B: NSObject, NSCoding {} }", 2, 3),
      ("extension A where T == Int {\n  class B: NSObject, NSCoding {} }", 2, 3),
      ("class A<T> {}\nextension A {\n  class B: NSObject, NSSecureCoding {} }", 3, 3),
      ("func f() {\n  class B: NSObject, NSSecureCoding {} }", 2, 3),
    ]) func lateNamesInArchivesAreWarnedOf(source: String, line: Int, column: Int) throws {
      let remarks = SourcePorter.port(source: source, path: "/A.swift").remarks
      let remark = try #require(remarks.first)
      #expect(remarks.count == 1 && remark.severity == .warning)
      #expect(remark.line == line && remark.column == column)
      #expect(remark.reason.contains("archives of a class that is generic"))
    }

    @Test func ordinarySourcesHaveNone() {
      let ported = SourcePorter.port(
        source: "struct A { let a = [1, 2].map { $0 + 1 } }\n", path: "/A.swift")
      #expect(ported.remarks.isEmpty)
      #expect(
        ported.text
          == "#sourceLocation(file: \"/A.swift\", line: 1)\nstruct A { let a = [1, 2].map { $0 + 1 } }\n"
      )
    }
  }
#endif
