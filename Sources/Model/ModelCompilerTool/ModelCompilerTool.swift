import Foundation
import ModelCompiler

/// The command line tool that the build plugin runs.
///
///     ModelCompilerTool --module App --output App.swift --models FOLDER --work FOLDER
///       --compiler swiftc [--define CONDITION]… [--options ManagedObjects.json]
///       [--model X.xcdatamodeld]… [--mapping-model X.xcmappingmodel]… [--dependency MODULE]…
///       [SOURCE.swift]…
@main
enum ModelCompilerTool {
  static func main() {
    do {
      let warnings = try Arguments(CommandLine.arguments.dropFirst()).compilation().run()
      for warning in warnings { write(warning) }
    } catch {
      write("\(error)")
      exit(1)
    }
  }

  private static func write(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}

/// The parsed arguments.
private struct Arguments {
  private var values: [String: [String]] = [:]
  private var sources: [String] = []

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        sources.append(argument)
        continue
      }
      guard let value = rest.popFirst() else { throw ArgumentError("\(argument) needs a value") }
      values[argument, default: []].append(value)
    }
  }

  func compilation() throws -> Compilation {
    var compilation = Compilation(
      moduleName: try one("--module"), output: try file("--output"),
      modelFolder: try file("--models"), workFolder: try file("--work"),
      compiler: try file("--compiler"))
    compilation.models = (values["--model"] ?? []).map { URL(fileURLWithPath: $0) }
    if values["--options"] != nil {
      compilation.options = try CodeOptions(contentsOf: try file("--options"))
      guard compilation.options.flavour != .xcode else {
        throw ArgumentError(
          "the flavour “xcode” is for files of your own; targets have “standard” or “idiomatic”")
      }
    }
    compilation.mappingModels = (values["--mapping-model"] ?? []).map { URL(fileURLWithPath: $0) }
    compilation.conditions = values["--define"] ?? []
    compilation.dependencies = values["--dependency"]
    compilation.sources = sources.map { URL(fileURLWithPath: $0) }
    return compilation
  }

  private func file(_ name: String) throws -> URL {
    URL(fileURLWithPath: try one(name))
  }

  private func one(_ name: String) throws -> String {
    guard let list = values[name], list.count == 1 else {
      throw ArgumentError("expected \(name) once")
    }
    return list[0]
  }
}

private struct ArgumentError: Error, CustomStringConvertible {
  let description: String

  init(_ problem: String) {
    description = "error: ModelCompilerTool: \(problem)"
  }
}
