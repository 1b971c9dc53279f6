import Foundation
import SwiftData
import Testing

struct KitchenTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen()
    let soup = Recipe(slug: "a", title: "Apple soup", category: Category(name: "Soups"))
    soup.ingredients = ["Apple", "Water"].map(Ingredient.init)
    soup.steps = [.init(text: "cut", minutes: 3), .init(text: "cook", minutes: 20)]
    soup.tint = Tint(4)
    kitchen.context.insert(soup)
    kitchen.context.insert(Recipe(Recipe.Record(slug: "b", title: "Bread")))
    try kitchen.context.save()
  }

  @Test func listsAreSearched() throws {
    try kitchen.search("WATER")
    #expect(kitchen.found.map(\.slug) == ["a"] && kitchen.found[0].minutes == 23)
    #expect(kitchen.found[0].category?.recipes.map(\.title) == ["Apple soup"])
    try kitchen.search("", only: .easy)
    #expect(kitchen.found.map(\.title) == ["Apple soup", "Bread"])
    try kitchen.search("", only: .hard)
    #expect(kitchen.found.isEmpty)
    let other = try ModelContext(kitchen.container).fetch(FetchDescriptor<Recipe>())
    #expect(other.map { $0.tint?.value } == [4, nil])
  }

  @Test func anActorImports() async throws {
    let importer = Importer(modelContainer: kitchen.container)
    let identifiers = try await importer.add(
      (1...3).map { Recipe.Record(slug: "i\($0)", title: "Import \($0)") })
    try await importer.favor(identifiers[1])
    let favorites = FetchDescriptor<Recipe>(predicate: #Predicate { $0.isFavorite })
    #expect(try kitchen.context.fetch(favorites).map(\.slug) == ["i2"])
  }

  @Test func changesAreUndone() throws {
    try kitchen.search("bread")
    kitchen.context.undoManager?.removeAllActions()
    kitchen.found[0].title = "Rye bread"
    kitchen.context.processPendingChanges()
    kitchen.undo()
    #expect(kitchen.found[0].title == "Bread")
  }
}
