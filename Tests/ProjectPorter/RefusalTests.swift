import Foundation
import Testing

@testable import ProjectPorter

/// What the compiler has refused stays out of the package.
@Suite struct RefusalTests {
  private static let manifest = """
    // swift-tools-version: 5.9
    import PackageDescription
    let package = Package(
      name: "Kit",
      targets: [.target(name: "Kit"), .testTarget(name: "KitTests", dependencies: ["Kit"])])
    """

  private static let book = """
    import CoreData
    class Book: NSManagedObject {
      override func awakeFromInsert() {
        activity()
      }
      func saveExpiring() {
        activity()
      }
      func saveAll() {}
    }
    extension Book: Sendable {
      var allPages: Int {
        1
      }
    }
    struct Shelf {
      let size = 1; func fill() {}
      init() {
        activity()
      }
    }
    let theShelf = Shelf()

    """

  private static func options(_ refusals: Refusals? = nil) -> Porting.Options {
    var options = Porting.Options(openCoreData: "/opencoredata")
    options.refusals = refusals
    return options
  }

  private static func with(
    _ files: [String: String], _ body: (ProjectFolder) throws -> Void
  ) throws {
    let all = [
      "Package.swift": manifest, "Sources/Kit/Book.swift": book,
      "Tests/KitTests/KitTests.swift": "@testable import Kit\nimport XCTest\n",
    ]
    try ProjectFolder.with(all.merging(files) { $1 }, body)
  }

  /// Where an error may stand, and what goes for it: "" is the file.
  @Test(arguments: [
    (1, ""), (2, "Book"), (3, ""), (4, ""), (6, "Book.saveExpiring"), (7, "Book.saveExpiring"),
    (9, "Book.saveAll"), (11, "extension Book"), (13, "Book.allPages"), (16, "Shelf"),
    (19, "Shelf.init()"),
    (22, "theShelf"),
  ]) func whatGoesForAnError(line: Int, path: String) throws {
    let facts = SourceFacts(URL(fileURLWithPath: "/Book.swift"), text: Array(Self.book.utf8))
    #expect(facts.removable(atLine: line).flatMap(facts.path) ?? "" == path)
  }

  /// A file that has something for Linux is built as on Linux where what it has for another
  /// platform does not compile.
  @Test func whatAnotherPlatformHasGoesByItself() throws {
    let source = """
      struct Watcher {
        #if os(macOS)
          var source: Gone?
        #endif
        var size = 1
      }
      """
    try Self.with(["Sources/Kit/Watcher.swift": source]) { folder in
      func kept(_ refusals: Refusals) throws -> SourceFacts? {
        try Porting(folder.url, Self.options(refusals)).judgements.flatMap(\.kept)
          .first { $0.file.lastPathComponent == "Watcher.swift" }
      }
      let first = try #require(try kept(Refusals()))
      #expect(first.ownConditions.contains("os(macOS)") && first.hasCodeForLinux)
      var refusals = Refusals()
      _ = refusals.add(
        "cannot find type 'Gone'", file: "Sources/Kit/Watcher.swift",
        declaration: first.conditionEntries[0])
      let second = try #require(try kept(refusals))
      #expect(second.ownConditions.isEmpty && second.pathsLeftOut.isEmpty)
    }
  }

  /// What is left of the file; nil where it is left out.
  @Test(arguments: [
    (["Book.saveExpiring"], ["Book.saveExpiring"]),
    (["Book.saveAll", "Book.allPages"], ["Book.saveAll", "Book.allPages"]),
    (["extension Book"], ["extension Book"]),
    (["Shelf"], ["Shelf", "theShelf"]),
    (["Book.gone"], []),
    ([""], nil),
    (["Book.saveAll", ""], nil),
    (["Book.awakeFromInsert"], nil),
  ]) func whatIsRefusedIsLeftOut(paths: [String], rest: [String]?) throws {
    var refusals = Refusals()
    for path in paths {
      let isNew = refusals.add("is wrong", file: "Sources/Kit/Book.swift", declaration: path)
      #expect(isNew)
    }
    try Self.with(["Sources/Kit/Other.swift": "let other = 1"]) { folder in
      let porting = try Porting(folder.url, Self.options(refusals))
      let kept = porting.judgements.flatMap(\.kept).first {
        $0.file.lastPathComponent == "Book.swift"
      }
      #expect(kept?.pathsLeftOut == rest)
      let report = porting.report.description
      if rest == nil {
        #expect(report.contains("does not compile here: is wrong"))
        #expect(report.contains("  1 do not compile here (1 of them import Core Data)"))
        #expect(porting.report.leavesCoreDataOut)
      } else if let first = rest?.first {
        #expect(
          report.contains("\(first) is left out, which does not compile here: is wrong\n"))
      }
    }
  }

  /// Names that could mean something else: the compiler tells who uses them.
  @Test func aNameOfOneWordTakesNoFileWithIt() throws {
    var refusals = Refusals()
    _ = refusals.add("no", file: "Sources/Kit/Book.swift", declaration: "Shelf.fill")
    try Self.with(["Sources/Kit/Use.swift": "func useAll(_ x: Other) { x.fill() }"]) { folder in
      let porting = try Porting(folder.url, Self.options(refusals))
      #expect(
        porting.judgements.flatMap(\.kept).map(\.pathsLeftOut).filter { !$0.isEmpty } == [
          ["Shelf.fill"]
        ])
      #expect(porting.judgements.flatMap(\.kept).count == 3)
    }
  }

  @Test func thePackageKeepsThem() throws {
    var refusals = Refusals()
    let news = ["a\tb\nc", "other"].map {
      refusals.add($0, file: "Sources/Kit/Book.swift", declaration: "Book.saveAll")
    }
    #expect(news == [true, false])
    try Self.with([:]) { folder in
      let written = try Porting(folder.url, Self.options(refusals)).write()
      #expect(written.contains("refused.tsv"))
      #expect(
        try folder.text("Linux/refused.tsv").hasSuffix(
          "\nSources/Kit/Book.swift\tBook.saveAll\ta b c\n"))
      let again = try Porting(folder.url, Self.options())
      #expect(again.refusals == refusals)
      #expect(try again.outdated().isEmpty)
      // Without any, the file goes.
      #expect(try Porting(folder.url, Self.options(Refusals())).write().contains("refused.tsv"))
      #expect(!folder["Linux/refused.tsv"].isThere)
    }
  }

  /// The compiler's line is kept, in the list and in the report; lists of older versions have none.
  @Test func aRefusalHasTheCompilersLine() throws {
    var refusals = Refusals()
    let isNew = refusals.add("is wrong", file: "Sources/Kit/Book.swift", line: 4)
    #expect(isNew)
    try Self.with([:]) { folder in
      let porting = try Porting(folder.url, Self.options(refusals))
      #expect(
        porting.report.description.contains(
          "Sources/Kit/Book.swift:4: does not compile here: is wrong\n"))
      _ = try porting.write()
      #expect(
        try folder.text("Linux/refused.tsv").hasSuffix("\nSources/Kit/Book.swift:4\t\tis wrong\n"))
      #expect(try Porting(folder.url, Self.options()).refusals == refusals)
      try folder.write("# x\nSources/Kit/Book.swift\t\tis wrong\n", to: "Linux/refused.tsv")
      #expect(
        try Porting(folder.url, Self.options()).report.description.contains(
          "Sources/Kit/Book.swift:1: does not compile here: is wrong\n"))
    }
  }

  /// A package that does not compile here costs what uses it, and not the port.
  @Test func aPackageThatDoesNotCompileIsLeftOut() throws {
    let manifest = """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Kit", dependencies: [.package(url: "https://github.com/SwiftyJSON/SwiftyJSON.git", from: "5.0.0")],
        targets: [
          .target(name: "Kit", dependencies: ["SwiftyJSON"]), .testTarget(name: "KitTests", dependencies: ["Kit"]),
        ])
      """
    let source = "import CoreData\nimport SwiftyJSON\nstruct Reader { let json: JSON }"
    try Self.with(["Package.swift": manifest, "Sources/Kit/Reader.swift": source]) { folder in
      #expect(try Porting(folder.url, Self.options()).report.targets[0].built == 2)
      var refusals = Refusals()
      _ = refusals.add(
        "does not compile here: ambiguous", file: Refusals.name(ofPackage: "swiftyjson"), line: 7)
      let porting = try Porting(folder.url, Self.options(refusals))
      #expect(porting.report.targets[0].built == 1)
      #expect(
        porting.report.description.contains(
          "Reader.swift:3: uses JSON of SwiftyJSON of the package swiftyjson, which does not compile here: ambiguous"
        ))
      _ = try porting.write()
      #expect(!(try folder.text("Linux/Package.swift").contains("SwiftyJSON")))
      // The next port knows it still.
      #expect(try Porting(folder.url, Self.options()).report.targets[0].built == 1)
    }
  }

  @Test func aPackageThatCannotBeHadIsFoundInTheErrors() {
    let errors = CompilerErrors(
      "error: Failed to clone repository https://example.org/Log.git:\n/a/A.swift:1:1: error: no")
    #expect(errors.line(about: "https://example.org/Log") != nil)
    #expect(errors.line(about: "https://example.org/Other.git") == nil)
  }

  /// A check says that it has not asked the compiler, or when somebody last did.
  @Test func aCheckSaysWhatItCannotKnow() throws {
    try Self.with([:]) { folder in
      let first = try Porting(folder.url, Self.options(Refusals()))
      #expect(
        first.limitsOfKnowledge.hasPrefix("Judged by names: which declarations of these 2 files"))
      var refusals = Refusals()
      _ = refusals.add("no", file: "Sources/Kit/Book.swift", declaration: "Book.saveAll", line: 9)
      _ = try Porting(folder.url, Self.options(refusals)).write()
      // The check takes what the last build recorded.
      let check = try Porting(folder.url, Self.options())
      #expect(check.limitsOfKnowledge.contains("by the 1 refusals of the last --build"))
      #expect(check.report.description.contains("Book.saveAll is left out"))
    }
  }

  @Test func aListThatSomebodyHasDamaged() throws {
    try Self.with(["Linux/refused.tsv": "# x\nBook.swift Book.save"]) { folder in
      let error = #expect(throws: PortError.self) {
        try Porting(folder.url, Self.options())
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("Linux/refused.tsv:2: expected a file, a declaration and a message"))
      #expect(text.contains("found \"Book.swift Book.save\""))
    }
  }

  @Test func errorsInWhatABuildPrints() {
    let errors = CompilerErrors(
      """
      [1/5] Compiling Kit
      /a b/Kit/../Kit/Book.swift:12:5: error: cannot find 'x' in scope
      10 | let a = x
         |         `- error: cannot find 'x' in scope
      /a b/Kit/Book.swift:12:5: error: cannot find 'x' in scope
      /a/Shelf.swift:3: error: no such module
      /a/Shelf.swift:4:1: warning: unused
      error: fatalError
      """)
    #expect(
      errors.messages.map { "\($0.file.path):\($0.line) \($0.text)" } == [
        "/a b/Kit/Book.swift:12 cannot find 'x' in scope", "/a/Shelf.swift:3 no such module",
      ])
    #expect(errors.summary.hasSuffix("error: fatalError"))
  }
}
