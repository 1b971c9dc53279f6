import CoreLocation
import Foundation
import Testing

/// Places as models keep and compare them.
@Suite struct LocationTests {
  private let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
  private let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)

  @Test func distancesFollowTheEarth() {
    #expect((870_000...885_000).contains(berlin.distance(from: paris)))
    #expect(berlin.distance(from: paris) == paris.distance(from: berlin))
    #expect(berlin.distance(from: berlin) == 0)
    let (east, west) = (
      CLLocation(latitude: 0, longitude: 179.5), CLLocation(latitude: 0, longitude: -179.5)
    )
    #expect((110_000...112_000).contains(east.distance(from: west)))
    let poles = (CLLocation(latitude: 90, longitude: 0), CLLocation(latitude: -90, longitude: 77))
    #expect((20_000_000...20_030_000).contains(poles.0.distance(from: poles.1)))
  }

  @Test func whatIsNotMeasuredIsNegative() {
    #expect(berlin.coordinate.latitude == 52.52 && berlin.altitude == 0)
    #expect(berlin.horizontalAccuracy == 0 && berlin.verticalAccuracy == -1)
    #expect(berlin.speed == -1 && berlin.course == -1)
  }

  @Test func archivesKeepEverything() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2DMake(1, 2), altitude: 3, horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSinceReferenceDate: 10))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: location, requiringSecureCoding: true)
    let copy = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    #expect(copy.description == location.description)
    #expect(copy.courseAccuracy == 7 && copy.speedAccuracy == 9 && copy.altitude == 3)
  }

  @Test(arguments: [(0.0, 0.0, true), (90, 180, true), (91, 0, false), (0, -181, false)])
  func placesAreOnTheEarth(_ latitude: Double, _ longitude: Double, _ isValid: Bool) {
    #expect(
      CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test func aCircleContainsWhatIsNear() {
    let circle = CLCircularRegion(center: berlin.coordinate, radius: 1000, identifier: "home")
    #expect(circle.contains(CLLocationCoordinate2DMake(52.525, 13.405)))
    #expect(!circle.contains(paris.coordinate))
  }

  @Test func aManagerKnowsNothingAndRemembersRegions() {
    let manager = CLLocationManager()
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    #expect(manager.location == nil && manager.authorizationStatus == .notDetermined)
    let circle = CLCircularRegion(center: berlin.coordinate, radius: 1, identifier: "a")
    manager.startMonitoring(for: circle)
    #expect(manager.monitoredRegions == [circle])
    manager.stopMonitoring(for: circle)
    #expect(manager.monitoredRegions.isEmpty)
  }

  @Test func aGeocoderFindsNothing() async {
    await #expect(throws: CLError(.network)) {
      try await CLGeocoder().reverseGeocodeLocation(berlin)
    }
  }
}
