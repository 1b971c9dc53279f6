@testable import CoreData
@testable import CoreDataSamples

/// What the suites of transient relationships begin with.
protocol TransientSuite {}

extension TransientSuite {
  /// Runs `body` for each pair, in a context of its own of one stack.
  func forEachPair(
    _ kind: StoreKind, of pairs: [TransientPair] = TransientPair.all,
    model: NSManagedObjectModel = TransientModel.make(),
    _ body: (TestStack, NSManagedObjectContext, TransientPair) throws -> Void
  ) throws {
    let stack = try TestStack(kind, model: model)
    for pair in pairs { try stack.withContext { try body(stack, $0, pair) } }
  }

  /// What another context reads.
  func stored(_ stack: TestStack, _ pair: TransientPair) throws -> PlainPair {
    try stack.withContext { try TransientObjects(fetching: pair, in: $0).plain() }
  }

  /// Saved objects without members.
  func saved(
    _ pair: TransientPair, _ context: NSManagedObjectContext
  ) throws -> TransientObjects {
    let objects = TransientObjects(making: pair, in: context)
    try context.save()
    return objects
  }

  /// The first owner has members.
  func related(
    _ pair: TransientPair, _ context: NSManagedObjectContext
  ) throws -> (objects: TransientObjects, plain: PlainPair) {
    let objects = try saved(pair, context)
    var plain = PlainPair(pair)
    let members = objects.someMembers(pair.name)
    objects.set(pair.name, objects.owners[0], members)
    plain.set(pair.name, objects.owners[0], members)
    return (objects, plain)
  }
}
