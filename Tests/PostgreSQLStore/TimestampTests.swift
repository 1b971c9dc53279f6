import CoreData
import Testing

@testable import PostgreSQLStore

@Suite struct TimestampTests {
  @Test func datesComeBackToTheMicrosecond() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let microseconds = Int64.random(
        in: -63_000_000_000_000_000..<80_000_000_000_000_000, using: &random)
      let seconds = Timestamps.seconds(microseconds)
      #expect(Timestamps.microseconds(seconds) == microseconds || seconds.magnitude > 8e9)
    }
    for seconds in [0, 0.1, -0.1, 1.5, 700_000_000.123456, -978_307_200] as [Double] {
      let stored = try #require(Timestamps.microseconds(seconds))
      #expect(Timestamps.seconds(stored) == seconds)
    }
  }

  @Test(arguments: [
    (0.0, "2001-01-01 00:00:00.000000+00"), (-31_622_400, "2000-01-01 00:00:00.000000+00"),
    (-0.5, "2000-12-31 23:59:59.500000+00"), (-63_113_904_000, "0001-01-01 00:00:00.000000+00"),
    (-63_113_904_001, "0001-12-31 23:59:59.000000+00 BC"),
    (63_113_904_000, "4001-01-01 00:00:00.000000+00"),
    (5_097_600, "2001-03-01 00:00:00.000000+00"),
  ])
  func textsAreThoseOfTheCalendar(_ seconds: Double, _ text: String) throws {
    #expect(Timestamps.text(try #require(Timestamps.microseconds(seconds))) == text)
  }

  @Test func whatIsOutOfReachIsNothing() {
    #expect(Timestamps.microseconds(1e300) == nil)
    #expect(Timestamps.microseconds(.nan) == nil)
    #expect(Timestamps.microseconds(.infinity) == .max)
  }
}
