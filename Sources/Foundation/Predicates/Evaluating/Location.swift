import Foundation
import KeyValueCoding

/// A position on the Earth, in degrees. There is no `CLLocation` on this platform: any value with
/// the keys `latitude` and `longitude` is a location, dictionaries included.
struct Location {
  private let latitude: Double
  private let longitude: Double

  /// The mean radius of the Earth in metres.
  private static let radius = 6_371_008.8

  /// Reads the keys of a value. Throws ``PredicateEvaluationError`` if they are not numbers.
  ///
  /// - Parameter user: the name of the calling function, for the error.
  init(_ value: TypedValue, user: String) throws {
    latitude = try Self.degrees(value, key: "latitude", user: user)
    longitude = try Self.degrees(value, key: "longitude", user: user)
  }

  private static func degrees(
    _ value: TypedValue, key: String, user: String
  ) throws -> Double {
    let degrees = TypedValue(try KeyedValue.value(of: value.any, forKey: key))
    return try PredicateFunction.number(degrees, name: user).doubleValue
  }

  /// The distance in metres along the great circle, by the haversine formula.
  func distance(from other: Location) -> Double {
    let latitudes = ((latitude - other.latitude) / 2).radians
    let longitudes = ((longitude - other.longitude) / 2).radians
    let chord =
      pow(sin(latitudes), 2)
      + cos(latitude.radians) * cos(other.latitude.radians) * pow(sin(longitudes), 2)
    return 2 * Self.radius * asin(min(1, chord.squareRoot()))
  }
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }
}
