import BrowserDriver
import Foundation
import Testing

@testable import ListKit
@testable import ListWeb

/// Groups within groups, and sections that scroll sideways, in a real browser.
@MainActor
@Suite(.disabled(if: Browser.isLeftOut, "COREDATA_SKIP_BROWSER is set"), .serialized)
struct ShelvesTests {
  private func withShelves(
    _ screen: ShelvesScreen, _ body: (Browser) async throws -> Void
  ) async throws {
    try await withScreen(screen) { browser in
      try await browser.preferReducedMotion()
      try await body(browser)
    }
  }

  /// Left, top, width and height of rows, from the corner of their list on.
  private func boxes(_ count: Int, in browser: Browser) async throws -> [[Int]] {
    let numbers = try await browser.script(
      """
      const list = document.querySelector('.grid ul').getBoundingClientRect();
      return [...document.querySelectorAll('.row')].slice(0, \(count)).flatMap((e) => {
        const b = e.getBoundingClientRect();
        return [b.left - list.left, b.top - list.top, b.width, b.height].map((n) => String(Math.round(n)));
      });
      """
    ).strings.compactMap(Int.init)
    return stride(from: 0, to: numbers.count, by: 4).map { Array(numbers[$0..<$0 + 4]) }
  }

  @Test func aPatternOfALargeTileAndTwoSmallOnes() async throws {
    let screen = ShelvesScreen([7], .none, group: ShelvesScreen.mosaic)
    try await withShelves(screen) { browser in
      let all = try await boxes(7, in: browser)
      let width = all[0][2] + 8 + all[1][2]
      #expect(all[0] == [0, 0, all[0][2], 200])
      #expect(all[1] == [all[0][2] + 8, 0, all[1][2], 96])
      #expect(all[2] == [all[0][2] + 8, 104, all[1][2], 96])
      #expect(abs(Double(all[0][2]) / Double(width - 8) - 0.7) < 0.01)
      #expect(all[3] == [0, 210, all[0][2], 200])
      // The arrows go to what is seen in their direction.
      try await browser.script("document.querySelectorAll('.row')[1].focus()")
      for (key, title) in [
        (Key.down, "0.2"), (.down, "0.4"), (.down, "0.5"), (.up, "0.4"), (.left, "0.3"),
        (.down, "0.6"),
      ] {
        try await browser.press(key)
        try await browser.wait(
          until: "document.activeElement.querySelector('.title')?.textContent === '\(title)'")
      }
    }
  }

  /// Scrolls the first section as a hand would, and waits until it has come to rest at a place, and stays there.
  private func scroll(
    by distance: Int, comesToRestAt place: Int, in browser: Browser
  ) async throws {
    try await browser.script(
      """
      window.looks = 0;
      document.querySelector('.sideways ul').scrollTo({ left: \(distance), behavior: 'instant' });
      """)
    try await browser.wait(
      until: """
        (() => {
          const left = document.querySelector('.sideways ul').scrollLeft;
          window.looks = Math.abs(left - \(place)) <= 1 ? window.looks + 1 : 0;
          return window.looks > 10;
        })()
        """)
  }

  /// Groups are 120 wide with 10 between them, and begin 20 from the edge.
  @Test(arguments: [
    (UICollectionLayoutSectionOrthogonalScrollingBehavior.continuous, 200, 200),
    (.continuousGroupLeadingBoundary, 200, 260), (.groupPaging, 300, 260),
  ])
  func aSectionComesToRest(
    behavior: UICollectionLayoutSectionOrthogonalScrollingBehavior, from: Int, to: Int
  ) async throws {
    try await withShelves(ShelvesScreen([30, 5], behavior)) { browser in
      let first = try await boxes(2, in: browser)
      #expect(first == [[20, 5, 120, 60], [150, 5, 120, 60]])
      try await scroll(by: from, comesToRestAt: to, in: browser)
    }
  }

  @Test func aSectionComesToRestInTheMiddleAndByPages() async throws {
    try await withShelves(ShelvesScreen([30], .groupPagingCentered)) { browser in
      let width = try await browser.script(
        "return String(document.querySelector('.sideways ul').clientWidth)")
      let half = (Int(width.string ?? "") ?? 0) / 2
      // The middle of the sixth group.
      let wanted = 20 + 5 * 130 + 60 - half
      try await scroll(by: wanted + 30, comesToRestAt: wanted, in: browser)
    }
    try await withShelves(ShelvesScreen([30], .paging)) { browser in
      let width = try await browser.script(
        "return String(document.querySelector('.sideways ul').clientWidth)")
      let page = Int(width.string ?? "") ?? 0
      try await scroll(by: page + 40, comesToRestAt: page, in: browser)
      try await scroll(by: 2 * page - 40, comesToRestAt: 2 * page, in: browser)
    }
  }

  @Test func aFingerScrollsASection() async throws {
    try await withShelves(ShelvesScreen([30], .continuous)) { browser in
      try await browser.swipe(".row:nth-child(3)", across: 1.5)
      try await browser.wait(until: "document.querySelector('.sideways ul').scrollLeft > 60")
      let moved = try await browser.script(
        "return String([...document.querySelectorAll('.row')].some((e) => e.matches('.pulled')))")
      #expect(moved == "false")
    }
  }

  @Test func eachSectionIsAStopOfTabAndKeepsItsPlace() async throws {
    try await withShelves(ShelvesScreen([30, 30], .continuous)) { browser in
      let stops =
        "[...document.querySelectorAll('.row[tabindex=\"0\"] .title')].map((e) => e.textContent).join()"
      try await browser.wait(until: "\(stops) === '0.0,1.0'")
      try await browser.script(
        "document.querySelectorAll('.sideways ul')[1].scrollTo({ left: 520, behavior: 'instant' })")
      try await browser.wait(until: "\(stops) === '0.0,1.4'")
      // Into the second shelf, under what is seen of it.
      try await browser.script("document.querySelector('.row').focus()")
      try await browser.press(.down)
      try await browser.wait(
        until: "document.activeElement.querySelector('.title')?.textContent === '1.4'")
    }
  }

  @Test func aVeryLongSectionIsHeldInPartAndReachedToItsEnd() async throws {
    try await withShelves(ShelvesScreen([5, 5_000, 5], .continuous)) { browser in
      try await browser.script(
        """
        const list = document.querySelectorAll('.sideways ul')[1];
        list.scrollTo({ left: list.scrollWidth, behavior: 'instant' });
        """)
      try await browser.wait(
        until: """
          [...document.querySelectorAll('.row .title')].some((e) => e.textContent === '1.4999'
            && e.getBoundingClientRect().right <= innerWidth)
          """)
      try await browser.wait(until: "document.querySelectorAll('.row').length <= 500")
      try await browser.script(
        "[...document.querySelectorAll('.row')].find((e) => e.innerText.includes('1.4999')).focus()"
      )
      try await browser.press(.left)
      try await browser.wait(
        until: "document.activeElement.querySelector('.title')?.textContent === '1.4998'")
    }
  }
}

/// Sections of so many tiles, laid out alike; each tile says its section and its place.
final class ShelvesScreen: UICollectionViewController {
  private let counts: [Int]

  private let cells = UICollectionView.CellRegistration<UICollectionViewListCell, String> {
    cell, _, title in
    var content = cell.defaultContentConfiguration()
    content.text = title
    cell.contentConfiguration = content
  }

  init(
    _ counts: [Int], _ behavior: UICollectionLayoutSectionOrthogonalScrollingBehavior,
    group: NSCollectionLayoutGroup = tile
  ) {
    self.counts = counts
    let section = NSCollectionLayoutSection(group: group)
    section.interGroupSpacing = 10
    section.orthogonalScrollingBehavior = behavior
    if behavior != .none {
      section.contentInsets = NSDirectionalEdgeInsets(
        top: 5, leading: 20, bottom: 5, trailing: 20)
    }
    super.init(collectionViewLayout: UICollectionViewCompositionalLayout(section: section))
    title = "Shelves"
  }

  required init?(coder: NSCoder) { nil }

  static func size(
    _ width: NSCollectionLayoutDimension, _ height: NSCollectionLayoutDimension
  ) -> NSCollectionLayoutSize {
    NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
  }

  static var tile: NSCollectionLayoutGroup {
    .horizontal(
      layoutSize: size(.absolute(120), .absolute(60)),
      subitems: [
        NSCollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
      ])
  }

  /// A large tile beside two small ones.
  static var mosaic: NSCollectionLayoutGroup {
    let item = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
    let small = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(0.3), .fractionalHeight(1)), repeatingSubitem: item,
      count: 2)
    small.interItemSpacing = .fixed(8)
    let large = NSCollectionLayoutItem(
      layoutSize: size(.fractionalWidth(0.7), .fractionalHeight(1)))
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(200)), subitems: [large, small])
    group.interItemSpacing = .fixed(8)
    return group
  }

  override func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }
  override func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { counts[section] }
  override func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    collectionView.dequeueConfiguredReusableCell(
      using: cells, for: indexPath, item: "\(indexPath.section).\(indexPath.item)")
  }
}
