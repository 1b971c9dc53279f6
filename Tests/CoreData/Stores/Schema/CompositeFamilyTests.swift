import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Composite attributes made at random: elements of every type, nested ones, names that meet those of attributes and
/// of other composites of the entity, its parents and children; in every kind of store, against memory.
@Suite struct CompositeFamilyTests {
  private static let kinds = StoreKind.builtIn
  private static let seeds = UInt64(1)...8

  private static let types: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
    .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    .dateAttributeType, .stringAttributeType, .URIAttributeType, .UUIDAttributeType,
    .binaryDataAttributeType, .transformableAttributeType,
  ]

  // MARK: - Models

  private static func attribute(
    _ name: String, _ random: inout SplitMix64
  ) -> NSAttributeDescription {
    ModelPart.attribute(name, types.randomElement(using: &random) ?? .stringAttributeType) {
      $0.isOptional = Int.random(in: 0..<3, using: &random) > 0
      $0.preservesValueInHistoryOnDeletion = Int.random(in: 0..<3, using: &random) == 0
      $0.allowsExternalBinaryDataStorage =
        $0.attributeType == .binaryDataAttributeType && Bool.random(using: &random)
    }
  }

  private static func composite(
    _ name: String, depth: Int, _ random: inout SplitMix64
  ) -> NSCompositeAttributeDescription {
    let names = ["id", "name", "value", "code", "zone"].shuffled(using: &random)
    let elements = names.prefix(Int.random(in: 1...4, using: &random)).map { name in
      depth < 2 && Int.random(in: 0..<4, using: &random) == 0
        ? composite(name, depth: depth + 1, &random) : attribute(name, &random)
    }
    return PlacesModel.composite(name, elements)
  }

  /// A parent with two children, and an entity on its own.
  private static func model(_ random: inout SplitMix64) -> NSManagedObjectModel {
    let entities = ["Parent", "Elder", "Younger", "Other"].map { ModelPart.entity($0) }
    entities[0].subentities = [entities[1], entities[2]]
    var names: [[String]] = [["author", "id", "value", "home"], ["name", "kind", "zone"]]
    names.append(names[1])
    names.append(names[0] + names[1])
    for (entity, names) in zip(entities, names) {
      entity.properties = names.map { name in
        Int.random(in: 0..<2, using: &random) == 0
          ? composite(name, depth: 0, &random) : attribute(name, &random)
      }
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private func open(
    _ kind: StoreKind, _ url: URL, _ model: NSManagedObjectModel,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.rawValue, configurationName: nil, at: kind.url(url), options: options)
    return coordinator
  }

  private func makeURL() throws -> URL {
    try StoreFixture.makeFolder().appendingPathComponent("Store.sqlite")
  }

  // MARK: - Values

  @Test(arguments: kinds) func whatIsSavedIsReadAgain(_ kind: StoreKind) throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let model = Self.model(&random)
      let url = try makeURL()
      var graph = RandomGraph(seed: seed)
      var coordinator = try open(kind, url, model)
      var contents = try graph.fill(coordinator)
      for round in 0..<2 where kind != .inMemory {
        try coordinator.removeStores()
        if kind == .sqlite {
          let result = try StoreChecker.checkRows(url)
          #expect(result.status == 0, "seed \(seed), round \(round), \(url.path): \(result.text)")
        }
        coordinator = try open(kind, url, model)
        #expect(try RandomGraph.contents(coordinator) == contents, "seed \(seed), round \(round)")
        try graph.change(coordinator)
        contents = try RandomGraph.contents(coordinator)
      }
    }
  }

  // MARK: - Predicates and orders

  private static func paths(_ layout: EntityLayout) -> [(path: String, type: NSAttributeType)] {
    layout.slots.compactMap { slot in
      guard case .attribute(let type) = slot.kind else { return nil }
      return (slot.name, type)
    }
  }

  private static let ordered: Set<NSAttributeType> = Set(
    types.prefix(9)
  ).subtracting([.booleanAttributeType])

  @Test(arguments: kinds) func fetchesAgreeWithMemory(_ kind: StoreKind) throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let model = Self.model(&random)
      let coordinator = try open(kind, makeURL(), model)
      var graph = RandomGraph(seed: seed)
      _ = try graph.fill(coordinator)
      try coordinator.withContext { context in
        for layout in coordinator.layouts {
          try expectFetchesAgree(context, layout, "seed \(seed)")
        }
      }
    }
  }

  private func expectFetchesAgree(
    _ context: NSManagedObjectContext, _ layout: EntityLayout, _ what: String
  ) throws {
    let name = layout.entity.name ?? ""
    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
    for (path, type) in Self.paths(layout) {
      var predicates = [
        NSPredicate(format: "%K == nil", path), NSPredicate(format: "%K != nil", path),
      ]
      let values = all.compactMap { $0.value(forKeyPath: path) }
      if let value = values.dropFirst().first,
        ![.binaryDataAttributeType, .transformableAttributeType].contains(type)
      {
        predicates.append(NSPredicate(format: "%K == %@", argumentArray: [path, value]))
        predicates.append(
          NSPredicate(format: "%K IN %@", argumentArray: [path, Array(values.prefix(2))]))
        if Self.ordered.contains(type) {
          predicates.append(NSPredicate(format: "%K > %@", argumentArray: [path, value]))
        }
      }
      for predicate in predicates {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = predicate
        let expected = all.filter { predicate.evaluate(with: $0) }
        #expect(
          try Set(context.fetch(request)) == Set(expected), "\(what), \(name): \(predicate)")
      }
      guard Self.ordered.contains(type) else { continue }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.sortDescriptors = [NSSortDescriptor(key: path, ascending: true)]
      request.predicate = NSPredicate(format: "%K != nil", path)
      let sorted = try context.fetch(request)
      let values2 = sorted.map { "\($0.value(forKeyPath: path) ?? "nil")" }
      let expected = all.filter { $0.value(forKeyPath: path) != nil } as NSArray
      let inMemory = expected.sortedArray(using: request.sortDescriptors ?? [])
        .map { "\(($0 as? NSManagedObject)?.value(forKeyPath: path) ?? "nil")" }
      #expect(values2 == inMemory, "\(what), \(name) by \(path)")
    }
  }

  // MARK: - Batches

  private static func text(_ value: Any?) -> String { RandomGraph.text(value, [:]) }

  private static func sample(of attribute: NSAttributeDescription) -> Any? {
    var graph = RandomGraph(seed: 1)
    return graph.value(of: attribute)
  }

  @Test func batchesSetElementsAndWholeComposites() throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let model = Self.model(&random)
      let coordinator = try open(.sqlite, makeURL(), model)
      var graph = RandomGraph(seed: seed)
      _ = try graph.fill(coordinator)
      for layout in coordinator.layouts {
        for composite in layout.composites where !composite.path.contains(".") {
          try expectBatchesSet(composite.path, layout, coordinator, "seed \(seed)")
        }
      }
    }
  }

  private func expectBatchesSet(
    _ key: String, _ layout: EntityLayout, _ coordinator: NSPersistentStoreCoordinator,
    _ what: String
  ) throws {
    let name = layout.entity.name ?? ""
    try coordinator.withContext { context in
      func values() throws -> [String] {
        context.reset()
        return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
          .map { Self.text($0.value(forKey: key)) }
      }
      let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
      guard let value = all.compactMap({ $0.value(forKey: key) as? [String: Any] }).first else {
        return
      }
      let update = NSBatchUpdateRequest(entityName: name)
      update.propertiesToUpdate = [key: value]
      _ = try context.execute(update)
      #expect(try Set(values()) == [Self.text(value)], "\(what): \(name).\(key)")
      let elements = layout.slots.filter { $0.name.hasPrefix(key + ".") }
      for element in elements {
        let one = NSBatchUpdateRequest(entityName: name)
        one.propertiesToUpdate = [element.name: NSNull()]
        _ = try context.execute(one)
      }
      #expect(try Set(values()) == ["nil"], "\(what): \(name).\(key) by element")
      var object: [String: Any] = [key: value]
      let mandatory = layout.entity.attributesByName.values.filter { !$0.isOptional }
      for attribute in mandatory where attribute.name != key {
        object[attribute.name] = Self.sample(of: attribute)
      }
      _ = try context.execute(NSBatchInsertRequest(entityName: name, objects: [object]))
      #expect(try Set(values()) == ["nil", Self.text(value)], "\(what): \(name).\(key) inserted")
      let whole = NSBatchUpdateRequest(entityName: name)
      whole.propertiesToUpdate = [key: NSNull()]
      _ = try context.execute(whole)
      #expect(try Set(values()) == ["nil"], "\(what): \(name).\(key) removed")
    }
  }

  // MARK: - History

  /// An attribute's value without what does not outlive its object.
  private func preserved(
    _ value: Any?, _ attribute: NSAttributeDescription, isPreserved: Bool = false
  ) -> Any? {
    let isPreserved = isPreserved || attribute.preservesValueInHistoryOnDeletion
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return isPreserved && !attribute.allowsExternalBinaryDataStorage ? value : nil
    }
    guard let elements = value as? [String: Any] else { return nil }
    var kept: [String: Any] = [:]
    for element in composite.elements {
      kept[element.name] = preserved(elements[element.name], element, isPreserved: isPreserved)
    }
    return kept.isEmpty ? nil : kept
  }

  @Test func theHistoryNamesCompositesAndKeepsTheirElements() throws {
    let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      let model = Self.model(&random)
      for composite in model.entities.flatMap({ $0.attributesByName.values }) {
        guard composite is NSCompositeAttributeDescription else { continue }
        composite.preservesValueInHistoryOnDeletion = Int.random(in: 0..<4, using: &random) == 0
      }
      let coordinator = try open(.sqlite, makeURL(), model, options: tracking)
      var graph = RandomGraph(seed: seed)
      _ = try graph.fill(coordinator)
      try coordinator.withContext { context in
        for layout in coordinator.layouts {
          let request = NSFetchRequest<NSManagedObject>(entityName: layout.entity.name ?? "")
          request.includesSubentities = false
          guard let object = try context.fetch(request).first else { continue }
          try expectHistory(of: object, layout, "seed \(seed)")
        }
      }
    }
  }

  private func expectHistory(
    of object: NSManagedObject, _ layout: EntityLayout, _ what: String
  ) throws {
    let context = try #require(object.managedObjectContext)
    func last() throws -> NSPersistentHistoryChange? {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return (result?.result as? [NSPersistentHistoryTransaction])?.last?.changes?.first
    }
    for composite in layout.composites where !composite.path.contains(".") {
      let slot = composite.slots.first { object.value(forKeyPath: layout.slots[$0].name) != nil }
      guard let slot, layout.slots[slot].property.isOptional else { continue }
      object.setValue(nil, forKeyPath: layout.slots[slot].name)
      try context.save()
      #expect(
        try last()?.updatedProperties?.map(\.name) == [composite.path],
        "\(what): \(layout.slots[slot].name)")
    }
    var expected: [String: Any] = [:]
    for attribute in layout.entity.attributesByName.values {
      expected[attribute.name] = preserved(object.value(forKey: attribute.name), attribute)
    }
    context.delete(object)
    try context.save()
    let tombstone = try last()?.tombstone as? [String: Any] ?? [:]
    #expect(Self.text(tombstone) == Self.text(expected), "\(what): \(layout.entity.name ?? "")")
  }
}
