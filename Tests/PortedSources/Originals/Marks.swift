import CoreData
import UIKit

/// What is archived: classes wherever a class can stand.
class Mark: NSObject, NSSecureCoding {
  class var supportsSecureCoding: Bool { true }
  let text: String

  init(_ text: String) { self.text = text }

  required init?(coder: NSCoder) {
    text = coder.decodeObject(of: NSString.self, forKey: "text") as String? ?? ""
  }

  func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "text") }

  class Inner: Mark {
    enum Group { class Deep: Mark {} }
  }
  @objc(OddMark) class Named: Mark {}
  fileprivate class Hidden: Mark {}

  /// Not securely.
  class Plain: NSObject, NSCoding {
    let number: Int
    init(_ number: Int) { self.number = number }
    required init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }
    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
  }
}

struct Marks {
  class Inner: Mark {}
  /// There is one of this name in its superclass, too.
  @objc(MarkOfStructure) final class Named: Mark {}
}

extension Marks {
  class Added: Mark {}
}

extension String {
  class OfText: Mark {}
}

private class Secret: Mark {
  class Kept: Mark {}
}

/// At the top of the module, below one that is not.
class Below: Marks.Inner {}

@objc(TopMark) class Top: Mark {}

/// Answers for itself.
class Disguised: Mark {
  class Inner: Mark {
    override var classForCoder: AnyClass { Marks.Inner.self }
  }
}

#if os(iOS)
  class Phone: NSObject {
    @objc func ring(_ view: UIView) {}
  }
#else
  class Desk: NSObject {
    #if os(iOS)
      @objc func knock(_ view: UIView) {}
    #else
      @objc func knock() -> NSString { "come in" }
    #endif
  }
#endif

enum AllMarks {
  static var made: [(mark: Mark, name: String)] {
    [
      (Mark("a"), "PortedSourcesTests.Mark"),
      (Mark.Inner("b"), "_TtCC18PortedSourcesTests4Mark5Inner"),
      (Mark.Inner.Group.Deep("c"), "_TtCOCC18PortedSourcesTests4Mark5Inner5Group4Deep"),
      (Mark.Named("d"), "OddMark"),
      (
        Mark.Hidden("e"),
        "_TtCC18PortedSourcesTests4MarkP33_41C0B0B74D563E3B4A91CB9F0E1DDBA06Hidden"
      ),
      (Marks.Inner("f"), "_TtCV18PortedSourcesTests5Marks5Inner"),
      (Marks.Named("g"), "MarkOfStructure"),
      (Marks.Added("h"), "_TtCV18PortedSourcesTests5Marks5Added"),
      (Secret("i"), "_TtC18PortedSourcesTestsP33_41C0B0B74D563E3B4A91CB9F0E1DDBA06Secret"),
      (
        Secret.Kept("j"),
        "_TtCC18PortedSourcesTestsP33_41C0B0B74D563E3B4A91CB9F0E1DDBA06Secret4Kept"
      ),
      (Below("k"), "PortedSourcesTests.Below"),
      (Top("l"), "TopMark"),
      (String.OfText("m"), "$sSS18PortedSourcesTestsE6OfTextC"),
    ]
  }

  static func name(of mark: Mark) -> String { NSStringFromClass(type(of: mark)) }

  static func markClass(named name: String) -> AnyClass? { NSClassFromString(name) }
}
