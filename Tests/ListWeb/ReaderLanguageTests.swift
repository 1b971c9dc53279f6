import Foundation
import Testing

@testable import ListWeb

@Suite struct ReaderLanguageTests {
  @Test(arguments: [
    ("de", "de"), ("de-CH, en;q=0.9", "de_CH"), ("en;q=0.5, fr;q=0.9", "fr"),
    ("en;q=0.5,  sv ; q=0.5", "en"), ("*, it;q=0.1", "it"), ("xx, nl", "nl"),
    ("pt-BR;q=1.0", "pt_BR"), ("de;q=0, en;q=0.1", "en"), ("zh-Hans-CN", "zh_Hans_CN"),
  ])
  func theLanguageThatIsLikedBestIsTaken(_ header: String, _ expected: String) {
    #expect(ReaderLanguage.locale(header).identifier == expected)
  }

  @Test(arguments: [
    nil, "", "*", "xx", "de;q=2", "de;q=many", "../../etc/passwd", "de_CH@calendar=buddhist",
    String(repeating: "a", count: 5000),
  ])
  func whatIsNoLanguageIsLeftOut(_ header: String?) {
    #expect(ReaderLanguage.locale(header) == .current)
  }
}
