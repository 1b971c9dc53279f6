import ArgumentParser
import Foundation
import StoreTool

/// The store that a command is about, and the model to read it with.
struct StoreArguments: ParsableArguments {
  @Argument(
    help: "The file of the store, or the address of a server: postgresql://user@host/database.",
    completion: .file())
  var store: String

  @OptionGroup var model: ModelOptions

  var request: StoreRequest { get throws { try model.request(store) } }

  func open(isWriting: Bool = false, mainQueueTimeout: TimeInterval? = nil) throws -> OpenedStore {
    try OpenedStore(request, isWriting: isWriting, mainQueueTimeout: mainQueueTimeout)
  }
}

struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model: .xcdatamodeld, .xcdatamodel, .momd, .mom, or another store. By default the one that the store "
        + "keeps, else one that is guessed from its tables.", valueName: "path"),
    completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The version of the model; by default the one that fits the store.", valueName: "name"))
  var modelVersion: String?

  @Flag(help: "Read the store although its model is another one.")
  var ignoreVersion = false

  var isGiven: Bool { model != nil || modelVersion != nil || ignoreVersion }

  func request(_ store: String) throws -> StoreRequest {
    var request = StoreRequest(store: try URL(store: store))
    request.model = try model.map { try URL(store: $0) }
    request.modelVersion = modelVersion
    request.ignoresVersion = ignoreVersion
    return request
  }
}

extension RowFormat: ExpressibleByArgument {}

/// The output option of most commands: text, or JSON for programs.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  func print(_ value: some Encodable, text: @autoclosure () -> String) throws {
    try StandardOutput.print(json ? try JSONReport.text(value) : text())
  }
}
