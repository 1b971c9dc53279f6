import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double
/// Meters by which a location may be wrong; negative where it is unknown.
public typealias CLLocationAccuracy = Double
/// Meters in a second; negative where it is unknown.
public typealias CLLocationSpeed = Double
/// Meters in a second by which a speed may be wrong; negative where it is unknown.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from true north; negative where it is unknown.
public typealias CLLocationDirection = Double
/// Degrees by which a direction may be wrong; negative where it is unknown.
public typealias CLLocationDirectionAccuracy = Double

/// A place on the earth.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich.
  public var longitude: CLLocationDegrees

  /// Creates the place at 0, 0.
  public init() { self.init(latitude: 0, longitude: 0) }

  /// Creates a place.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A place that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Returns true if a latitude is from -90 to 90 and a longitude from -180 to 180.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

/// Creates a place.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// The greatest accuracy, with what else a device knows.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The greatest accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// An accuracy of ten meters.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// An accuracy of a hundred meters.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// An accuracy of a kilometer.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// An accuracy of three kilometers.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The accuracy of those who may not know the exact place.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = Double.greatestFiniteMagnitude
/// No distance at all: every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// A distance that no movement reaches.
public let CLLocationDistanceMax: CLLocationDistance = Double.greatestFiniteMagnitude
/// A time that never passes.
public let CLTimeIntervalMax: TimeInterval = Double.greatestFiniteMagnitude
