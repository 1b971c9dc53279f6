import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// Containers by name where several modules of a program have a model of that name, as the tests of several
/// targets do.
struct NamedModelTests {
  final class Container: NSPersistentContainer, @unchecked Sendable {}

  private static func register() {
    EmbeddedModels.register(
      name: "Namesake", module: "Elsewhere", version: "V",
      document: "<model><entity name='Other'/></model>")
  }

  private static func registerOwn() {
    EmbeddedModels.register(
      name: "Namesake", module: "CoreDataCoordinationTests", version: "V",
      document: "<model><entity name='Own'/></model>")
  }

  @Test func theModelOfTheModuleOfTheContainersClassComesFirst() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Self.register()
      Self.registerOwn()
      let container = Container(name: "Namesake")
      #expect(container.managedObjectModel.entities.map(\.name) == ["Own"])
    }
    #expect(result?.standardErrorContent.isEmpty == true)
  }

  @Test func ofSeveralModelsOfOneNameTheFirstIsTakenWithAWord() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Self.register()
      let single = NSPersistentContainer(name: "Namesake")
      #expect(single.managedObjectModel.entities.map(\.name) == ["Other"])
      FileHandle.standardError.write(Data("--\n".utf8))
      Self.registerOwn()
      let container = NSPersistentContainer(name: "Namesake")
      #expect(container.managedObjectModel.entities.map(\.name) == ["Other"])
    }
    let text = try #require(result).complaint
    #expect(text.hasPrefix("--\n"))
    #expect(
      text.contains(
        "2 modules of this program have a model named Namesake: Elsewhere, CoreDataCoordinationTests."
      ))
  }
}
