import CoreData
import Foundation
import Testing

/// What a required property is before it has a value, and the names of Swift key paths through such properties.
struct RequiredValueTests {
  @Test func aRequiredObjectThatIsNotThereStopsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try withFamily { print(Family.Piece(context: $0).part) }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("“Piece.part” is nil"), "\(output.prefix(2000))")
  }

  @Test func savingWithoutARequiredValueIsAnError() throws {
    try withFamily { context in
      let piece = Family.Piece(context: context)
      #expect(piece.label == "" && piece.weight == 0)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
    }
  }

  @Test func keyPathsHaveNames() {
    #expect(NSExpression(forKeyPath: \Family.Piece.part.name).keyPath == "part.name")
    #expect(NSExpression(forKeyPath: \Family.Whole.many).keyPath == "many")
    #expect(NSExpression(forKeyPath: \Family.Whole.ordered).keyPath == "ordered")
    #expect(NSExpression(forKeyPath: \Family.Whole.count).keyPath == "count")
    #expect(NSExpression(forKeyPath: \Family.Whole.colour).keyPath == "colour")
    #expect(NSSortDescriptor(keyPath: \Family.Piece.weight, ascending: true).key == "weight")
  }

  @Test func fetchesAskForNamesAndRawValues() throws {
    try withFamily { context in
      let whole = Family.Whole(context: context)
      whole.colour = .green
      whole.count = 3
      let request = Family.Whole.fetchRequest()
      request.predicate = NSPredicate(
        format: "%K == %@ AND %K > 2", Family.Whole.Keys.colour, Colour.green.rawValue,
        Family.Whole.Keys.count)
      let found = try context.fetch(request)
      #expect(found == [whole])
      #expect(whole.value(forKey: "colour") as? String == "green")
      #expect(whole.value(forKey: "many") is NSSet)
    }
  }
}
