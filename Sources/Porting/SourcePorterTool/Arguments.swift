#if PortedSources
  import Foundation
  import SourcePorter

  /// The parsed arguments.
  struct Arguments {
    private var values: [String: [String]] = [:]
    private var sources: [URL] = []
    private var isCheck = false

    private static let names: Set<String> = [
      "--output", "--notes", "--define", "--companion", "--configuration",
    ]

    init(_ arguments: some Sequence<String>) throws {
      var rest = Array(arguments)[...]
      while let argument = rest.popFirst() {
        if argument == "--check" {
          isCheck = true
        } else if argument.hasPrefix("--") {
          guard Self.names.contains(argument) else {
            throw PortingError(
              "error: SourcePorterTool: \(argument) is not known; there are --check, "
                + Self.names.sorted().joined(separator: ", "))
          }
          guard let value = rest.popFirst() else {
            throw PortingError("error: SourcePorterTool: \(argument) needs a value")
          }
          values[argument, default: []].append(value)
        } else {
          sources.append(URL(fileURLWithPath: argument))
        }
      }
    }

    func run() throws -> (messages: [String], hasErrors: Bool) {
      if isCheck { return try PortedProject.remarks(on: sources) }
      var without: [String: [String]] = [:]
      if values["--configuration"] != nil {
        without = try SourceList(configuration: try file("--configuration")).check(
          against: sources, conditions: values["--define"] ?? [])
      }
      var project = PortedProject(
        output: try file("--output"), notesFile: try file("--notes"), version: try Self.version())
      project.sources = sources
      project.without = without
      project.companions = (values["--companion"] ?? []).map { URL(fileURLWithPath: $0) }
      project.conditions = Set(values["--define"] ?? [])
      return try project.write()
    }

    private func file(_ name: String) throws -> URL {
      guard let list = values[name], list.count == 1 else {
        throw PortingError("error: SourcePorterTool: expected \(name) once")
      }
      return URL(fileURLWithPath: list[0])
    }

    /// The size and date of the tool itself: another version may write other copies.
    private static func version() throws -> String {
      let path = URL(fileURLWithPath: CommandLine.arguments[0]).path
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let date = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
      return "\(facts[.size] ?? "") \(date)"
    }
  }
#endif
