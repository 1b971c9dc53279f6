/// One piece of work and everyone who does it: ours, in one or more ways, and the peers.
struct Scenario {
  let unit: Unit
  let contestants: [Contestant]

  enum Unit: String {
    case milliseconds = "ms"
    case microseconds = "µs"

    func figure(of duration: Duration) -> Double {
      let seconds =
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
      return seconds * (self == .milliseconds ? 1e3 : 1e6)
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
  let duration: Duration
  let checksum: Checksum
}
