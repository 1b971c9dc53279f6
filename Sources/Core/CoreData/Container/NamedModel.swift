/// The search for a container's model by name.
enum NamedModel {
  /// The model with this name: first among the embedded models, preferring the module of the
  /// container's class; then in the bundle of that class, the main bundle and all other bundles. If
  /// there is none, if it cannot be read, or if the name is ambiguous, a message goes to the error
  /// stream.
  static func find(_ name: String, for container: AnyClass) -> NSManagedObjectModel? {
    do {
      let module = module(of: container)
      if let model = try EmbeddedModels.model(named: name, preferring: module) {
        warn(of: EmbeddedModels.modules(ofModel: name), named: name, besides: module)
        return model
      }
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

  private static func module(of type: AnyClass) -> String {
    String(String(reflecting: type).prefix { $0 != "." })
  }

  /// Warns of an ambiguous name. The tests of several targets form one program here, so a model
  /// that is the only one of its name in its bundle on Apple's platforms may be one of several.
  private static func warn(of modules: [String], named name: String, besides module: String) {
    guard modules.count > 1, !modules.contains(module) else { return }
    report(
      "\(modules.count) modules of this program have a model named \(name): "
        + "\(modules.joined(separator: ", ")). That of \(modules[0]) is taken; give the container the model that you "
        + "mean (managedObjectModel:), or make it of a subclass in the model's module")
  }

  private static func report(_ text: String) {
    ModelReport.write("error:  \(text)")
  }
}
