import ArgumentParser
import Foundation
import StoreTool

struct ModelNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a source model without entities.",
    discussion: """
      coredata model new Books.xcdatamodeld
      coredata model add Books.xcdatamodeld entity Book
      coredata model add Books.xcdatamodeld attribute Book.title String optional=NO
      """)

  @Argument(help: "The .xcdatamodeld or .xcdatamodel to make.", completion: .file())
  var model: String

  @OptionGroup var report: ReportOptions

  func run() throws {
    let url = URL(fileURLWithPath: model)
    try SourceModel.make(at: url)
    try report.print(EditReport(model: model, changes: []), text: "Made \(model).")
  }
}

/// The source model that a command edits.
struct EditedModelArguments: ParsableArguments {
  @Argument(help: "The .xcdatamodeld or .xcdatamodel.", completion: .file())
  var model: String

  @Option(
    help: ArgumentHelp("The version to edit; by default the current one.", valueName: "name"))
  var version: String?

  @OptionGroup var report: ReportOptions

  var url: URL { URL(fileURLWithPath: model) }

  /// Edits the version, saves it, and prints the lines that have changed.
  func edit(_ body: (inout EditedModel) throws -> Void) throws {
    var edited = try EditedModel(model: url, version: version)
    try body(&edited)
    try edited.save()
    try print(edited.changes)
  }

  func print(_ changes: [String]) throws {
    try report.print(
      EditReport(model: model, changes: changes),
      text: changes.isEmpty ? "Nothing has changed." : changes.joined(separator: "\n"))
  }
}

private struct EditReport: Encodable {
  let model: String
  let changes: [String]
}

struct ModelAddCommand: ParsableCommand {
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case entity, attribute, relationship, index, unique, version
  }

  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds an entity, a property, an index or a version to a source model.",
    discussion: """
      coredata model add Books.xcdatamodeld entity Novel parent=Book
      coredata model add Books.xcdatamodeld attribute Book.pages 'Integer 32' optional=NO default=1
      coredata model add Books.xcdatamodeld relationship Author.books Book.author toMany=YES deleteRule=Cascade
      coredata model add Books.xcdatamodeld relationship Book.tags Tag.books toMany=YES --inverse toMany=YES
      coredata model add Books.xcdatamodeld index Book.byTitle title,-pages
      coredata model add Books.xcdatamodeld unique Author name
      coredata model add Books.xcdatamodeld version 'Books 2'

      A relationship's inverse is made with it, and leads to one object unless --inverse says toMany=YES. A version is \
      a copy of the current one, and becomes current. KEY=VALUE are the words of the model's XML, or shorter ones: \
      type, default, min, max, regex, class, parent, abstract, deleteRule, inverse, destination, formerName, \
      expression, transformer, externalStorage, codegen, modifier.
      """)

  @OptionGroup var arguments: EditedModelArguments

  @Argument(help: "What to add.")
  var kind: Kind

  @Argument(help: "Its name: ENTITY, ENTITY.PROPERTY, ENTITY.INDEX, or the version's.")
  var name: String

  @Argument(
    help:
      "An attribute's type, a relationship's destination, the properties of an index or constraint; then KEY=VALUE."
  )
  var values: [String] = []

  @Option(
    help: ArgumentHelp("What the inverse relationship is, as KEY=VALUE.", valueName: "key=value"))
  var inverse: [String] = []

  func validate() throws {
    if kind != .relationship, !inverse.isEmpty {
      throw ValidationError("Only a relationship has an --inverse.")
    }
    let needs: [Kind: String] = [
      .attribute: "a type", .relationship: "a destination", .index: "properties",
      .unique: "properties",
    ]
    guard let need = needs[kind], values.first.map({ $0.contains("=") }) ?? true else { return }
    throw ValidationError("Name \(need) after “\(name)”.")
  }

  func run() throws {
    guard kind != .version else {
      guard values.isEmpty else { throw ValidationError("A version has a name alone.") }
      try SourceModel.addVersion(name, to: arguments.url)
      return try arguments.print(["+ \(name).xcdatamodel"])
    }
    let words = try (kind == .entity ? values : Array(values.dropFirst())).map(
      ModelAssignment.init)
    let subject = values.first ?? ""
    let inverse = try inverse.map(ModelAssignment.init)
    try arguments.edit { model in
      switch kind {
      case .entity: try model.addEntity(name, words: words)
      case .attribute: try model.addAttribute(name, type: subject, words: words)
      case .relationship:
        try model.addRelationship(name, to: subject, words: words, inverse: inverse)
      case .index: try model.addIndex(name, of: subject, words: words)
      case .unique:
        guard words.isEmpty else {
          throw ValidationError("A constraint has a list of properties alone: title,pages.")
        }
        try model.addConstraint(of: name, subject)
      case .version: break
      }
    }
  }
}

struct ModelSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract:
      "Changes an entity, a property or an index of a source model, or its current version.",
    discussion: """
      coredata model set Books.xcdatamodeld Book.title optional=NO default=Untitled
      coredata model set Books.xcdatamodeld Book.title name=heading
      coredata model set Books.xcdatamodeld Book.pages --clear default
      coredata model set Books.xcdatamodeld --current 'Books 2'

      A new name reaches everything that names it, and the former one stays as elementID, by which a migration \
      finds the values.
      """)

  @OptionGroup var arguments: EditedModelArguments

  @Argument(help: "What changes: ENTITY, ENTITY.PROPERTY or ENTITY.INDEX.")
  var name: String?

  @Argument(help: "What it is from now on: KEY=VALUE.")
  var values: [String] = []

  @Option(help: ArgumentHelp("A word to remove.", valueName: "key"))
  var clear: [String] = []

  @Option(help: ArgumentHelp("The version to be current.", valueName: "name"))
  var current: String?

  func validate() throws {
    guard name == nil else {
      if values.isEmpty, clear.isEmpty {
        throw ValidationError("Say what changes: KEY=VALUE, or --clear KEY.")
      }
      return
    }
    if current == nil { throw ValidationError("Name what changes, or --current.") }
  }

  func run() throws {
    if let current { try SourceModel.setCurrent(current, of: arguments.url) }
    guard let name else { return try arguments.print(["current: \(current ?? "")"]) }
    let words = try values.map(ModelAssignment.init)
    try arguments.edit { model in
      for key in clear { try model.clear(name, key: key) }
      try model.set(name, words: words)
    }
  }
}

struct ModelRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes an entity, a property or an index from a source model.",
    discussion: "coredata model remove Books.xcdatamodeld Book.pages")

  @OptionGroup var arguments: EditedModelArguments

  @Argument(help: "What goes: ENTITY, ENTITY.PROPERTY or ENTITY.INDEX.")
  var name: String

  func run() throws {
    try arguments.edit { try $0.remove(name) }
  }
}
