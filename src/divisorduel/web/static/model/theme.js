// Light, dark, the system's choice, or high contrast.

import * as storage from "./storage.js";

export function applyTheme() {
  document.documentElement.dataset.theme = storage.choices().theme ?? "system";
}
