/// The SQL statement of a fetch, the values bound to it, and the database's query plan.
package struct StatementExplanation {
  package let sql: String
  package let values: [SQLValue]
  /// The steps of the query plan, each indented below the step that it is part of.
  package let plan: [String]
  /// The work left to do on the rows in memory; nil for none.
  package let finishing: String?

  package init(sql: String, values: [SQLValue], plan: [String], finishing: String? = nil) {
    self.sql = sql
    self.values = values
    self.plan = plan
    self.finishing = finishing
  }
}
