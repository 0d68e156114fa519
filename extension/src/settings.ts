// The settings, as package.json declares them.
import * as vscode from "vscode";

export type AutomaticDiagnosis = "off" | "status" | "notification";

function setting<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration("firstfault").get<T>(name, otherwise);
}

/** The Python that the user names; empty where they name none. An untrusted workspace cannot set it (package.json). */
export const interpreter = (): string => setting("interpreter", "").trim();
export const automaticDiagnosis = (): AutomaticDiagnosis => setting("automaticDiagnosis", "notification");
export const logLevel = (): string => setting("logLevel", "info");
