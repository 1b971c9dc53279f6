import Foundation
import Testing

@testable import ProjectPorter

struct JudgingTests {
  /// Ports a project of targets whose files lie in folders of their names.
  private func port(
    _ sources: [String: [String: String]], packages: Set<String> = [], conditions: [String] = [],
    without: Set<String> = [],
    _ check: (Porting, ProjectFolder) throws -> Void
  ) throws {
    try ProjectFolder.with { folder in
      var text = XcodeProjectText()
      let products = ["swift-log": "Logging", "PrettyViews": "PrettyViews"].map { name, product in
        let package = text.remotePackage(
          "https://example.org/\(name)", ["kind": "branch", "branch": "main"])
        return text.product(product, of: package)
      }
      var groups: [String] = []
      for (target, files) in sources.sorted(by: { $0.key < $1.key }) {
        var members: [String] = []
        for (name, source) in files.sorted(by: { $0.key < $1.key }) {
          try folder.write(source, to: "\(target)/\(name)")
          members.append(text.file(name))
        }
        groups.append(text.group(target, members))
        _ = text.target(
          target, type: target.hasSuffix("Tests") ? "bundle.unit-test" : "framework",
          sources: members, products: products)
      }
      text.root(groups)
      try folder.write(text.text(), to: "App.xcodeproj/project.pbxproj")
      var options = Porting.Options(openCoreData: "/opencoredata")
      options.packages = packages
      options.conditions = conditions
      options.without = without
      try check(Porting(folder["App.xcodeproj"], options), folder)
    }
  }

  private func kept(_ porting: Porting, _ module: String) -> [String] {
    porting.judgements.first { $0.target.module == module }?.kept.map(\.file.lastPathComponent)
      ?? []
  }

  private func objection(_ porting: Porting, _ file: String) -> String? {
    for judgement in porting.judgements {
      for left in judgement.leftOut where left.file.lastPathComponent == file {
        return left.line.map { "\($0): " + left.text } ?? left.text
      }
    }
    return nil
  }

  private let entity = "import CoreData\nclass Item: NSManagedObject {}"

  @Test func eachKindOfImport() throws {
    let cases: [(String, String?)] = [
      ("import Foundation", nil), ("import Combine", nil), ("import os", nil),
      ("import OSLog", nil),
      ("import XCTest", nil), ("import Logging", nil), ("import UIKit\nlet a = Date()", nil),
      ("import UIKit\nlet a: UIColor", "2: uses UIColor of UIKit: it needs a user interface"),
      ("import SwiftUI\nstruct A: View {}", "2: uses View of SwiftUI"), ("import Darwin", nil),
      ("import AppKit\nlet a: NSColor", "2: uses NSColor of AppKit"),
      ("import Cocoa\nlet a: NSSet", nil),
      ("import SwiftUI\nclass A: ObservableObject {}", nil),
      ("import MapKit\nlet a: MKMapView", "2: uses MKMapView of MapKit: it needs a user interface"),
      ("import CloudKit\nlet a: CKRecord", "2: uses CKRecord of CloudKit, a part of Apple's"),
      ("import MapKit\nlet a: Date", nil), ("import CloudKit", nil),
      ("let a = CFBagGetTypeID()", "uses CFBagGetTypeID, which Foundation lacks on Linux"),
      ("let a = CFRunLoopGetMain()", nil),
      (
        "#if os(macOS)\ntypealias Shade = UIView\n#elseif os(iOS)\ntypealias Shade = UIColor\n#endif\nlet a: Shade = 1",
        "6: uses Shade, which it declares for iOS, macOS alone"
      ),
      ("#if os(iOS)\ntypealias Shade = Int\n#else\nstruct Shade {}\n#endif\nlet a: Shade", nil),
      (
        "#if canImport(CoreGraphics)\n#else\ntypealias CGFloat = Double\n#endif\nlet a: CGFloat",
        nil
      ),
      ("#if os(iOS)\n#if DEBUG\nclass Shade {}\n#endif\nlet b: Shade\n#endif\nlet a: Int", nil),
      ("let a = getxattr(p, n, nil, 0, 0, 0)", "uses getxattr, which the C library lacks on Linux"),
      ("func getxattr() {}\nfunc b() { getxattr() }", nil),
      ("let a: CFArray? = nil", "uses CFArray, which Foundation lacks on Linux"),
      ("let a: CFTimeInterval = 1", nil), ("enum CFKind {}\nlet a: CFKind", nil),
      ("import CryptoKit", nil), ("import SwiftData\n@Model final class A {}", nil),
      ("import CoreGraphics\nlet a: CGFloat", nil),
      ("import CommonCrypto\nlet a = kCCSuccess", "Crypto of swift-crypto"),
      ("import CommonCrypto", nil),
      (
        "import PrettyViews\nlet a: Frame",
        "2: uses Frame of PrettyViews of the package prettyviews, which is not known to build on Linux"
      ),
      (
        "import Nowhere\nlet a: Frame",
        "2: uses Frame of Nowhere, which is in no target and no package"
      ),
      ("import PrettyViews\nlet a: Item", nil), ("import Nowhere", nil),
      ("@main struct A {}", "1: starts the application"),
      ("#if canImport(MapKit)\nimport MapKit\n#endif", nil),
    ]
    for (source, expected) in cases {
      try port(["App": ["Item.swift": entity, "File.swift": source]]) { porting, _ in
        let found = objection(porting, "File.swift")
        if let expected {
          #expect(found?.contains(expected) == true, "\(source): \(found ?? "kept")")
        } else {
          #expect(found == nil, "\(source): \(found ?? "kept")")
        }
        #expect(kept(porting, "App").contains("Item.swift"))
      }
    }
  }

  @Test func aPackageThatIsNamedComesAlong() throws {
    try port(
      ["App": ["Item.swift": entity, "File.swift": "import PrettyViews\nlet a: Frame"]],
      packages: ["PrettyViews"]
    ) { porting, _ in
      #expect(objection(porting, "File.swift") == nil)
    }
  }

  /// A word that a file has without the import is of another module.
  @Test func wordsOfSeveralModulesAreToldApart() throws {
    let use = "import Logging\nimport Nowhere\nstruct A { let log = Logger() }"
    try port(["App": ["Item.swift": entity, "File.swift": use]]) { porting, _ in
      #expect(objection(porting, "File.swift")?.contains("uses Logger of Nowhere") == true)
    }
    let other = "import Logging\nstruct B { let log = Logger() }"
    try port(["App": ["Item.swift": entity, "File.swift": use, "Other.swift": other]]) {
      porting, _ in
      #expect(objection(porting, "File.swift") == nil)
    }
  }

  /// Attributes are no types of a module that is not here.
  @Test(arguments: [
    "@NSManaged var a: String?", "@NSCopying var a: NSString?", "@IBAction func a() {}",
    "@IBOutlet var a: NSObject?",
  ]) func attributesAreOfNoModule(_ member: String) throws {
    let use = "import CoreData\nimport Nowhere\nclass A: NSManagedObject { \(member) }"
    try port(["App": ["Item.swift": entity, "File.swift": use]]) { porting, _ in
      #expect(kept(porting, "App") == ["File.swift", "Item.swift"])
    }
  }

  /// Statements that call a module which is not here go, and the rest stays.
  @Test func whatIsOfAnUnknownPackageGoesAlone() throws {
    let use = """
      import PrettyViews
      class Store {
        func save() throws {
          Frame.trace("saving")
          try write()
        }
        func showAll() -> Frame { Frame() }
        func write() throws {}
      }
      """
    try port(["App": ["Item.swift": entity, "Store.swift": use]]) { porting, _ in
      let kept = porting.judgements[0].kept.first { $0.file.lastPathComponent == "Store.swift" }
      #expect(
        kept?.pathsLeftOut == ["Store.showAll", "in Store.save: Frame", "import PrettyViews"])
    }
  }

  @Test func whatUsesWhatIsLeftOutIsLeftOut() throws {
    try port([
      "App": [
        "Item.swift": entity, "Screen.swift": "import UIKit\nclass Screen: UIView {}",
        "Router.swift": "import Foundation\n\nclass Router { var screen: Screen? }",
        "Starter.swift": "struct Starter { let router: Router }",
        "Other.swift": "// Screen\nlet a = \"Screen\"; let b = Kind.Screen",
        "Own.swift": "struct Own { struct Screen {}; let screen: Screen }",
      ]
    ]) { porting, _ in
      #expect(
        objection(porting, "Router.swift") == "3: uses Screen of Screen.swift, which is left out")
      #expect(
        objection(porting, "Starter.swift") == "1: uses Router of Router.swift, which is left out")
      #expect(kept(porting, "App") == ["Item.swift", "Other.swift", "Own.swift"])
      #expect(porting.report.leavesCoreDataOut == false)
    }
  }

  @Test func membersAndFunctionsOfWhatIsLeftOutAreMissed() throws {
    let screen = """
      import CloudKit
      import UIKit
      let record: CKRecord
      func trace(_ text: String) {}
      extension Date { var timeStamp: String { UIDevice.current.name } ; var first: Int { 1 } ; var objectID: Int { 1 } ; private var own: Int { 2 } }
      private extension String { var hidden: Int { 1 } }
      extension UIColor { static let brand = 1 }
      class Screen: UIView { var inner = 1 }
      """
    try port([
      "App": [
        "Item.swift": entity, "Screen.swift": screen, "A.swift": "let a = Date().timeStamp",
        "B.swift": "func b() {\n  trace(\"\")\n}",
        "C.swift":
          "let c = [1].first; let o = x.objectID; let d = x.own + x.hidden + x.brand + x.inner",
        "D.swift": "let d = Own().timeStamps; struct Own { func trace() {} }",
      ]
    ]) { porting, _ in
      #expect(
        objection(porting, "A.swift") == "1: uses timeStamp of Screen.swift, which is left out")
      // What needs no framework in that file stays.
      #expect(
        kept(porting, "App") == ["B.swift", "C.swift", "D.swift", "Item.swift", "Screen.swift"])
    }
    try port([
      "App": [
        "Item.swift": entity, "Screen.swift": screen,
        "B.swift": "let b: Void = {\n  trace(\"\")\n}()",
      ]
    ]) { porting, _ in
      // What needs no framework in that file stays.
      #expect(kept(porting, "App") == ["B.swift", "Item.swift", "Screen.swift"])
    }
  }

  @Test func aClassNeedsItsManagedProperties() throws {
    try port([
      "App": [
        "Item.swift": entity,
        "Sensor.swift": "import CoreData\npublic class Sensor: NSManagedObject {}",
        "Sensor+Properties.swift":
          "import CoreData\nimport CloudKit\nextension Sensor {\n @NSManaged public var id: CKRecord }",
        "Use.swift": "let sensors: [Sensor]",
        "Item+UI.swift": "import CloudKit\nextension Item { init(a: CKRecord) {} }",
      ]
    ]) { porting, _ in
      #expect(kept(porting, "App") == ["Item.swift"])
      #expect(
        objection(porting, "Sensor.swift")
          == "1: uses Sensor of Sensor+Properties.swift, which is left out")
      #expect(porting.report.leavesCoreDataOut)
    }
  }

  @Test func whatFoundationLacksHereIsMissed() throws {
    try port([
      "App": [
        "Item.swift": entity, "A.swift": "let a = MeasurementFormatter()",
        "B.swift": "struct OSStatus {}; let b: OSStatus", "C.swift": "let lock = os_unfair_lock()",
      ]
    ]) { porting, _ in
      #expect(
        objection(porting, "A.swift")
          == "1: uses MeasurementFormatter, which Foundation lacks on Linux")
      #expect(kept(porting, "App") == ["B.swift", "C.swift", "Item.swift"])
      let own = try #require(try porting.files()["Sources/App/Ported.swift"])
      #expect(own.text.contains("@_exported import os\n"))
    }
  }

  @Test func UIKitIsSeenThroughOtherImports() throws {
    try port([
      "App": ["Item.swift": entity, "A.swift": "import Foundation\nlet a: UIColor"]
    ]) { porting, _ in
      #expect(
        objection(porting, "A.swift") == "2: uses UIColor of UIKit: it needs a user interface")
    }
  }

  @Test func targetsFollowEachOther() throws {
    try port([
      "Model": [
        "Item.swift": entity, "View.swift": "import UIKit\nclass Cell: UITableViewCell {}",
      ],
      "App": [
        "A.swift": "import Model\nimport CoreData\nlet a: Item",
        "B.swift": "import Model\nlet a: Cell", "C.swift": "import Extras",
      ],
      "Extras": ["X.swift": "struct X {}"],
      "Widget": ["W.swift": "import Foundation"],
      "ModelTests": ["T.swift": "@testable import Model\nimport XCTest"],
      "WidgetTests": ["V.swift": "@testable import Widget"],
    ]) { porting, _ in
      #expect(
        Set(porting.judgements.map(\.target.module)) == ["Model", "App", "Extras", "ModelTests"])
      #expect(kept(porting, "App") == ["A.swift", "C.swift"])
      #expect(objection(porting, "B.swift") == "2: uses Cell of View.swift, which is left out")
    }
  }

  @Test func headersDeclareTypesThatAreNotHere() throws {
    try port([
      "App": [
        "Item.swift": entity,
        "Old.h":
          "@class Later;\n@interface Old : NSObject\n@end\ntypedef NS_ENUM(NSInteger, Kind) { A };\n@protocol P <NSObject>\n@end",
        "Old.m": "", "A.swift": "let a = Old()", "B.swift": "let b: Kind",
        "C.swift": "let c: Later?",
        "D.swift": "let d: any P",
      ]
    ]) { porting, _ in
      #expect(objection(porting, "A.swift") == "1: uses Old of Old.h, which is left out")
      #expect(objection(porting, "B.swift") != nil && objection(porting, "D.swift") != nil)
      #expect(objection(porting, "Old.m")?.contains("no Swift") == true)
      #expect(kept(porting, "App") == ["C.swift", "Item.swift"])
    }
  }

  @Test func headersDeclareMembersThatAreNotHere() throws {
    try port([
      "App": [
        "Item.swift": entity,
        "Old.h":
          "@interface NSString (Old)\n- (NSString *)old_snakeCase;\n- (void)old_fillWithDictionary:(NSDictionary *)d;\n"
          + "@property (readonly) BOOL isOldFashioned;\n@end",
        "Old.m": "", "A.swift": "let a = \"\".old_snakeCase()",
        "B.swift": "let b: Void = s.old_fill(with: [:])",
        "C.swift": "let c: Bool = s.isOldFashioned",
        "D.swift": "func d(_ s: NSString) { s.fill() }",
      ]
    ]) { porting, _ in
      #expect(objection(porting, "A.swift") == "1: uses old_snakeCase of Old.h, which is left out")
      #expect(objection(porting, "B.swift") != nil && objection(porting, "C.swift") != nil)
      #expect(kept(porting, "App") == ["D.swift", "Item.swift"])
    }
  }

  @Test func aConditionTakesABranch() throws {
    let branches = "#if os(iOS)\nlet a: UIColor\n#elseif os(macOS)\nlet a: NSObject\n#endif"
    let sources = ["App": ["Item.swift": entity, "A.swift": branches]]
    try port(sources) { porting, _ in #expect(kept(porting, "App").count == 2) }
    try port(sources, conditions: ["os(macOS)"]) { porting, _ in
      #expect(kept(porting, "App").count == 2)
      let files = try porting.files().mapValues(\.text)
      #expect(files["Sources/App/ported.json"]?.contains("os(macOS)") == true)
      #expect(files["Package.swift"]?.contains("os(macOS)") == false)
    }
    try port(sources, conditions: ["os(iOS)"]) { porting, _ in
      #expect(
        objection(porting, "A.swift") == "2: uses UIColor of UIKit: it needs a user interface")
    }
  }

  @Test func whatAHeaderBringsOfCoreDataIsSeenByAll() throws {
    let sources = ["App": ["Item.swift": entity, "A.swift": "func a(_ o: NSManagedObject) {}"]]
    try port(sources) { porting, _ in
      let own = try porting.files()["Sources/App/Ported.swift"]
      #expect(
        own?.text.contains("@_exported import CoreData") == true)
    }
  }

  /// The import of one file lets all of its module use what extensions add, also when that file is left out.
  @Test func membersOfModulesThatOnlyOtherFilesImport() throws {
    let text = "extension String { public func isAppVersionGreater() -> Bool { true } }"
    let screen = "import UIKit\nimport Kit\nclass Screen: UIView {}"
    for (file, kit, isLent, isNeeded) in [
      ("let a = \"1\".isAppVersionGreater()", text, true, true),
      ("import Kit\nlet a = \"1\".isAppVersionGreater()", text, false, true),
      ("let a = \"1\".isShort()", text, false, false),
      ("let a = \"1\".isAppVersionGreater()", "import UIKit\nlet a: UIColor", false, false),
    ] {
      try port([
        "App": ["Item.swift": entity, "File.swift": file, "Screen.swift": screen],
        "Kit": ["Text.swift": kit],
      ]) { porting, _ in
        #expect(objection(porting, "File.swift") == nil, "\(file)")
        let files = try porting.files()
        let own = try #require(files["Sources/App/Ported.swift"]).text
        #expect(own.contains("\nimport Kit\n") == isLent, "\(file)")
        let manifest = try #require(files["Package.swift"]).text
        #expect(manifest.contains("      \"Kit\"") == isNeeded, "\(manifest)")
      }
    }
  }

  @Test func aBundleOfNothingIsThereWhereItIsAskedFor() throws {
    for (source, isMade) in [
      ("let bundle = Bundle.module", true), ("let a = Thing.module", false),
      ("let a = Bundle.main", false),
    ] {
      try port(["App": ["Item.swift": entity, "File.swift": "import Foundation\n\(source)"]]) {
        porting, _ in
        let own = try #require(porting.files()["Sources/App/Ported.swift"]).text
        #expect(own.contains("static var module") == isMade, "\(source)")
      }
    }
  }

  @Test func targetsMayStayOut() throws {
    let sources = [
      "App": ["Item.swift": entity], "AppTests": ["T.swift": "import XCTest\nimport App"],
    ]
    try port(sources) { porting, _ in #expect(porting.judgements.count == 2) }
    try port(sources, without: ["AppTests"]) { porting, _ in
      #expect(porting.judgements.map(\.target.module) == ["App"])
    }
    #expect(throws: PortError.self) { try port(sources, without: ["Nothing"]) { _, _ in } }
  }

  @Test func whatOthersBringOfCombineIsSeenByAll() throws {
    let model = "class Model: ObservableObject { @Published var a = 1 }"
    for (imports, isBrought) in [
      ("import SwiftUI", true), ("import Foundation", true), ("", true), ("import Combine", false),
      ("@propertyWrapper struct Published {}; class ObservableObject {}", false),
    ] {
      try port(["App": ["Item.swift": entity, "Model.swift": "\(imports)\n\(model)"]]) {
        porting, _ in
        #expect(objection(porting, "Model.swift") == nil)
        let files = try porting.files()
        let own = try #require(files["Sources/App/Ported.swift"]).text
        #expect(own.contains("@_exported import Combine\n") == isBrought, "\(imports)")
        let manifest = try #require(files["Package.swift"]).text
        #expect(
          manifest.contains("Combine=CombineShim") == (isBrought || imports == "import Combine"))
      }
    }
  }

  @Test(arguments: [
    ("import SwiftUI", "@Observable final class Model { var a = 1 }", true),
    ("", "@Observable final class Model { @ObservationIgnored var a = 1 }", true),
    ("", "func follow(_ a: [Int]) { withObservationTracking { _ = a } onChange: {} }", true),
    ("import Observation", "@Observable final class Model { var a = 1 }", false),
    ("class Observable {}", "final class Model: Observable { var a = 1 }", false),
    ("", "let a = 1", false),
  ]) func whatOthersBringOfObservation(imports: String, text: String, isBrought: Bool) throws {
    try port(["App": ["Item.swift": entity, "Model.swift": "\(imports)\n\(text)"]]) { porting, _ in
      #expect(objection(porting, "Model.swift") == nil)
      let own = try #require(porting.files()["Sources/App/Ported.swift"]).text
      #expect(own.contains("@_exported import Observation\n") == isBrought)
    }
  }

  @Test func aNameThatFoundationHasTooIsTheProjects() throws {
    try port([
      "Kit": [
        "Item.swift": entity, "Query.swift": "public struct Predicate {}\nstruct Expression {}",
      ],
      "KitTests": [
        "A.swift": "import XCTest\n@testable import Kit\nlet a: Predicate\nlet b: Expression"
      ],
      "OtherTests": ["A.swift": "@testable import Kit\nstruct Predicate {}\nlet a: Predicate"],
    ]) { porting, _ in
      let files = try porting.files()
      let own = { (name: String) in
        files["Tests/\(name)/Ported.swift"]?.text ?? ""
      }
      #expect(own("KitTests").hasSuffix("import Kit\ntypealias Predicate = Kit.Predicate\n"))
      #expect(!own("OtherTests").contains("typealias"))
    }
  }

  /// In a module with a type of its own name, `Kit.Predicate` is a member of that.
  @Test(arguments: ["class Kit {}", "struct Kit {}", "let kit = 1"])
  func aModuleMayHaveATypeOfItsName(_ text: String) throws {
    try port([
      "Kit": [
        "Item.swift": entity, "Query.swift": "public struct Predicate {}", "Kit.swift": text,
      ],
      "KitTests": ["A.swift": "import XCTest\n@testable import Kit\nlet a: Predicate"],
    ]) { porting, _ in
      let own = try #require(porting.files()["Tests/KitTests/Ported.swift"]).text
      #expect(
        own.hasSuffix(
          text.hasPrefix("let")
            ? "typealias Predicate = Kit.Predicate\n"
            : "@_exported import struct Kit.Predicate\n"))
    }
  }

  @Test func whatIsNotThereIsSaid() throws {
    try port(["App": ["Item.swift": entity, "Gone.swift": ""]]) { porting, folder in
      try FileManager.default.removeItem(at: folder["App/Gone.swift"])
      let again = try Porting(folder["App.xcodeproj"], porting.options)
      #expect(objection(again, "Gone.swift")?.contains("is not there") == true)
    }
  }

  @Test func aProjectWithoutCoreDataIsAnError() throws {
    let error = #expect(throws: PortError.self) {
      try port(["App": ["A.swift": "import Foundation"]]) { _, _ in }
    }
    #expect(error?.description.contains("none of its 1 targets uses Core Data") == true)
  }
}
