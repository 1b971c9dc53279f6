/// One piece of work and everyone who does it: ours, in one or more ways, and the peers.
struct Scenario {
  let unit: Unit
  /// Whether more runs than were asked for do the same once more. Not where each changes what the next one finds.
  var mayRepeat = true
  let contestants: [Contestant]

  enum Unit: String {
    case milliseconds = "ms"
    case microseconds = "µs"
    case megabytes = "MB"

    func figure(of quantity: Outcome.Quantity) -> Double {
      switch (self, quantity) {
      case (.milliseconds, .time(let duration)): duration / .milliseconds(1)
      case (.microseconds, .time(let duration)): duration / .microseconds(1)
      case (.megabytes, .bytes(let count)): Double(count) / 1e6
      default: fatalError("A scenario whose unit is \(rawValue) measured something else")
      }
    }
  }
}

/// One side of a comparison.
struct Contestant {
  let name: String
  /// Set for ours: the way of doing it, a part of the scenario's name when not empty.
  var way: String?
  /// Does the work once. The number of the run lets every side make the same choices in it.
  let run: (_ number: Int) throws -> Outcome
}

extension Contestant {
  static func ours(
    way: String = "", run: @escaping (_ number: Int) throws -> Outcome
  ) -> Contestant {
    Contestant(name: way.isEmpty ? "ours" : "ours (\(way))", way: way, run: run)
  }
}

/// What a run took, and a checksum by which the sides prove that they did the same work.
struct Outcome {
  enum Quantity {
    case time(Duration)
    case bytes(Int)
  }

  let quantity: Quantity
  let checksum: Checksum

  init(duration: Duration, checksum: Checksum) {
    quantity = .time(duration)
    self.checksum = checksum
  }

  init(bytes: Int, checksum: Checksum) {
    quantity = .bytes(bytes)
    self.checksum = checksum
  }
}
