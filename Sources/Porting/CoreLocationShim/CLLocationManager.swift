import Foundation

/// What asks for the place of the device, which nobody knows here. No permission is given, nothing
/// is measured, and the delegate is not told anything.
open class CLLocationManager: NSObject {
  /// Who hears of places.
  open weak var delegate: (any CLLocationManagerDelegate)?
  /// The accuracy that is asked for.
  open var desiredAccuracy = kCLLocationAccuracyBest
  /// The meters of a movement that counts.
  open var distanceFilter = kCLDistanceFilterNone
  /// What the places are for.
  open var activityType = CLActivityType.other
  /// Whether measuring may pause.
  open var pausesLocationUpdatesAutomatically = true
  /// Whether places are told while the application is not in front.
  open var allowsBackgroundLocationUpdates = false
  /// Whether the status bar says so.
  open var showsBackgroundLocationIndicator = false
  /// The degrees of a turn that counts.
  open var headingFilter = 1.0
  /// The regions that are watched.
  open private(set) var monitoredRegions: Set<CLRegion> = []

  /// Creates a manager.
  public override init() {}

  /// The last place.
  open var location: CLLocation? { nil }
  /// The last direction.
  open var heading: CLHeading? { nil }
  /// The greatest radius of a region that can be watched.
  open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }
  /// Whether the application may know the place.
  open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
  /// Whether it may know it exactly.
  open var accuracyAuthorization: CLAccuracyAuthorization { .reducedAccuracy }

  /// Whether the application may know the place.
  open class func authorizationStatus() -> CLAuthorizationStatus { .notDetermined }
  /// Whether places are known at all.
  open class func locationServicesEnabled() -> Bool { false }
  /// Whether directions are known at all.
  open class func headingAvailable() -> Bool { false }
  /// Whether great movements are noticed at all.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
  /// Whether regions of a class are watched at all.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }

  /// Asks for permission.
  open func requestWhenInUseAuthorization() {}
  /// Asks for permission.
  open func requestAlwaysAuthorization() {}
  /// Asks for the place once.
  open func requestLocation() {}
  /// Begins to measure.
  open func startUpdatingLocation() {}
  /// Ends measuring.
  open func stopUpdatingLocation() {}
  /// Begins to tell directions.
  open func startUpdatingHeading() {}
  /// Ends telling directions.
  open func stopUpdatingHeading() {}
  /// Begins to notice great movements.
  open func startMonitoringSignificantLocationChanges() {}
  /// Ends noticing great movements.
  open func stopMonitoringSignificantLocationChanges() {}
  /// Begins to notice visits.
  open func startMonitoringVisits() {}
  /// Ends noticing visits.
  open func stopMonitoringVisits() {}
  /// Asks whether the device is in a region.
  open func requestState(for region: CLRegion) {}

  /// Remembers a region.
  open func startMonitoring(for region: CLRegion) { monitoredRegions.insert(region) }
  /// Forgets a region.
  open func stopMonitoring(for region: CLRegion) { monitoredRegions.remove(region) }
}

/// Whether an application may know the place of the device.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Nobody was asked.
  case notDetermined
  /// It may not, and nobody can change that.
  case restricted
  /// It may not.
  case denied
  /// It may at any time.
  case authorizedAlways
  /// It may while it is used.
  case authorizedWhenInUse

  /// It may at any time.
  public static var authorized: Self { .authorizedAlways }
}

/// How exactly an application may know the place.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exactly as it is known.
  case fullAccuracy
  /// By some kilometers.
  case reducedAccuracy
}

/// What places are for.
public enum CLActivityType: Int, Sendable {
  /// Anything.
  case other = 1
  /// Driving.
  case automotiveNavigation
  /// Walking and running.
  case fitness
  /// Other vehicles.
  case otherNavigation
  /// Flying.
  case airborne
}

/// Who hears of places. Nobody is told anything here.
public protocol CLLocationManagerDelegate: AnyObject {
  /// Places were measured.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// A direction was measured.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Nothing could be measured.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// A permission has changed.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// A permission has changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// A region was entered.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// A region was left.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// It is known whether the device is in a region.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// A region is watched.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region could not be watched.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  /// A place was visited.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

extension CLLocationManagerDelegate {
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  /// Does nothing, as on Apple's systems where the method is missing.
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}
