import CoreData
import Foundation
import ModelDocuments
import StoreTool
import TestSupport
import Testing

/// `coredata model new`, `add`, `set` and `remove`: a model is made and edited without Xcode.
struct ModelEditingTests {
  private let folder: URL
  private let model: URL

  init() throws {
    folder = try TestFolder.make()
    model = folder.appendingPathComponent("Books.xcdatamodeld")
  }

  private var file: URL { model.appendingPathComponent("Books.xcdatamodel/contents") }

  private func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  @discardableResult
  private func run(_ words: String..., status: Int32 = 0) throws -> String {
    let run = try ToolRun(["model", words[0], model.path] + words.dropFirst())
    #expect(run.status == status, "\(words): \(run.output)\(run.errors)")
    return run.output + run.errors
  }

  private func makeBooks() throws {
    try run("new")
    try run("add", "entity", "Book")
    try run("add", "entity", "Author")
    try run("add", "attribute", "Book.title", "String", "optional=NO")
    try run("add", "attribute", "Book.pages", "Integer 32", "default=1")
    try run(
      "add", "relationship", "Author.books", "Book.author", "toMany=YES", "deleteRule=Cascade")
    try run("add", "index", "Book.byTitle", "title,-pages")
    try run("add", "attribute", "Author.name", "String")
    try run("add", "unique", "Author", "name")
  }

  @Test func aModelIsWrittenAsXcodeWritesIt() throws {
    try run("new")
    try run("add", "entity", "Book")
    try run("add", "entity", "Author", "codegen=category")
    try run("add", "attribute", "Book.title", "String", "optional=NO")
    try run("add", "attribute", "Book.pages", "int32", "default=1")
    try run("add", "attribute", "Book.date", "Date", "default=2001-01-02")
    try run(
      "add", "relationship", "Author.books", "Book.author", "toMany=YES", "deleteRule=Cascade")
    try run("add", "index", "Book.byTitle", "title,-pages")
    try run("add", "unique", "Book", "title,date")
    let lines = try text().split(separator: "\n").dropFirst(2)
    #expect(
      lines.joined(separator: "\n") == """
            <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="category">
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
            </entity>
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
                <attribute name="date" optional="YES" attributeType="Date" defaultDateTimeInterval="86400" usesScalarValueType="NO"/>
                <attribute name="pages" optional="YES" attributeType="Integer 32" defaultValueString="1" usesScalarValueType="YES"/>
                <attribute name="title" attributeType="String"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="ascending"/>
                    <fetchIndexElement property="pages" type="Binary" order="descending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                        <constraint value="date"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>
        """)
    #expect(try ToolRun("new", model.path, folder.path + "/Books.sqlite").status == 0)
  }

  /// Each type by Xcode's name; the model with it can be made into a store.
  @Test func anAttributeOfEachTypeIsAdded() throws {
    try run("new")
    try run("add", "entity", "Thing")
    let types: [ModelAttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .uuid, .uri, .transformable,
    ]
    for type in types {
      try run("add", "attribute", "Thing.a\(type.number)", type.rawValue)
    }
    let entity = try #require(
      try ModelSource.version(at: model, named: nil).model.entitiesByName["Thing"])
    #expect(
      Set(entity.attributesByName.values.map(\.attributeType.rawValue)) == Set(types.map(\.number)))
    #expect(try run("add", "attribute", "Thing.b", "Text", status: 64).contains("Integer 16"))
  }

  /// Comments, spaces, quotes and words that nobody knows stay where they are.
  @Test(arguments: ["\n", "\r\n"])
  func anEditTouchesItsElementAlone(newline: String) throws {
    try run("new")
    let odd = [
      "<?xml version='1.0' encoding='UTF-8'?>", "<!-- <entity name=\"Book\"> -->",
      "<model  type='com.apple.IDECoreDataModeler.DataModel' documentVersion=\"1.0\">",
      "  <entity name = 'Book'   syncable=\"YES\" >  <!-- a > b -->",
      "\t<attribute attributeType='String' optional='YES'  name='title' />",
      "\t<attribute name=\"note\" attributeType=\"String\" defaultValueString=\"a &amp; b/>\"></attribute>",
      "  </entity>", "  <elements><element name='Book' positionX='1' positionY=\"2\"/></elements>",
      "</model>", "<!-- the end -->",
    ]
    try Data(odd.joined(separator: newline).utf8).write(to: file)
    try run("set", "Book.title", "optional=NO")
    var expected = odd
    expected[4] = "\t<attribute attributeType='String'  name='title' />"
    #expect(try text() == expected.joined(separator: newline))
    try run("set", "Book.title", "optional=YES", "default=x \"<y>\"")
    expected[4] =
      "\t<attribute attributeType='String' defaultValueString=\"x &#34;&#60;y&#62;&#34;\"  name='title' optional=\"YES\" />"
    let lines = try text().components(separatedBy: newline)
    #expect(lines.indices.filter { lines[$0] != odd[$0] } == [4])
    try run("set", "Book.note", "default=c")
    #expect(try text().contains("defaultValueString=\"c\"></attribute>"))
  }

  /// Every version of every model of the corpus: an edit and its reverse give the same bytes.
  @Test(.enabled(if: StoreCorpus.root != nil, StoreCorpus.reason))
  func theModelsOfTheCorpusKeepTheirBytes() throws {
    var count = 0
    for place in ["models", "shipped"] {
      let root = try StoreCorpus.url(place)
      let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        .filter { $0.hasSuffix(".xcdatamodel/contents") }
      for name in names {
        let source = root.appendingPathComponent(name).deletingLastPathComponent()
        let copy = folder.appendingPathComponent("\(count).xcdatamodel")
        try FileManager.default.copyItem(at: source, to: copy)
        count += 1
        try changeAndReverse(copy)
      }
    }
    #expect(count > 30)
  }

  private func changeAndReverse(_ copy: URL) throws {
    let file = copy.appendingPathComponent("contents")
    let former = try Data(contentsOf: file)
    for entity in try ModelDocument(data: former, file: file.path).entities {
      guard let property = entity.properties.first(where: { $0.attribute != nil }) else { continue }
      let path = "\(entity.name).\(property.name)"
      for value in property.isOptional ? ["NO", "YES"] : ["YES", "NO"] {
        var edited = try EditedModel(model: copy, version: nil)
        try edited.set(path, words: [ModelAssignment("optional", value: value)])
        #expect(edited.changes.count == 2, "\(copy.path): \(edited.changes)")
        try edited.save()
      }
      var edited = try EditedModel(model: copy, version: nil)
      try edited.addAttribute("\(entity.name).zzAdded", type: "Integer 64", words: [])
      try edited.save()
      edited = try EditedModel(model: copy, version: nil)
      try edited.remove("\(entity.name).zzAdded")
      try edited.save()
    }
    // Attributes may have been in another order of the line.
    let sorted = [former, try Data(contentsOf: file)].map { $0.sorted() }
    #expect(sorted[0] == sorted[1], "\(copy.path)")
  }

  @Test func aNewNameReachesEverythingThatNamesIt() throws {
    try makeBooks()
    try run("add", "entity", "Novel", "parent=Book")
    try run("set", "Book.title", "name=heading")
    try run("set", "Book.author", "name=writer")
    try run("set", "Book", "name=Volume")
    let text = try text()
    for piece in [
      "<attribute name=\"heading\" attributeType=\"String\" elementID=\"title\"/>",
      "property=\"heading\"", "inverseName=\"writer\"", "inverseEntity=\"Volume\"",
      "destinationEntity=\"Volume\"", "parentEntity=\"Volume\"",
      "<entity name=\"Volume\" representedClassName=\"Volume\" elementID=\"Book\"",
    ] { #expect(text.contains(piece), "\(piece) is missing in \(text)") }
    #expect(!text.contains("property=\"title\"") && !text.contains("Entity=\"Book\""))
    _ = try ModelSource.version(at: model, named: nil)
  }

  /// A value comes through a version that gives its attribute another name and a wider type.
  @Test func aVersionThatTheCommandMakesMigrates() throws {
    try makeBooks()
    let store = folder.appendingPathComponent("Books.sqlite").path
    #expect(try ToolRun("new", model.path, store).status == 0)
    #expect(
      try ToolRun("insert", store, "Book", "title=Emma", "pages=12", "--no-backup").status == 0)
    try run("add", "version", "Books 2")
    try run("set", "Book.title", "name=heading")
    try run("set", "Book.pages", "type=Integer 64")
    try run("add", "attribute", "Book.price", "Decimal")
    #expect(try !text().contains("heading"))
    let migrated = try ToolRun("migrate", store, "--to", model.path, "--no-backup")
    #expect(migrated.status == 0, "\(migrated.errors)")
    let row = try ToolRun("query", store, "Book", "--columns", "heading,pages", "--format", "csv")
    #expect(row.output == "heading,pages\r\nEmma,12\r\n")
    try run("set", "--current", "Books")
    #expect(try run("show").contains("title"))
    try run("set", "--current", "Books 3", status: 64)
    try run("add", "version", "Books 2", status: 64)
  }

  @Test func whatIsRefusedLeavesEveryByte() throws {
    try makeBooks()
    let before = try contents(of: model)
    let refused = [
      ["add", "entity", "Book"], ["add", "entity", "A.b"],
      ["add", "entity", "Novel", "parent=Nobody"],
      ["add", "attribute", "Book.title", "String"], ["add", "attribute", "Nobody.name", "String"],
      ["add", "attribute", "Book.note", "String", "optinal=NO"],
      ["add", "attribute", "Book.note", "Txt"],
      ["add", "attribute", "Book.note", "Integer 16", "default=x"],
      ["add", "attribute", "Book.note", "Date", "default=tomorrow"],
      ["add", "attribute", "Book", "String"],
      ["add", "attribute", "Book.note"], ["add", "relationship", "Book.shelf", "Nobody"],
      ["add", "relationship", "Book.shelf", "Author.books.x"],
      ["add", "index", "Book.byNote", "note"],
      ["add", "index", "Book.byTitle", "title"], ["add", "unique", "Book", "note"],
      ["add", "version", "Books"], ["add", "version", "../x"],
      ["set", "Book.title", "optional=perhaps"], ["set", "Book.title", "renamingIdentifier=x"],
      ["set", "Book.note", "optional=NO"], ["set", "Nobody", "name=x"],
      ["set", "Book.title", "name=pages"],
      ["set", "Book", "name=Author"], ["set", "Book.title"],
      ["set", "Book.title", "--clear", "default"],
      ["set", "--current", "Books 9"],
      ["set", "--version", "Books 9", "Book.title", "optional=YES"],
      ["remove", "Book.note"], ["remove", "Book.title"],
      ["remove", "Author.name"], ["remove", "Author"], ["new"],
    ]
    for words in refused {
      let run = try ToolRun(["model", words[0], model.path] + words.dropFirst())
      #expect([64, 73].contains(run.status), "\(words): \(run.status) \(run.output)\(run.errors)")
      #expect(run.errors.hasPrefix("error: "), "\(words): \(run.errors)")
      #expect(try contents(of: model) == before, "\(words)")
    }
  }

  @Test func aRelationshipGoesWithItsInverse() throws {
    try makeBooks()
    try run("remove", "Author", status: 64)
    try run("add", "relationship", "Book.similar", "Book.similar", "toMany=YES")
    #expect(try run("show").contains("similar"))
    try run("remove", "Book.similar")
    try run("remove", "Book.byTitle")
    try run("remove", "Book.pages")
    #expect(try !text().contains("fetchIndex"))
  }

  @Test func compiledAndOldModelsAreNotEdited() throws {
    try makeBooks()
    let compiled = folder.appendingPathComponent("Books.momd").path
    #expect(try ToolRun("model", "compile", model.path, compiled).status == 0)
    #expect(try ToolRun("model", "add", compiled, "entity", "Tag").status == 64)
    let missing = try ToolRun("model", "add", folder.path + "/No.xcdatamodeld", "entity", "Tag")
    #expect(missing.status == 66 && missing.errors.contains("coredata model new"))
  }
}
