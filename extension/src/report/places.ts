// Opens a place that the diagnosis names: a line of a log or of the code.
import * as vscode from "vscode";

export function registerPlaces(): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("firstfault.openPlace", async (path: unknown, line: unknown) => {
      if (typeof path !== "string" || typeof line !== "number") return;
      const at = new vscode.Position(Math.max(0, line - 1), 0);
      // the workbench's own command also knows what to do with a file that is too large for an editor
      const options = { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.One };
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path), options);
    }),
  ];
}
