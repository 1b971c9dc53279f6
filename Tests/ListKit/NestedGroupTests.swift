import Foundation
import Testing

@testable import ListKit

/// Groups within groups: where each item stands in the pattern that a section repeats.
@MainActor
@Suite struct NestedGroupTests {
  private typealias Dimension = NSCollectionLayoutDimension

  private func size(_ width: Dimension, _ height: Dimension) -> NSCollectionLayoutSize {
    NSCollectionLayoutSize(widthDimension: width, heightDimension: height)
  }

  private func item(_ width: Dimension, _ height: Dimension) -> NSCollectionLayoutItem {
    NSCollectionLayoutItem(layoutSize: size(width, height))
  }

  private func frames(_ section: NSCollectionLayoutSection) -> [[Int]] {
    let seen = CGSize(width: 1_000, height: 600)
    return (section.layout.grid?.pattern(in: seen).frames ?? []).map { frame in
      [frame.minX, frame.minY, frame.width, frame.height].map { Int($0.rounded()) }
    }
  }

  private func frames(_ group: NSCollectionLayoutGroup) -> [[Int]] {
    frames(NSCollectionLayoutSection(group: group))
  }

  /// A large item beside two small ones.
  private func mosaic(spacing: CGFloat = 0) -> NSCollectionLayoutGroup {
    let small = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(0.3), .fractionalHeight(1)),
      repeatingSubitem: item(.fractionalWidth(1), .fractionalHeight(0.5)), count: 2)
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(200)),
      subitems: [item(.fractionalWidth(0.7), .fractionalHeight(1)), small])
    small.interItemSpacing = .fixed(spacing)
    group.interItemSpacing = .fixed(spacing)
    return group
  }

  @Test func aColumnInALine() {
    #expect(frames(mosaic()) == [[0, 0, 700, 200], [700, 0, 300, 100], [700, 100, 300, 100]])
    #expect(
      frames(mosaic(spacing: 10)) == [
        [0, 0, 693, 200], [703, 0, 297, 95], [703, 105, 297, 95],
      ])
  }

  @Test func aLineInAColumnInALine() {
    let pair = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .fractionalHeight(0.5)),
      repeatingSubitem: item(.fractionalWidth(0.5), .fractionalHeight(1)), count: 2)
    let column = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)),
      subitems: [item(.fractionalWidth(1), .fractionalHeight(0.5)), pair])
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .fractionalWidth(0.2)),
      subitems: [item(.fractionalWidth(0.5), .fractionalHeight(1)), column])
    #expect(
      frames(group) == [
        [0, 0, 500, 200], [500, 0, 500, 100], [500, 100, 250, 100], [750, 100, 250, 100],
      ])
  }

  @Test func pointsAndEstimatesStandBesideShares() {
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(0.5), .estimated(80)),
      subitems: [item(.absolute(60), .absolute(40)), item(.fractionalWidth(0.5), .estimated(30))])
    #expect(frames(group) == [[0, 0, 60, 40], [60, 0, 250, 30]])
    // As often as there is room where all of that is known in points.
    let tall = NSCollectionLayoutGroup.vertical(
      layoutSize: size(.absolute(50), .absolute(100)),
      subitems: [item(.fractionalWidth(1), .absolute(20))])
    tall.interItemSpacing = .fixed(10)
    #expect(frames(tall).map { $0[1] } == [0, 30, 60])
  }

  @Test func sharesOfTheOtherSide() {
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalHeight(0.5), .fractionalHeight(0.25)),
      subitems: [item(.fractionalHeight(1), .fractionalWidth(0.1))])
    #expect(frames(group) == [[0, 0, 150, 30]])
  }

  @Test func insetsMakeSmallerWhatIsInThem() {
    let inner = item(.fractionalWidth(0.5), .fractionalHeight(1))
    inner.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(100)), subitems: [inner])
    #expect(frames(group) == [[2, 1, 494, 96], [502, 1, 494, 96]])
    group.contentInsets = NSDirectionalEdgeInsets(top: 10, leading: 50, bottom: 0, trailing: 50)
    #expect(frames(group) == [[52, 11, 444, 86], [502, 11, 444, 86]])
    let section = NSCollectionLayoutSection(group: group)
    section.contentInsets = NSDirectionalEdgeInsets(top: 5, leading: 100, bottom: 5, trailing: 100)
    #expect(frames(section) == [[52, 11, 344, 86], [402, 11, 344, 86]])
    #expect(section.layout.grid?.insets.leading == 100)
  }

  @Test func insetsOfAsManyAsFit() {
    let small = item(.absolute(100), .absolute(40))
    small.contentInsets = NSDirectionalEdgeInsets(top: 5, leading: 5, bottom: 5, trailing: 5)
    let group = NSCollectionLayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .absolute(40)), subitems: [small])
    #expect(frames(group).count == 10 && frames(group)[1] == [105, 5, 90, 30])
  }

  @Test(arguments: [
    (UICollectionLayoutSectionOrthogonalScrollingBehavior.none, ListGrid.Sideways?.none),
    (.continuous, .free), (.continuousGroupLeadingBoundary, .toGroup), (.paging, .byPage),
    (.groupPaging, .byGroup), (.groupPagingCentered, .byCenteredGroup),
  ])
  func aSectionScrollsSideways(
    behavior: UICollectionLayoutSectionOrthogonalScrollingBehavior, sideways: ListGrid.Sideways?
  ) {
    let section = NSCollectionLayoutSection(group: mosaic())
    section.orthogonalScrollingBehavior = behavior
    #expect(section.layout.grid?.sideways == sideways)
  }
}
