import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_ID, CLIENT_SECRET } from './identity-providers';

/** One entry of `SSO_PROVIDERS_FILE`. */
export type ProviderEntry = { id: string; issuer: string } & Record<string, unknown>;

/** @returns the path of a new `SSO_PROVIDERS_FILE` */
export function providersFile(...entries: ProviderEntry[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'toolyard-sso-')), 'sso.json');
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  writeFileSync(path, JSON.stringify(entries.map((entry) => ({ ...client, name: entry.id, ...entry }))));
  return path;
}
