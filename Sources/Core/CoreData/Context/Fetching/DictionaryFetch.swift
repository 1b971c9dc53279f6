import KeyValueCoding
import Predicates

/// A fetch of dictionaries: turns the settings of a request into a plan for the store, and the
/// store's table into dictionaries.
///
/// Dictionaries show saved values and ignore pending changes, as with Apple's stores. Groups are
/// filtered by ``NSFetchRequest/havingPredicate`` here, in memory, so that every store gives equal
/// results.
struct DictionaryFetch {
  private let settings: FetchSettings
  let plan: TablePlan
  private let having: GroupTest?

  /// - Throws: error 134060 for settings that contradict each other and for columns that do not
  ///   exist.
  init(_ settings: FetchSettings, layout: EntityLayout) throws {
    self.settings = settings
    let columns = try Self.columns(settings.propertiesToFetch, layout: layout)
    let groups = try (settings.propertiesToGroupBy ?? []).map {
      try TablePlan.Column($0, of: layout, in: "setPropertiesToGroupBy:")
    }
    try Self.check(columns, against: groups)
    try Self.checkAggregates(in: columns, layout)
    if groups.isEmpty, settings.havingPredicate != nil { throw FetchSettings.ungroupedHaving }
    var plan = TablePlan(rows: settings.plan(for: layout), columns: columns)
    plan.groups = groups
    having = try settings.havingPredicate.map {
      try GroupTest($0, groups: groups, columns: columns, layout: layout)
    }
    if having == nil {
      plan.isDistinct = settings.returnsDistinctResults
    } else {
      plan.rows.limit = 0
      plan.rows.offset = 0
      plan.columns += groups
    }
    self.plan = plan
  }

  private static func columns(
    _ properties: [Any]?, layout: EntityLayout
  ) throws -> [TablePlan.Column] {
    let attributes = layout.slots.filter { $0.isStored && $0.property is NSAttributeDescription }
    return try (properties ?? attributes.map(\.name)).map {
      try TablePlan.Column($0, of: layout, in: "setPropertiesToFetch:")
    }
  }

  private static func check(
    _ columns: [TablePlan.Column], against groups: [TablePlan.Column]
  ) throws {
    for group in groups {
      if case .expression = group.source {
        throw CoreDataError.make(
          .coreData,
          reason: "Invalid keypath expression (\(group.name)) passed to setPropertiesToGroupBy:")
      }
    }
    guard !groups.isEmpty else { return }
    for column in columns where !column.isAggregate {
      guard case .expression = column.source else {
        if groups.contains(where: column.hasSameSource) { continue }
        throw ungrouped(column.name)
      }
    }
  }

  /// Refuses an aggregate inside another expression, where it is ambiguous: it could be meant per
  /// row. An aggregate must be a column of its own.
  private static func checkAggregates(
    in columns: [TablePlan.Column], _ layout: EntityLayout
  ) throws {
    for column in columns where !column.isAggregate {
      guard case .expression(let expression, _) = column.source,
        expression.hasRowAggregate(layout)
      else { continue }
      throw CoreDataError.unsupported(
        "A function of all rows inside of another expression (\(column.name)) in "
          + "setPropertiesToFetch:",
        instead: "Fetch the function as a column of its own and compute with its value.")
    }
  }

  private static func ungrouped(_ name: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "SELECT clauses in queries with GROUP BY components can only contain properties "
        + "named in the GROUP BY or aggregate functions (\(name) is not in the GROUP BY)")
  }

  func results(
    from coordinator: NSPersistentStoreCoordinator, _ stores: [NSPersistentStore]?
  ) throws -> [NSDictionary] {
    let answering = try coordinator.stores(for: plan.rows, among: stores)
    if answering.count == 1, let client = answering[0] as? any RequestStore {
      return try client.dictionaries(settings, entity: plan.rows.layout.entity, stores: stores)
    }
    var table = try coordinator.table(plan, in: stores)
    guard let having else { return table.map(dictionary) }
    table = try table.filter(having.holds)
    var dictionaries = table.map(dictionary)
    if settings.returnsDistinctResults { dictionaries = distinct(dictionaries) }
    return settings.plan(for: plan.rows.layout).window(dictionaries)
  }

  private func dictionary(_ values: [Any?]) -> NSDictionary {
    let dictionary = NSMutableDictionary()
    let wanted = plan.columns.count - (having == nil ? 0 : plan.groups.count)
    for (column, value) in zip(plan.columns.prefix(wanted), values) {
      if let value { dictionary[column.name] = value }
    }
    return dictionary
  }

  private func distinct(_ dictionaries: [NSDictionary]) -> [NSDictionary] {
    var seen: Set<NSDictionary> = []
    return dictionaries.filter { seen.insert($0).inserted }
  }
}

/// Evaluates a having predicate on groups: `$name` is the column with that name, a key path is one
/// of the columns that the groups are made by.
private struct GroupTest {
  /// The values of one group, as the object that the compiled predicate evaluates.
  private final class Group {
    let values: [Any?]

    init(_ values: [Any?]) { self.values = values }
  }

  private let predicate: CompiledPredicate
  private let names: [String]

  init(
    _ predicate: NSPredicate, groups: [TablePlan.Column], columns: [TablePlan.Column],
    layout: EntityLayout
  ) throws {
    names = columns.map(\.name)
    let places = Dictionary(
      groups.enumerated().map { ($1.name, columns.count + $0) },
      uniquingKeysWith: { first, _ in first })
    var failure: NSError?
    try Self.rejectFunctions(in: predicate)
    self.predicate = CompiledPredicate(predicate, nilRule: .sql) { path in
      guard let place = places[path] else {
        failure = CoreDataError.make(
          .coreData,
          reason: "keypath \(path) not found in entity \(layout.entity.name ?? "")")
        return nil
      }
      return { TypedValue(unsafeDowncast($0, to: Group.self).values[place]) }
    }
    if let failure { throw failure }
  }

  /// Refuses functions: a having predicate refers to an aggregate by the name of its column.
  private static func rejectFunctions(in predicate: NSPredicate) throws {
    if let compound = predicate as? Foundation.NSCompoundPredicate {
      return try compound.subpredicates.forEach(rejectFunctions)
    }
    guard let comparison = predicate as? NSComparisonPredicate else { return }
    for side in [comparison.leftExpression, comparison.rightExpression] {
      guard case .function = side.content else { continue }
      throw CoreDataError.make(.coreData, reason: "Unsupported function expression \(side)")
    }
  }

  func holds(_ values: [Any?]) throws -> Bool {
    var variables: [String: Any] = [:]
    for (name, value) in zip(names, values) { variables[name] = value ?? NSNull() }
    do {
      return try predicate.matches(Group(values), variables: variables)
    } catch {
      throw CoreDataError.make(.coreData, reason: "\(error)")
    }
  }
}
