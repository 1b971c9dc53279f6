#if !canImport(UIKit)
  import CoreData
  import ListKit

  // Following what others save: on Apple's platforms merges happen by themselves.
  extension SavingScene: SceneFollowing {
    /// Lets the window take over what others have saved when its turn comes, and before each event:
    /// what its user does is done to the newest rows.
    func takeOverInTurn() {
      guard let context = context as? WindowContext else { return }
      scene?.following = self
      context.onTurn = { [weak self, weak scene = scene as? UIWindowScene] in
        if let window = scene?.windows.first { window.takeTurn() } else { self?.takeOver() }
      }
      context.onRemoteChanges = { [weak scene = scene as? UIWindowScene] in
        for window in scene?.windows ?? [] { window.stepOut() }
      }
    }

    package var isBehind: Bool { context.hasWaitingSaves }

    /// What is not saved meets what others have made of it, and they may have deleted what the user
    /// has made a moment ago.
    package var mustLook: Bool {
      context.hasChanges || isFailing || isWaiting
        || deeds.isWatching && context.hasWaitingDeletions
    }

    package func takeOver() { context.mergeWaitingSaves() }
    package func askForTurn() { (context as? WindowContext)?.askForTurn?() }
  }
#endif
