import CoreData
import Foundation
import StoreTool
import Testing

struct ModelTests {
  @Test func aModelGoesThroughEveryFormAndStaysTheSame() throws {
    let library = try Library()
    var source = library.url
    for name in ["A.mom", "B.xcdatamodel", "C.momd", "D.xcdatamodeld"] {
      let next = library.folder.appendingPathComponent(name)
      #expect(try ToolRun("model", "convert", source.path, next.path).status == 0)
      source = next
    }
    let run = try ToolRun("model", "diff", library.url.path, source.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("the same"))
    #expect(try ToolRun("model", "convert", library.url.path, source.path).status == 73)
  }

  @Test func aGraphHasEveryEntityAndRelationship() throws {
    let version = try ModelSource.version(at: Library().url, named: nil)
    let graph = ModelGraph(ModelReport(version))
    for text in [graph.dot, graph.svg] {
      for name in ["Author", "Novel", "Tag", "books / author", "tags / books"] {
        #expect(text.contains(name))
      }
    }
    #expect(graph.svg.hasSuffix("</svg>\n"))
  }

  @Test func hashesAreThoseOfTheStore() throws {
    let library = try Library()
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: library.url)
    let hashes = ModelHashes(try ModelSource.version(at: library.url, named: nil))
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes.entities == stored?.mapValues { $0.map { String(format: "%02x", $0) }.joined() })
  }

  @Test func classesAreWritten() throws {
    let library = try Library()
    let folder = library.folder.appendingPathComponent("Classes")
    let run = try ToolRun(
      "codegen", library.modelURL.path, "--output", folder.path, "--flavour", "wrong")
    #expect(run.status == 64)
  }

  /// Whoever has nothing but a file is told the way.
  @Test func classesOfWhatIsNoSourceAreWrittenByWayOfOne() throws {
    let library = try Library()
    let folder = library.folder.appendingPathComponent("Classes").path
    let compiled = library.folder.appendingPathComponent("Library.momd").path
    #expect(try ToolRun("model", "compile", library.modelURL.path, compiled).status == 0)
    for place in [library.url.path, compiled] {
      let run = try ToolRun("codegen", place, "--output", folder)
      #expect(run.status == 64)
      #expect(run.errors.contains("coredata model convert"), "\(run.errors)")
      #expect(run.errors.components(separatedBy: "error:").count == 2, "\(run.errors)")
    }
    let source = library.folder.appendingPathComponent("Of.xcdatamodeld").path
    #expect(try ToolRun("model", "convert", library.url.path, source).status == 0)
    let run = try ToolRun("codegen", source, "--output", folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(.enabled(if: StoreCorpus.root != nil, StoreCorpus.reason))
  func everyModelOfTheCorpusIsShownDrawnAndHashed() throws {
    for place in ["models", "compiled", "shipped"] {
      let folder = try StoreCorpus.url(place)
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
        ["xcdatamodeld", "momd"].contains { name.hasSuffix(".\($0)") }
      }
      #expect(!names.isEmpty)
      for name in names {
        for version in try ModelSource.versions(at: folder.appendingPathComponent(name)) {
          let report = ModelReport(version)
          #expect(!report.text().isEmpty && !ModelHashes(version).text.isEmpty, "\(name)")
          #expect(
            ModelGraph(report).svg.contains("</svg>") && ModelGraph(report).dot.hasSuffix("}\n"),
            "\(name)")
        }
      }
    }
  }

  @Test func aStoreWithoutAModelIsGuessed() throws {
    let library = try Library()
    try library.sql("DROP TABLE Z_MODELCACHE")
    let store = try library.open()
    #expect(store.origin == .guessed)
    let bytes = ByteWriter(descriptor: nil)
    var query = Query(entity: "Book")
    query.columns = "title,author.name,pages,published"
    query.sort = "pages"
    try query.run(in: store, format: .ndjson, to: bytes)
    #expect(
      bytes.collected.split(separator: "\n").first.map(String.init)
        == #"{"title":"Emma","author.name":"Austen","pages":474,"published":"2001-01-01T00:00:00Z"}"#
    )
    #expect(throws: ToolError.self) { try library.open(isWriting: true) }
  }
}
