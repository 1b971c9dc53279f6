import CoreData
import Testing

@testable import CoreDataSamples

/// Contexts and containers that generic code makes by its type variables.
@Suite struct TypeVariableTests {
  private class Own: NSManagedObjectContext, @unchecked Sendable {
    private(set) var calls = 0
    override init(concurrencyType: NSManagedObjectContextConcurrencyType) {
      super.init(concurrencyType: concurrencyType)
      calls += 1
      name = "own"
    }
  }

  private final class Inheriting: Own, @unchecked Sendable { let list = [1] }

  private final class Container: NSPersistentContainer, @unchecked Sendable { let list = ["a"] }

  private struct Stack<
    Context: NSManagedObjectContext, Container: NSPersistentContainer
  > {
    func context(_ type: NSManagedObjectContextConcurrencyType) -> Context {
      Context(concurrencyType: type)
    }
    func container(_ model: NSManagedObjectModel) -> Container {
      Container(name: "Typed", managedObjectModel: model)
    }
    func named() -> Container { Container(name: "Named") }
  }

  @Test func areOfTheClassThatIsMeant() {
    let own = Stack<Inheriting, Container>()
    let context = own.context(.privateQueueConcurrencyType)
    #expect(context.calls == 1 && context.list == [1] && context.name == "own")
    #expect(context.concurrencyType == .privateQueueConcurrencyType)
    let model = NSManagedObjectModel()
    let container = own.container(model)
    #expect(container.list == ["a"] && container.name == "Typed")
    #expect(container.managedObjectModel === model)
    #expect(own.named().name == "Named")
    let plain = Stack<NSManagedObjectContext, NSPersistentContainer>()
    #expect(type(of: plain.context(.mainQueueConcurrencyType)) == NSManagedObjectContext.self)
    #expect(type(of: plain.container(model)) == NSPersistentContainer.self)
  }
}
