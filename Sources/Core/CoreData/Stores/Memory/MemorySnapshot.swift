/// The contents as of one moment, for the length of a fetch.
final class MemorySnapshot: RowSource {
  private let contents: MemoryContents
  private let nilRule: NilRule

  init(_ contents: MemoryContents, nilRule: NilRule) {
    self.contents = contents
    self.nilRule = nilRule
  }

  func row(of identity: NSManagedObjectID) -> Row? { contents.row(of: identity) }

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) -> [NSManagedObjectID] {
    contents.members(of: relationship, owner: owner)
  }

  func rows(_ plan: FetchPlan) throws -> [Row] {
    plan.window(try everyRow(plan, reader: RowReader(source: self, nilRule: nilRule)))
  }

  func table(_ plan: TablePlan) throws -> [[Any?]] {
    let reader = RowReader(source: self, nilRule: nilRule)
    return try TableReader(reader: reader, plan: plan).table(everyRow(plan.rows, reader: reader))
  }

  private func everyRow(_ plan: FetchPlan, reader: RowReader) throws -> [Row] {
    let all = contents.rows(
      of: plan.layout, includesSubentities: plan.includesSubentities)
    let found = try reader.filtered(all, by: plan)
    return try reader.sorted(found, by: plan.sortDescriptors)
  }
}
