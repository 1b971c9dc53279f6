import Foundation
import KeyValueCoding
import Predicates
import Testing

/// Where Apple's raises an exception, the program ends.
@Suite struct TrapTests {
  @Test func aBadFormatEndsTheProgramAndSaysWhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "name ==")
    }
    expectText(result, "Unable to parse the format string \"name ==\"")
    expectText(result, "at position 7")
  }

  @Test func aKeyThatDoesNotExistEndsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "nonsense == 1").evaluate(with: Date())
    }
    expectText(result, "not key value coding-compliant for the key nonsense")
  }

  private func expectText(_ result: ExitTest.Result?, _ text: String) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(text))
  }
}
