/** User settings of a window that asks nothing, fetches nothing and shows nothing but the work at hand. */
export const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
};

/** The same for tests: nothing that could differ from run to run. */
export const testSettings = {
  ...quietSettings,
  "workbench.colorTheme": "Default Dark Modern",
  "git.enabled": false,
  // What a server leaves out of VS Code's own extensions would be started in the page.
  "extensions.webWorker": false,
  "task.allowAutomaticTasks": "off",
  // What terminals say is text in the page then, which tests read.
  "terminal.integrated.gpuAcceleration": "off",
  // What moves or blinks without being asked is drawn anew all the time.
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
  "terminal.integrated.cursorBlinking": false,
  "files.autoSave": "off",
  "window.confirmBeforeClose": "never",
  // Rows of the Explorer stay where they are when another editor comes to the front.
  "explorer.autoReveal": false,
};

/** What tests need of the extensions that VS Code comes with: how things look. */
export const testBuiltIn = ["cpp", "json", "python", "theme-defaults", "theme-modern-icons", "theme-seti"];
