import SwiftData

// Models that inherit, at three depths.

@Model
class Animal {
  #Index<Animal>([\.name])

  var name: String
  var legs = 4
  var owner: Keeper?
  var tags: [String] = []

  var shout: String { name.uppercased() }

  init(name: String) { self.name = name }
}

@Model
class Dog: Animal {
  var tricks: Int
  var friends: [Dog] = []
  @Relationship(inverse: \Dog.friends) var friendOf: [Dog] = []

  init(name: String, tricks: Int) {
    self.tricks = tricks
    super.init(name: name)
    legs = 4
  }
}

@Model
final class Puppy: Dog {
  var weeks = 8
  var nickname: String?

  init(name: String) { super.init(name: name, tricks: 0) }
}

@Model
final class Bird: Animal {
  var canFly = true

  override init(name: String) {
    super.init(name: name)
    legs = 2
  }
}

@Model
final class Keeper {
  var name: String
  @Relationship(inverse: \Animal.owner) var animals: [Animal] = []

  init(name: String) { self.name = name }
}
