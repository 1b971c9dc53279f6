import SwiftData

// Classes that differ in what is unique and has an index.

/// A class whose models are one when they are made with one number.
protocol Keyed: PersistentModel {
  init(_ number: Int, _ note: String)
  var note: String { get set }
}

enum Standing: String, Codable, Sendable, CaseIterable { case low, middle, high }
enum Grade: Int, Codable, Sendable { case first = 10, second, third }
enum Temper: Codable, Sendable { case calm, wild }
struct Den: Codable, Equatable, Sendable {
  var x: Int
  var label: String? = nil
}

@Model
final class ByColumns: Keyed {
  #Unique<ByColumns>([\.name, \.number])
  #Index<ByColumns>([\.name], [\.number, \.name])
  var name: String
  var number: Int
  var note: String

  init(_ number: Int, _ note: String) {
    name = "name"
    self.number = number
    self.note = note
  }
}

@Model
final class ByRank: Keyed {
  #Index<ByRank>([\.rank], [\.rank, \.note])
  @Attribute(.unique) var rank: Standing
  var note: String

  init(_ number: Int, _ note: String) {
    rank = Standing.allCases[number % 3]
    self.note = note
  }
}

@Model
final class ByGrade: Keyed {
  #Unique<ByGrade>([\.grade, \.name])
  #Index<ByGrade>([\.grade])
  var grade: Grade?
  var name = "name"
  var note: String

  init(_ number: Int, _ note: String) {
    grade = Grade(rawValue: 10 + number % 3)
    self.note = note
  }
}

@Model
final class ByMember: Keyed {
  #Unique<ByMember>([\.den.x, \.name])
  #Index<ByMember>([\.den.x], [\.mood], [\.den])
  var den: Den
  var name = "name"
  var mood = Temper.wild
  var note: String

  init(_ number: Int, _ note: String) {
    den = Den(x: number)
    self.note = note
  }
}

@Model
class Creature {
  var name: String
  var rank = Standing.low
  var note: String

  init(name: String, note: String) {
    self.name = name
    self.note = note
  }
}

@Model
final class ByInherited: Creature, Keyed {
  #Unique<ByInherited>([\.name, \.stripes])
  #Index<ByInherited>([\.name, \.stripes], [\.rank])
  var stripes: Int

  init(_ number: Int, _ note: String) {
    stripes = number
    super.init(name: "name", note: note)
  }
}

// What no store could keep to.

@Model
final class UniqueByCases {
  @Attribute(.unique) var mood = Temper.calm

  init() {}
}

@Model
final class UniqueByStructure {
  #Unique<UniqueByStructure>([\.den, \.name])
  var den = Den(x: 0)
  var name = ""

  init() {}
}

@Model
final class UniqueByComputed {
  #Unique<UniqueByComputed>([\.name, \.length])
  var name = ""
  var length: Int { name.count }

  init() {}
}

@Model
final class IndexedByRelated {
  #Index<IndexedByRelated>([\.creature?.name])
  var creature: Creature?

  init() {}
}
