/// Where a replica stands, beside its records.
struct Standing: Equatable, Sendable {
  /// Why everything is asked for again.
  enum AttachmentReason: UInt8, Sendable {
    /// First sync, away for too long, or a model that knows more.
    case horizon
    /// The server was restored.
    case epoch
  }
  struct Attachment: Equatable, Sendable {
    var reason: AttachmentReason
    var number: Int64
  }
  /// Why the store does not show a record as it is.
  enum Hold: Equatable, Sendable {
    case validation(String)
    case uniqueness
    case requirement
    /// An object of another entity has values that are unique among both; the attribute's name.
    case claimed(String)
  }

  /// A transaction of the store's history.
  struct Transaction: Equatable, Sendable {
    var number: Int64
    /// Seconds since 2001.
    var time: Double
  }

  var replica: ReplicaID
  /// The point in the store's history up to which it was scanned, archived.
  var token: [UInt8]?
  /// The number after which records are asked for; 0 means that nothing has come yet.
  var cursor: Int64 = 0
  /// The number after which registers are asked for.
  var base: Int64 = 0
  /// The number up to which everything is here.
  var safe: Int64 = 0
  var epoch: RecordID?
  /// The server's time minus this device's, in milliseconds.
  var offset: Int64 = 0
  /// The last push that the server has accepted.
  var chain: RecordID?
  /// The message that is being sent, until it is answered.
  var message: PushMessage?
  /// The last clock.
  var lastTicks: UInt64 = 0
  /// Records that are wanted whole.
  var wanted: Set<RecordID> = []
  /// What is held back, and why.
  var held: [RecordID: Hold] = [:]
  var attachment: Attachment? = Attachment(reason: .horizon, number: 1)
  var lastAttachment: Int64 = 1
  var hasOfferedAliases = true
  /// The last alias, by the loser, that was offered since they began to be.
  var lastOffered: RecordID?
  /// The model's properties, "Entity.property", to see when it has grown; empty before the first
  /// attachment.
  var modelProperties: Set<String> = []
  /// The UUID of the store that was scanned.
  var storeUUID: String?
  /// The last transaction that was scanned.
  var scanned: Transaction?
  /// The last commit to the application's store, by its batch.
  var batch: String?

  init(replica: ReplicaID) { self.replica = replica }

  /// Has all aliases sent, from the first.
  mutating func offerAliases() {
    hasOfferedAliases = false
    lastOffered = nil
  }
}

extension Standing.Hold {
  /// Why an object does not show as it is.
  var words: String {
    switch self {
    case .validation(let reason): reason
    case .uniqueness: "Another object has the values that are unique; the server has to unite them."
    case .requirement: "What it refers to, and cannot be without, has not come."
    case .claimed(let attribute):
      """
      An object of another entity has its value of \(attribute), which no two may have: it shows \
      again when that one is deleted or gets another value.
      """
    }
  }
}
