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
  "task.allowAutomaticTasks": "off",
  "files.autoSave": "off",
  "window.confirmBeforeClose": "never",
  "editor.minimap.enabled": false,
};
