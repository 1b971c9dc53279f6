import Foundation

/// A step of a staged migration: ``NSLightweightMigrationStage`` or ``NSCustomMigrationStage``.
///
/// Source: developer.apple.com/documentation/coredata/nsmigrationstage
open class NSMigrationStage: NSObject {
  private var storedLabel: String?

  /// A name for logs and errors.
  open var label: String! {
    get { storedLabel ?? "\(type(of: self))" }
    set { storedLabel = newValue }
  }

  /// The checksums of the stage's versions, in order.
  var checksums: [String] { [] }
}

/// A stage with versions of a model between which mappings can be inferred.
///
/// Source: developer.apple.com/documentation/coredata/nslightweightmigrationstage
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, in order.
  open private(set) var versionChecksums: [String]

  /// Makes a stage of the versions with the given checksums, in order.
  public init(_ checksums: [String]) { versionChecksums = checksums }

  override var checksums: [String] { versionChecksums }
}

/// A stage from one version to the next, with handlers before and after.
///
/// Source: developer.apple.com/documentation/coredata/nscustommigrationstage
open class NSCustomMigrationStage: NSMigrationStage {
  /// Code that runs before or after the stage. An error ends the migration.
  public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

  /// The version before the stage.
  open private(set) var currentModel: NSManagedObjectModelReference
  /// The version after the stage.
  open private(set) var nextModel: NSManagedObjectModelReference
  /// Called while the store still has the current model.
  open var willMigrateHandler: Handler?
  /// Called when the store has the next model.
  open var didMigrateHandler: Handler?

  /// Makes a stage from one version to the next.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }

  override var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }
}
