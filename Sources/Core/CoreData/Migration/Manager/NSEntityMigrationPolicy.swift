import Foundation
import Synchronization

/// Makes the destination objects of one entity mapping, in stages that a subclass can override.
///
/// For each mapping, in the order of the mapping model: `begin`, `createDestinationInstances` for
/// each source object, `endInstanceCreation`. Then, again for each mapping: `createRelationships`
/// for each destination object, `endRelationshipCreation`. Then `performCustomValidation` and
/// `end`. An error from a method ends the migration with error 134110 (134170 if the policy itself
/// is at fault), and nothing is written.
///
/// A mapping names a subclass by ``NSEntityMapping/entityMigrationPolicyClassName``: as
/// `Module.Class`, the result of `NSStringFromClass`, or by the name passed to ``register(as:)``.
///
/// Source: developer.apple.com/documentation/coredata/nsentitymigrationpolicy
open class NSEntityMigrationPolicy: NSObject {
  /// Makes a policy. The migration manager calls this initialiser.
  public required override init() {}

  /// Called before the first source object of a mapping.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the destination object of a source object, sets its attributes and associates the two.
  ///
  /// An override that does not call `super` must call
  /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)`` itself.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard mapping.mappingType != .removeEntityMappingType else { return }
    let instance = try manager.makeDestinationInstance(mapping)
    try manager.setValues(
      mapping.attributeMappings, of: instance, from: sInstance, entityMapping: mapping, policy: self
    )
    manager.associate(sourceInstance: sInstance, withDestinationInstance: instance, for: mapping)
  }

  /// Called after the last source object of a mapping.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of a destination object, after all destination objects have been made.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let source = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance]
    ).first
    try manager.setValues(
      mapping.relationshipMappings, of: dInstance, from: source, entityMapping: mapping,
      policy: self)
  }

  /// Called after the relationships of the last destination object of a mapping have been set.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called before the destination is validated and saved.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called after everything else of a mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// The result of `FUNCTION($entityPolicy, "selector:", …)` in a mapping's expressions.
  ///
  /// Methods of ported sources that are marked `@objc` are found by their selector. Others are not,
  /// without the Objective-C runtime: a subclass overrides this method, and calls `super` for
  /// unknown selectors. Throws 134170.
  open func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
    throw CoreDataError.make(
      .entityMigrationPolicy,
      reason: "An expression asks the policy \(type(of: self)) for “\(selector)”. Override "
        + "value(forSelector:arguments:) and answer it there.")
  }
}

extension NSEntityMigrationPolicy: PredicateMessageReceiver {
  package final func answer(selector: String, arguments: [Any?]) throws -> Any? {
    try value(forSelector: selector, arguments: arguments)
  }
}

extension NSEntityMigrationPolicy {
  private static let classes = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

  /// Registers this class under a name for mappings; for names without a module, as in models made
  /// by Xcode.
  public class func register(as name: String) {
    let type = self
    classes.withLock { $0[name] = type }
  }

  /// The policy of a mapping. Throws 134170 if the class is not found.
  static func policy(of mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
      return NSEntityMigrationPolicy()
    }
    if let type = classes.withLock({ $0[name] }) ?? found(name) { return type.init() }
    throw CoreDataError.make(
      .entityMigrationPolicy,
      reason:
        "The mapping “\(mapping.name ?? "")” names the policy “\(name)”, and there is no such "
        + "class. Name it as Module.Class, or call register(as: \"\(name)\") of the class first.")
  }

  private static func found(_ name: String) -> NSEntityMigrationPolicy.Type? {
    NSClassFromString(name) as? NSEntityMigrationPolicy.Type
  }
}
