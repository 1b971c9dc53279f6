public import CoreData
import Foundation

// What the model leaves to hand: the classes of "Category/Extension", and all of "Manual/None".

public class Extended: NSManagedObject {}
public class ExtendedOfWhole: Whole {}
public class ExtendedOfExtended: Extended {}
public class ExtendedOfManual: Manual {}

public class Manual: NSManagedObject {
  @NSManaged public var title: String?
  @NSManaged public var count: Int64
  @NSManaged public var many: NSSet?
  @NSManaged public var ordered: NSOrderedSet?
  @NSManaged public var one: Part?
  @NSManaged public func addToMany(_ value: Part)
  @NSManaged public func removeFromMany(_ value: Part)
  @NSManaged public func addToMany(_ values: NSSet)
  @NSManaged public func removeFromMany(_ values: NSSet)
  @NSManaged public func insertIntoOrdered(_ value: Part, at idx: Int)
  @NSManaged public func removeFromOrdered(at idx: Int)
  @NSManaged public func insertIntoOrdered(_ values: [Part], at indexes: NSIndexSet)
  @NSManaged public func removeFromOrdered(at indexes: NSIndexSet)
  @NSManaged public func replaceOrdered(at idx: Int, with value: Part)
  @NSManaged public func replaceOrdered(at indexes: NSIndexSet, with values: [Part])
  @NSManaged public func addToOrdered(_ value: Part)
  @NSManaged public func removeFromOrdered(_ value: Part)
  @NSManaged public func addToOrdered(_ values: NSOrderedSet)
  @NSManaged public func removeFromOrdered(_ values: NSOrderedSet)
}

public class ManualOfWhole: Whole {
  @NSManaged public var own: String?
  @NSManaged public var ownParts: NSSet?
}

public class ManualOfExtended: Extended {
  @NSManaged public var own: String?
  @NSManaged public var ownParts: NSSet?
}

public class ManualOfManual: Manual {
  @NSManaged public var own: String?
  @NSManaged public var ownParts: NSSet?
}

/// What the roots of all forms have.
protocol FamilyRoot: NSManagedObject {
  var title: String? { get set }
  var count: Int64 { get set }
  var many: NSSet? { get set }
  var ordered: NSOrderedSet? { get set }
  var one: Part? { get set }
  func addToMany(_ value: Part)
  func removeFromMany(_ value: Part)
  func addToMany(_ values: NSSet)
  func removeFromMany(_ values: NSSet)
  func insertIntoOrdered(_ value: Part, at idx: Int)
  func removeFromOrdered(at idx: Int)
  func insertIntoOrdered(_ values: [Part], at indexes: NSIndexSet)
  func removeFromOrdered(at indexes: NSIndexSet)
  func replaceOrdered(at idx: Int, with value: Part)
  func replaceOrdered(at indexes: NSIndexSet, with values: [Part])
  func addToOrdered(_ value: Part)
  func removeFromOrdered(_ value: Part)
  func addToOrdered(_ values: NSOrderedSet)
  func removeFromOrdered(_ values: NSOrderedSet)
}

extension Whole: FamilyRoot {}
extension Extended: FamilyRoot {}
extension Manual: FamilyRoot {}

/// What their subentities add.
protocol FamilySubentity: FamilyRoot {
  var own: String? { get set }
  var ownParts: NSSet? { get set }
}

extension WholeOfWhole: FamilySubentity {}
extension WholeOfExtended: FamilySubentity {}
extension WholeOfManual: FamilySubentity {}
extension ExtendedOfWhole: FamilySubentity {}
extension ExtendedOfExtended: FamilySubentity {}
extension ExtendedOfManual: FamilySubentity {}
extension ManualOfWhole: FamilySubentity {}
extension ManualOfExtended: FamilySubentity {}
extension ManualOfManual: FamilySubentity {}
