#if PortedSources && !THREAD_SANITIZER && !ADDRESS_SANITIZER
  import Foundation
  import SourcePorter
  import Testing

  /// Sources with constructs of Objective-C at random: what the rewriter leaves compiles, and prints what the same code does
  /// that is written by hand without Objective-C.
  ///
  /// `PORTED_CLASSES` and `PORTED_SEED` in the environment ask for more or others.
  @Suite struct GeneratedSourcesTests {
    private let environment = ProcessInfo.processInfo.environment

    @Test func doWhatIsWrittenByHand() throws {
      let count = environment["PORTED_CLASSES"].flatMap(Int.init) ?? 25
      let seed = environment["PORTED_SEED"].flatMap(UInt64.init) ?? 1
      print("GeneratedSourcesTests: \(count) classes with the seed \(seed)")
      var generator = SourceGenerator(seed: seed)
      let pairs = (0..<count).map { generator.classPair($0) }
      let imports = "import CoreData\nimport Foundation\n"
      let ported = SourcePorter.port([
        ("/Originals/Xcode.swift", imports + "import UIKit\n" + pairs.map(\.xcode).joined())
      ])[0]
      #expect(!ported.remarks.contains { $0.severity == .error })
      let program = try CompiledProgram(files: [
        "Xcode+Ported.swift": ported.text,
        "ByHand.swift": imports + pairs.map(\.byHand).joined(),
        "main.swift": Self.main(count),
      ])
      defer { program.remove() }
      let output = try program.output()
      let parts = output.components(separatedBy: "--- by hand\n")
      try #require(parts.count == 2, "\(output)")
      let (xcode, byHand) = (Self.sections(parts[0]), Self.sections(parts[1]))
      #expect(xcode.count == count)
      for number in 0..<count {
        #expect(
          xcode[number] == byHand[number], "class \(number), seed \(seed):\n\(pairs[number].xcode)")
      }
    }

    private static func main(_ count: Int) -> String {
      func calls(_ letter: String) -> String {
        (0..<count).map { "print(\"# \($0)\"); \(letter)\($0)().run()\n" }.joined()
      }
      return calls("X") + "print(\"--- by hand\")\n" + calls("L")
    }

    private static func sections(_ text: String) -> [String] {
      text.components(separatedBy: "# ").dropFirst().map { String($0) }
    }
  }
#endif
