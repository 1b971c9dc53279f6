import SwiftData

// Models with every kind of relationship, unique properties, and a class that inherits.

@Model
final class Folder {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Leaf.folder) var leaves: [Leaf] = []
  var parent: Folder?
  @Relationship(deleteRule: .nullify, inverse: \Folder.parent) var folders: [Folder] = []

  init(_ name: String) { self.name = name }
}

@Model
final class Leaf {
  var name: String
  var folder: Folder?
  @Relationship(inverse: \Label.leaves) var labels: [Label] = []
  @Relationship(deleteRule: .cascade, inverse: \Cover.leaf) var cover: Cover?
  /// Without an inverse.
  var seeAlso: [Label] = []
  var main: Label?

  init(_ name: String) { self.name = name }
}

@Model
final class Label {
  @Attribute(.unique) var name: String
  var shade = 0
  var leaves: [Leaf] = []

  init(_ name: String, shade: Int = 0) {
    self.name = name
    self.shade = shade
  }
}

@Model
final class Cover {
  var text: String
  var leaf: Leaf?

  init(_ text: String) { self.text = text }
}

/// What has to have a folder, and what a folder cannot be deleted for.
@Model
final class Account {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \Entry.account) var entries: [Entry] = []

  init(_ name: String) { self.name = name }
}

@Model
final class Entry {
  var text: String
  var account: Account

  init(_ text: String, _ account: Account) {
    self.text = text
    self.account = account
  }
}

@Model
class Animal {
  var name: String
  var legs = 4
  var keeper: Keeper?

  init(_ name: String) { self.name = name }
}

@Model
final class Dog: Animal {
  var tricks = 0
  var nickname: String?

  override init(_ name: String) { super.init(name) }
}

@Model
final class Bird: Animal {
  var flies = true

  override init(_ name: String) { super.init(name) }
}

@Model
final class Keeper {
  @Attribute(.unique) var name: String
  @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []

  init(_ name: String) { self.name = name }
}

@Model
final class ByMood {
  @Attribute(.unique) var mood: Mood
  var note: String

  init(_ mood: Mood, _ note: String) {
    self.mood = mood
    self.note = note
  }
}

@Model
final class ByMember {
  #Unique<ByMember>([\.size.width, \.kind])
  var size: Size
  var kind: String
  var note: String

  init(_ width: Double, _ kind: String, _ note: String) {
    size = Size(width: width)
    self.kind = kind
    self.note = note
  }
}
