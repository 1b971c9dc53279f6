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

  /// The checksums of the versions that the stage knows, in order.
  var checksums: [String] { [] }
}

/// Versions of a model between which mappings can be inferred.
///
/// Source: developer.apple.com/documentation/coredata/nslightweightmigrationstage
open class NSLightweightMigrationStage: NSMigrationStage {
  public final let versionChecksums: [String]

  public init(_ checksums: [String]) { versionChecksums = checksums }

  override var checksums: [String] { versionChecksums }
}

/// A step from one version to the next with code of the developer's before and after.
///
/// Source: developer.apple.com/documentation/coredata/nscustommigrationstage
open class NSCustomMigrationStage: NSMigrationStage {
  public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

  public final let currentModel: NSManagedObjectModelReference
  public final let nextModel: NSManagedObjectModelReference
  /// Called while the store still has the current model.
  open var willMigrateHandler: Handler?
  /// Called when the store has the next model.
  open var didMigrateHandler: Handler?

  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }

  override var checksums: [String] { [currentModel.versionChecksum, nextModel.versionChecksum] }
}
