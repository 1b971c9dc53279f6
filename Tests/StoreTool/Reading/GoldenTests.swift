import Foundation
import TestSupport
import Testing

/// What the command prints of every store and model of the corpus, compared with files of earlier output. Where a change
/// is meant, `COREDATA_GOLDEN=write` writes them anew, and the difference is for review.
@Suite(.enabled(if: StoreCorpus.root != nil, StoreCorpus.reason))
struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
  private static let isWriting = ProcessInfo.processInfo.environment["COREDATA_GOLDEN"] == "write"

  @Test(arguments: Sample.of(StoreCorpus.stores)) func aStoreIsShownAsBefore(name: String) throws {
    let url = try StoreCorpus.url(name + ".sqlite")
    let golden = Golden(replacing: url.path, with: "STORE")
    var text = try golden.run("inspect", url.path)
    for entity in try golden.entities(url.path) {
      text += try golden.run(
        "query", url.path, entity, "--sort", "objectID", "--limit", "2", "--format", "csv")
    }
    for command in ["check", "history"] { text += try golden.run(command, url.path) }
    text += try golden.run("model", "show", url.path)
    try compare(text, with: name)
  }

  @Test(arguments: StoreCorpus.models) func aModelIsShownAsBefore(name: String) throws {
    let url = try StoreCorpus.url(name)
    let golden = Golden(replacing: url.path, with: "MODEL")
    try compare(golden.run("model", "show", url.path, "--all"), with: name)
  }

  @Test func noFileIsLeftBehind() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let expected = (StoreCorpus.stores + StoreCorpus.models).map { Self.file($0).lastPathComponent }
    #expect(Set(names) == Set(expected))
  }

  private static func file(_ name: String) -> URL {
    folder.appendingPathComponent(name.replacing("/", with: "_").replacing(" ", with: "_") + ".txt")
  }

  private func compare(_ text: String, with name: String) throws {
    let file = Self.file(name)
    if Self.isWriting { return try Data(text.utf8).write(to: file) }
    let golden = try String(contentsOf: file, encoding: .utf8)
    let difference = zip(
      text.split(separator: "\n", omittingEmptySubsequences: false),
      golden.split(separator: "\n", omittingEmptySubsequences: false)
    ).first { $0 != $1 }
    #expect(
      text == golden,
      "\(name): “\(difference?.0 ?? "more or fewer lines")” was “\(difference?.1 ?? "")”")
  }
}

/// Output without what depends on where it was made.
private struct Golden {
  let path: String
  let name: String

  init(replacing path: String, with name: String) {
    self.path = path
    self.name = name
  }

  func run(_ arguments: String...) throws -> String {
    let run = try ToolRun(arguments)
    let text = "$ coredata \(arguments.joined(separator: " "))\n\(run.output)\(run.errors)"
    let status = run.status == 0 ? "" : "(status \(run.status))\n"
    return (text + status).replacing(path, with: name).replacing("\r\n", with: "\n") + "\n"
  }

  func entities(_ store: String) throws -> [String] {
    let run = try ToolRun("inspect", store, "--json")
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let entities = report?["entities"] as? [[String: Any]] ?? []
    return entities.compactMap { $0["name"] as? String }.sorted()
  }
}
