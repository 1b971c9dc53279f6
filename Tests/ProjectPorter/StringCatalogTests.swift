import Foundation
import Testing

@testable import ProjectPorter

/// Catalogs of texts become tables, which Foundation reads on Linux.
struct StringCatalogTests {
  private let catalog = #"""
    {"sourceLanguage": "en", "version": "1.0", "strings": {
      "": {},
      "plain": {"extractionState": "manual"},
      "save": {"comment": "A button", "localizations": {
        "en": {"stringUnit": {"state": "translated", "value": "Keep \"all\"\nof it\\"}},
        "de": {"stringUnit": {"state": "new", "value": "Sichern"}}}},
      "%lld items": {"localizations": {"en": {"variations": {"plural": {
        "one": {"stringUnit": {"state": "translated", "value": "%lld item"}},
        "other": {"stringUnit": {"state": "translated", "value": "%lld items in all"}}}}}}},
      "tap": {"localizations": {"en": {"variations": {"device": {
        "mac": {"stringUnit": {"state": "translated", "value": "Click"}}}}}}}
    }}
    """#

  @Test func everyLanguageHasATable() throws {
    try ProjectFolder.with(["Main.xcstrings": catalog]) { folder in
      let tables = try StringCatalog(folder["Main.xcstrings"]).tables
      #expect(tables.keys.sorted() == ["de.lproj/Main.strings", "en.lproj/Main.strings"])
      let text = tables.mapValues { String(decoding: $0, as: UTF8.self) }
      #expect(text["de.lproj/Main.strings"] == "\"save\" = \"Sichern\";\n")
      #expect(
        text["en.lproj/Main.strings"] == #"""
          "%lld items" = "%lld items in all";
          "save" = "Keep \"all\"\nof it\\";
          "tap" = "Click";

          """#)
    }
  }

  @Test func aPackageHasTheTables() throws {
    try ProjectFolder.with([
      "Kit/Item.swift": "import CoreData\nlet a = Bundle.module", "Kit/Texts.xcstrings": catalog,
    ]) { folder in
      var text = XcodeProjectText()
      let (source, resource) = (text.file("Item.swift"), text.file("Texts.xcstrings"))
      text.root([text.group("Kit", [source, resource])])
      _ = text.target("Kit", type: "framework", sources: [source], resources: [resource])
      try folder.write(text.text(), to: "Kit.xcodeproj/project.pbxproj")
      let files = try Porting(folder["Kit.xcodeproj"], .init(openCoreData: "/opencoredata")).files()
      #expect(files["Sources/Kit/Resources/de.lproj/Texts.strings"] != nil)
      #expect(files["Package.swift"]?.text.contains("defaultLocalization: \"en\",") == true)
      #expect(files["Package.swift"]?.text.contains(".process(\"Resources\")") == true)
      #expect(files["Sources/Kit/Ported.swift"]?.text.contains("static var module") == false)
    }
  }

  @Test func aBrokenCatalogIsAClearError() throws {
    try ProjectFolder.with(["Main.xcstrings": "<<<<<<< HEAD"]) { folder in
      let error = #expect(throws: PortError.self) {
        _ = try StringCatalog(folder["Main.xcstrings"])
      }
      #expect(error?.description.contains("Main.xcstrings: expected a string catalog") == true)
    }
  }
}
