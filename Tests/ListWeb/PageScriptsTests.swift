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
  }
#endif
