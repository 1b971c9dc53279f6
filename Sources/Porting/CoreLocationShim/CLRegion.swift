import Foundation

/// A part of the earth that can be entered and left. Nothing is noticed here.
open class CLRegion: NSObject, NSCopying, @unchecked Sendable {
  /// The identifier.
  public let identifier: String
  /// Whether entering it counts.
  open var notifyOnEntry = true
  /// Whether leaving it counts.
  open var notifyOnExit = true

  init(identifier: String) { self.identifier = identifier }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  open override var hash: Int { identifier.hashValue }
}

/// A circle around a place.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  /// The middle.
  public let center: CLLocationCoordinate2D
  /// The radius in meters.
  public let radius: CLLocationDistance

  /// Creates a circle.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// Returns true if a place is in the circle.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    center.distance(to: coordinate) <= radius
  }
}

/// Whether a region was entered.
public enum CLRegionState: Int, Sendable {
  /// Nothing is known.
  case unknown
  /// The device is inside.
  case inside
  /// The device is outside.
  case outside
}

/// An error of locations.
public struct CLError: CustomNSError, Equatable, Sendable {
  /// The reasons.
  public enum Code: Int, Sendable {
    /// The place is not known.
    case locationUnknown = 0
    /// The application may not know it.
    case denied = 1
    /// The network does not answer.
    case network = 2
    /// The direction is not known.
    case headingFailure = 3
    /// The application may not watch regions.
    case regionMonitoringDenied = 4
    /// The region cannot be watched.
    case regionMonitoringFailure = 5
    /// Regions cannot be watched at once.
    case regionMonitoringSetupDelayed = 6
    /// Regions are noticed late.
    case regionMonitoringResponseDelayed = 7
    /// There is no such place.
    case geocodeFoundNoResult = 8
    /// There is only part of such a place.
    case geocodeFoundPartialResult = 9
    /// The question was taken back.
    case geocodeCanceled = 10
  }

  /// The reason.
  public let code: Code

  /// Creates an error.
  public init(_ code: Code) { self.code = code }

  /// `kCLErrorDomain`.
  public static var errorDomain: String { kCLErrorDomain }
  /// The number of the reason.
  public var errorCode: Int { code.rawValue }

  /// The place is not known.
  public static var locationUnknown: Code { .locationUnknown }
  /// The application may not know it.
  public static var denied: Code { .denied }
  /// The network does not answer.
  public static var network: Code { .network }
}

/// The domain of errors of locations.
public let kCLErrorDomain = "kCLErrorDomain"
