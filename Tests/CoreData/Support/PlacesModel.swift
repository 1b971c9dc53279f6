import CoreData
import CoreDataSupport

/// Places with a composite attribute that has another one in it.
///
///     Place   name; location: latitude (default 1), longitude, address: city, zip (required)
///             home: city (required element of a required composite); next → Place
enum PlacesModel {
  static func make() -> NSManagedObjectModel {
    ManagedObjectClasses.register("Place", module: "CoreDataSamples", type: Place.self) {
      Place(entity: $0, insertInto: $1)
    }
    let place = NSEntityDescription()
    place.name = "Place"
    place.managedObjectClassName = "Place"
    let (next, previous) = ModelPart.relate(place, "next", 1, place, "previous", 0)
    let name = ModelPart.attribute("name")
    place.properties = [name, location(), region(), next, previous]
    let model = NSManagedObjectModel()
    model.entities = [place]
    return model
  }

  private static func location() -> NSCompositeAttributeDescription {
    let zip = ModelPart.attribute("zip", .integer32AttributeType, isOptional: false)
    zip.setValidationPredicates(
      [NSPredicate(format: "SELF > 0")], withValidationWarnings: ["A zip below one"])
    let city = ModelPart.attribute("city")
    return composite(
      "location",
      [
        ModelPart.attribute("latitude", .doubleAttributeType, default: 1.0),
        ModelPart.attribute("longitude", .doubleAttributeType),
        composite("address", [city, zip]),
      ])
  }

  private static func region() -> NSCompositeAttributeDescription {
    let region = composite("region", [ModelPart.attribute("code")])
    region.isOptional = false
    region.defaultValue = ["code": "none"]
    return region
  }

  static func composite(
    _ name: String, _ elements: [NSAttributeDescription]
  ) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.isOptional = true
    composite.elements = elements
    return composite
  }
}

/// Accessors as the build plugin writes them.
final class Place: NSManagedObject {
  private static let nameProperty = ManagedProperty("name")
  private static let locationProperty = ManagedProperty("location")

  var name: String? {
    get { managedValue(Self.nameProperty) }
    set { setManagedValue(newValue, Self.nameProperty) }
  }
  var location: [String: Any]? {
    get { managedValue(Self.locationProperty) }
    set { setManagedValue(newValue, Self.locationProperty) }
  }
}

extension NSManagedObjectContext {
  func makePlace(_ name: String, _ location: [String: Any]? = nil) -> Place {
    let place = Place(context: self)
    place.name = name
    if let location { place.location = location }
    return place
  }

  func places(_ format: String? = nil, sortedBy key: String = "name") throws -> [String] {
    let request = NSFetchRequest<Place>(entityName: "Place")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request).map { $0.name ?? "" }
  }
}
