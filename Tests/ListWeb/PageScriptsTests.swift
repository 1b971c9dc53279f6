#if Web
  import Testing

  @testable import ListWeb

  /// The page's scripts stand in layers: what one imports never leads back to it.
  @Suite struct PageScriptsTests {
    private let imports: [String: [String]] = Dictionary(
      uniqueKeysWithValues: PageFile.all.filter { $0.name.hasSuffix(".js") }.map { file in
        let text = String(decoding: file.bytes, as: UTF8.self)
        return (file.name, text.matches(of: /from "\.\/([^"]+)"/).map { String($0.1) })
      })

    @Test func whatAScriptImportsIsServed() {
      for (name, imported) in imports {
        for other in imported { #expect(imports[other] != nil, "\(name) imports \(other)") }
      }
    }

    @Test func noScriptImportsItselfByWayOfOthers() {
      #expect(imports["main.js"]?.isEmpty == false)
      for name in imports.keys.sorted() {
        var reached: Set<String> = []
        var waiting = imports[name] ?? []
        while let next = waiting.popLast() {
          if reached.insert(next).inserted { waiting += imports[next] ?? [] }
        }
        #expect(!reached.contains(name), "\(name) is imported by what it imports")
      }
    }

    private func script(_ sources: [String: String]) throws -> String {
      try PageBundle.script(of: "main.js", from: sources)
    }

    @Test func thePageNeedsOneScript() throws {
      let main = try #require(PageFile.served.first { $0.name == "main.js" })
      let text = String(decoding: main.bytes, as: UTF8.self)
      #expect(!text.contains(/^(import|export)\b/.anchorsMatchLineEndings()))
      #expect(text.matches(of: /^const module_\w+\s/.anchorsMatchLineEndings()).count > 30)
    }

    @Test func modulesStandInTheOrderInWhichTheyAreNeeded() throws {
      let text = try script([
        "main.js":
          "import {\n  b, a as c,\n} from \"./b.js\";\nimport { a } from \"./a.js\";\nb(c, a);",
        "b.js": "import { a } from \"./a.js\";\nexport async function b() {}",
        "a.js": "export const a = 1;\nconst text = \"export const b = 2\";\nexport class C {}",
      ])
      #expect(
        text == """
          const module_a_js = (() => {
          const a = 1;
          const text = "export const b = 2";
          class C {}
          return { a, C };
          })();
          const module_b_js = (() => {
          const { a } = module_a_js;
          async function b() {}
          return { b };
          })();
          const module_main_js = (() => {
          const {
            b, a: c,
          } = module_b_js;
          const { a } = module_a_js;
          b(c, a);
          return {  };
          })();
          globalThis.pageModules = { "a.js": module_a_js, "b.js": module_b_js, "main.js": module_main_js };
          """)
    }

    @Test func aModuleThatIsMissingOrNeedsItselfIsNamed() {
      #expect(throws: PageBundle.Unavailable(name: "a.js")) {
        try script(["main.js": "import { a } from \"./a.js\";"])
      }
      #expect(throws: PageBundle.Unavailable(name: "main.js")) {
        try script([
          "main.js": "import { a } from \"./a.js\";", "a.js": "import { b } from \"./main.js\";",
        ])
      }
    }
  }
#endif
