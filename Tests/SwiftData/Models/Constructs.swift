import CoreData
import SwiftData

// What a model's source may say: each has to compile, and to be kept.

protocol Titled { var title: String { get } }

@Model
public final class Construct: Titled, CustomStringConvertible {
  #Unique<Construct>([\.serial], [\.title, \.number])
  #Index<Construct>([\.title], [\.number, \.title])

  @Attribute(.unique, originalName: "serialNumber") public var serial: Int
  public internal(set) var title: String
  package var number = 1
  private(set) var secret = "secret"
  fileprivate var hidden: Int? = nil
  var `default`: Double = 1
  var unwrapped: String!
  var annotated: [String: Int] = ["a": 1]
  var computedDefault = [1, 2, 3].reduce(0, +)
  var emptyList: [Part] = []
  var optionalList: [Part]?
  var choice: Choice = .second
  var optionalChoice: Choice? = .first
  @Attribute(.externalStorage) var blob: Data? = nil
  @Attribute(.ephemeral) var passing = 0
  @Relationship(deleteRule: .cascade, inverse: \Part.whole) var parts: [Part] = []
  @Transient var cached = [Int]()
  @Transient private var note: String?
  #if os(Linux)
    var onLinux = true
  #else
    var elsewhere = true
  #endif
  static let limit = 10
  var computed: Int { number + 1 }
  var both: Int {
    get { number }
    set { number = newValue }
  }
  public var description: String { title }

  init(serial: Int, title: String) {
    self.serial = serial
    self.title = title
    hidden = serial
  }

  /// An initialiser that sets what has a default.
  convenience init(copying other: Construct) {
    self.init(serial: other.serial + 1, title: other.title)
    number = other.number
    choice = other.choice
    hidden = other.hidden
  }

  var whatIsHidden: Int? { hidden }
}

struct Part2D: Codable, Hashable, Sendable { var x = 0 }

enum Choice: String, Codable, Sendable { case first, second }

@Model class Part {
  var whole: Construct?
  var place = Part2D()

  init() {}
}

enum Versions {
  @Model final class Entry {
    var text = ""

    init() {}
  }
}

extension Versions {
  @Model open class Extended {
    var text = ""

    public init() {}
  }
}

/// Accessors of its own, in the words that the macros write.
@Model
final class Custom {
  var plain = 1

  init() {}

  var doubled: Int {
    get {
      access(keyPath: \.plain)
      return getValue(forKey: \.plain) * 2
    }
    set { withMutation(keyPath: \.plain) { setValue(forKey: \.plain, to: newValue / 2) } }
  }
}

@ModelActor
actor Builder {
  func build(_ serial: Int) throws -> PersistentIdentifier {
    let construct = Construct(serial: serial, title: "built")
    modelContext.insert(construct)
    try modelContext.save()
    return construct.persistentModelID
  }
}
