import Foundation

extension NSManagedObjectModel {
  /// Reads a keyed archive: a `.mom`, or the inflated contents of a store's `Z_MODELCACHE`.
  ///
  /// Throws ``ModelFileError`` if the data is not the archive of a model. The work is bounded by
  /// the size of the data. `file` is named in errors.
  package convenience init(archivedData data: Data, file: String = "model archive") throws {
    let model = try ModelArchiveReader.model(from: data, file: file)
    self.init(takingContentsOf: model)
  }

  /// The keyed archive for a store's `Z_MODELCACHE` (before deflating), readable by Apple's
  /// framework.
  package final func archivedData() throws -> Data {
    try ModelArchiveWriter(model: self, style: .cache).data()
  }

  /// The contents of a `.mom`, readable by Apple's framework.
  package final func compiledData() throws -> Data {
    try ModelArchiveWriter(model: self, style: .compiled).data()
  }
}
