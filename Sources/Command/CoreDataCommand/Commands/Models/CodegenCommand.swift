import ArgumentParser
import Foundation
import StoreTool

struct CodegenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codegen", abstract: "Writes the Swift classes of a source model.",
    discussion:
      "A class's own file is written once and is yours then; the file of its properties is written anew."
  )

  @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp("The folder to write into.", valueName: "folder"), completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("The module that the classes stand in.", valueName: "name"))
  var module = "App"

  @Option(
    help: ArgumentHelp(
      "How the code looks: \(SwiftClasses.flavours.joined(separator: ", ")).", valueName: "flavour")
  )
  var flavour = "standard"

  @Option(
    help: ArgumentHelp("An entity; may be there several times. All by default.", valueName: "name"))
  var entity: [String] = []

  @OptionGroup var report: ReportOptions

  func run() throws {
    let names = try SwiftClasses.write(
      of: URL(store: model), module: module, flavour: flavour, entities: entity,
      into: URL(fileURLWithPath: output))
    try report.print(
      CodegenReport(output: output, files: names), text: names.joined(separator: "\n"))
  }
}

private struct CodegenReport: Encodable {
  let output: String
  let files: [String]
}
