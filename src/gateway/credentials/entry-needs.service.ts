import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { CredentialMode } from '../../bundles/entries/credential-mode';
import { readConfig } from '../../bundles/entries/entry-config';
import type { EntryConfig } from '../../bundles/entries/entry-list';
import { many } from '../../database/statements';
import { type Page, type PageQuery, Pages } from '../../http/requests/page';
import { nextTurn } from '../../http/requests/next-turn';
import { entryUpstream, type CredentialedUpstream, credentialedUpstream } from '../entries/entry-upstream';
import { isUsableBy, MEANT_VERSIONS, servedEntries } from '../entries/visible-entries.sql';
import { LISTED_COLUMNS } from './credential-list.sql';
import { kindsOf } from './credential-needs';
import type { CredentialNeedOut, EntryCredentialOut } from './credential-needs.dto';
import { type ListedCredentialRow, toValues } from './credential.dto';
import { credentialState } from './entry-credential';

const LIST = 'credential needs';
const HIDDEN = 'It uses no credential, and only those who belong to the bundle see where its server runs.';

/** $1 bundle, $2 person, $3 the place after which the page begins, $4 rows. */
const ENTRIES = `
  SELECT entries.id, entries.key, entries.place, entries.listing_id, entries.listing_name, entries.config,
         entries.credential_mode, entries.endpoint_url, meant.server
  FROM ${servedEntries('$1', 'NULL::int')} ${MEANT_VERSIONS}
  WHERE ${isUsableBy('$2')} AND ($3::int IS NULL OR entries.place > $3) ORDER BY entries.place LIMIT $4`;

/** $1 bundle, $2 person, $3 entries, $4 their listings: what there is for them. */
const THERE = `
  SELECT ${LISTED_COLUMNS} FROM credentials
  WHERE credentials.owner = 'PERSON' AND credentials.person_id = $2 AND credentials.entry_id = ANY ($3::uuid[])
     OR credentials.owner = 'BUNDLE' AND credentials.bundle_id = $1 AND credentials.entry_id = ANY ($3::uuid[])
     OR credentials.owner = 'ORGANISATION' AND credentials.listing_id = ANY ($4::uuid[])
        AND credentials.organisation_id = (SELECT org_id FROM bundles WHERE bundles.id = $1)`;

interface EntryRow {
  id: string;
  key: string;
  place: number;
  listing_id: string;
  listing_name: string;
  config: EntryConfig;
  credential_mode: CredentialMode;
  endpoint_url: string | null;
  server: unknown;
}

/** Says what the servers of a bundle need from a person. */
@Injectable()
export class EntryNeeds {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
  ) {}

  /** @throws NotFoundError */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<CredentialNeedOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForReader(this.dataSource.manager, caller, bundleId);
    const { id, may_modify: isEditor, is_insider: isInsider } = bundle;
    const access = { isEditor, isInsider };
    const rows = await many<EntryRow>(this.dataSource, ENTRIES, [id, caller.userId, page.after, page.take]);
    const there = await many<ListedCredentialRow>(this.dataSource, THERE, [
      ...[id, caller.userId],
      rows.map((row) => row.id),
      rows.map((row) => row.listing_id),
    ]);
    const needs = new Map<string, CredentialNeedOut>();
    for (const row of rows) {
      needs.set(row.id, needOf(row, there, access));
      await nextTurn();
    }
    const place = ({ place }: EntryRow) => String(place);
    return page.close(rows, (row) => needs.get(row.id) ?? needOf(row, there, access), place);
  }
}

/** What the caller may see of a bundle. */
interface BundleAccess {
  readonly isEditor: boolean;
  /** Not only because it is public. */
  readonly isInsider: boolean;
}

function needOf(
  row: EntryRow,
  there: readonly ListedCredentialRow[],
  { isEditor, isInsider }: BundleAccess,
): CredentialNeedOut {
  const { id, key, listing_name, credential_mode: mode } = row;
  const server = { document: row.server, config: readConfig(row.config), endpointUrl: row.endpoint_url };
  const found = mode === 'NONE' ? entryUpstream(server) : undefined;
  const open = credentialedUpstream(server);
  const target = 'placements' in open ? open : undefined;
  const takesPersonal = mode === 'PERSONAL' || mode === 'PERSONAL_OR_SHARED';
  const takesShared = mode === 'SHARED' || mode === 'PERSONAL_OR_SHARED';
  const own = there.find(({ owner, entry_id }) => owner === 'PERSON' && entry_id === id);
  const shared =
    there.find(({ owner, entry_id }) => owner === 'BUNDLE' && entry_id === id) ??
    // An organisation's is not sent to an `endpoint_url` (`chosenCredential`).
    there.find(
      ({ owner, listing_id }) => owner === 'ORGANISATION' && listing_id === row.listing_id && row.endpoint_url === null,
    );
  const [personalOut, sharedOut] = [shown(own, target, true), takesShared ? shown(shared, target, isEditor) : null];
  // Anyone who gives a credential has to know where it goes. Where nothing is given, the host of an editor is not for outsiders.
  const isHidden = mode === 'NONE' && row.endpoint_url !== null && !isInsider;
  const used = (takesPersonal ? personalOut : null) ?? sharedOut;
  return {
    ...{ entry_id: id, key, listing_name, credential_mode: mode },
    origin: isHidden ? null : (target?.origin ?? null),
    reason: isHidden ? HIDDEN : 'detail' in open ? open.detail : found && 'detail' in found ? found.detail : null,
    state: mode === 'NONE' ? null : (used?.state ?? 'MISSING'),
    kinds: mode === 'NONE' || !target ? [] : kindsOf(target),
    secrets: (target?.secrets ?? []).map(({ name, isRequired, description }) => {
      return { name, is_required: isRequired, description: description ?? null };
    }),
    set_elsewhere: [...(target?.setElsewhere ?? [])],
    personal: personalOut,
    shared: sharedOut,
  };
}

/** @param isManaged whether the caller may see which values it has */
function shown(
  row: ListedCredentialRow | undefined,
  target: CredentialedUpstream | undefined,
  isManaged: boolean,
): EntryCredentialOut | null {
  if (!row) return null;
  const { id, owner, kind, origin, value_names: names } = row;
  const state = target ? credentialState(target, { ...row, names }) : 'MISSING';
  return { id: isManaged ? id : null, owner, kind, state, origin, values: isManaged ? toValues(row) : [] };
}
