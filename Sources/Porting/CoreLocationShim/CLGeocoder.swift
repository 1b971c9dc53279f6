import Foundation

/// Called with what was found, or with an error.
public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

/// What finds the names of places and the places of names. It finds none here.
open class CLGeocoder: NSObject, @unchecked Sendable {
  /// Creates a geocoder.
  public override init() {}

  /// Whether a question is open.
  open var isGeocoding: Bool { false }

  /// Asks for the names of a place; answers with `CLError.network`.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) { refuse(completionHandler) }

  /// Asks for the names of a place; answers with `CLError.network`.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) { refuse(completionHandler) }

  /// Asks for places of a name; answers with `CLError.network`.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) { refuse(completionHandler) }

  /// Takes questions back.
  open func cancelGeocode() {}

  private func refuse(_ completionHandler: @escaping CLGeocodeCompletionHandler) {
    DispatchQueue.main.async { completionHandler(nil, CLError(.network)) }
  }

  /// Asks for the names of a place.
  /// - Throws: `CLError.network`, always.
  public func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }

  /// Asks for places of a name.
  /// - Throws: `CLError.network`, always.
  public func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    throw CLError(.network)
  }
}

/// The names of a place.
open class CLPlacemark: NSObject, @unchecked Sendable {
  /// The place.
  public let location: CLLocation?

  /// Creates names that are the same as others.
  public init(placemark: CLPlacemark) { location = placemark.location }

  /// The region around the place.
  open var region: CLRegion? { nil }
  /// The time zone.
  open var timeZone: TimeZone? { nil }
  /// The name.
  open var name: String? { nil }
  /// The street.
  open var thoroughfare: String? { nil }
  /// The number in the street.
  open var subThoroughfare: String? { nil }
  /// The town.
  open var locality: String? { nil }
  /// The part of the town.
  open var subLocality: String? { nil }
  /// The state.
  open var administrativeArea: String? { nil }
  /// The county.
  open var subAdministrativeArea: String? { nil }
  /// The postal code.
  open var postalCode: String? { nil }
  /// The code of the country.
  open var isoCountryCode: String? { nil }
  /// The country.
  open var country: String? { nil }
  /// The lake.
  open var inlandWater: String? { nil }
  /// The sea.
  open var ocean: String? { nil }
  /// What is of interest there.
  open var areasOfInterest: [String]? { nil }
}
