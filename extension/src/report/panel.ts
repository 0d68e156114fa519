// The diagnosis as a document that is read, not edited: the server's Markdown, rendered by the editor's own Markdown.
import * as vscode from "vscode";
import { type Answer, type Answers, idOf } from "../answers.js";
import type { Server } from "../server/server.js";

/** The only commands that a link in the document can run; none of them takes a command from the link. */
const LINKS = ["openPlace", "runVerification", "runAgain", "copyReport", "saveCase"].map((name) => `firstfault.${name}`);
const STYLE = `
  body { max-width: 62em; padding: 0 1.5em 3em; line-height: 1.5; font-size: var(--vscode-markdown-font-size, 14px); }
  h1 { font-size: 1.5em; line-height: 1.3; border: 0; } h2 { font-size: 1.1em; margin: 1.6em 0 0.4em; }
  pre { padding: 0.8em 1em; overflow-x: auto; background: var(--vscode-textCodeBlock-background); }
  code { font-family: var(--vscode-editor-font-family, monospace); font-size: 0.95em; }
  details { margin: 0.6em 0; } summary { cursor: pointer; }
  nav { display: flex; flex-wrap: wrap; gap: 0.5em; margin: 1em 0; }
  nav a { padding: 0.25em 0.8em; text-decoration: none; border-radius: 2px;
    color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  nav a.first { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }`;

export class Panel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly answers: Answers,
  ) {}

  /** Show an answer, the latest one when none is named. */
  async open(of: unknown): Promise<void> {
    const answer = this.answers.get(idOf(of));
    const text = answer && (await this.text(answer.id));
    if (!answer || !text) {
      void vscode.window.showInformationMessage("Firstfault: this diagnosis is gone; diagnose the run again.");
      return;
    }
    const panel = (this.panel ??= this.create());
    panel.title = title(answer);
    panel.webview.html = page(await vscode.commands.executeCommand<string>("markdown.api.render", text), answer);
    panel.reveal(panel.viewColumn, false);
    await vscode.commands.executeCommand("setContext", "firstfault.diagnosisShown", true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private async text(id: string): Promise<string | null> {
    try {
      return await this.server.ask<string | null>("firstfault.report", { id, links: "command:firstfault.openPlace" });
    } catch (error) {
      this.server.tell(error);
      return null;
    }
  }

  private create(): vscode.WebviewPanel {
    const column = vscode.window.activeTextEditor ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel("firstfault.diagnosis", "Diagnosis", column, {
      enableScripts: false,
      enableFindWidget: true,
      enableCommandUris: LINKS,
      localResourceRoots: [],
    });
    const shown = (is: boolean) => void vscode.commands.executeCommand("setContext", "firstfault.diagnosisShown", is);
    panel.onDidChangeViewState(() => shown(panel.active), undefined, this.context.subscriptions);
    panel.onDidDispose(
      () => {
        this.panel = undefined;
        shown(false);
      },
      undefined,
      this.context.subscriptions,
    );
    return panel;
  }
}

function title(answer: Answer): string {
  const { cause, verdict } = answer.diagnosis;
  return `Diagnosis: ${cause?.title ?? (verdict === "no_failure" ? "nothing failed" : "undecided")}`;
}

function page(body: string, answer: Answer): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>${body.replace("</h1>", `</h1><nav>${buttons(answer)}</nav>`)}</body></html>`;
}

function buttons(answer: Answer): string {
  const link = (command: string, label: string, first = false) => {
    const query = encodeURIComponent(JSON.stringify([{ id: answer.id }]));
    return `<a${first ? ' class="first"' : ""} href="command:${command}?${query}">${label}</a>`;
  };
  const verify = answer.diagnosis.verify && vscode.workspace.isTrusted;
  return [
    ...(verify ? [link("firstfault.runVerification", "Run verification in terminal", true)] : []),
    ...(answer.command && vscode.workspace.isTrusted ? [link("firstfault.runAgain", "Run again")] : []),
    link("firstfault.copyReport", "Copy as report"),
    link("firstfault.saveCase", "Wrong answer? Save as a case"),
  ].join("");
}
