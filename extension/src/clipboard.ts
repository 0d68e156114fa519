// Reads what a workbench command copies, and puts the clipboard back. Used only when the user has clicked for it.
import * as vscode from "vscode";

const POLLS = 40; // the workbench does not wait for its own write to the clipboard, so we look for it
const POLL = 25; // milliseconds

/** Run a command that copies; return what it copied, empty when it copied nothing. */
export async function copiedBy(command: string): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  const marker = `firstfault-${Date.now()}-${Math.random()}`; // tells "copied nothing" from "copied the same text"
  await vscode.env.clipboard.writeText(marker);
  try {
    await vscode.commands.executeCommand(command);
    for (let poll = 0; poll < POLLS; poll++) {
      const text = await vscode.env.clipboard.readText();
      if (text !== marker) return text;
      await new Promise((done) => setTimeout(done, POLL));
    }
    return "";
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}
