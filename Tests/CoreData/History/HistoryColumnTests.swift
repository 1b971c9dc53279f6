import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// `ZCOLUMNS` in Apple's numbering: a bit for each property, inherited ones and relationships among them, by name,
/// from the highest bit of the first byte on.
@Suite struct HistoryColumnTests {
  /// The child's own names sort between those of its parent.
  private static func model() -> NSManagedObjectModel {
    let (base, child, other) = (
      ModelPart.entity("Base"), ModelPart.entity("Child"), ModelPart.entity("Other")
    )
    let members = ModelPart.relationship("members", to: other, maxCount: 0)
    let bases = ModelPart.relationship("bases", to: base, maxCount: 0)
    ModelPart.connect(members, bases)
    let owner = ModelPart.relationship("owner", to: other, maxCount: 1)
    let owned = ModelPart.relationship("owned", to: base, maxCount: 0, isOrdered: true)
    ModelPart.connect(owner, owned)
    func strings(_ names: String...) -> [NSPropertyDescription] {
      names.map { ModelPart.attribute($0, .stringAttributeType) }
    }
    base.properties =
      strings("Upper", "bravo", "delta", "foxtrot", "hotel", "zulu") + [members, owner]
      + [ModelPart.attribute("passing") { $0.isTransient = true }]
    child.properties = strings("alpha", "charlie", "yankee")
    base.subentities = [child]
    other.properties = strings("name") + [bases, owned]
    let model = NSManagedObjectModel()
    model.entities = [base, child, other]
    return model
  }

  /// By another way than the package: names in order, a text of bits.
  private func mask(
    _ entity: String, _ names: Set<String>, _ stack: HistoryStack
  ) throws -> String {
    let properties = try #require(stack.model.entitiesByName[entity]).propertiesByName.values
    let bits = properties.filter { !$0.isTransient }.map(\.name).sorted()
      .map { names.contains($0) ? "1" : "0" }.joined()
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      let byte = bits.dropFirst(start).prefix(8)
      return UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2) ?? 0
    }
    let used = bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1)
    return "\(entity) " + used.map { String(format: "%02X", $0) }.joined()
  }

  /// The last transaction's changes as `<entity> <mask>`.
  private func last(_ stack: HistoryStack) throws -> [String] {
    try stack.plain.rows(
      "SELECT e.Z_NAME || ' ' || IFNULL(hex(c.ZCOLUMNS), '') FROM ACHANGE c JOIN Z_PRIMARYKEY e "
        + "ON e.Z_ENT = c.ZENTITY WHERE c.ZTRANSACTIONID = (SELECT MAX(Z_PK) FROM ATRANSACTION)"
    ).sorted()
  }

  private func make() throws -> HistoryStack {
    let stack = try HistoryStack(Self.model())
    try stack.write { context in
      for entity in ["Base", "Child", "Other"] { _ = context.insert(entity) }
    }
    return stack
  }

  private func object(
    _ entity: String, _ context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    return try #require(try context.fetch(request).first)
  }

  @Test(arguments: ["Base", "Child"])
  func eachPropertyHasTheBitOfItsPlaceAmongAllNames(_ entity: String) throws {
    let stack = try make()
    let properties = try #require(stack.model.entitiesByName[entity]).propertiesByName.values
    for property in properties where !property.isTransient {
      let relationship = property as? NSRelationshipDescription
      try stack.write { context in
        let other = try object("Other", context)
        let value: Any =
          switch relationship?.isToMany {
          case true?: NSSet(object: other)
          case false?: other
          case nil: "new"
          }
        try object(entity, context).setValue(value, forKey: property.name)
      }
      var expected = [try mask(entity, [property.name], stack)]
      if let inverse = relationship?.inverseRelationship {
        expected.append(try mask("Other", [inverse.name], stack))
      }
      #expect(try last(stack) == expected.sorted(), "\(property.name)")
      let change = try stack.transactions().last?.changes?.first {
        $0.changedObjectID.entity.name == entity
      }
      #expect(change?.updatedProperties?.map(\.name) == [property.name])
    }
  }

  @Test func aBatchUpdateHasOtherBitsForSubentities() throws {
    let stack = try make()
    let request = NSBatchUpdateRequest(entityName: "Base")
    request.propertiesToUpdate = ["bravo": "b", "zulu": "z"]
    let context = stack.context()
    try context.performAndWait { _ = try context.execute(request) }
    let names: Set = ["bravo", "zulu"]
    #expect(
      try last(stack) == [mask("Base", names, stack), mask("Child", names, stack)].sorted())
    let found = try stack.transactions().last?.changes?.map {
      Set($0.updatedProperties?.map(\.name) ?? [])
    }
    #expect(found == [names, names])
  }

  @Test func aBatchDeletionHasOtherBitsForSubentities() throws {
    let stack = try make()
    try stack.write { context in
      let other = try object("Other", context)
      for entity in ["Base", "Child"] {
        try object(entity, context).setValue(other, forKey: "owner")
      }
    }
    let request = NSBatchDeleteRequest(
      fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Other"))
    let context = stack.context()
    try context.performAndWait { _ = try context.execute(request) }
    #expect(
      try last(stack)
        == [mask("Base", ["owner"], stack), mask("Child", ["owner"], stack), "Other "]
        .sorted())
  }

  @Test func whatAnotherFrameworkNotedIsRead() throws {
    let stack = try make()
    try stack.write { context in
      try object("Child", context).setValue("x", forKey: "alpha")
    }
    // Upper, alpha, bravo, charlie, delta, foxtrot, hotel, members │ owner, yankee, zulu
    try stack.plain.execute("UPDATE ACHANGE SET ZCOLUMNS = x'9160' WHERE ZCHANGETYPE = 1")
    let names = try stack.transactions().last?.changes?.first?.updatedProperties?.map(\.name)
    #expect(Set(names ?? []) == ["Upper", "charlie", "members", "yankee", "zulu"])
  }
}
