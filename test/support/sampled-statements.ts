import { bundleList } from '../../src/bundles/bundle-list.sql';
import { facetsStatement, listStatement, type ListingCriteria } from '../../src/catalog/listings/listing-search.sql';
import { ACCOUNT_OF_TOKEN } from '../../src/auth/authorization-server/token-status.sql';
import { FIND } from '../../src/users/accounts.sql';
import { listUsers } from '../../src/users/account-administration.sql';
import { selectBatch, writeBatch } from '../../src/operations/secrets-keys/re-encryption.sql';
import { SEALED_COLUMNS } from '../../src/schema';
import { endOfAuditFile, listAuditLog } from '../../src/organisations/audit/audit-log.sql';
import { listAccountLog } from '../../src/users/account-log/account-log.sql';
import { attachDay, CallDay, createDay, dropDay } from '../../src/gateway/calls/call-partitions.sql';
import { CALL_FILTERS, callStatistics, listCalls } from '../../src/gateway/calls/call-list.sql';
import { type MemberFilter, memberPage } from '../../src/scim/roles/members/listed-members.sql';
import { listQuarantine } from '../../src/catalog/import/quarantine.sql';
import * as registry from '../../src/catalog/registry/registry.sql';

/** Statements that are put together at run time, as they leave in some cases, by the file in which they are committed. */
export interface SampledStatements {
  /** Below the repository. */
  file: string;
  title: string;
  samples: readonly StatementSample[];
}

export interface StatementSample {
  /** Where it is run, as in `declaredStatements()`. */
  place: string;
  when: string;
  sql: string;
}

const RE_ENCRYPTION = 'operations/secrets-keys/re-encryption.ts › ReEncryption';
const PERSON = '00000000-0000-7000-8000-000000000001';
const ORGANISATION = '00000000-0000-7000-8000-000000000002';
const LISTING = '00000000-0000-7000-8000-000000000003';

const SEARCH = 'catalog/listings/listing-search.service.ts › ListingSearch';
const REGISTRY = 'catalog/registry/registry.service.ts › RegistryService';
const BUNDLES = 'bundles/bundles.service.ts › BundlesService.list';

const CALLS = 'gateway/calls/calls.service.ts › CallsService.list';
const DAYS_OF_CALLS = 'gateway/calls/call-partitions.ts › CallPartitions';
const CALL_DAY = CallDay.of(new Date('2026-11-23T12:00:00Z'));

const PUBLIC: ListingCriteria = { userId: PERSON, scope: 'public' };
const FOUND: ListingCriteria = { ...PUBLIC, search: 'weather' };
const OURS = { orgId: ORGANISATION, includeDeleted: false };
const EVERYBODYS = { orgId: null, includeDeleted: false };

const EVERY_MEMBER_FILTER: MemberFilter = { role: 'ADMIN', reason: 'mapping', words: `'ada':*` };
const ROLE_SETTINGS = { defaultRole: 'MEMBER', allowOwnerMapping: false, lastOwnerPolicy: 'retain' } as const;

export const SAMPLED_STATEMENTS: readonly SampledStatements[] = [
  {
    file: 'src/users/account-administration.sql.md',
    title: 'The list of accounts',
    samples: [
      users('All accounts, a page', listUsers(undefined, false)),
      users('Accounts that somebody uses', listUsers('ACTIVE', false)),
      users('A search in closed accounts', listUsers('CLOSED', true)),
    ],
  },
  {
    file: 'src/users/accounts.sql.md',
    title: 'The account of an identity',
    samples: [account('Of a foreign issuer', FIND), account('Of an access token of ours', ACCOUNT_OF_TOKEN)],
  },
  {
    file: 'src/scim/roles/members/listed-members.sql.md',
    title: 'The list of members',
    samples: [members('By role and directory, of those found by words, a later page', EVERY_MEMBER_FILTER, PERSON)],
  },
  {
    file: 'src/users/account-log/account-log.sql.md',
    title: 'The audit log of accounts',
    samples: [
      accountLog('A page of everything', listAccountLog([])),
      accountLog('A page about one account', listAccountLog(['user_id'])),
      accountLog('A page about one object of an account', listAccountLog(['user_id', 'subject_id'])),
    ],
  },
  {
    file: 'src/organisations/audit/audit-log.sql.md',
    title: 'The audit log of an organisation',
    samples: [
      auditLog('A page, or a part of a file, of everything', 'read', listAuditLog([])),
      auditLog('The end of a long file', 'file', endOfAuditFile([])),
    ],
  },
  {
    file: 'src/catalog/listings/listing-search.sql.md',
    title: 'The lists, the search and the facets of listings',
    samples: [
      list('What one may see in a category, by all filters', everyFilter(), 'newest', null),
      list('A search, the first page', FOUND, 'relevance', null),
      list('A search that found only words with typing errors, a later page', FOUND, 'relevance', [
        5,
        2,
        'io.acme/weather',
        LISTING,
      ]),
      facets('The facets of the public catalogue', PUBLIC),
      facets('The facets of a search', FOUND),
    ],
  },
  {
    file: 'src/catalog/registry/registry.sql.md',
    title: 'The registry API',
    samples: [
      servers('The public registry, the first page', EVERYBODYS, null),
      servers('The registry of an organisation, a later page', OURS, [
        'io.acme/weather',
        '1.0.0',
        '2026-01-01T00:00:00Z',
      ]),
      {
        place: `${REGISTRY}.versions`,
        when: 'The versions of a server for an organisation, a later page',
        sql: registry.versionsStatement('io.acme/weather', OURS, ['2026-01-01', '2026-01-01', '1.0.0', LISTING], 50)
          .sql,
      },
      {
        place: `${REGISTRY}.version`,
        when: 'The latest version of a server',
        sql: registry.versionStatement('io.acme/weather', null, EVERYBODYS).sql,
      },
      {
        place: `${REGISTRY}.version`,
        when: 'One version of a server for an organisation, deleted ones included',
        sql: registry.versionStatement('io.acme/weather', '1.0.0', { ...OURS, includeDeleted: true }).sql,
      },
      {
        place: `${REGISTRY}.spelled`,
        when: 'How a name is spelled',
        sql: registry.spellingStatement('io.ACME/weather', EVERYBODYS).sql,
      },
    ],
  },
  {
    file: 'src/catalog/import/quarantine.sql.md',
    title: 'The quarantine of imports',
    samples: [
      {
        place: 'catalog/import/quarantine.service.ts › Quarantine.list',
        when: 'A page of one kind and source',
        sql: listQuarantine(['kind', 'source']),
      },
    ],
  },
  {
    file: 'src/bundles/bundle-list.sql.md',
    title: 'The lists of bundles',
    samples: [
      { place: BUNDLES, when: 'By default: owned, edited, and of organisations', sql: bundleList(undefined, false) },
      { place: BUNDLES, when: 'Public, of one organisation', sql: bundleList('public', true) },
    ],
  },
  {
    file: 'src/gateway/calls/call-list.sql.md',
    title: 'The record of calls',
    samples: [
      { place: CALLS, when: 'A page of everything', sql: listCalls([]) },
      { place: CALLS, when: 'A page by all filters', sql: listCalls(CALL_FILTERS) },
      ...(['principal', 'time'] as const).map((by) => ({
        place: 'gateway/calls/call-statistics.service.ts › CallStatistics.get',
        when: `Statistics by ${by}`,
        sql: callStatistics(by, by === 'time' ? ['entry_id', 'outcome'] : []),
      })),
    ],
  },
  {
    file: 'src/gateway/calls/call-partitions.sql.md',
    title: 'The days of the record of calls',
    samples: [
      { place: `${DAYS_OF_CALLS}.make`, when: 'The table of a day', sql: createDay(CALL_DAY) },
      { place: `${DAYS_OF_CALLS}.make`, when: 'A day becomes a partition', sql: attachDay(CALL_DAY) },
      { place: `${DAYS_OF_CALLS}.dropOldest`, when: 'A day that is too old', sql: dropDay(CALL_DAY) },
    ],
  },
  {
    file: 'src/operations/secrets-keys/re-encryption.sql.md',
    title: 'The batches of a re-encryption',
    // One of them, which stands for all.
    samples: SEALED_COLUMNS.slice(0, 1).flatMap((column) => [
      { place: `${RE_ENCRYPTION}.pass`, when: `Read ${column.table}.${column.column}`, sql: selectBatch(column) },
      { place: `${RE_ENCRYPTION}.write`, when: `Write ${column.table}.${column.column}`, sql: writeBatch(column) },
    ]),
  },
];

/** The file's text. */
export function sampleText({ title, samples }: SampledStatements, layOut: (sql: string) => string): string {
  const sections = samples.map(({ when, sql }) => `## ${when}\n\n\`\`\`sql\n${layOut(sql)}\n\`\`\`\n`);
  const intro =
    'Written by `test/database/statements.e2e-spec.ts`, which says how. For reviews: what leaves for PostgreSQL.';
  return [`# ${title}\n\n${intro}\n`, ...sections].join('\n');
}

function list(
  when: string,
  criteria: ListingCriteria,
  sort: Parameters<typeof listStatement>[1],
  after: Parameters<typeof listStatement>[2],
): StatementSample {
  return { place: `${SEARCH}.list`, when, sql: listStatement(criteria, sort, after, 51).sql };
}

function members(when: string, filter: MemberFilter, after: string | null): StatementSample {
  const { sql } = memberPage(ORGANISATION, ROLE_SETTINGS, filter, after, 31);
  return { place: 'scim/roles/members/listed-members.service.ts › ListedMembers.list', when, sql };
}

function users(when: string, sql: string): StatementSample {
  return { place: 'sign-in/people/people.service.ts › PeopleService.list', when, sql };
}

function account(when: string, sql: string): StatementSample {
  return { place: 'users/accounts.service.ts › Accounts.resolve', when, sql };
}

function auditLog(when: string, method: string, sql: string): StatementSample {
  return { place: `organisations/audit/audit-log.service.ts › AuditLog.${method}`, when, sql };
}

function accountLog(when: string, sql: string): StatementSample {
  return { place: 'sign-in/account/audit-log/account-audit-log.service.ts › AccountAuditLog.read', when, sql };
}

function facets(when: string, criteria: ListingCriteria): StatementSample {
  return {
    place: `${SEARCH}.count`,
    when,
    sql: facetsStatement(criteria, ['category', 'transport', 'registryType']).sql,
  };
}

function servers(when: string, filter: registry.RegistryFilter, after: registry.Position | null): StatementSample {
  return { place: `${REGISTRY}.list`, when, sql: registry.listStatement(filter, after, 51).sql };
}

function everyFilter(): ListingCriteria {
  const filters = {
    category: 'search',
    status: 'PUBLISHED',
    visibility: 'PUBLIC',
    transport: 'stdio',
    registryType: 'npm',
  };
  return { userId: PERSON, scope: 'visible', ...filters };
}
