import Foundation

/// A reference to one version of a model, with its expected checksum.
///
/// Source: developer.apple.com/documentation/coredata/nsmanagedobjectmodelreference
open class NSManagedObjectModelReference: NSObject {
  /// The checksum of the version, equal to ``NSManagedObjectModel/versionChecksum`` and the one in
  /// `VersionInfo.plist`.
  open private(set) var versionChecksum: String
  private let find: () throws -> NSManagedObjectModel?
  private let what: String
  private var found: NSManagedObjectModel?

  private init(
    _ what: String, checksum: String, find: @escaping () throws -> NSManagedObjectModel?
  ) {
    versionChecksum = checksum
    self.what = what
    self.find = find
  }

  /// Makes a reference to a given model.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init("the given model", checksum: versionChecksum) { model }
  }

  /// Makes a reference to the model in a file, such as a `.mom`.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(fileURL.path, checksum: versionChecksum) {
      try NSManagedObjectModel(contentsOfModelAt: fileURL)
    }
  }

  /// Makes a reference to the version of a bundle's models (the program's for nil) whose entities
  /// have these hashes.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?,
    versionChecksum: String
  ) {
    let hashes = Dictionary(
      versionHash.compactMap { key, value in
        (key as? String).flatMap { name in (value as? Data).map { (name, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    self.init("the version with the given entity hashes", checksum: versionChecksum) {
      try NSManagedObjectModel.version(havingEntities: hashes, in: bundle)
    }
  }

  /// Makes a reference to the version of a bundle's models (the program's for nil) with this name:
  /// `X` for `X.mom`.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init("“\(modelName)”", checksum: versionChecksum) {
      try NSManagedObjectModel.version(named: modelName, in: bundle)
    }
  }

  /// The model. Traps if it is not found or has another checksum; Apple's raises an exception.
  open var resolvedModel: NSManagedObjectModel { trapping { try resolve() } }

  /// The model. Throws 134504 if it is not found or has another checksum.
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
