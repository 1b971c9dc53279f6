import Foundation

/// Archives single descriptions as the archive of a model with one entity, which contains them.
enum DescriptionCoding {
  private static let key = "OpenCoreData.description"
  /// The name of that entity. No entity of an application has it, so no relationship resolves to it
  /// by accident.
  private static let holderName = "OpenCoreData.holder"

  static func encode(_ entity: NSEntityDescription, with coder: NSCoder) {
    guard let copy = entity.copy() as? NSEntityDescription else { return }
    encode(holder: copy, with: coder)
  }

  static func encode(_ property: NSPropertyDescription, with coder: NSCoder) {
    guard let copy = property.copy() as? NSPropertyDescription else { return }
    encode(holder: holder { $0.properties = [copy] }, with: coder)
  }

  static func encode(_ index: NSFetchIndexDescription, with coder: NSCoder) {
    guard let copy = index.copy() as? NSFetchIndexDescription else { return }
    encode(holder: holder { $0.indexes = [copy] }, with: coder)
  }

  static func entity(_ coder: NSCoder) -> NSEntityDescription? {
    do { return try read(coder) } catch {
      coder.failWithError(error)
      return nil
    }
  }

  /// The archived property, which must be of the class of `empty`; nil, with the error in the
  /// coder, otherwise.
  static func property(
    like empty: NSPropertyDescription, _ coder: NSCoder
  ) -> NSPropertyDescription? {
    do {
      guard let property = try read(coder).ownProperties.first,
        type(of: property) == type(of: empty)
      else { throw wrong("expected an archived \(type(of: empty))") }
      return property
    } catch {
      coder.failWithError(error)
      return nil
    }
  }

  static func index(_ coder: NSCoder) -> NSFetchIndexDescription? {
    do {
      guard let index = try read(coder).indexes.first else {
        throw wrong("expected an archived index")
      }
      return index
    } catch {
      coder.failWithError(error)
      return nil
    }
  }

  private static func holder(_ fill: (NSEntityDescription) -> Void) -> NSEntityDescription {
    let holder = NSEntityDescription()
    holder.name = holderName
    fill(holder)
    return holder
  }

  private static func encode(holder: NSEntityDescription, with coder: NSCoder) {
    let model = NSManagedObjectModel()
    model.entities = [holder]
    do { coder.encode(try model.compiledData() as NSData, forKey: key) } catch {
      coder.failWithError(error)
    }
  }

  private static func read(_ coder: NSCoder) throws -> NSEntityDescription {
    let data = coder.decodeObject(of: NSData.self, forKey: key) as Data?
    let model = try NSManagedObjectModel(archivedData: data ?? Data())
    guard let entity = model.entities.first else { throw wrong("expected an archived entity") }
    return entity
  }

  private static func wrong(_ problem: String) -> ModelFileError {
    ModelFileError(file: "archive", problem: problem)
  }
}
