import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that are certainly good; all others are looked at. */
const GOOD = `'^https?://[^/?#@]*([/?#]|$)'`;

const listOf = (list: string) =>
  `json_array_elements(CASE WHEN json_typeof(${list}) = 'array' THEN ${list} ELSE '[]' END)`;

const CANDIDATE_VERSIONS = `
  SELECT listing_id, version, server, is_latest FROM listing_versions
  WHERE server->>'websiteUrl' !~* ${GOOD} OR server->'repository'->>'url' !~* ${GOOD}
    OR EXISTS (SELECT FROM ${listOf(`server->'icons'`)} AS icon WHERE icon->>'src' !~* ${GOOD})
    OR EXISTS (SELECT FROM ${listOf(`server->'remotes'`)} AS remote WHERE remote->>'url' !~* ${GOOD})
    OR EXISTS (SELECT FROM ${listOf(`server->'packages'`)} AS package
               WHERE package->>'registryBaseUrl' !~* ${GOOD} OR package->'transport'->>'url' !~* ${GOOD})`;

const CANDIDATE_LISTINGS = `
  SELECT id, website_url, repository, icons FROM listings
  WHERE website_url !~* ${GOOD} OR to_json(repository)->>'url' !~* ${GOOD}
    OR EXISTS (SELECT FROM ${listOf('to_json(icons)')} AS icon WHERE icon->>'src' !~* ${GOOD})`;

const STORE_VERSION = `UPDATE listing_versions SET server = $3 WHERE listing_id = $1 AND version = $2`;

/** What listings say of the remotes and packages of their latest version. */
const STORE_SUMMARY = `
  UPDATE listings SET transports = server_transports($2), registry_types = server_registry_types($2) WHERE id = $1`;

interface Version {
  listing_id: string;
  version: string;
  server: Record<string, unknown>;
  is_latest: boolean;
}

interface Listing {
  id: string;
  website_url: string | null;
  repository: unknown;
  icons: unknown;
}

/**
 * Documents have addresses that are http or https, without a user or password. What earlier releases accepted is dropped
 * with what it belongs to: a website, a repository, an icon, a remote, a package; new documents are checked when they arrive.
 */
export class DocumentAddresses1795764901000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const versions = (await queryRunner.query(CANDIDATE_VERSIONS)) as Version[];
    for (const { listing_id, version, server, is_latest } of versions) {
      const kept = JSON.stringify(withoutBad(server));
      if (kept === JSON.stringify(server)) continue;
      await queryRunner.query(STORE_VERSION, [listing_id, version, kept]);
      if (is_latest) await queryRunner.query(STORE_SUMMARY, [listing_id, kept]);
    }
    const listings = (await queryRunner.query(CANDIDATE_LISTINGS)) as Listing[];
    for (const { id, website_url, repository, icons } of listings)
      await queryRunner.query(`UPDATE listings SET website_url = $2, repository = $3, icons = $4 WHERE id = $1`, [
        id,
        isBad(website_url) ? null : website_url,
        repository === null || isBad(fieldOf(repository, 'url')) ? null : JSON.stringify(repository),
        JSON.stringify(Array.isArray(icons) ? icons.filter((icon) => !isBad(fieldOf(icon, 'src'))) : []),
      ]);
  }

  /** What was dropped is gone. */
  async down(): Promise<void> {}
}

function withoutBad(document: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'websiteUrl') return isBad(value) ? [] : [[field, value]];
      if (field === 'repository') return isBad(fieldOf(value, 'url')) ? [] : [[field, value]];
      const address = field === 'icons' ? 'src' : 'url';
      if (field === 'packages' && Array.isArray(value)) return [[field, value.flatMap(goodPackage)]];
      if ((field !== 'icons' && field !== 'remotes') || !Array.isArray(value)) return [[field, value]];
      return [[field, value.filter((item: unknown) => !isBad(fieldOf(item, address)))]];
    }),
  );
}

function goodPackage(item: unknown): unknown[] {
  if (isBad(fieldOf(fieldOf(item, 'transport'), 'url'))) return [];
  if (!isBad(fieldOf(item, 'registryBaseUrl'))) return [item];
  return [Object.fromEntries(Object.entries(item as object).filter(([field]) => field !== 'registryBaseUrl'))];
}

/** As `document-addresses.ts` decides today. */
function isBad(address: unknown): boolean {
  if (typeof address !== 'string') return false;
  const read = address.replace(/[\t\n\r]|^[\0-\x20]+/g, '');
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(read) ?? [];
  if (scheme !== undefined && !['http:', 'https:'].includes(scheme.toLowerCase())) return true;
  return /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i.test(read);
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
