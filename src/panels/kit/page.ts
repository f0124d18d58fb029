/** The HTML of every panel: a page that says what it will be, may run our script, asks for it again where it does not come, and loads nothing else. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Where panels may load from: the built scripts and the pictures, nothing of the workspace. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist"), vscode.Uri.joinPath(extensionUri, "media")],
  };
}

/**
 * Script and style sheet go through VS Code's service worker, which answers "not found" to pages that it does not know yet and gives
 * up after 30 s: on a machine that is that slow a panel would stay empty. They are asked for again, and in the end it is said.
 */
const ASK_AGAIN = `
const attempts = { script: 0, link: 0 };
addEventListener("error", ({ target }) => {
  const isScript = target instanceof HTMLScriptElement;
  if (!isScript && !(target instanceof HTMLLinkElement)) return;
  const attempt = ++attempts[target.localName];
  if (attempt > 6) {
    if (!isScript) return;
    const app = document.getElementById("app");
    app.role = "alert";
    app.textContent = "VS Code did not load this page. Close it and open it again.";
    return;
  }
  const again = document.createElement(target.localName);
  for (const { name, value } of target.attributes) again.setAttribute(name, value);
  again.nonce = target.nonce;
  setTimeout(() => target.replaceWith(again), 250 * attempt);
}, true);
`;

/**
 * On a machine that is busy, script and style sheet come seconds after the page: it says at once what it will be. The style sheet
 * stands below that, since nothing that follows one is drawn before it is there.
 */
const OPENING = `
.opening {
  position: absolute;
  top: 6px;
  left: 10px;
  margin: 0;
  font: 12px/1.5 var(--vscode-font-family);
  color: var(--vscode-foreground);
}
`;

/**
 * @param panel folder under webviews/, and so the name of the built script and style sheet
 * @param title of the document; not data: no name out of a recording stands in this page
 */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, panel: string, title: string): string {
  const nonce = randomBytes(16).toString("base64url");
  const built = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webviews", file));
  // The controls try one inline style to learn what the browser can do: they take the nonce from the meta element.
  const policy = [
    "default-src 'none'",
    `img-src ${webview.cspSource} data:`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<script nonce="${nonce}">${ASK_AGAIN}</script>
<style nonce="${nonce}">${OPENING}</style>
<title>${title}</title>
</head>
<body>
<main id="app"><p class="opening" role="status">${title} · reading…</p></main>
<link rel="stylesheet" nonce="${nonce}" href="${built(`${panel}.css`)}">
<script nonce="${nonce}" src="${built(`${panel}.js`)}"></script>
</body>
</html>`;
}
