/// The types of modules that draw. Many a source imports UIKit for Foundation, which it brings along: such a source is
/// built, and its copy imports Foundation.
enum InterfaceWords {
  /// Modules whose import is replaced, where nothing of them is used that Foundation does not have here.
  static let replacedModules: Set<String> = [
    "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "ObjectiveC", "Darwin", "CoreGraphics",
    "QuartzCore", "CoreFoundation",
  ]

  /// Whether a word that may be a type belongs to one of these modules.
  static func isInterface(_ word: String, of module: String) -> Bool {
    switch module {
    case "UIKit": isUIKit(word)
    case "WatchKit": isUIKit(word) || word.hasPrefix("WK")
    case "AppKit", "Cocoa": isAppKit(word)
    case "CoreGraphics", "QuartzCore": isDrawing(word) || isAnimation(word)
    case "CoreFoundation": isPrefixed(word, "CF") && !ofFoundationSupport.contains(word)
    case "SwiftUI": swiftUI.contains(word) || isUIKit(word) || isAppKit(word)
    default: false
    }
  }

  /// `UIColor`, but not `UInt` or `UIDisplayed…` of the project's own, which its declaration tells apart.
  private static func isPrefixed(_ word: String, _ prefix: String) -> Bool {
    word.hasPrefix(prefix) && word.dropFirst(prefix.count).first?.isUppercase == true
  }

  private static func isUIKit(_ word: String) -> Bool {
    isPrefixed(word, "UI") || isAnimation(word) || common.contains(word)
  }

  /// `CALayer`, but not `CAGEMaxHours`: a project's own names may begin so too.
  private static func isAnimation(_ word: String) -> Bool {
    word.hasPrefix("CA") && animation.contains { word.dropFirst(2).hasPrefix($0) }
  }

  private static let animation = [
    "Animation", "BasicAnimation", "DisplayLink", "EAGLLayer", "Emitter", "FrameRateRange",
    "GradientLayer", "KeyframeAnimation", "Layer", "MediaTiming", "MetalLayer", "PropertyAnimation",
    "ReplicatorLayer", "ScrollLayer", "ShapeLayer", "SpringAnimation", "TextLayer", "TiledLayer",
    "Transaction", "TransformLayer", "Transform3D", "Transition", "ValueFunction",
  ]

  /// What of Core Graphics Foundation does not have here.
  private static func isDrawing(_ word: String) -> Bool {
    isPrefixed(word, "CG")
      && !["CGFloat", "CGPoint", "CGRect", "CGRectEdge", "CGSize"].contains(word)
  }

  private static let ofFoundationSupport: Set<String> = [
    "CFAbsoluteTime", "CFAbsoluteTimeGetCurrent", "CFTimeInterval",
    "CFAllocator", "CFIndex", "CFOptionFlags",
    "CFRunLoop", "CFRunLoopActivity", "CFRunLoopAddObserver", "CFRunLoopContainsObserver",
    "CFRunLoopGetCurrent", "CFRunLoopGetMain", "CFRunLoopMode", "CFRunLoopObserver",
    "CFRunLoopObserverCreateWithHandler", "CFRunLoopObserverInvalidate", "CFRunLoopObserverIsValid",
    "CFRunLoopRemoveObserver", "CFRunLoopRun", "CFRunLoopStop", "CFRunLoopWakeUp",
  ]

  private static func isAppKit(_ word: String) -> Bool {
    if isAnimation(word) || common.contains(word) { return true }
    guard word.hasPrefix("NS") else { return false }
    return appKit.contains { word.dropFirst(2).hasPrefix($0) } || word == "NSApp"
  }

  /// What both have, and Foundation on Apple's systems.
  private static let common: Set<String> = [
    "NSLayoutConstraint", "NSLayoutManager", "NSLayoutAnchor", "NSTextAttachment", "NSTextStorage",
    "NSTextContainer",
    "NSParagraphStyle", "NSMutableParagraphStyle", "NSShadow", "NSDirectionalEdgeInsets",
    "NSItemProvider",
    "NSUserActivity", "NSTextAlignment", "NSLineBreakMode", "NSUnderlineStyle", "NSDataAsset",
    "NSCollectionLayoutSection", "NSCollectionLayoutItem", "NSCollectionLayoutSize",
    "NSCollectionLayoutGroup",
    "CGColor", "CGImage", "CGContext", "CGPath", "CGMutablePath", "CGColorSpace", "CGGradient",
    "CGAffineTransform",
    "CGDataProvider", "CIImage", "CIFilter", "CIContext", "OpenURLOptionsKey",
  ]

  /// How AppKit's names begin, after `NS`.
  private static let appKit = [
    "Alert", "Animation", "Application", "ArrayController", "Bezier", "BitmapImage", "Box",
    "Browser", "Button", "Cell",
    "Click", "CollectionView", "Color", "ComboBox", "Control", "Cursor", "DatePicker", "DockTile",
    "Document", "Dragging",
    "Event", "Font", "Gesture", "Graphics", "Hosting", "Image", "Level", "LayoutGuide",
    "MagnificationG", "Menu", "Nib",
    "ObjectController", "OpenPanel", "Outline", "Panel", "PanG", "Pasteboard", "PathControl",
    "PopUp", "Popover", "Print",
    "ProgressIndicator", "Responder", "RunningApplication", "SavePanel", "Screen", "Scroll",
    "Search", "Secure",
    "Segmented", "Slider", "Sound", "SplitView", "StackView", "StatusBar", "StatusItem", "Stepper",
    "Storyboard",
    "Switch", "TabView", "TableCell", "TableColumn", "TableRow", "TableView", "TextField",
    "TextView", "Titlebar",
    "Token", "Toolbar", "Touch", "TrackingArea", "TreeController", "TreeNode", "UserInterface",
    "View", "VisualEffect",
    "Window", "Workspace",
  ]

  /// What Foundation and SwiftUI bring along of other modules, by these.
  static let broughtAlong: [String: Set<String>] = [
    "Combine": [
      "AnyCancellable", "AnyPublisher", "Cancellable", "CurrentValueSubject", "Future", "Just",
      "ObservableObject", "ObservableObjectPublisher", "PassthroughSubject", "Published",
    ],
    "Observation": [
      "Observable", "ObservationIgnored", "ObservationRegistrar", "ObservationTracked",
      "Observations", "withObservationTracking",
    ],
    "Security": SecurityWords.functions,
  ]

  private static let swiftUI: Set<String> = [
    "AccessibilityFocusState", "ActionSheet", "Alert", "Alignment", "Angle", "Animation",
    "AnyLayout", "AnyShape",
    "AnyTransition", "AnyView", "App", "AppStorage", "AsyncImage", "Axis", "Bindable", "Binding",
    "BindingConvertible",
    "Button", "ButtonStyle", "Canvas", "Capsule", "Circle", "Color", "ColorPicker", "ColorScheme",
    "Commands",
    "ContentMode", "ContentSizeCategory", "ContentUnavailableView", "CoordinateSpace", "DatePicker",
    "DisclosureGroup", "DismissAction", "Divider", "DragGesture", "DynamicProperty",
    "DynamicTypeSize", "Edge",
    "EdgeInsets", "EditButton", "EditMode", "Ellipse", "EmptyView", "Entry", "Environment",
    "EnvironmentKey", "EnvironmentObject",
    "EnvironmentValues", "EquatableView", "FetchRequest", "FetchedResults", "FocusState",
    "FocusedBinding",
    "FocusedValue", "Font", "ForEach", "Form", "GeometryProxy", "GeometryReader", "Gesture",
    "GestureState", "Gradient",
    "Grid", "GridItem", "Group", "GroupBox", "HStack", "HorizontalAlignment", "Image",
    "InsettableShape", "KeyEquivalent",
    "Label", "LabelStyle", "LabeledContent", "Layout", "LayoutDirection", "LazyHGrid", "LazyHStack",
    "LazyVGrid", "LazyVStack",
    "LinearGradient", "Link", "List", "LongPressGesture", "Material", "Menu",
    "MoveCommandDirection",
    "Namespace", "NavigationLink", "NavigationPath", "NavigationSplitView", "NavigationStack",
    "NavigationView",
    "ObservedObject", "OpenURLAction", "OutlineGroup", "Path", "Picker", "PinnedScrollableViews",
    "PopoverAttachmentAnchor",
    "PreferenceKey", "Preview", "PreviewProvider", "PrimitiveButtonStyle", "ProgressView",
    "ProgressViewStyle",
    "ProjectionTransform", "RadialGradient", "Rectangle", "RedactionReasons", "RefreshAction",
    "RotationGesture",
    "RoundedRectangle", "Scene", "ScenePhase", "SceneStorage", "ScrollView", "ScrollViewProxy",
    "ScrollViewReader",
    "Section", "SectionedFetchRequest", "SectionedFetchResults", "SecureField", "Settings", "Shape",
    "ShapeStyle",
    "ShareLink", "Slider", "Spacer", "State", "StateObject", "Stepper", "StrokeStyle",
    "SubmitLabel", "SwiftUI", "Tab",
    "TabView", "Table", "TapGesture", "Text", "TextAlignment", "TextEditor", "TextField",
    "TextFieldStyle",
    "TimelineView", "ToggleStyle", "Toggle", "ToolbarContent", "ToolbarItem", "ToolbarItemGroup",
    "ToolbarItemPlacement",
    "Transaction", "Transferable", "TransferRepresentation", "Transition", "UIHostingController",
    "UIViewControllerRepresentable", "UIViewRepresentable", "UnitPoint", "UserInterfaceSizeClass",
    "VStack",
    "VerticalAlignment", "View", "ViewBuilder", "ViewDimensions", "ViewModifier", "ViewThatFits",
    "Visibility",
    "WindowGroup", "Window", "ZStack",
  ]
}
