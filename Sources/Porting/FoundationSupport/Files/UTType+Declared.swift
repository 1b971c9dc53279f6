// The types that Apple's systems declare, as far as sources without a screen name them.

extension UTType {
  /// What is declared of a type.
  struct Declared {
    let supertypes: [String]
    let extensions: [String]
    let mediaTypes: [String]
  }

  /// All declared types, by identifier.
  static let declared: [String: Declared] = {
    var all: [String: Declared] = [:]
    for line in table.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ").map(String.init) }
      all[columns[0][0]] = Declared(
        supertypes: columns[1], extensions: columns[2], mediaTypes: columns[3])
    }
    return all
  }()

  // identifier | supertypes | filename extensions | media types; the first one is preferred.
  private static let table = """
    public.item|||
    public.content|||
    public.composite-content|public.content||
    public.data|public.item||
    public.directory|public.item||
    public.folder|public.directory||
    com.apple.package|public.directory||
    com.apple.bundle|public.directory||
    public.symlink|public.item||
    public.disk-image|public.data public.archive||
    public.executable|public.item||
    public.url|public.data||
    public.file-url|public.url||
    public.text|public.data public.content||
    public.plain-text|public.text|txt text|text/plain
    public.utf8-plain-text|public.plain-text||text/plain;charset=utf-8
    public.rtf|public.text|rtf|text/rtf
    com.apple.rtfd|com.apple.package public.composite-content|rtfd|
    public.html|public.text|html htm|text/html
    public.xml|public.text|xml|application/xml text/xml
    public.yaml|public.text|yml yaml|application/x-yaml
    public.css|public.text|css|text/css
    public.json|public.text|json|application/json
    com.apple.property-list|public.data|plist|
    com.apple.xml-property-list|public.xml com.apple.property-list||
    com.apple.binary-property-list|com.apple.property-list||
    com.apple.log|public.plain-text|log|
    com.adobe.pdf|public.data public.composite-content|pdf|application/pdf
    public.delimited-values-text|public.text||
    public.comma-separated-values-text|public.delimited-values-text|csv|text/csv
    public.tab-separated-values-text|public.delimited-values-text|tsv|text/tab-separated-values
    public.source-code|public.plain-text||
    public.swift-source|public.source-code|swift|
    com.netscape.javascript-source|public.source-code|js|text/javascript
    public.shell-script|public.source-code|sh|
    public.python-script|public.source-code|py|text/x-python
    public.image|public.data public.content||
    public.jpeg|public.image|jpeg jpg jpe|image/jpeg
    public.png|public.image|png|image/png
    com.compuserve.gif|public.image|gif|image/gif
    public.tiff|public.image|tiff tif|image/tiff
    com.microsoft.bmp|public.image|bmp|image/bmp
    com.microsoft.ico|public.image|ico|image/vnd.microsoft.icon
    public.svg-image|public.image|svg svgz|image/svg+xml
    public.heif|public.image|heif|image/heif
    public.heic|public.heif|heic|image/heic
    org.webmproject.webp|public.image|webp|image/webp
    public.camera-raw-image|public.image||
    public.audiovisual-content|public.data public.content||
    public.movie|public.audiovisual-content||
    public.video|public.movie||
    com.apple.quicktime-movie|public.movie|mov qt|video/quicktime
    public.mpeg|public.movie|mpg mpeg|video/mpeg
    public.mpeg-4|public.movie|mp4|video/mp4
    public.avi|public.movie|avi|video/avi
    public.audio|public.audiovisual-content||
    public.mp3|public.audio|mp3|audio/mpeg
    public.mpeg-4-audio|public.audio|mp4|audio/mp4
    com.microsoft.waveform-audio|public.audio|wav wave|audio/vnd.wave
    public.aiff-audio|public.audio|aiff aif|audio/aiff
    public.midi-audio|public.audio|mid midi|audio/midi
    public.archive|||
    org.gnu.gnu-zip-archive|public.data public.archive|gz|application/x-gzip
    public.zip-archive|public.data public.archive|zip|application/zip
    public.spreadsheet|public.content||
    public.presentation|public.composite-content||
    public.database|||
    public.message|||
    public.contact|||
    public.vcard|public.text public.contact|vcf vcard|text/vcard
    public.calendar-event|||
    public.email-message|public.message||
    org.idpf.epub-container|public.data public.composite-content|epub|application/epub+zip
    public.font|||
    public.bookmark|||
    """

  /// The type `public.item`.
  public static var item: UTType { UTType(declared: "public.item") }
  /// The type `public.content`.
  public static var content: UTType { UTType(declared: "public.content") }
  /// The type `public.composite-content`.
  public static var compositeContent: UTType { UTType(declared: "public.composite-content") }
  /// The type `public.data`.
  public static var data: UTType { UTType(declared: "public.data") }
  /// The type `public.directory`.
  public static var directory: UTType { UTType(declared: "public.directory") }
  /// The type `public.folder`.
  public static var folder: UTType { UTType(declared: "public.folder") }
  /// The type `com.apple.package`.
  public static var package: UTType { UTType(declared: "com.apple.package") }
  /// The type `com.apple.bundle`.
  public static var bundle: UTType { UTType(declared: "com.apple.bundle") }
  /// The type `public.symlink`.
  public static var symbolicLink: UTType { UTType(declared: "public.symlink") }
  /// The type `public.disk-image`.
  public static var diskImage: UTType { UTType(declared: "public.disk-image") }
  /// The type `public.executable`.
  public static var executable: UTType { UTType(declared: "public.executable") }
  /// The type `public.url`.
  public static var url: UTType { UTType(declared: "public.url") }
  /// The type `public.file-url`.
  public static var fileURL: UTType { UTType(declared: "public.file-url") }
  /// The type `public.text`.
  public static var text: UTType { UTType(declared: "public.text") }
  /// The type `public.plain-text`.
  public static var plainText: UTType { UTType(declared: "public.plain-text") }
  /// The type `public.utf8-plain-text`.
  public static var utf8PlainText: UTType { UTType(declared: "public.utf8-plain-text") }
  /// The type `public.rtf`.
  public static var rtf: UTType { UTType(declared: "public.rtf") }
  /// The type `com.apple.rtfd`.
  public static var rtfd: UTType { UTType(declared: "com.apple.rtfd") }
  /// The type `public.html`.
  public static var html: UTType { UTType(declared: "public.html") }
  /// The type `public.xml`.
  public static var xml: UTType { UTType(declared: "public.xml") }
  /// The type `public.yaml`.
  public static var yaml: UTType { UTType(declared: "public.yaml") }
  /// The type `public.css`.
  public static var css: UTType { UTType(declared: "public.css") }
  /// The type `public.json`.
  public static var json: UTType { UTType(declared: "public.json") }
  /// The type `com.apple.property-list`.
  public static var propertyList: UTType { UTType(declared: "com.apple.property-list") }
  /// The type `com.apple.xml-property-list`.
  public static var xmlPropertyList: UTType { UTType(declared: "com.apple.xml-property-list") }
  /// The type `com.apple.binary-property-list`.
  public static var binaryPropertyList: UTType {
    UTType(declared: "com.apple.binary-property-list")
  }
  /// The type `com.apple.log`.
  public static var log: UTType { UTType(declared: "com.apple.log") }
  /// The type `com.adobe.pdf`.
  public static var pdf: UTType { UTType(declared: "com.adobe.pdf") }
  /// The type `public.delimited-values-text`.
  public static var delimitedText: UTType { UTType(declared: "public.delimited-values-text") }
  /// The type `public.comma-separated-values-text`.
  public static var commaSeparatedText: UTType {
    UTType(declared: "public.comma-separated-values-text")
  }
  /// The type `public.tab-separated-values-text`.
  public static var tabSeparatedText: UTType {
    UTType(declared: "public.tab-separated-values-text")
  }
  /// The type `public.source-code`.
  public static var sourceCode: UTType { UTType(declared: "public.source-code") }
  /// The type `public.swift-source`.
  public static var swiftSource: UTType { UTType(declared: "public.swift-source") }
  /// The type `com.netscape.javascript-source`.
  public static var javaScript: UTType { UTType(declared: "com.netscape.javascript-source") }
  /// The type `public.shell-script`.
  public static var shellScript: UTType { UTType(declared: "public.shell-script") }
  /// The type `public.python-script`.
  public static var pythonScript: UTType { UTType(declared: "public.python-script") }
  /// The type `public.image`.
  public static var image: UTType { UTType(declared: "public.image") }
  /// The type `public.jpeg`.
  public static var jpeg: UTType { UTType(declared: "public.jpeg") }
  /// The type `public.png`.
  public static var png: UTType { UTType(declared: "public.png") }
  /// The type `com.compuserve.gif`.
  public static var gif: UTType { UTType(declared: "com.compuserve.gif") }
  /// The type `public.tiff`.
  public static var tiff: UTType { UTType(declared: "public.tiff") }
  /// The type `com.microsoft.bmp`.
  public static var bmp: UTType { UTType(declared: "com.microsoft.bmp") }
  /// The type `com.microsoft.ico`.
  public static var ico: UTType { UTType(declared: "com.microsoft.ico") }
  /// The type `public.svg-image`.
  public static var svg: UTType { UTType(declared: "public.svg-image") }
  /// The type `public.heif`.
  public static var heif: UTType { UTType(declared: "public.heif") }
  /// The type `public.heic`.
  public static var heic: UTType { UTType(declared: "public.heic") }
  /// The type `org.webmproject.webp`.
  public static var webP: UTType { UTType(declared: "org.webmproject.webp") }
  /// The type `public.camera-raw-image`.
  public static var rawImage: UTType { UTType(declared: "public.camera-raw-image") }
  /// The type `public.audiovisual-content`.
  public static var audiovisualContent: UTType { UTType(declared: "public.audiovisual-content") }
  /// The type `public.movie`.
  public static var movie: UTType { UTType(declared: "public.movie") }
  /// The type `public.video`.
  public static var video: UTType { UTType(declared: "public.video") }
  /// The type `com.apple.quicktime-movie`.
  public static var quickTimeMovie: UTType { UTType(declared: "com.apple.quicktime-movie") }
  /// The type `public.mpeg`.
  public static var mpeg: UTType { UTType(declared: "public.mpeg") }
  /// The type `public.mpeg-4`.
  public static var mpeg4Movie: UTType { UTType(declared: "public.mpeg-4") }
  /// The type `public.avi`.
  public static var avi: UTType { UTType(declared: "public.avi") }
  /// The type `public.audio`.
  public static var audio: UTType { UTType(declared: "public.audio") }
  /// The type `public.mp3`.
  public static var mp3: UTType { UTType(declared: "public.mp3") }
  /// The type `public.mpeg-4-audio`.
  public static var mpeg4Audio: UTType { UTType(declared: "public.mpeg-4-audio") }
  /// The type `com.microsoft.waveform-audio`.
  public static var wav: UTType { UTType(declared: "com.microsoft.waveform-audio") }
  /// The type `public.aiff-audio`.
  public static var aiff: UTType { UTType(declared: "public.aiff-audio") }
  /// The type `public.midi-audio`.
  public static var midi: UTType { UTType(declared: "public.midi-audio") }
  /// The type `public.archive`.
  public static var archive: UTType { UTType(declared: "public.archive") }
  /// The type `org.gnu.gnu-zip-archive`.
  public static var gzip: UTType { UTType(declared: "org.gnu.gnu-zip-archive") }
  /// The type `public.zip-archive`.
  public static var zip: UTType { UTType(declared: "public.zip-archive") }
  /// The type `public.spreadsheet`.
  public static var spreadsheet: UTType { UTType(declared: "public.spreadsheet") }
  /// The type `public.presentation`.
  public static var presentation: UTType { UTType(declared: "public.presentation") }
  /// The type `public.database`.
  public static var database: UTType { UTType(declared: "public.database") }
  /// The type `public.message`.
  public static var message: UTType { UTType(declared: "public.message") }
  /// The type `public.contact`.
  public static var contact: UTType { UTType(declared: "public.contact") }
  /// The type `public.vcard`.
  public static var vCard: UTType { UTType(declared: "public.vcard") }
  /// The type `public.calendar-event`.
  public static var calendarEvent: UTType { UTType(declared: "public.calendar-event") }
  /// The type `public.email-message`.
  public static var emailMessage: UTType { UTType(declared: "public.email-message") }
  /// The type `org.idpf.epub-container`.
  public static var epub: UTType { UTType(declared: "org.idpf.epub-container") }
  /// The type `public.font`.
  public static var font: UTType { UTType(declared: "public.font") }
  /// The type `public.bookmark`.
  public static var bookmark: UTType { UTType(declared: "public.bookmark") }
}
