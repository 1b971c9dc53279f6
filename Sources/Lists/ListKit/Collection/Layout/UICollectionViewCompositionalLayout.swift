import Foundation

/// A layout made of sections, each a list or a grid.
///
/// Source: UIKit, `UICollectionViewCompositionalLayout`. Sections scroll from top to bottom.
open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  /// Returns the layout of a section; `nil` is a plain list.
  public typealias SectionProvider =
    @MainActor (
      _ sectionIndex: Int, _ layoutEnvironment: any NSCollectionLayoutEnvironment
    ) -> NSCollectionLayoutSection?

  private let provider: SectionProvider

  /// Makes a layout with equal sections.
  public init(section: NSCollectionLayoutSection) { provider = { _, _ in section } }

  /// Makes a layout that asks `sectionProvider` for each section.
  public init(sectionProvider: @escaping SectionProvider) { provider = sectionProvider }

  /// Makes a layout whose sections are all lists.
  public static func list(using configuration: UICollectionLayoutListConfiguration)
    -> UICollectionViewCompositionalLayout
  {
    UICollectionViewCompositionalLayout(section: NSCollectionLayoutSection(list: configuration))
  }

  override func layout(ofSection section: Int) -> SectionLayout {
    provider(section, LayoutEnvironment())?.layout ?? SectionLayout()
  }
}

/// The surroundings of a section. It has no members here: only the renderer knows the width.
///
/// Source: UIKit, `NSCollectionLayoutEnvironment`.
@MainActor
public protocol NSCollectionLayoutEnvironment {}

private struct LayoutEnvironment: NSCollectionLayoutEnvironment {}
