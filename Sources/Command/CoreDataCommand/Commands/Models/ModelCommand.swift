import ArgumentParser
import Foundation
import StoreTool

struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows, makes, edits, converts, compares and draws models.",
    discussion:
      "A model is an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store of SQLite or on a server, which keep their own.",
    subcommands: [
      ModelShowCommand.self, ModelNewCommand.self, ModelAddCommand.self, ModelSetCommand.self,
      ModelRemoveCommand.self, ModelConvertCommand.self, ModelCompileCommand.self,
      ModelDiffCommand.self,
      ModelHashCommand.self, ModelGraphCommand.self,
    ])
}

/// The model that a command is about.
struct ModelArguments: ParsableArguments {
  @Argument(help: "The model, or a store that keeps one.", completion: .file())
  var model: String

  @Option(help: ArgumentHelp("The version; by default the current one.", valueName: "name"))
  var version: String?

  @Flag(help: "Take warnings of a source model for errors.")
  var strict = false

  var url: URL { get throws { try URL(store: model) } }

  func load() throws -> ModelSource.Version {
    try check()
    return try ModelSource.version(at: url, named: version)
  }

  fileprivate func check() throws {
    if strict { try ModelWarnings.refuse(in: url, version: version) }
  }

  /// Prints nothing without `--json`, like a compiler.
  fileprivate func convert(to output: URL, _ report: ReportOptions) throws {
    try check()
    try ModelConversion.convert(url, version: version, to: output)
    guard report.json else { return }
    try report.print(ConversionReport(model: model, output: output.path), text: "")
  }
}

private struct ConversionReport: Encodable {
  let model: String
  let output: String
}

struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows what a model says.")

  @OptionGroup var model: ModelArguments
  @OptionGroup var report: ReportOptions

  @Flag(help: "Show every version.")
  var all = false

  func run() throws {
    try model.check()
    let versions = all ? try ModelSource.versions(at: model.url) : [try model.load()]
    let reports = versions.map { ModelReport($0) }
    let text = reports.map { $0.text() }.joined(separator: "\n\n")
    if all { return try report.print(reports, text: text) }
    try report.print(reports[0], text: text)
  }
}

struct ModelConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes a model in the form that the extension names: xcdatamodel(d) or mom(d).")

  @OptionGroup var model: ModelArguments

  @Argument(help: "What to write.", completion: .file())
  var output: String

  @OptionGroup var report: ReportOptions

  func run() throws {
    try model.convert(to: URL(fileURLWithPath: output), report)
  }
}

struct ModelCompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compiles a source model to a .momd or .mom, beside it by default.")

  @OptionGroup var model: ModelArguments

  @Argument(help: "What to write.", completion: .file())
  var output: String?

  @OptionGroup var report: ReportOptions

  func run() throws {
    let source = try model.url
    guard source.isFileURL || output != nil else {
      throw ValidationError("Nothing lies beside a server: say what to write, a .momd or a .mom.")
    }
    let beside = source.deletingPathExtension()
      .appendingPathExtension(source.pathExtension == "xcdatamodel" ? "mom" : "momd")
    let destination = output.map { URL(fileURLWithPath: $0) } ?? beside
    guard ["mom", "momd"].contains(destination.pathExtension) else {
      throw ValidationError("A compiled model is a .momd or a .mom.")
    }
    try model.convert(to: destination, report)
  }
}

struct ModelDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract:
      "Says what two models, or two versions of one, differ in. The status is 1 when they do.")

  @Argument(help: "The former model.", completion: .file())
  var former: String

  @Argument(help: "The later model; by default the same with another version.", completion: .file())
  var later: String?

  @Option(help: ArgumentHelp("The version of the former model.", valueName: "name"))
  var from: String?

  @Option(help: ArgumentHelp("The version of the later model.", valueName: "name"))
  var to: String?

  @OptionGroup var report: ReportOptions

  func run() throws {
    let source = try ModelSource.version(at: URL(store: former), named: from)
    let destination = try ModelSource.version(at: URL(store: later ?? former), named: to)
    let difference = ModelDifference(from: source.model, to: destination.model)
    try report.print(difference, text: difference.text)
    if !difference.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}

struct ModelHashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Prints the version hashes of a model, as Apple's frameworks compute them.")

  @OptionGroup var model: ModelArguments
  @OptionGroup var report: ReportOptions

  func run() throws {
    let hashes = ModelHashes(try model.load())
    try report.print(hashes, text: hashes.text)
  }
}

struct ModelGraphCommand: ParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case dot, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draws a model: as SVG, or as DOT for Graphviz.")

  @OptionGroup var model: ModelArguments

  @Option(help: "The form of the drawing.")
  var format = Format.svg

  func run() throws {
    let graph = ModelGraph(ModelReport(try model.load()))
    try StandardOutput.print(format == .svg ? graph.svg : graph.dot, terminator: "")
  }
}
