extension TransactionOrigin {
  /// Requests of a child context count as those of its root context.
  convenience init(_ context: NSManagedObjectContext) {
    let root = context.root
    let (author, name) =
      root === context
      ? (context.transactionAuthor, context.name)
      : root.confinement.performAndWait { (root.transactionAuthor, root.name) }
    self.init(author: author, contextName: name)
  }
}
