import Foundation

/// Names one version of a model, with the checksum that it must have.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodelreference
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version, as ``NSManagedObjectModel/versionChecksum`` and `VersionInfo.plist` have it.
  public final let versionChecksum: String
  private let find: () throws -> NSManagedObjectModel?
  private let what: String
  private var found: NSManagedObjectModel?

  private init(
    _ what: String, _ checksum: String, _ find: @escaping () throws -> NSManagedObjectModel?
  ) {
    versionChecksum = checksum
    self.what = what
    self.find = find
  }

  /// A model at hand.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init("the given model", versionChecksum) { model }
  }

  /// The model in a file, such as a `.mom`.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(fileURL.path, versionChecksum) {
      try NSManagedObjectModel(contentsOfModelAt: fileURL)
    }
  }

  /// The version of a bundle's models (of the program's for nil) whose entities have these hashes.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?,
    versionChecksum: String
  ) {
    let hashes = Dictionary(
      versionHash.compactMap { key, value in
        (key as? String).flatMap { name in (value as? Data).map { (name, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    self.init("the version with the given entity hashes", versionChecksum) {
      try NSManagedObjectModel.version(havingEntities: hashes, in: bundle)
    }
  }

  /// The version of a bundle's models (of the program's for nil) with this name: `X` for `X.mom`.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init("“\(modelName)”", versionChecksum) {
      try NSManagedObjectModel.version(named: modelName, in: bundle)
    }
  }

  /// The model. Traps, where Apple's raises, when it is not found or has another checksum.
  open var resolvedModel: NSManagedObjectModel { trapping { try resolve() } }

  /// The same; throws 134504.
  final func resolve() throws -> NSManagedObjectModel {
    if let found { return found }
    guard let model = try find() else {
      throw failure("was not found in the bundle; see that it is among the target's resources")
    }
    let checksum = model.versionChecksum
    guard checksum == versionChecksum else {
      throw failure(
        "has the checksum \(checksum), not \(versionChecksum): it was changed after it shipped")
    }
    found = model
    return model
  }

  private func failure(_ problem: String) -> NSError {
    CoreDataError.make(
      code: NSManagedObjectModelReferenceNotFoundError,
      reason: "The model reference to \(what) \(problem).")
  }
}
