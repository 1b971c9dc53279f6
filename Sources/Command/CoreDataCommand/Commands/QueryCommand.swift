import ArgumentParser
import StoreTool

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints objects of an entity, or what is computed of them.",
    discussion: """
      coredata query Books.sqlite Book --where 'title CONTAINS[cd] "sea"' --sort=-published
      coredata query Books.sqlite Book --columns 'title,author.name,chapters.@count' --format ndjson
      coredata query Books.sqlite Book --group author.name --columns 'author.name,@count,avg(price) as price'
      """)

  @OptionGroup var store: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @Option(help: ArgumentHelp("A predicate in Apple's format language.", valueName: "predicate"))
  var `where`: String?

  @Option(
    help: ArgumentHelp(
      "The order: keys or key paths, separated by commas; -KEY or “KEY desc” for descending.",
      valueName: "keys"))
  var sort: String?

  @Option(
    help: ArgumentHelp(
      "The columns: attributes, key paths such as parent.title, children.@count, sum(price), @count, "
        + "expressions; “… as NAME” names one. All attributes and to-one relationships by default.",
      valueName: "columns"))
  var columns: String?

  @Option(
    help: ArgumentHelp("Make one row of all objects with equal values of these.", valueName: "keys")
  )
  var group: String?

  @Option(help: ArgumentHelp("The most rows.", valueName: "n"))
  var limit = 0

  @Option(help: ArgumentHelp("How many rows to leave out at the start.", valueName: "n"))
  var offset = 0

  @Flag(help: "Leave out rows that are there already.")
  var distinct = false

  @Option(help: "How rows are printed.")
  var format = RowFormat.table

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Print the SQL, its parameters and the database's plan in place of rows.")
  var explain = false

  func validate() throws {
    guard limit >= 0, offset >= 0 else {
      throw ValidationError("--limit and --offset take numbers from 0.")
    }
  }

  func run() throws {
    var query = Query(entity: entity)
    query.condition = `where`
    query.sort = sort
    query.columns = columns
    query.group = group
    query.limit = limit
    query.offset = offset
    query.isDistinct = distinct
    let opened = try store.open()
    Warnings.print(opened.warnings)
    if explain {
      let explanation = try query.explain(in: opened)
      return try StandardOutput.print(
        json ? try JSONReport.text(explanation) : explanation.text)
    }
    try query.run(in: opened, format: json ? .json : format, to: ByteWriter())
  }
}
