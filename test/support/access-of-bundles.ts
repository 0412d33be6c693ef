import { listing } from './access-of-catalogue';
import { given, nothing, ofOrganisation, type Recipe, type Row } from './access-table';
import type { Api } from './api';
import { newId } from '../../src/database/id';
import { definitionDigest } from '../../src/gateway/protocol/definition-digest';
import { createBundle, createListing, idOf, join, unique } from './factories';

export const bundle: Recipe = async ({ api, orgId }) => ({
  path: { bundle_id: (await createBundle(api, { org_id: orgId })).id },
});

export const publicBundle: Recipe = async ({ api, orgId }) => ({
  path: { bundle_id: (await createBundle(api, { org_id: orgId, visibility: 'PUBLIC' })).id },
});

const newEntry =
  (into: Recipe): Recipe =>
  async (side) => ({ ...(await into(side)), body: { listing_id: await createListing(side.test.dataSource) } });

/** A thing of a bundle, made by a POST to `part`. */
const made =
  (of: Recipe, part: 'entries' | 'access-tokens' | 'deployments', name: string, body: object = {}): Recipe =>
  async (side) => {
    const { path } = await of(side);
    const created = await side.api.call('post', `/v1/bundles/${path?.bundle_id}/${part}`, 201, body);
    return { path: { ...path, [name]: created.body.id } };
  };
const entry =
  (of: Recipe): Recipe =>
  async (side) => {
    const listing_id = await createListing(side.test.dataSource);
    return made(of, 'entries', 'entry_id', { listing_id })(side);
  };
const token = (of: Recipe) => made(of, 'access-tokens', 'token_id', { name: 'CI' });
const deployment = (of: Recipe) => made(of, 'deployments', 'deployment_id', { name: 'A', environment: 'test' });

/** A tool that the server of an entry lists, which nobody has to ask for that. */
const tool =
  (of: Recipe): Recipe =>
  async (side) => {
    const { path = {} } = await entry(of)(side);
    const { bundle_id: bundleId, entry_id: entryId } = path;
    await side.api.call('patch', `/v1/bundles/${bundleId}/endpoint`, 200, { is_enabled: true });
    const definition = { name: 'read', inputSchema: { type: 'object' } };
    const [upstreamId, toolId, digest] = [newId(), newId(), definitionDigest(definition)];
    const sql = (text: string, values: unknown[]) => side.test.dataSource.query(text, values);
    await sql(`INSERT INTO upstreams (id, digest, url, headers) VALUES ($1, $2, 'https://server.example', '{}')`, [
      upstreamId,
      Buffer.from(upstreamId),
    ]);
    await sql(
      `INSERT INTO upstream_definitions (upstream_id, kind, name, digest, place, body) VALUES ($1, 'tool', 'read', $2, 0, $3)`,
      [upstreamId, digest, JSON.stringify(definition)],
    );
    await sql(
      `INSERT INTO endpoint_upstreams (bundle_id, entry_id, upstream_id, is_tools_due) VALUES ($1, $2, $3, false)`,
      [bundleId, entryId, upstreamId],
    );
    await sql(
      `INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, is_listed) VALUES ($1, $2, $3, 'tool', 'read', $4, true)`,
      [toolId, bundleId, entryId, digest],
    );
    return { path: { bundle_id: bundleId ?? '', tool_id: toolId }, body: { digest: digest.toString('hex') } };
  };

/** One for each person, in which they know the editors of their personal bundles. */
const sharedOrganisations = new Map<Api, Promise<string>>();

function sharedOrganisationOf(api: Api): Promise<string> {
  const made =
    sharedOrganisations.get(api) ??
    api.post('/v1/organisations', { name: unique('Shared') }).then(({ body }) => body.id);
  sharedOrganisations.set(api, made);
  return made;
}

const editor =
  (of: Recipe): Recipe =>
  async (side) => {
    const person = await side.test.as(unique('editor'));
    await join(side.api, side.orgId ?? (await sharedOrganisationOf(side.api)), person);
    const user_id = await idOf(person);
    return { path: { ...(await of(side)).path, user_id } };
  };

/** Without its body. */
const without =
  (of: Recipe): Recipe =>
  async (side) => ({ path: (await of(side)).path });

const version =
  (of: Recipe): Recipe =>
  async (side) => ({ path: { ...(await of(side)).path, number: '1' } });

const asked =
  (of: Recipe, query: string): Recipe =>
  async (side) => ({ ...(await of(side)), query });
const exported = (of: Recipe): Recipe => asked(of, '?client=cursor');

/** For nobody, an outsider, a MEMBER who does not own it, an ADMIN, an OWNER, the person to whom it belongs. */
type Statuses = readonly [number, number, number, number, number, number];

/** Those who see the bundle, its people, and those who may change it; what an outsider gets depends on the bundle. */
const statuses = (hidden: number, good: number) => ({
  readers: [401, hidden === 404 ? 404 : good, good, good, good, good] as Statuses,
  insiders: [401, hidden, good, good, good, good] as Statuses,
  editors: [401, hidden, 403, good, good, good] as Statuses,
});

function rowsOf(of: Recipe, hidden: 403 | 404): readonly Row[] {
  const [gives, creates, ends] = [statuses(hidden, 200), statuses(hidden, 201), statuses(hidden, 204)];
  const at = '/v1/bundles/{bundle_id}';
  return [
    [`GET ${at}`, gives.readers, of],
    [`PATCH ${at}`, gives.editors, given(of, () => ({ name: unique('Renamed') }))],
    [`DELETE ${at}`, ends.editors, of],
    [`GET ${at}/deletion-preview`, gives.editors, of],

    [`GET ${at}/entries`, gives.readers, of],
    [`POST ${at}/entries`, creates.editors, newEntry(of)],
    [`PUT ${at}/entries`, gives.editors, given(of, () => ({ entries: [] }))],
    [`PATCH ${at}/entries`, gives.editors, given(of, () => ({ remove: [] }))],
    [`GET ${at}/entries/{entry_id}`, gives.readers, entry(of)],
    [`PATCH ${at}/entries/{entry_id}`, gives.editors, given(entry(of), () => ({ is_enabled: false }))],
    [`DELETE ${at}/entries/{entry_id}`, ends.editors, entry(of)],

    [`GET ${at}/versions`, gives.readers, of],
    [`POST ${at}/versions`, gives.editors, of],
    [`GET ${at}/versions/{number}`, gives.readers, version(of)],
    [`GET ${at}/versions/{number}/compare`, gives.readers, version(of)],
    [`POST ${at}/versions/{number}/restore`, gives.editors, version(of)],
    [`GET ${at}/export`, gives.readers, exported(of)],

    [`GET ${at}/access-tokens`, gives.editors, of],
    [`POST ${at}/access-tokens`, creates.editors, given(of, () => ({ name: 'CI' }))],
    [`GET ${at}/access-tokens/{token_id}`, gives.editors, token(of)],
    [`DELETE ${at}/access-tokens/{token_id}`, ends.editors, token(of)],

    [`PUT ${at}/follow`, ends.readers, of],
    [`DELETE ${at}/follow`, ends.readers, of],
    [`GET ${at}/followers`, gives.insiders, of],
    [`GET ${at}/editors`, gives.insiders, of],
    [`PUT ${at}/editors/{user_id}`, ends.editors, editor(of)],
    [`DELETE ${at}/editors/{user_id}`, ends.editors, editor(of)],

    [`GET ${at}/connect`, gives.readers, asked(of, '?client=curl')],
    [`GET ${at}/endpoint`, gives.readers, of],
    [`PATCH ${at}/endpoint`, gives.editors, given(of, () => ({ is_enabled: true }))],
    [`GET ${at}/endpoint/status`, gives.insiders, of],
    [`POST ${at}/endpoint/refresh`, gives.editors, of],
    [`POST ${at}/compile`, gives.editors, of],
    [`GET ${at}/credential-needs`, gives.readers, of],
    [`GET ${at}/endpoint/preview`, gives.editors, asked(of, '?as=role&id=ORG_MEMBER')],
    [`GET ${at}/policies`, gives.insiders, of],
    [`PUT ${at}/policies`, gives.editors, given(of, () => ({ rules: [] }))],
    [`POST ${at}/policies/preview`, gives.editors, given(of, () => ({ rules: [], as: 'role', id: 'ORG_MEMBER' }))],

    [`GET ${at}/tools`, gives.insiders, of],
    [`POST ${at}/tools/approve`, gives.editors, given(of, () => ({ tools: [] }))],
    [`GET ${at}/tools/{tool_id}`, gives.insiders, without(tool(of))],
    [`PATCH ${at}/tools/{tool_id}`, gives.editors, given(tool(of), () => ({ title: 'Read' }))],
    [`GET ${at}/tools/{tool_id}/changes`, gives.insiders, without(tool(of))],
    [`POST ${at}/tools/{tool_id}/approve`, gives.editors, tool(of)],
    [`POST ${at}/tools/{tool_id}/call`, gives.insiders, given(tool(of), () => ({ arguments: {} }))],
    [`GET ${at}/calls`, gives.editors, of],
    [`GET ${at}/calls/statistics`, gives.editors, of],

    [`GET ${at}/deployments`, gives.insiders, of],
    [`POST ${at}/deployments`, creates.editors, given(of, () => ({ name: 'A', environment: 'test' }))],
    [`GET ${at}/deployments/{deployment_id}`, gives.insiders, deployment(of)],
    [`PATCH ${at}/deployments/{deployment_id}`, gives.editors, given(deployment(of), () => ({ status: 'RUNNING' }))],
    [`DELETE ${at}/deployments/{deployment_id}`, ends.editors, deployment(of)],
  ];
}

/** Where clients of endpoints find out how to get tokens (RFC 9728). */
export const OPEN_ENDPOINT_DOCUMENTS = [
  'GET /.well-known/oauth-protected-resource/mcp/bundles/{bundle_id}',
  'GET /.well-known/oauth-protected-resource/mcp/deployments/{deployment_id}',
];

/** Section 4 of the contract for bundles that only their people see. */
export const BUNDLE_ROWS: readonly Row[] = [
  [
    'POST /v1/bundles',
    [401, 404, 201, 201, 201, 201],
    given(nothing, ({ orgId }) => ({ name: unique('Bundle'), org_id: orgId })),
  ],
  ['GET /v1/bundles', [401, 404, 200, 200, 200, 200], ofOrganisation],
  ['GET /v1/users/me/feed', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/users/me/waiting', [401, 200, 200, 200, 200, 200], nothing],
  ...rowsOf(bundle, 404),
  ['GET /v1/mcp/listings/{listing_id}/install', [401, 404, 200, 200, 200, 200], asked(listing, '?client=cursor')],
  ['GET /v1/mcp/listings/{listing_id}/bundles', [401, 404, 200, 200, 200, 200], listing],
  ['GET /v1/mcp/listings/{listing_id}/allowances', [401, 404, 200, 200, 200, 200], listing],
  // The same for endpoints that do not exist.
  ...OPEN_ENDPOINT_DOCUMENTS.map((operation): Row => [
    operation,
    [200, 200, 200, 200, 200, null],
    () => ({ path: { bundle_id: newId(), deployment_id: newId() } }),
  ]),
];

/** The same for a public bundle, where reading is everybody's. */
export const PUBLIC_BUNDLE_ROWS: readonly Row[] = rowsOf(publicBundle, 403);
