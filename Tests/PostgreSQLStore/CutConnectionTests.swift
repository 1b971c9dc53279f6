import CoreData
import PostgreSQLServer
import Testing

@testable import PostgreSQLStore

/// A connection is cut after every few bytes of a save, in either direction: the save succeeds all the same, and what
/// it wrote is there once.
@Suite(.enabled(if: PostgreSQLServer.isAvailable)) struct CutConnectionTests {
  @Test(arguments: [1, 40]) func aSaveIsWrittenOnceWhereverItsConnectionIsCut(_ count: Int) throws {
    let stack = try ServerStack()
    let (proxy, address) = try CuttingProxy.before(stack.url)
    defer { proxy.close() }
    let coordinator = try ServerStack.open(address)
    let context = stack.context(coordinator)
    let step = count == 1 ? 5 : 23
    var rounds = 0
    // Until a whole save passes before the cut comes.
    while proxy.cuts == rounds {
      proxy.cut(after: rounds * step)
      try context.performAndWait {
        for number in 0..<count {
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
          book.setValue("\(rounds) \(number)", forKey: "title")
        }
        try context.save()
      }
      proxy.stopCutting()
      rounds += 1
    }
    #expect(rounds > 20)
    let result = try stack.connection().query(
      "SELECT count(*), count(DISTINCT title) FROM \"Book\"")
    #expect(result.integer(0, column: 0) == Int64(rounds * count))
    #expect(result.integer(0, column: 1) == Int64(rounds * count))
  }
}
