import Foundation

/// A view that a collection makes, fills and uses again: a header, a footer, a cell.
///
/// Source: UIKit, `UICollectionReusableView`.
open class UICollectionReusableView: ListCell {
  private(set) var key: ReuseKey?

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  /// How a registered class is made. A subclass inherits it together with its `init(frame:)`.
  public required convenience init(registration: ReusableViewRegistration) {
    self.init(frame: .zero)
    key = registration.key
  }

  open var reuseIdentifier: String? { key?.identifier }

  // MARK: What a collection asks

  override var reuseKey: String? { key?.text }

  /// The first label is the title, the others say more.
  override func fillLabels(of content: inout RowContent) {
    let labels = Self.labels(in: self)
    let more = labels.dropFirst().compactMap(\.text).filter { !$0.isEmpty }
    content.title = labels.first?.text ?? ""
    content.titleColor = labels.first?.colorName
    content.detail = more.isEmpty ? nil : more.joined(separator: " ")
  }

  /// What a header or a footer says.
  var text: String {
    let content = rowContent
    return [content.title, content.detail, content.badge].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// One item as it is drawn.
///
/// Source: UIKit, `UICollectionViewCell`. Labels in `contentView` are drawn as title and detail, a
/// content configuration before them.
open class UICollectionViewCell: UICollectionReusableView {
  public typealias ConfigurationUpdateHandler =
    @MainActor (_ cell: UICollectionViewCell, _ state: UICellConfigurationState) -> Void

  /// Called when the cell's state has changed, and before the cell is drawn first.
  open var configurationUpdateHandler: ConfigurationUpdateHandler? {
    didSet { runConfigurationUpdate() }
  }

  override func runUpdateHandler(_ state: UICellConfigurationState) {
    configurationUpdateHandler?(self, state)
  }
}
