import type { InstallClient } from '../../api/schema';

/** The clients that a server can be added to; the first is the one that most people are offered. */
export const CLIENTS = ['vscode', 'cursor', 'claude-code', 'claude-desktop'] as const satisfies InstallClient[];

/** Where the browser remembers the client that was used last. */
const LAST = 'toolyard.client';

/** @returns the client with this name, if it is one */
export function clientNamed(name: string | null | undefined): InstallClient | undefined {
  return CLIENTS.find((client) => client === name);
}

/** @returns the client that was chosen last here */
export function lastClient(): InstallClient {
  return clientNamed(window.localStorage.getItem(LAST)) ?? CLIENTS[0];
}

export function rememberClient(client: InstallClient): void {
  window.localStorage.setItem(LAST, client);
}
