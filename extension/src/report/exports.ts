// "Copy as Report" and "Wrong Answer?": the answer without what is private, to the clipboard or to a file. Nothing is sent.
import * as vscode from "vscode";
import { type Answer, type Answers, idOf } from "../answers.js";
import type { Server } from "../server/server.js";

interface Hidden {
  readonly kind: string;
  readonly shown: string;
  readonly original: string;
  readonly count: number;
}

interface Exported {
  readonly text: string;
  readonly hidden: readonly Hidden[];
  /** What was hidden, in words; empty when nothing was. */
  readonly told: string;
}

export function registerExports(
  context: vscode.ExtensionContext,
  server: Server,
  answers: Answers,
): vscode.Disposable[] {
  return [
    vscode.commands.registerCommand("firstfault.copyReport", async (of?: unknown) => {
      const [, report] = await exported(server, answers, of, "firstfault.redactedReport");
      if (!report) return;
      await vscode.env.clipboard.writeText(report.text);
      await tell(`The report is in the clipboard. ${hidden(report)}`, report, {});
    }),
    vscode.commands.registerCommand("firstfault.saveCase", async (of?: unknown) => {
      const [answer, report] = await exported(server, answers, of, "firstfault.case");
      if (!answer || !report) return;
      const file = await write(context, answer, report.text);
      const path = file.scheme === "file" ? file.fsPath : file.toString();
      await tell(`Saved ${path}. ${hidden(report)} Nothing was sent: attach the file to an issue.`, report, {
        "Open File": async () => void (await vscode.window.showTextDocument(file)),
        "Copy Path": async () => await vscode.env.clipboard.writeText(path),
      });
    }),
  ];
}

async function exported(
  server: Server,
  answers: Answers,
  of: unknown,
  command: string,
): Promise<[Answer?, Exported?]> {
  const answer = answers.get(idOf(of));
  try {
    const report = answer && (await server.ask<Exported | null>(command, { id: answer.id }));
    if (report) return [answer, report];
    void vscode.window.showInformationMessage("Firstfault: this diagnosis is gone; diagnose the run again.");
  } catch (error) {
    server.tell(error);
  }
  return [];
}

function hidden(report: Exported): string {
  return report.told ? `Hidden: ${report.told}.` : "It had nothing to hide.";
}

async function tell(message: string, report: Exported, actions: Record<string, () => Promise<void>>): Promise<void> {
  const show = async () => {
    const rows = report.hidden.map(({ shown, original, count }) => `| ${shown} | \`${original}\` | ${count} |`);
    const content = ["| shown as | what it hides | times |", "| --- | --- | --- |", ...rows, ""].join("\n");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: "markdown" }));
  };
  const all = { ...actions, ...(report.hidden.length > 0 ? { "Show What Was Hidden": show } : {}) };
  // not awaited by the caller's command: a notification may stay for hours
  void vscode.window.showInformationMessage(`Firstfault: ${message}`, ...Object.keys(all)).then((choice) => {
    if (choice) void all[choice as keyof typeof all]?.();
  });
}

/** Write the case where the user finds it: in the workspace, else in the extension's own folder. */
async function write(context: vscode.ExtensionContext, answer: Answer, text: string): Promise<vscode.Uri> {
  const workspace = vscode.workspace.isTrusted ? vscode.workspace.workspaceFolders?.[0]?.uri : undefined;
  const root = workspace?.scheme === "file" ? vscode.Uri.joinPath(workspace, ".firstfault") : context.globalStorageUri;
  const folder = vscode.Uri.joinPath(root, "cases");
  const cause = (answer.diagnosis.cause?.id ?? answer.diagnosis.verdict).replaceAll("/", "-");
  const stamp = new Date().toISOString().replace(/[:.]/g, "-").slice(0, 19);
  const file = vscode.Uri.joinPath(folder, `${cause}-${stamp}.json`);
  await vscode.workspace.fs.createDirectory(folder);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  return file;
}
