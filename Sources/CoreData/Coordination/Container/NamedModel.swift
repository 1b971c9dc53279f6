/// Finds the model of a container by its name.
enum NamedModel {
  /// The model among the embedded ones, else in the bundle of the container's class, the main bundle
  /// and the others. When there is none, or when it cannot be read, the error stream says so.
  static func find(_ name: String, for container: AnyClass) -> NSManagedObjectModel? {
    do {
      if let model = try EmbeddedModels.model(named: name) { return model }
      if let model = try model(named: name, in: bundles(for: container)) { return model }
      report("Failed to load model named \(name)")
    } catch {
      report("Failed to load model named \(name): \(error)")
    }
    return nil
  }

  private static func bundles(for container: AnyClass) -> [Bundle] {
    [Bundle(for: container), Bundle.main] + ResourceBundles.all + Bundle.allBundles
  }

  private static func model(
    named name: String, in bundles: [Bundle]
  ) throws -> NSManagedObjectModel? {
    for bundle in bundles {
      for type in ["momd", "mom"] {
        guard let url = bundle.url(forResource: name, withExtension: type) else { continue }
        return try NSManagedObjectModel(contentsOfModelAt: url)
      }
    }
    return nil
  }

  private static func report(_ text: String) {
    ModelReport.write("error:  \(text)")
  }
}
