// "Diagnose Selection": in an editor, in an output, in a terminal.
import * as vscode from "vscode";
import { copiedBy } from "./clipboard.js";
import type { Diagnosing } from "./diagnosing.js";

export function registerSelection(diagnosing: Diagnosing): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("firstfault.diagnoseSelection", async (from?: unknown) => {
      const text = await selected(from);
      if (text === undefined) return;
      if (!text.trim()) {
        void vscode.window.showInformationMessage("Firstfault: select the text of a failed run first, then try again.");
        return;
      }
      await diagnosing.show({ text, cwd: folder(), origin: "selection" }, "reading the selection");
    }),
  ];
}

/** Return the selected text; undefined when the user was asked which one and chose none. */
async function selected(from: unknown): Promise<string | undefined> {
  if (from instanceof vscode.Uri) return inEditor(); // the context menu of an editor
  if (from !== undefined) return await inTerminal(); // that of a terminal
  const editor = inEditor();
  const quick = inTerminalQuickly();
  if (editor.trim() && quick?.trim()) {
    const picked = await vscode.window.showQuickPick(
      [
        { label: "The terminal's selection", text: quick },
        { label: "The editor's selection", text: editor },
      ],
      { placeHolder: "Both have a selection: which one is to be diagnosed?" },
    );
    return picked?.text;
  }
  if (editor.trim()) return editor;
  return quick ?? (vscode.window.activeTerminal ? await inTerminal() : "");
}

function inEditor(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.selections.map((range) => editor.document.getText(range)).join("\n") : "";
}

/** The terminal's selection by an API that is not stable yet; undefined where there is none or it is not there. */
function inTerminalQuickly(): string | undefined {
  try {
    return (vscode.window.activeTerminal as { selection?: string } | undefined)?.selection;
  } catch {
    return undefined; // an editor that guards the proposal throws
  }
}

async function inTerminal(): Promise<string> {
  return inTerminalQuickly() ?? (await copiedBy("workbench.action.terminal.copySelection"));
}

/** The folder in which the frames of a text are looked for. */
function folder(): string | undefined {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  return first?.scheme === "file" ? first.fsPath : undefined;
}
