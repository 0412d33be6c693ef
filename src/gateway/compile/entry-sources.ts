import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readConfig } from '../../bundles/entries/entry-config';
import type { EntryConfig } from '../../bundles/entries/entry-list';
import type { CredentialMode } from '../../bundles/entries/credential-mode';
import type { PreparedStatement } from '../../database/prepared';
import { type Connection, many } from '../../database/statements';
import { nextTurn } from '../../http/requests/next-turn';
import type { CompileTarget, Problem, ProblemCode } from './compiled-bundle';
import type { EnsuredUpstream } from '../upstreams/upstreams.service';
import {
  type ChosenCredential,
  type EntryCredential,
  entryCredential,
  missingValues,
} from '../credentials/entry-credential';
import { CredentialOrigins, type MovedCredential } from '../credentials/credential-origins';
import {
  entryUpstream,
  type CredentialedUpstream,
  credentialedUpstream,
  type EntryUpstream,
} from '../entries/entry-upstream';
import { type EntryServer, isLeftAside } from '../entries/effective-server';
import {
  credentialOfEntry,
  entryWords,
  isUsableBy,
  MEANT_VERSIONS,
  servedEntries,
} from '../entries/visible-entries.sql';

const CREDENTIAL = credentialOfEntry('$1', '(SELECT org_id FROM bundles WHERE bundles.id = $1)', '$4::uuid');

/** $1 bundle, $2 the number of a version or null, $3 person, $4 the same if their own credentials are used. */
const ENTRIES = `
  SELECT entries.id, entries.key, entries.config, entries.listing_name, entries.credential_mode, entries.endpoint_url,
         meant.listing_id, meant.version, ${CREDENTIAL} AS chosen,
         ${isUsableBy('$3')} AS is_usable, ${entryWords(CREDENTIAL)} AS words
  FROM ${servedEntries('$1', '$2::int')} ${MEANT_VERSIONS}
  ORDER BY entries.place`;

/** $1 listings and $2 their versions. */
const DOCUMENTS: PreparedStatement = {
  name: 'gateway_documents',
  sql: `
  SELECT wanted.place::int AS place, listing_versions.server
  FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted(listing_id, version, place)
  JOIN listing_versions ON listing_versions.listing_id = wanted.listing_id AND listing_versions.version = wanted.version`,
};

/** $1 credentials. */
const CHOSEN = `
  SELECT credentials.id, credentials.version, credentials.kind, credentials.owner, credentials.origin, credentials.status,
         ARRAY(SELECT name FROM credential_values WHERE credential_id = credentials.id ORDER BY name) AS names
  FROM credentials WHERE credentials.id = ANY ($1::uuid[])`;

/** Entries whose documents, of up to 128 KiB each, are in memory at once. */
const ENTRIES_PER_BATCH = 20;

interface EntryRow {
  id: string;
  key: string;
  config: EntryConfig;
  listing_name: string;
  listing_id: string;
  version: string;
  credential_mode: CredentialMode;
  endpoint_url: string | null;
  /** The id and the version of the credential that it uses. */
  chosen: string | null;
  is_usable: boolean;
  words: string;
}

/** An enabled entry that the person may see, and the server that it needs. */
export interface EntrySource {
  readonly id: string;
  readonly key: string;
  readonly listingName: string;
  readonly listingVersion: string;
  /** Null if it cannot be reached from here: a problem says why. */
  readonly upstream: EnsuredUpstream | null;
  /** Absent: it uses none. */
  readonly credential?: EntryCredential;
}

/** The entries of a bundle in the view of a person. */
export interface BundleSources {
  /** The enabled entries in their order. */
  readonly sources: EntrySource[];
  /** Why others cannot be used. */
  readonly problems: Problem[];
  /** This is the digest of the entries that they may use, as the statement that admits them has it. */
  readonly digest: string;
}

/** Reads the entries of bundles for their endpoints. */
@Injectable()
export class EntrySources {
  constructor(
    private readonly dataSource: DataSource,
    private readonly origins: CredentialOrigins,
  ) {}

  /**
   * One statement, one for every 20 entries, and one if any of them uses a credential.
   *
   * @param target whose view of which bundle
   * @param connection of the transaction that has changed it
   */
  async read(
    {
      bundleId,
      boundVersion,
      personId,
      usesPersonal = false,
    }: Pick<CompileTarget, 'bundleId' | 'boundVersion' | 'personId' | 'usesPersonal'>,
    connection: Connection = this.dataSource,
  ): Promise<BundleSources> {
    const own = usesPersonal ? personId : null;
    const rows = await many<EntryRow>(connection, ENTRIES, [bundleId, boundVersion, personId, own]);
    const usable = rows.filter(({ is_usable }) => is_usable);
    const problems = rows.filter(({ is_usable }) => !is_usable).map(({ id }) => unavailable(id));
    const sources: EntrySource[] = [];
    const credentials = await this.credentials(usable, connection);
    for (let done = 0; done < usable.length; done += ENTRIES_PER_BATCH) {
      const batch = usable.slice(done, done + ENTRIES_PER_BATCH);
      const documents = await this.documents(batch, connection);
      for (const [index, row] of batch.entries()) {
        const { id, key, config, listing_name: listingName, version: listingVersion, credential_mode: mode } = row;
        const source = { id, key, listingName, listingVersion };
        const [document, known] = [documents.get(index + 1), readConfig(config)];
        const server: EntryServer = { document, config: known, endpointUrl: row.endpoint_url };
        const found = mode === 'NONE' ? entryUpstream(server) : credentialedUpstream(server);
        if (isLeftAside(server)) problems.push({ code: 'endpoint_url_kept', entryId: id, detail: LEFT_ASIDE });
        if (!('url' in found)) {
          problems.push({ code: found.code, entryId: id, detail: found.detail });
          sources.push({ ...source, upstream: null });
        } else if (mode !== 'NONE' && isOpen(found)) {
          const credential = entryCredential(mode, found, credentials.get(idIn(row.chosen)));
          problems.push(...credentialProblems(id, credential));
          sources.push({ ...source, upstream: usedUpstream(found, credential), credential });
        } else sources.push({ ...source, upstream: found });
        await nextTurn();
      }
    }
    this.origins.note(sources.flatMap(movedIn));
    return { sources, problems, digest: hash('sha256', usable.map(({ words }) => words).join('\n'), 'base64') };
  }

  private async credentials(rows: readonly EntryRow[], connection: Connection): Promise<Map<string, ChosenCredential>> {
    const ids = rows.flatMap(({ chosen }) => (chosen === null ? [] : idIn(chosen)));
    if (ids.length === 0) return new Map();
    const found = await many<ChosenCredential>(connection, CHOSEN, [ids]);
    return new Map(found.map((credential) => [credential.id, credential]));
  }

  private async documents(rows: readonly EntryRow[], connection: Connection): Promise<Map<number, unknown>> {
    const found = await many<{ place: number; server: unknown }>(connection, DOCUMENTS, [
      rows.map(({ listing_id }) => listing_id),
      rows.map(({ version }) => version),
    ]);
    return new Map(found.map(({ place, server }) => [place, server]));
  }
}

const LEFT_ASIDE = 'Its listing has a remote server now. Calls go on to its endpoint_url until an editor removes that.';

/** Does not name the listing, which they may not be allowed to know. */
function unavailable(entryId: string): Problem {
  const detail = 'Its listing was archived or deleted, its version was deleted, or you may not see it.';
  return { code: 'unavailable', entryId, detail };
}

function isOpen(upstream: EntryUpstream): upstream is CredentialedUpstream {
  return 'placements' in upstream;
}

function idIn(chosen: string | null): string {
  return chosen?.split(' ')[0] ?? '';
}

/**
 * Where the entry leads to. Without a credential that can be sent, that is the server as everyone sees it, if its address has
 * no secret in it. To an origin that has taken the place of another one nothing is sent at all.
 */
function usedUpstream(
  { url, headers, placements }: CredentialedUpstream,
  { state, chosen }: EntryCredential,
): EnsuredUpstream | null {
  if (state === 'ORIGIN_CHANGED') return null;
  // Tools that were listed with it stay: their calls say that it has to be connected again.
  if ((state === 'CONNECTED' || state === 'RECONNECT') && chosen)
    return { url, headers, credential: { id: chosen.id, version: chosen.version, placements } };
  return placements.url ? null : { url, headers };
}

function movedIn({ credential }: EntrySource): MovedCredential[] {
  if (credential?.state !== 'ORIGIN_CHANGED' || !credential.chosen) return [];
  return [{ id: credential.chosen.id, origin: credential.origin }];
}

const CREDENTIAL_PROBLEMS: Record<Exclude<EntryCredential['state'], 'CONNECTED'>, ProblemCode> = {
  MISSING: 'credential_missing',
  RECONNECT: 'credential_reconnect',
  ORIGIN_CHANGED: 'credential_origin_changed',
};

function credentialProblems(entryId: string, credential: EntryCredential): Problem[] {
  const { state } = credential;
  if (state === 'CONNECTED') return [];
  return [{ code: CREDENTIAL_PROBLEMS[state], entryId, detail: credentialDetail(credential) }];
}

function credentialDetail(credential: EntryCredential): string {
  const { mode, state, chosen, origin } = credential;
  if (state === 'ORIGIN_CHANGED')
    return `Its server is at ${origin} now, and its credential was given for ${chosen?.origin ?? 'another origin'}: nothing is sent there until that is confirmed.`;
  if (state === 'RECONNECT') return 'Its credential is no longer accepted: it has to be connected again.';
  if (chosen) return `Its credential has no value for: ${missingValues(credential, chosen).join(', ')}.`;
  if (mode === 'SHARED')
    return 'It uses a shared credential, and neither the bundle nor its organisation has one for it.';
  return mode === 'PERSONAL'
    ? 'It uses the credential of the person who calls, and you have none for it.'
    : 'It uses a credential, and there is neither one of yours nor a shared one for it.';
}
