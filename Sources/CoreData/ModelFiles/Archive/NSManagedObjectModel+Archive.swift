import Foundation

extension NSManagedObjectModel {
  /// Reads a keyed archive: a `.mom`, or what a store keeps in `Z_MODELCACHE` (inflated).
  ///
  /// Throws ``ModelFileError`` for anything that is not a model's archive; the work is bounded by
  /// the size of the data, whatever is in it. `file` is named in errors.
  package convenience init(archivedData data: Data, file: String = "model archive") throws {
    let model = try ModelArchiveReader.model(from: data, file: file)
    self.init(takingContentsOf: model)
  }

  /// The keyed archive that a store keeps in `Z_MODELCACHE` (before deflating), readable by Apple's
  /// framework.
  package final func archivedData() throws -> Data {
    try ModelArchiveWriter(model: self, style: .cache).data()
  }

  /// The contents of a `.mom`, readable by Apple's framework.
  package final func compiledData() throws -> Data {
    try ModelArchiveWriter(model: self, style: .compiled).data()
  }
}
