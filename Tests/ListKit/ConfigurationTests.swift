import Foundation
import Testing

@testable import ListKit

/// Content and background configurations, and how a cell follows its state.
@MainActor
@Suite struct ConfigurationTests {
  @Test func aListConfigurationSaysAllThatARowShows() {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    var content = cell.defaultContentConfiguration()
    content.text = "bread"
    content.textProperties.transform = .capitalized
    content.textProperties.color = .systemRed
    content.secondaryText = "white"
    content.image = UIImage(systemName: "star")
    cell.contentConfiguration = content
    var background = UIBackgroundConfiguration.listPlainCell()
    background.backgroundColor = .systemYellow
    cell.backgroundConfiguration = background
    var expected = RowContent(title: "Bread", detail: "white")
    (expected.titleColor, expected.background, expected.image) = ("red", "yellow", "star")
    #expect(cell.rowContent == expected)
    content.prefersSideBySideTextAndSecondaryText = true
    cell.contentConfiguration = content
    #expect(cell.rowContent.badge == "white")
    cell.contentConfiguration = nil
    #expect(cell.rowContent.title == "")
  }

  @Test func theHandlerFollowsSelectionEditingAndUse() {
    let source = ArraySource([["a", "b"]])
    let (table, window, _) = makeTable(source)
    let cell = table.visibleCells[0]
    var states: [String] = []
    cell.configurationUpdateHandler = { cell, state in
      states.append("\(state.isSelected) \(state.isEditing) \(state.isDisabled)")
      var content = cell.defaultContentConfiguration()
      content.text = state.isSelected ? "chosen" : "not chosen"
      cell.contentConfiguration = content
    }
    table.selectRow(
      at: IndexPath(row: 0, section: 0), animated: false, scrollPosition: .none)
    #expect(cell.rowContent.title == "chosen")
    table.setEditing(true, animated: false)
    cell.isUserInteractionEnabled = false
    #expect(cell.rowContent.titleColor == "tertiary")
    cell.setNeedsUpdateConfiguration()
    #expect(
      states == [
        "false false false", "true false false", "true true false", "true true true",
        "true true true",
      ])
    _ = window
  }

  /// A configuration with a view of its own.
  private struct Rating: UIContentConfiguration {
    var stars: Int
    func makeContentView() -> UIView & UIContentView { RatingView(self) }
    func updated(for state: any UIConfigurationState) -> Rating { self }
  }

  private final class RatingView: UIView, UIContentView {
    let label = UILabel()
    let stepper = UIStepper()
    var configuration: any UIContentConfiguration { didSet { show() } }

    init(_ configuration: Rating) {
      self.configuration = configuration
      super.init(frame: .zero)
      addSubview(label)
      addSubview(stepper)
      show()
    }
    required init?(coder: NSCoder) { nil }

    private func show() {
      label.text = (configuration as? Rating).map { "\($0.stars) stars" }
    }
  }

  @Test func aConfigurationOfItsOwnBringsAViewThatIsUsedAgain() {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    cell.contentConfiguration = Rating(stars: 3)
    #expect(cell.rowContent.title == "3 stars")
    let view = cell.contentView.subviews.last
    cell.contentConfiguration = Rating(stars: 4)
    #expect(cell.rowContent.title == "4 stars")
    #expect(cell.contentView.subviews.last === view)
    cell.contentConfiguration = UIListContentConfiguration.cell()
    #expect(view?.superview == nil)
  }
}
