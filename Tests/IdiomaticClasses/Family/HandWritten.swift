import CoreData
import Foundation

// What the model leaves to hand: the classes of "Category/Extension", and all of "Manual/None".

extension Family {
  class Extended: NSManagedObject {}
  class ExtendedOfWhole: Family.Whole {}
  class ExtendedOfExtended: Family.Extended {}
  class ExtendedOfManual: Manual {}
}

class Manual: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var count: Int64?
  @NSManaged var many: Set<Family.Part>
  @NSManaged var ordered: [Family.Part]
  @NSManaged var one: Family.Part?
  @NSManaged func addToMany(_ value: Family.Part)
  @NSManaged func removeFromMany(_ value: Family.Part)
  @NSManaged func insertIntoOrdered(_ value: Family.Part, at index: Int)
  @NSManaged func removeFromOrdered(at index: Int)
}

class ManualOfWhole: Family.Whole {
  @NSManaged var own: String
  @NSManaged var ownParts: Set<Family.Part>
}

class ManualOfExtended: Family.Extended {
  @NSManaged var own: String
  @NSManaged var ownParts: Set<Family.Part>
}

class ManualOfManual: Manual {
  @NSManaged var own: String
  @NSManaged var ownParts: Set<Family.Part>
}

enum Colour: String { case red, green }
enum Size: Int16 { case small = 1, large }

/// What the roots of all forms have.
protocol FamilyRoot: NSManagedObject {
  var title: String { get set }
  var count: Int64? { get set }
  var many: Set<Family.Part> { get set }
  var ordered: [Family.Part] { get set }
  var one: Family.Part? { get set }
  func addToMany(_ value: Family.Part)
  func removeFromMany(_ value: Family.Part)
  func insertIntoOrdered(_ value: Family.Part, at index: Int)
  func removeFromOrdered(at index: Int)
}

extension Family.Whole: FamilyRoot {}
extension Family.Extended: FamilyRoot {}
extension Manual: FamilyRoot {}

/// What their subentities add.
protocol FamilySubentity: FamilyRoot {
  var own: String { get set }
  var ownParts: Set<Family.Part> { get set }
}

extension Family.WholeOfWhole: FamilySubentity {}
extension Family.WholeOfExtended: FamilySubentity {}
extension Family.WholeOfManual: FamilySubentity {}
extension Family.ExtendedOfWhole: FamilySubentity {}
extension Family.ExtendedOfExtended: FamilySubentity {}
extension Family.ExtendedOfManual: FamilySubentity {}
extension ManualOfWhole: FamilySubentity {}
extension ManualOfExtended: FamilySubentity {}
extension ManualOfManual: FamilySubentity {}
