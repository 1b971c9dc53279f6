extension FetchedResultsEngine {
  /// What clients see of the sections; made anew when sections come or go.
  func infos() -> [FetchedSectionInfo]? {
    guard let list else { return nil }
    if let sectionInfos { return sectionInfos }
    let infos = list.sections.all.map(info)
    sectionInfos = infos
    return infos
  }

  func info(_ section: FetchedSection) -> FetchedSectionInfo {
    FetchedSectionInfo(section, self)
  }

  /// Titles of the sections for an index beside the list, those of neighbours that are equal once,
  /// each with the first section that has it.
  func indexTitles() -> [(title: String, section: Int)] {
    var titles: [(title: String, section: Int)] = []
    for (index, section) in (list?.sections.all ?? []).enumerated() {
      guard let title = controller?.sectionIndexTitle(forSectionName: section.name),
        title != titles.last?.title
      else { continue }
      titles.append((title, index))
    }
    return titles
  }

  /// The first letter as a capital.
  static func usualIndexTitle(_ name: String) -> String? {
    name.first.map { String($0).uppercased() }
  }
}

/// A section as clients see it; its numbers and objects are those of the moment.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
  private let section: FetchedSection
  private let list: FetchedList?
  private weak var engine: FetchedResultsEngine?

  init(_ section: FetchedSection, _ engine: FetchedResultsEngine) {
    self.section = section
    self.engine = engine
    list = engine.list
    super.init()
  }

  var name: String { section.name }

  var indexTitle: String? { engine?.controller?.sectionIndexTitle(forSectionName: name) }

  var numberOfObjects: Int { section.size }

  var objects: [Any]? {
    guard let engine, let list else { return nil }
    return engine.inTurn {
      engine.context.takeOverPermanentIDs()
      let objects = list.words(of: section).map(engine.object)
      if engine.request.fetchBatchSize == 0 { engine.read(objects) }
      return objects
    }
  }
}
