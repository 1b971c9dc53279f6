import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// The example of the article on persistent history.
struct HistoryArticleTests {
  @Test func theArticleHasTheCodeOfThisFile() throws {
    let file = URL(fileURLWithPath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(source.range(of: "\nfinal class HistoryReader")?.lowerBound)
    let root = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
    let article = root.appendingPathComponent(
      "Documentation/OpenCoreData.docc/PersistentHistory.md")
    #expect(try String(contentsOf: article, encoding: .utf8).contains(source[start...]))
  }

  @Test func theReaderTakesOverWhatOthersWrote() throws {
    let stack = try HistoryStack()
    let context = stack.context(author: "me")
    try context.performAndWait {
      let reader = HistoryReader(context, after: nil)
      let own = context.insert("Good", ["code": "own"])
      try context.save()
      try stack.write("other") { other in
        let good = try other.existingObject(with: own.objectID)
        good.setValue("by another", forKey: "title")
      }
      #expect(own.value(forKey: "title") == nil)
      try reader.mergeWhatOthersWrote()
      #expect(own.value(forKey: "title") as? String == "by another")
    }
  }
}

final class HistoryReader {
  private let context: NSManagedObjectContext
  private var token: NSPersistentHistoryToken?

  init(_ context: NSManagedObjectContext, after token: NSPersistentHistoryToken?) {
    self.context = context
    self.token = token
  }

  /// To be called on the context's queue, after each notification.
  func mergeWhatOthersWrote() throws {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    request.fetchRequest?.predicate = NSPredicate(
      format: "author == nil OR author != %@", context.transactionAuthor ?? "")
    let result = try context.execute(request) as? NSPersistentHistoryResult
    for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      token = transaction.token
    }
  }
}
