/// What a window answered to the events of its pages: an event that is sent again, because its answer was
/// lost, gets the same answer and is not carried out a second time.
///
/// A page numbers its events from 1 on and sends one after the other, so the highest number of a page says
/// which of them were carried out. Bounded: the latest pages of a window, the latest answers of a page.
struct EventLedger {
  enum Answer: Sendable, Equatable {
    case done
    /// Done, and Return has emptied the field that it was pressed in.
    case emptied
    case refused(String)
  }

  /// A number beyond these is no page's, and is not remembered.
  private static let numbers = 1...(1 << 40)
  static let maximumPages = 8
  static let maximumAnswers = 16

  private struct Page {
    let number: Int
    var highest = 0
    var answers: [(event: Int, answer: Answer)] = []
  }

  /// The one that was heard of last stands last.
  private var pages: [Page] = []

  var remembered: Int { pages.map(\.answers.count).reduce(0, +) }

  /// The answer to an event that was carried out before; nil for a new one, and for one without a number.
  func answer(to event: WindowEvent) -> Answer? {
    guard let number = event.number, Self.numbers.contains(number),
      let page = pages.last(where: { $0.number == event.page ?? 0 }), number <= page.highest
    else { return nil }
    return page.answers.last { $0.event == number }?.answer ?? .done
  }

  mutating func note(_ answer: Answer, to event: WindowEvent) {
    guard let number = event.number, Self.numbers.contains(number) else { return }
    let name = event.page ?? 0
    let index = pages.firstIndex { $0.number == name }
    var page = index.map { pages.remove(at: $0) } ?? Page(number: name)
    page.highest = max(page.highest, number)
    page.answers = page.answers.suffix(Self.maximumAnswers - 1) + [(number, answer)]
    pages = pages.suffix(Self.maximumPages - 1) + [page]
  }
}
