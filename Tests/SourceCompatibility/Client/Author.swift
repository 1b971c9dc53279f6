public import CoreData
import Foundation

// The model says "Category/Extension": the properties are generated, the class is ours.
public class Author: NSManagedObject {
  var shelfLabel: String { String(name?.prefix(3) ?? "").uppercased() }

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    if name == nil { name = "Anonymous" }
  }
}
