extension FetchedResultsEngine {
  /// The sections as clients get them; rebuilt when sections are inserted or deleted.
  func infos() -> [FetchedSectionInfo]? {
    guard let list else { return nil }
    if let sectionInfos { return sectionInfos }
    let infos = list.sections.all.map(info)
    sectionInfos = infos
    return infos
  }

  func info(_ section: FetchedSection) -> FetchedSectionInfo {
    FetchedSectionInfo(section, engine: self)
  }

  /// The index titles of the sections, each with the first section that has it. Neighbouring
  /// sections with equal titles share one.
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

  /// The capitalized first letter of the name.
  static func usualIndexTitle(_ name: String) -> String? {
    name.first.map { String($0).uppercased() }
  }
}

/// A section as clients get it. Its count and objects are current at each access.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
  private let section: FetchedSection
  private let list: FetchedList?
  private weak var engine: FetchedResultsEngine?

  init(_ section: FetchedSection, engine: FetchedResultsEngine) {
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
