import type { ManagedSettings } from '../../../api/schema';

/** How many entries are shown: a file may have thousands. */
const MAX_SHOWN = 40;

/** Where the file goes. */
export const FILE_CLIENTS = ['copilot', 'claude'] as const;
export type FileClient = (typeof FILE_CLIENTS)[number];

/**
 * @param isOnly whether people may not add servers of their own; a switch of Claude Code alone
 * @returns the settings as the file of a client
 */
export function managedFile(settings: ManagedSettings, client: FileClient, isOnly: boolean): string {
  return written({ ...settings, ...(client === 'claude' && isOnly && { allowManagedMcpServersOnly: true }) });
}

/** @returns the beginning of a file, and how many entries are left out */
export function beginningOf(file: string): { text: string; leftOut: number } {
  const settings = JSON.parse(file) as ManagedSettings;
  const shown = settings.allowedMcpServers.slice(0, MAX_SHOWN);
  const leftOut = settings.allowedMcpServers.length - shown.length;
  return { text: leftOut === 0 ? file : written({ ...settings, allowedMcpServers: shown }), leftOut };
}

const written = (settings: object): string => `${JSON.stringify(settings, null, 2)}\n`;
