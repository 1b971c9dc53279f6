import Foundation

/// A place with its height and a time, as it was measured.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The place.
  public let coordinate: CLLocationCoordinate2D
  /// Meters above the sea.
  public let altitude: CLLocationDistance
  /// Meters by which the place may be wrong; negative if it is invalid.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Meters by which the height may be wrong; negative if it is invalid.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of the movement; negative if it is unknown.
  public let course: CLLocationDirection
  /// Degrees by which the direction may be wrong; negative if it is unknown.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// The speed; negative if it is unknown.
  public let speed: CLLocationSpeed
  /// What the speed may be wrong by; negative if it is unknown.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// The time of the measurement.
  public let timestamp: Date
  /// The floor of a building.
  open var floor: CLFloor? { nil }
  /// Meters above the ellipsoid that stands for the earth: the altitude here.
  open var ellipsoidalAltitude: CLLocationDistance { altitude }

  /// Creates a location with all that was measured.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  /// Creates a location of a movement.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed,
      speedAccuracy: -1, timestamp: timestamp)
  }

  /// Creates a location without a movement.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  /// Creates a location of now that is a place and nothing else.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Creates a location of now at 0, 0.
  public convenience override init() { self.init(latitude: 0, longitude: 0) }

  /// The meters to another place along the earth, which is taken for a ball here: some tenths of a
  /// percent off what Apple's systems say.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    coordinate.distance(to: location.coordinate)
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m (speed \(speed) mps / course \(course)) @ \(timestamp)"
  }

  // MARK: - Archives

  /// Locations can be read by their class.
  public class var supportsSecureCoding: Bool { true }

  private static let keys = [
    "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course",
    "courseAccuracy", "speed", "speedAccuracy", "timestamp",
  ]

  private var numbers: [Double] {
    [
      coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy,
      course, courseAccuracy, speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
    ]
  }

  /// Reads a location from an archive that this class has written; Apple's have other keys.
  public required convenience init?(coder: NSCoder) {
    guard Self.keys.allSatisfy(coder.containsValue) else { return nil }
    let numbers = Self.keys.map(coder.decodeDouble)
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]),
      altitude: numbers[2], horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4],
      course: numbers[5], courseAccuracy: numbers[6], speed: numbers[7],
      speedAccuracy: numbers[8], timestamp: Date(timeIntervalSinceReferenceDate: numbers[9]))
  }

  open func encode(with coder: NSCoder) {
    for (key, number) in zip(Self.keys, numbers) { coder.encode(number, forKey: key) }
  }
}

extension CLLocationCoordinate2D {
  /// The mean radius of the earth, in meters.
  private static let radius = 6_371_008.8

  /// The length of the great circle to another place.
  func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let latitudes = (radians(latitude), radians(other.latitude))
    let north = sin((latitudes.1 - latitudes.0) / 2)
    let east = sin(radians(other.longitude - longitude) / 2)
    let share = north * north + cos(latitudes.0) * cos(latitudes.1) * east * east
    return 2 * Self.radius * asin(min(1, share.squareRoot()))
  }
}

/// A floor of a building.
open class CLFloor: NSObject, @unchecked Sendable {
  /// The number of the floor; 0 is the ground.
  public let level: Int

  init(level: Int) { self.level = level }
}

/// A visit to a place. None is noticed here.
open class CLVisit: NSObject, @unchecked Sendable {
  /// Creates a visit to nowhere, for subclasses of tests.
  public override init() {}

  /// The time of the arrival.
  open var arrivalDate: Date { .distantPast }
  /// The time of the departure.
  open var departureDate: Date { .distantFuture }
  /// The place.
  open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
  /// Meters by which the place may be wrong.
  open var horizontalAccuracy: CLLocationAccuracy { -1 }
}

/// The direction to which a device points. None is known here.
open class CLHeading: NSObject, @unchecked Sendable {
  /// Creates an unknown direction, for subclasses of tests.
  public override init() {}

  /// Degrees from magnetic north.
  open var magneticHeading: CLLocationDirection { -1 }
  /// Degrees from true north.
  open var trueHeading: CLLocationDirection { -1 }
  /// Degrees by which both may be wrong.
  open var headingAccuracy: CLLocationDirection { -1 }
  /// The time of the measurement.
  open var timestamp: Date { .distantPast }
}
