#if PortedSources
  import Foundation

  /// Maintains the copies of a target's sources.
  ///
  /// A file is read again if its size or date changed, and ported again if it was read or an answer
  /// about other files changed. Copies with unchanged text are not touched, so that they are not
  /// compiled again.
  public struct PortedProject {
    /// Data about a source that is kept between runs.
    private struct Note: Codable {
      let stamp: String
      let facts: SourceFacts
      var answers: [String: String] = [:]
      var remarks: [Remark] = []
      var isPorted = false
    }

    /// The originals to port.
    public var sources: [URL] = []
    /// Files that are compiled unchanged, and whose declarations the originals may use.
    public var companions: [URL] = []
    /// Conditions that hold in the originals.
    public var conditions: Set<String> = []
    /// Declarations to remove from copies, as `Book.cover`, by the names of originals.
    public var without: [String: [String]] = [:]
    /// The folder of the copies.
    public var output: URL
    /// The file for data kept between runs.
    public var notesFile: URL
    /// The version of the tool; data of another version is ignored.
    public var version: String

    /// Creates a project without sources.
    public init(output: URL, notesFile: URL, version: String) {
      self.output = output
      self.notesFile = notesFile
      self.version = version
    }

    /// Writes changed copies.
    /// - Returns: the remarks, each in the form of compiler messages, and true if one of them is an
    ///   error.
    /// - Throws: ``PortingError`` if a source cannot be read.
    public func write() throws -> (messages: [String], hasErrors: Bool) {
      let earlier = notes()
      var parsed: [URL: ParsedSource] = [:]
      var notes: [String: Note] = [:]
      for url in sources + companions {
        let stamp = try stamp(of: url)
        if let known = earlier[url.path], known.stamp == stamp {
          notes[url.path] = known
        } else {
          let source = try read(url)
          parsed[url] = source
          notes[url.path] = Note(stamp: stamp, facts: source.facts)
        }
      }
      let facts = (sources + companions).compactMap { notes[$0.path]?.facts }
      let known = ProjectFacts(facts, conditions: conditions)
      for url in sources {
        let copy = copy(of: url)
        let note = notes[url.path]!
        if note.isPorted, known.agrees(with: note.answers),
          FileManager.default.fileExists(atPath: copy.path)
        {
          continue
        }
        let project = ProjectFacts(known)
        let ported = try (parsed[url] ?? read(url)).ported(knowing: project, conditions: conditions)
        try write(ported.text, to: copy)
        notes[url.path]?.answers = project.answers
        notes[url.path]?.remarks = ported.remarks
        notes[url.path]?.isPorted = true
      }
      try JSONEncoder().encode(notes).write(to: notesFile, options: .atomic)
      let remarks = sources.flatMap { url in
        (notes[url.path]?.remarks ?? []).map { (path: url.path, remark: $0) }
      }
      return (
        remarks.map { $0.remark.text(path: $0.path) },
        remarks.contains { $0.remark.severity == .error }
      )
    }

    /// The remarks on sources of one module, without writing copies.
    /// - Throws: ``PortingError`` if a source cannot be read.
    public static func remarks(on files: [URL]) throws -> (messages: [String], hasErrors: Bool) {
      let sources = try files.map { (path: $0.path, text: try text(of: $0)) }
      let remarks = zip(files, SourcePorter.port(sources)).flatMap { file, ported in
        ported.remarks.map { (path: file.path, remark: $0) }
      }
      return (
        remarks.map { $0.remark.text(path: $0.path) },
        remarks.contains { $0.remark.severity == .error }
      )
    }

    /// The file of a copy. Its name differs from the original's: the compiler warns if
    /// `#sourceLocation` names another file of the same name.
    private func copy(of url: URL) -> URL {
      let name = url.deletingPathExtension().lastPathComponent
      return output.appendingPathComponent("\(name)+Ported.swift")
    }

    private func read(_ url: URL) throws -> ParsedSource {
      ParsedSource(
        text: try Self.text(of: url), path: url.path, without: without[url.lastPathComponent] ?? [])
    }

    private static func text(of url: URL) throws -> String {
      do {
        return try String(contentsOf: url, encoding: .utf8)
      } catch {
        throw PortingError(
          "\(url.path): error: the source cannot be read: \(error.localizedDescription)")
      }
    }

    private func write(_ text: String, to url: URL) throws {
      // An unreadable file counts as different.
      if let old = try? String(contentsOf: url, encoding: .utf8), old == text { return }
      try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }

    private func notes() -> [String: Note] {
      // Without readable data, everything is ported again.
      guard let data = try? Data(contentsOf: notesFile),
        let notes = try? JSONDecoder().decode([String: Note].self, from: data)
      else { return [:] }
      return notes
    }

    private func stamp(of url: URL) throws -> String {
      do {
        let facts = try FileManager.default.attributesOfItem(atPath: url.path)
        let date = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        let names = without[url.lastPathComponent] ?? []
        return "\(version) \(conditions.sorted()) \(names.sorted()) \(facts[.size] ?? "") \(date)"
      } catch {
        throw PortingError(
          "\(url.path): error: the source cannot be read: \(error.localizedDescription)")
      }
    }
  }
#endif
