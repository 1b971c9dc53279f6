#if Web
  import Hummingbird

  /// A script or style sheet of the page, embedded in the program.
  struct PageFile {
    let name: String
    let type: String
    let bytes: [UInt8]

    static let all = [
      PageFile(name: "page.css", type: "text/css", bytes: PackageResources.page_css),
      PageFile(name: "early.js", type: "text/javascript", bytes: PackageResources.early_js),
      PageFile(name: "main.js", type: "text/javascript", bytes: PackageResources.main_js),
      PageFile(
        name: "connection.js", type: "text/javascript", bytes: PackageResources.connection_js),
      PageFile(name: "columns.js", type: "text/javascript", bytes: PackageResources.columns_js),
      PageFile(name: "width.js", type: "text/javascript", bytes: PackageResources.width_js),
      PageFile(name: "door.js", type: "text/javascript", bytes: PackageResources.door_js),
      PageFile(name: "ahead.js", type: "text/javascript", bytes: PackageResources.ahead_js),
      PageFile(name: "coming.js", type: "text/javascript", bytes: PackageResources.coming_js),
      PageFile(name: "acts.js", type: "text/javascript", bytes: PackageResources.acts_js),
      PageFile(name: "keys.js", type: "text/javascript", bytes: PackageResources.keys_js),
      PageFile(name: "others.js", type: "text/javascript", bytes: PackageResources.others_js),
      PageFile(name: "palette.js", type: "text/javascript", bytes: PackageResources.palette_js),
      PageFile(name: "session.js", type: "text/javascript", bytes: PackageResources.session_js),
      PageFile(name: "icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
      PageFile(name: "drafts.js", type: "text/javascript", bytes: PackageResources.drafts_js),
      PageFile(name: "events.js", type: "text/javascript", bytes: PackageResources.events_js),
      PageFile(name: "hold.js", type: "text/javascript", bytes: PackageResources.hold_js),
      PageFile(name: "line.js", type: "text/javascript", bytes: PackageResources.line_js),
      PageFile(name: "stream.js", type: "text/javascript", bytes: PackageResources.stream_js),
      PageFile(name: "unsent.js", type: "text/javascript", bytes: PackageResources.unsent_js),
      PageFile(name: "editor.js", type: "text/javascript", bytes: PackageResources.editor_js),
      PageFile(name: "elements.js", type: "text/javascript", bytes: PackageResources.elements_js),
      PageFile(name: "focus.js", type: "text/javascript", bytes: PackageResources.focus_js),
      PageFile(name: "grids.css", type: "text/css", bytes: PackageResources.grids_css),
      PageFile(name: "grids.js", type: "text/javascript", bytes: PackageResources.grids_js),
      PageFile(name: "headings.js", type: "text/javascript", bytes: PackageResources.headings_js),
      PageFile(name: "index.js", type: "text/javascript", bytes: PackageResources.index_js),
      PageFile(name: "menus.js", type: "text/javascript", bytes: PackageResources.menus_js),
      PageFile(name: "messages.js", type: "text/javascript", bytes: PackageResources.messages_js),
      PageFile(name: "places.js", type: "text/javascript", bytes: PackageResources.places_js),
      PageFile(name: "popovers.js", type: "text/javascript", bytes: PackageResources.popovers_js),
      PageFile(name: "screens.js", type: "text/javascript", bytes: PackageResources.screens_js),
      PageFile(name: "steps.js", type: "text/javascript", bytes: PackageResources.steps_js),
      PageFile(name: "sideways.js", type: "text/javascript", bytes: PackageResources.sideways_js),
      PageFile(name: "tables.js", type: "text/javascript", bytes: PackageResources.tables_js),
      PageFile(name: "patch.js", type: "text/javascript", bytes: PackageResources.patch_js),
      PageFile(name: "table.js", type: "text/javascript", bytes: PackageResources.table_js),
      PageFile(name: "changes.js", type: "text/javascript", bytes: PackageResources.changes_js),
      PageFile(name: "keyboard.js", type: "text/javascript", bytes: PackageResources.keyboard_js),
      PageFile(name: "motion.js", type: "text/javascript", bytes: PackageResources.motion_js),
      PageFile(name: "presses.js", type: "text/javascript", bytes: PackageResources.presses_js),
      PageFile(name: "rows.js", type: "text/javascript", bytes: PackageResources.rows_js),
      PageFile(name: "fields.js", type: "text/javascript", bytes: PackageResources.fields_js),
      PageFile(name: "search.js", type: "text/javascript", bytes: PackageResources.search_js),
      PageFile(name: "tabs.js", type: "text/javascript", bytes: PackageResources.tabs_js),
      PageFile(name: "controls.js", type: "text/javascript", bytes: PackageResources.controls_js),
      PageFile(name: "controls.css", type: "text/css", bytes: PackageResources.controls_css),
      PageFile(name: "parts.js", type: "text/javascript", bytes: PackageResources.parts_js),
      PageFile(name: "routes.js", type: "text/javascript", bytes: PackageResources.routes_js),
      PageFile(name: "drag.js", type: "text/javascript", bytes: PackageResources.drag_js),
      PageFile(name: "carrying.js", type: "text/javascript", bytes: PackageResources.carrying_js),
      PageFile(name: "swipe.js", type: "text/javascript", bytes: PackageResources.swipe_js),
    ]

    static let icon = all.first { $0.name == "icon.svg" }

    /// The files as they are served: the page's script has all of its modules in it.
    static let served = all.map { file in
      guard file.name == "main.js" else { return file }
      let sources = Dictionary(
        uniqueKeysWithValues: all.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) })
      guard let script = try? PageBundle.script(of: file.name, from: sources) else { return file }
      return PageFile(name: file.name, type: file.type, bytes: Array(script.utf8))
    }

    var response: Response {
      Response(
        status: .ok,
        headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-cache"],
        body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
  }
#endif
