/// The answers that a window has given to the events of its pages. An event that is sent again
/// because its answer was lost gets the recorded answer and is not carried out again.
///
/// A page numbers its events from 1 on and sends one at a time, so the highest number of a page is
/// the number of the last event carried out. Bounded: the last pages of a window, the last answers
/// of a page.
struct EventLedger {
  enum Answer: Sendable, Equatable {
    case done
    /// Done, and Return has emptied the field in which it was pressed.
    case emptied
    case refused(String)

    var isDone: Bool { if case .refused = self { false } else { true } }
  }

  /// The numbers that a page can send. Others are not recorded.
  private static let numbers = 1...(1 << 40)
  static let maximumPages = 8
  static let maximumAnswers = 16

  private struct Page {
    let number: Int
    var highest = 0
    var answers: [(event: Int, answer: Answer)] = []
  }

  /// In the order of their last events, the latest last.
  private var pages: [Page] = []

  var remembered: Int { pages.map(\.answers.count).reduce(0, +) }

  /// The answer to an event that was carried out before; nil for a new event and for one without a
  /// number.
  func answer(to event: WindowEvent) -> Answer? {
    guard let number = event.number, Self.numbers.contains(number),
      let page = pages.last(where: { $0.number == event.page ?? 0 }), number <= page.highest
    else { return nil }
    return page.answers.last { $0.event == number }?.answer ?? .done
  }

  /// The last event of each page, if it was done.
  var lastDone: [(page: Int, event: Int)] {
    pages.compactMap { page in
      page.answers.last.flatMap { $0.answer.isDone ? (page.number, $0.event) : nil }
    }
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
