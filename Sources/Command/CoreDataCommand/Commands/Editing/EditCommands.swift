import ArgumentParser
import Foundation
import StoreTool

/// The options that all commands share which change objects.
struct EditOptions: ParsableArguments {
  @Flag(help: "Show what would change, and save nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo, help: "Copy the store to STORE.backups first, where “undo” finds it.")
  var backup = true

  @OptionGroup var report: ReportOptions

  func run(_ edit: Edit, in store: StoreArguments) throws {
    let result = try Editing.run(store.request, isDryRun: dryRun) { opened, isDryRun in
      var edit = edit
      edit.isDryRun = isDryRun
      edit.makesBackup = backup
      return try edit.run(in: opened)
    }
    try report.print(result, text: result.text())
  }
}

/// The objects that a command changes. Changing all objects of an entity must be requested
/// explicitly.
struct ObjectSelection: ParsableArguments {
  @Argument(help: "The entity, or one object as ENTITY/pKEY.")
  var entity: String

  @Option(help: ArgumentHelp("A predicate in Apple's format language.", valueName: "predicate"))
  var `where`: String?

  @Flag(help: "All objects of the entity.")
  var all = false

  func validate() throws {
    let count = [entity.contains("/"), `where` != nil, all].filter { $0 }.count
    guard count == 1 else {
      throw ValidationError(
        "Say which objects: ENTITY --where PREDICATE, ENTITY --all, or one as ENTITY/pKEY.")
    }
  }

  func edit(_ action: Edit.Action) -> Edit {
    var edit = Edit(action, entity: String(entity.prefix { $0 != "/" }))
    edit.condition = `where`
    edit.object = entity.contains("/") ? entity : nil
    return edit
  }
}

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Prints one object with everything that it has.")

  @OptionGroup var store: StoreArguments

  @Argument(help: "The object, as ENTITY/pKEY.")
  var object: String

  @OptionGroup var report: ReportOptions

  func run() throws {
    let opened = try store.open()
    let found = try ObjectReport.of(object, in: opened)
    try report.print(found, text: found.text())
  }
}

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Changes objects, all in one save.",
    discussion: """
      coredata set Books.sqlite Book/p7 title=Emma author=Author/p2 tags+=Tag/p3
      coredata set Books.sqlite Book --where 'price == nil' price=9.99 --dry-run
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var selection: ObjectSelection

  @Argument(
    help: "What changes: KEY=VALUE, for relationships also KEY+=ENTITY/pN and KEY-=ENTITY/pN.")
  var changes: [String] = []

  @Option(help: ArgumentHelp("A property to have no value any more.", valueName: "key"))
  var clear: [String] = []

  @OptionGroup var options: EditOptions

  func run() throws {
    var edit = selection.edit(.set)
    edit.assignments =
      try changes.map { try Assignment($0) } + clear.map { Assignment(clearing: $0) }
    guard !edit.assignments.isEmpty else { throw ValidationError("Say what changes: KEY=VALUE.") }
    try options.run(edit, in: store)
  }
}

struct InsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Inserts an object.")

  @OptionGroup var store: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: "Its values: KEY=VALUE.")
  var values: [String] = []

  @OptionGroup var options: EditOptions

  func run() throws {
    var edit = Edit(.insert, entity: entity)
    edit.assignments = try values.map { try Assignment($0) }
    try options.run(edit, in: store)
  }
}

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Deletes objects by the model's delete rules, all in one save."
  )

  @OptionGroup var store: StoreArguments
  @OptionGroup var selection: ObjectSelection
  @OptionGroup var options: EditOptions

  func run() throws { try options.run(selection.edit(.delete), in: store) }
}

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Takes back the last change that this command made to a store.",
    discussion: """
      What others changed meanwhile stays. Deleted objects come again under new keys. Each undo takes back one change \
      more.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Show what would change, and save nothing.")
  var dryRun = false

  @OptionGroup var report: ReportOptions

  func run() throws {
    let result = try Editing.run(
      store.request, isDryRun: dryRun, whenNothingChanges: Undo.forgetNewest
    ) {
      try Undo.run(in: $0, isDryRun: $1)
    }
    try report.print(result, text: result.text())
  }
}
