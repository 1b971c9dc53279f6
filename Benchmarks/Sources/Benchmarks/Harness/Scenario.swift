/// One piece of work and everyone who does it: ours first, then the peers.
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
  /// Does the work once. The number of the run lets every side make the same choices in it.
  let run: (_ number: Int) throws -> Outcome
}

/// What a run took, and a checksum by which the sides prove that they did the same work.
struct Outcome {
  let duration: Duration
  let checksum: Checksum
}
