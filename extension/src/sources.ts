// "Diagnose Log File or Folder": from the explorer, an open editor, or a dialog. Files go to the server by their paths.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Diagnosing } from "./diagnosing.js";

export function registerSources(diagnosing: Diagnosing): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("firstfault.diagnoseFile", async (from?: vscode.Uri, all?: vscode.Uri[]) => {
      const uris = await chosen(from, all);
      const [first] = uris;
      if (!first) return;
      if (uris.some((uri) => uri.scheme !== "file")) return await diagnoseText(diagnosing, first);
      const names = uris.map((uri) => path.basename(uri.fsPath)).join(", ");
      const question = { paths: uris.map((uri) => uri.fsPath), cwd: folderOf(first), origin: "files" };
      await diagnosing.show(question, `reading ${names}`);
    }),
  ];
}

async function chosen(from?: vscode.Uri, all?: vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const several = Array.isArray(all) ? all.filter((uri) => uri instanceof vscode.Uri) : [];
  if (several.length > 0) return several;
  if (from instanceof vscode.Uri) return [from];
  return await asked();
}

async function asked(): Promise<readonly vscode.Uri[]> {
  const open = vscode.window.activeTextEditor?.document.uri;
  const choices = [
    ...(open ? [{ label: `$(file) ${path.basename(open.path)}`, description: "the open file", source: "open" }] : []),
    { label: "$(file) A log file …", description: "", source: "file" },
    { label: "$(folder) A folder of logs …", description: "e.g. torchrun's --log-dir", source: "folder" },
  ];
  const choice = await vscode.window.showQuickPick(choices, { placeHolder: "What did the failed run leave?" });
  if (!choice) return [];
  if (choice.source === "open" && open) return [open];
  const folders = choice.source === "folder";
  const dialog = { canSelectFiles: !folders, canSelectFolders: folders, canSelectMany: true, openLabel: "Diagnose" };
  return (await vscode.window.showOpenDialog(dialog)) ?? [];
}

/** A file that is on no disk, e.g. of a virtual workspace: its text is sent. */
async function diagnoseText(diagnosing: Diagnosing, uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await diagnosing.show({ text: document.getText(), origin: uri.toString() }, `reading ${path.basename(uri.path)}`);
}

function folderOf(uri: vscode.Uri): string | undefined {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
}
