import Foundation

/// A reusable view of a collection: a header, a footer or a cell.
///
/// Source: UIKit, `UICollectionReusableView`.
open class UICollectionReusableView: ListCell {
  private(set) var key: ReuseKey?

  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }

  /// Makes a view of a registered class; the collection calls it. A subclass inherits it together
  /// with `init(frame:)`.
  public required convenience init(registration: ReusableViewRegistration) {
    self.init(frame: .zero)
    key = registration.key
  }

  /// The identifier under which the collection reuses the view; `nil` for a view that it did not
  /// make.
  open var reuseIdentifier: String? { key?.identifier }

  // MARK: Queries by the collection

  override var reuseKey: String? { key?.text }

  /// Copies the labels in the order of the view tree: the first is the title, the others are the
  /// detail.
  override func fillLabels(of content: inout RowContent) {
    let labels = Self.labels(in: self)
    let more = labels.dropFirst().compactMap(\.text).filter { !$0.isEmpty }
    content.title = labels.first?.text ?? ""
    content.titleColor = labels.first?.colorName
    content.detail = more.isEmpty ? nil : more.joined(separator: " ")
  }

  /// The texts of a header or a footer in one line.
  var text: String {
    let content = rowContent
    return [content.title, content.detail, content.badge].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// A cell that draws one item of a collection.
///
/// Source: UIKit, `UICollectionViewCell`. Labels in `contentView` are drawn as title and detail,
/// unless there is a content configuration.
open class UICollectionViewCell: UICollectionReusableView {
  /// Configures a cell for its new state.
  public typealias ConfigurationUpdateHandler =
    @MainActor (_ cell: UICollectionViewCell, _ state: UICellConfigurationState) -> Void

  /// Called when the cell's state has changed, and at once when it is set.
  open var configurationUpdateHandler: ConfigurationUpdateHandler? {
    didSet { runConfigurationUpdate() }
  }

  override func runUpdateHandler(_ state: UICellConfigurationState) {
    configurationUpdateHandler?(self, state)
  }
}
