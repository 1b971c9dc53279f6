import SwiftData

// Models like those of an application whose stores are known: `reference` for names and order of columns.

@Model
final class Cocktail {
  #Unique<Cocktail>([\.cocktailName])
  #Index<Cocktail>([\.cocktailName], [\.cocktailName, \.collectionName])

  var id = UUID()
  var cocktailName: String
  var collection: Bool = false
  var favorite: Bool = false
  var isCustomCocktail: Bool = false
  var titleCocktail: Bool = false
  var author: Credit?
  var collectionName: String?
  var glasswareType: Glassware = Glassware.coupe
  var historicTitle: Title?
  var ice: Ice?
  var notes: String?
  var variation: Variation?
  var variationName: String?
  var instructions: [Instruction] = []
  var tags: Tags = Tags()
  var garnish: [Garnish]?
  @Relationship(deleteRule: .cascade) var spec: [Ingredient] = []

  init(cocktailName: String) { self.cocktailName = cocktailName }
}

@Model
final class Garnish {
  @Attribute(.unique) var name: String
  @Relationship(inverse: \Cocktail.garnish) var cocktails: [Cocktail]? = []
  init(name: String) { self.name = name }
}

@Model
final class Ingredient {
  var id = UUID()
  var ingredientBase: IngredientBase
  var value: Double
  var unit: Measure
  init(ingredientBase: IngredientBase, value: Double, unit: Measure) {
    self.ingredientBase = ingredientBase
    self.value = value
    self.unit = unit
  }
}

@Model
final class IngredientBase {
  var name: String
  init(name: String) { self.name = name }
}

struct Credit: Codable, Sendable {
  var person: String
  var place: String?
  var year: String?
  var id = UUID()
}

struct Tags: Codable, Sendable, Equatable {
  var flavors: [String]? = nil
  var profiles: [String]? = nil
  var styles: [String]? = nil
  var booze: [String]? = nil
  var na: [String]? = nil
}

struct Instruction: Codable, Sendable { var step: Int; var text: String }
enum Glassware: String, Codable, Sendable { case coupe, rocks }
enum Ice: String, Codable, Sendable { case cubed, crushed }
enum Variation: String, Codable, Sendable { case sour, julep }
enum Measure: String, Codable, Sendable { case ounce, dash }
enum Title: Codable, Sendable {
  case algonquin, alaska, betweenTheSheets, bloodAndSand, bramble, bobbyBurns, chocolateCocktail,
    elDiablo
  case fogCutter, ginFizz, gimlet, silverFizz, hotToddy, mexicanFiringSquad, modernCocktail
}

@Model
final class Item {
  var timestamp: Date
  init(timestamp: Date) { self.timestamp = timestamp }
}

@Model
final class Name {
  var firstName: String
  var lastName: String
  var gender: String
  var dbid: String
  var dbSource: String
  var dob: Date?
  var startDate: Date?
  var endDate: Date?
  var count: Int

  init(firstName: String) {
    self.firstName = firstName
    lastName = ""
    gender = ""
    dbid = ""
    dbSource = ""
    count = 0
  }
}
