import Foundation

/// A layout made of sections, each a list or a grid.
///
/// Source: UIKit, `UICollectionViewCompositionalLayout`. Sections scroll from top to bottom.
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  public typealias SectionProvider =
    @MainActor (
      _ sectionIndex: Int, _ layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> NSCollectionLayoutSection?

  private let provider: SectionProvider

  /// All sections are laid out the same way.
  public init(section: NSCollectionLayoutSection) { provider = { _, _ in section } }

  /// Each section is asked for; `nil` is a plain list.
  public init(sectionProvider: @escaping SectionProvider) { provider = sectionProvider }

  /// A list in all its sections.
  public static func list(using configuration: UICollectionLayoutListConfiguration)
    -> UICollectionViewCompositionalLayout
  {
    UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(list: configuration))
  }

  override func layout(ofSection section: Int) -> SectionLayout {
    provider(section, LayoutEnvironment())?.layout ?? SectionLayout()
  }
}

/// Where a section is laid out.
///
/// Source: UIKit, `NSCollectionLayoutEnvironment`. It says nothing here: the width is the
/// renderer's.
@MainActor
public protocol NSCollectionLayoutEnvironment {}

private struct LayoutEnvironment: NSCollectionLayoutEnvironment {}
