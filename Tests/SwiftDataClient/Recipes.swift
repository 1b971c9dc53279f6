import Foundation
import Observation
import SwiftData

// An application's models and what works with them, as new projects of Xcode have it: all is on the main actor unless it
// says otherwise, and members are seen of what a file imports alone.

@Model
final class Recipe {
  #Unique<Recipe>([\.slug])
  #Index<Recipe>([\.title])

  var slug: String
  var title: String
  var difficulty = Difficulty.easy
  var steps: [Step] = []
  @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient] =
    []
  var category: Category?
  @Attribute(.transformable(by: TintTransformer.self)) var tint: Tint?
  var isFavorite = false

  enum Difficulty: String, Codable, CaseIterable { case easy, hard }

  struct Step: Codable, Hashable {
    var text: String
    var minutes: Int
  }

  init(slug: String, title: String, category: Category? = nil) {
    self.slug = slug
    self.title = title
    self.category = category
  }

  convenience init(_ record: Record) { self.init(slug: record.slug, title: record.title) }

  nonisolated struct Record: Codable, Sendable {
    let slug: String
    let title: String
  }

  var minutes: Int { steps.reduce(0) { $0 + $1.minutes } }
}

@Model
final class Ingredient {
  var name: String
  var recipe: Recipe?

  init(name: String) { self.name = name }
}

@Model
final class Category {
  @Attribute(.unique) var name: String
  var recipes: [Recipe] = []

  init(name: String) { self.name = name }
}

nonisolated final class Tint: NSObject, @unchecked Sendable {
  let value: UInt8

  init(_ value: UInt8) { self.value = value }
}

nonisolated final class TintTransformer: ValueTransformer {
  static let name = NSValueTransformerName(rawValue: String(describing: TintTransformer.self))

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Tint).map { Data([$0.value]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map(Tint.init)
  }

  static func register() {
    ValueTransformer.setValueTransformer(TintTransformer(), forName: name)
  }
}

@Observable
final class Kitchen {
  let container: ModelContainer
  private(set) var found: [Recipe] = []

  var context: ModelContext { container.mainContext }

  init() throws {
    TintTransformer.register()
    container = try ModelContainer(
      for: Recipe.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context.undoManager = UndoManager()
  }

  func search(_ text: String, only difficulty: Recipe.Difficulty? = nil) throws {
    let wanted = difficulty?.rawValue ?? ""
    let predicate = #Predicate<Recipe> { recipe in
      (text.isEmpty || recipe.title.localizedStandardContains(text)
        || recipe.ingredients.contains { $0.name.localizedStandardContains(text) })
        && (wanted.isEmpty || recipe.difficulty.rawValue == wanted)
    }
    found = try context.fetch(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)]))
  }

  func undo() {
    if let manager = context.undoManager, manager.canUndo { manager.undo() }
  }
}

@ModelActor
actor Importer {
  func add(_ records: [Recipe.Record]) async throws -> [PersistentIdentifier] {
    let recipes = await MainActor.run { records }.map { Recipe(slug: $0.slug, title: $0.title) }
    for recipe in recipes { modelContext.insert(recipe) }
    try modelContext.save()
    return recipes.map(\.persistentModelID)
  }

  func favor(_ identifier: PersistentIdentifier) throws {
    self[identifier, as: Recipe.self]?.isFavorite = true
    try modelContext.save()
  }
}
