import CoreData
import Foundation

/// What a model, or a value, may have much of; two sizes of each.
extension Scenario {
  /// A hundred objects of an entity with `count` attributes are made, saved, and read by another context.
  static func wideEntity(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let model = model(entities: ["Wide"], attributes: count)
    return .growing(.milliseconds) { number in
      let stack = try workspace.opening("ours") { try Stack(workspace.newFile(), model: model) }
      let reader = stack.backgroundContext()
      var sum = 0
      let duration = try ContinuousClock().measure {
        for row in 0..<100 {
          let object = NSEntityDescription.insertNewObject(
            forEntityName: "Wide", into: stack.context)
          for index in 0..<count { object.setValue(row + index, forKey: "attribute\(index)") }
        }
        try stack.context.save()
        try reader.performAndWait {
          for object in try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Wide")) {
            for index in 0..<count { sum += object.value(forKey: "attribute\(index)") as? Int ?? 0 }
          }
        }
      }
      try BenchmarkError.expect("Sum", sum, toBe: 100 * count * (99 + count - 1) / 2)
      try stack.close()
      return duration
    }
  }

  /// As many models of fifty entities each get a store, one object, and are read.
  static func models(_ count: Int, in workspace: Workspace) throws -> Scenario {
    // Models that a coordinator has had are kept for good: one set for all runs.
    let models = (0..<count).map { number in
      model(entities: (0..<50).map { "Entity\(number)of\($0)" }, attributes: 4)
    }
    return .growing(.milliseconds) { _ in
      try ContinuousClock().measure {
        for (number, model) in models.enumerated() {
          let stack = try Stack(URL(fileURLWithPath: "/dev/null"), model: model)
          let name = "Entity\(number)of7"
          let object = NSEntityDescription.insertNewObject(forEntityName: name, into: stack.context)
          object.setValue(number, forKey: "attribute0")
          try stack.context.save()
          let found = try stack.context.count(
            for: NSFetchRequest<NSManagedObject>(entityName: name))
          try BenchmarkError.expect("Objects", found, toBe: 1)
          try stack.close()
        }
      }
    }
  }

  /// A text of `count` bytes is saved, read by another context, and changed at its end.
  static func longText(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let text = String(repeating: "A line of text, and ", count: count / 20)
    let fixture = try Fixture(count: 1, in: workspace)
    return .growing(.milliseconds) { number in
      let stack = try workspace.opening("ours") { try Stack(workspace.copy(of: fixture.url)) }
      let root = try stack.context.root()
      let reader = stack.backgroundContext()
      var found = 0
      let duration = try ContinuousClock().measure {
        root.title = text
        try stack.context.save()
        found = try reader.performAndWait { try reader.root().title?.utf8.count ?? 0 }
        root.title = text + "."
        try stack.context.save()
      }
      try BenchmarkError.expect("Bytes", found, toBe: text.utf8.count)
      try stack.close()
      return duration
    }
  }

  private static func model(entities names: [String], attributes count: Int) -> NSManagedObjectModel
  {
    let model = NSManagedObjectModel()
    model.entities = names.map { name in
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = (0..<count).map { index in
        let attribute = NSAttributeDescription()
        attribute.name = "attribute\(index)"
        attribute.attributeType = .integer64AttributeType
        attribute.isOptional = true
        return attribute
      }
      return entity
    }
    return model
  }
}
