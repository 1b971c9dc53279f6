/// The source of the rows that predicates and sort descriptors read: the contents of a store in
/// memory, or a coordinator.
package protocol RowSource: AnyObject {
  func rows(_ plan: FetchPlan) throws -> [Row]

  func row(of identity: NSManagedObjectID) throws -> Row?

  func members(
    of relationship: NSRelationshipDescription, owner: NSManagedObjectID
  ) throws -> [NSManagedObjectID]
}
