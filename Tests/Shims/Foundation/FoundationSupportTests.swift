import FoundationSupport
import Testing

struct FoundationSupportTests {
  @Test func localizedTexts() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).bundle")
    defer { try? FileManager.default.removeItem(at: folder) }
    let language = folder.appendingPathComponent("en.lproj")
    try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
    let table = """
      "Save" = "Keep";
      "%lld of %@" = "%2$@: %1$lld";
      "100%% of %@" = "All of %@";
      """
    try Data(table.utf8).write(to: language.appendingPathComponent("Localizable.strings"))
    let bundle = try #require(Bundle(url: folder))
    #expect(String(localized: "Save", bundle: bundle, comment: "A button") == "Keep")
    #expect(String(localized: "\(3) of \("tea")", bundle: bundle) == "tea: 3")
    #expect(String(localized: "100% of \("tea")", bundle: bundle) == "All of tea")
    #expect(
      String(localized: "Not there \(1.5, specifier: "%.1f")", bundle: bundle) == "Not there 1.5")
    #expect(String(localized: "key", defaultValue: "\(2) lists", bundle: bundle) == "2 lists")
    #expect(String(localized: "Plain") == "Plain")
    // Without values nothing is a format.
    for text in ["100% sure", "%", "%@", "100%% sure", "5 %d"] {
      #expect(String(localized: String.LocalizationValue(text)) == text)
      #expect(String(localized: LocalizedStringResource(stringLiteral: text)) == text)
    }
    #expect(String(localized: "100% sure") == "100% sure")
    #expect(String(localized: "100% of \(3)") == "100% of 3")
    #expect(
      String(localized: "\(Int32(1)) \(UInt(2)) \(UUID?.none?.uuidString ?? "none")") == "1 2 none")
  }

  /// They can be told apart, and each sorts by its own order.
  @Test func comparatorsOfStrings() throws {
    struct Named { let name: String }
    let all = [String.StandardComparator.localizedStandard, .localized, .lexical]
    #expect(Set(all).count == 3)
    let names = ["item 10", "a", "item 9", "B"]
    #expect(names.sorted(using: all[0]) == ["a", "B", "item 9", "item 10"])
    #expect(names.sorted(using: all[2]) == ["B", "a", "item 10", "item 9"])
    var reversed = all[0]
    reversed.order = .reverse
    #expect(names.sorted(using: reversed) == ["item 10", "item 9", "B", "a"])
    let descriptor = SortDescriptor(\Named.name, comparator: .localizedStandard)
    #expect(descriptor.stringComparator == .localizedStandard)
    #expect(names.map(Named.init).sorted(using: descriptor).map(\.name).last == "item 10")
  }

  @Test func queuesEqualThemselves() {
    let (one, other) = (DispatchQueue(label: "a"), DispatchQueue?.some(DispatchQueue(label: "a")))
    #expect(one == one && one != other && other != nil)
    #expect(Set([one, one, .main]).count == 2 && [DispatchQueue.main: 1][.main] == 1)
    #expect(DispatchGroup() != DispatchGroup())
  }

  @Test func resourcesAreLookedUpLater() {
    let resource: LocalizedStringResource = "\(2) lists of \("tea")"
    #expect(resource.key == "%lld lists of %@")
    #expect(String(localized: resource) == "2 lists of tea")
    #expect(String(localized: LocalizedStringResource("key", defaultValue: "a text")) == "a text")
    #expect(LocalizedStringResource("key") == "key" && LocalizedStringResource("key") != "other")
    let keys: [LocalizedStringKey] = ["key", LocalizedStringKey("key"), "\(1) key", "\(2) key"]
    #expect(keys[0] == keys[1] && keys[1] != keys[2] && keys[2] != keys[3])
  }

  @Test func directoriesOfTheUser() {
    let manager = FileManager.default
    #expect(
      URL.applicationSupportDirectory
        == manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first)
    #expect(URL.cachesDirectory == manager.urls(for: .cachesDirectory, in: .userDomainMask).first)
    for url in [URL.documentsDirectory, .libraryDirectory, .desktopDirectory, .downloadsDirectory] {
      #expect(url.isFileURL && url.path.count > 1)
    }
  }

  @Test func anErrorOfNothing() {
    let error = NSError()
    #expect(error.domain == "" && error.code == 0 && error.userInfo.isEmpty)
  }

  /// Every move of some elements of a short list, against moving them one at a time.
  @Test func elementsAreMovedAndRemovedByTheirOffsets() {
    for bits in 0..<16 {
      let offsets = IndexSet((0..<4).filter { bits >> $0 & 1 == 1 })
      var left = [0, 1, 2, 3]
      left.remove(atOffsets: offsets)
      #expect(left == [0, 1, 2, 3].filter { !offsets.contains($0) })
      for destination in 0...4 {
        var list = [0, 1, 2, 3]
        list.move(fromOffsets: offsets, toOffset: destination)
        let before = (0..<destination).filter { !offsets.contains($0) }
        #expect(list.sorted() == [0, 1, 2, 3])
        #expect(Array(list.prefix(before.count)) == before)
        #expect(Array(list.dropFirst(before.count).prefix(offsets.count)) == Array(offsets))
      }
    }
  }

  /// Each kind of object, known as nothing but an object, and its value in Swift.
  @Test func keysAreOneInBothForms() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    let now = Date()
    let pairs: [(NSObject, AnyHashable)] = [
      (NSString(string: "a"), "a"), (NSMutableString(string: "a"), "a"), (NSNumber(value: 7), 7),
      (NSNumber(value: Int16(7)), 7), (NSNumber(value: UInt64.max), UInt64.max),
      (NSNumber(value: -1.5), -1.5), (NSNumber(value: 2.0), 2), (NSNumber(value: true), true),
      (NSNumber(value: false), false), (NSDecimalNumber(string: "1.5"), Decimal(1.5)),
      (NSDate(timeIntervalSinceReferenceDate: now.timeIntervalSinceReferenceDate), now),
      (url as NSURL, url), (UUID() as NSUUID, 0), (Data([1]) as NSData, Data([1])),
    ]
    for (object, value) in pairs {
      let expected = object is NSUUID ? AnyHashable(object as! NSUUID as UUID) : value
      let key = AnyHashable(object)
      #expect(key == expected && expected == key && key.hashValue == expected.hashValue)
      #expect([key: 1][expected] == 1 && [expected: 1][key] == 1)
    }
    for (index, one) in pairs.enumerated() {
      for (other, another) in pairs.enumerated() where one.1 != another.1 {
        #expect(index == other || AnyHashable(one.0) != AnyHashable(another.0))
      }
    }
    let information: [AnyHashable: Any] = [NSString(string: "name") as NSObject: "Ann"]
    #expect(information["name"] as? String == "Ann")
  }

  @Test func units() {
    #expect(NSEC_PER_SEC == NSEC_PER_MSEC * MSEC_PER_SEC)
    #expect(NSEC_PER_SEC == NSEC_PER_USEC * USEC_PER_SEC)
    #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 60)
  }

  @Test func defaultsAnswerToKeyValueCoding() throws {
    let name = "shims.\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    defaults.setValue(7, forKey: "count")
    #expect(defaults.value(forKey: "count") as? Int == 7)
    #expect(defaults.value(forKey: "nothing") == nil)
    defaults.setValue(nil, forKey: "count")
    #expect(defaults.value(forKey: "count") == nil)
  }

  @Test func notificationsAreASequence() async {
    let name = Notification.Name("shims.\(UUID().uuidString)")
    let center = NotificationCenter()
    let notifications = center.notifications(named: name)
    for count in 0..<3 { center.post(name: name, object: nil, userInfo: ["count": count]) }
    center.post(name: Notification.Name("another"), object: nil)
    var counts: [Int] = []
    for await count in notifications.compactMap({ $0.userInfo?["count"] as? Int }) {
      counts.append(count)
      if counts.count == 3 { break }
    }
    #expect(counts == [0, 1, 2])
  }

  @Test func groupsShareAFolder() throws {
    let group = "group.shims.\(UUID().uuidString)"
    let folder = try #require(
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(folder.lastPathComponent == group)
    #expect(
      folder == FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
    try Data().write(to: folder.appendingPathComponent("store"))
  }
}
