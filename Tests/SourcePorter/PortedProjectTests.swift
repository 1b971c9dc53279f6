#if PortedSources
  import Foundation
  import SourcePorter
  import Testing

  /// Copies are written where something has changed, and nowhere else.
  @Suite final class PortedProjectTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "PortedProjectTests-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
      // A folder that is left behind harms nobody.
      try? FileManager.default.removeItem(at: folder)
    }

    private func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func write(_ name: String, _ text: String) throws {
      try text.write(to: url(name), atomically: true, encoding: .utf8)
    }

    private func project(version: String = "1") -> PortedProject {
      var project = PortedProject(
        output: url("Copies"), notesFile: url("notes.json"), version: version)
      project.sources = [url("A.swift"), url("B.swift")]
      return project
    }

    /// Makes the copies look old, runs the project, and gives the names of those that were written.
    private func written(_ project: PortedProject) throws -> [String] {
      let old = Date(timeIntervalSince1970: 0)
      let copies = url("Copies").path
      for name in (try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? [] {
        try FileManager.default.setAttributes(
          [.modificationDate: old], ofItemAtPath: copies + "/" + name)
      }
      _ = try project.write()
      return try FileManager.default.contentsOfDirectory(atPath: copies).sorted().filter { name in
        let facts = try FileManager.default.attributesOfItem(atPath: copies + "/" + name)
        return facts[.modificationDate] as? Date != old
      }
    }

    @Test func onlyWhatChangesIsWritten() throws {
      try write("A.swift", "@objc protocol P { func a() }")
      try write("B.swift", "func b(_ p: P) { p.c?(1) }")
      #expect(try written(project()) == ["A+Ported.swift", "B+Ported.swift"])
      #expect(try written(project()) == [])
      try write("A.swift", "@objc protocol P { func a() }\nlet edited = 1")
      #expect(try written(project()) == ["A+Ported.swift"])
    }

    @Test func anAnswerAboutAnotherFileMatters() throws {
      try write("A.swift", "@objc protocol P { func a() }")
      try write("B.swift", "func b(_ p: P) { p.c?(1) }")
      _ = try project().write()
      try write("A.swift", "@objc protocol P { func a(); @objc optional func c(_ x: Int) }")
      #expect(try written(project()) == ["A+Ported.swift", "B+Ported.swift"])
      let copy = try String(contentsOf: url("Copies/B+Ported.swift"), encoding: .utf8)
      #expect(copy.contains("(try? p.c(1))"))
    }

    @Test func remarksAreKept() throws {
      try write("A.swift", "class A { @NSCopying var a: NSString }")
      try write("B.swift", "")
      let first = try project().write()
      let second = try project().write()
      #expect(first.hasErrors)
      #expect(first.messages.count == 1)
      #expect(first.messages == second.messages)
      #expect(first.messages[0].hasPrefix(url("A.swift").path + ":1:11: error: "))
    }

    @Test func aSourceThatIsGoneIsAnError() throws {
      try write("A.swift", "")
      #expect { try project().write() } throws: {
        "\($0)".contains("B.swift: error: the source cannot be read")
      }
    }
  }
#endif
