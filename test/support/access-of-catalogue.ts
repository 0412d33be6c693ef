import { given, nothing, ofOrganisation, type Recipe, type Row } from './access-table';
import { organisation } from './access-of-scim';
import { createListing, idOf, unique } from './factories';
import { PIXEL } from './pictures';

export const listing: Recipe = async ({ test, api, orgId }) => {
  const fields = { visibility: 'PRIVATE', status: 'DRAFT', orgId, ownerId: await idOf(api) };
  return { path: { listing_id: await createListing(test.dataSource, fields) } };
};
const publicListing: Recipe = async ({ test, api, orgId }) => {
  const fields = { visibility: 'PUBLIC', orgId, ownerId: await idOf(api) };
  return { path: { listing_id: await createListing(test.dataSource, fields) } };
};
/** Of the organisation or person, and only for them. */
const publishedListing: Recipe = async ({ test, api, orgId }) => {
  const fields = { visibility: 'PRIVATE', orgId, ownerId: await idOf(api) };
  return { path: { listing_id: await createListing(test.dataSource, fields) } };
};
const listingWithIcon: Recipe = async (side) => {
  const { path } = await publishedListing(side);
  const src = `https://icons.example.com/${unique('icon')}.png`;
  const sql = (text: string, values: unknown[]) => side.test.dataSource.query(text, values);
  await sql(`UPDATE listings SET icons = $2 WHERE id = $1`, [path?.listing_id, JSON.stringify([{ src }])]);
  await sql(
    `INSERT INTO fetched_icons (src, media_type, bytes, fetched_at, due_at)
     VALUES ($1, 'image/png', $2, now(), now() + interval '1 day')`,
    [src, PIXEL],
  );
  return { path };
};
/** Written by the OWNER, or the person who owns the listing. */
const review: Recipe = async (side) => {
  const { path } = await publishedListing(side);
  const written = await side.api.post(`/v1/mcp/listings/${path?.listing_id}/reviews`, { rating: 4 });
  return { path: { ...path, review_id: written.body.id } };
};
const document = (name = `io.github.test/${unique('server')}`) => ({
  name,
  description: 'A test server.',
  version: `1.${Date.now()}.0`,
});
const newVersion =
  (of: Recipe): Recipe =>
  async (side) => {
    const { path } = await of(side);
    const [row] = await side.test.dataSource.query<{ name: string }[]>(`SELECT name FROM listings WHERE id = $1`, [
      path?.listing_id,
    ]);
    return { path, body: { server: document(row?.name) } };
  };
const category: Recipe = async ({ test }) => {
  const slug = unique('category');
  const [row] = await test.dataSource.query<{ id: number }[]>(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ($1, $1, '', 'box', 1) RETURNING id`,
    [slug],
  );
  return { path: { category_id: String(row?.id) } };
};

const quarantined: Recipe = async ({ test }) => {
  const [row] = await test.dataSource.query<{ id: string }[]>(
    `WITH source AS (INSERT INTO import_sources (address) VALUES ($1) RETURNING address)
     INSERT INTO import_quarantine (source, digest, reasons, document)
     SELECT address, sha256($1::text::bytea), '[{"path": "", "message": "is not valid"}]', '{"server": {}}' FROM source
     RETURNING id`,
    [unique('source')],
  );
  return { path: { document_id: row?.id ?? '' } };
};

const server: Recipe = async ({ test }) => {
  const id = await createListing(test.dataSource);
  const [row] = await test.dataSource.query<{ name: string }[]>(`SELECT name FROM listings WHERE id = $1`, [id]);
  return { path: { server_name: encodeURIComponent(row?.name ?? ''), version: 'latest' } };
};
const serverOf: Recipe = async (side) => ({
  path: { ...(await organisation(side)).path, ...(await server(side)).path },
});

const namespace: Recipe = async ({ api, orgId }) => {
  const body = { namespace: `com.example.${unique('ns')}`, org_id: orgId };
  return { path: { namespace_id: (await api.post('/v1/mcp/namespaces', body)).body.id } };
};
/** One that platform administrators granted, so that there is nothing left to look up. */
const grantedNamespace: Recipe = async (side) => {
  const { path } = await namespace(side);
  await side.test.dataSource.query(
    `UPDATE namespaces SET method = 'grant', challenge = NULL, verified_at = now() WHERE id = $1`,
    [path?.namespace_id],
  );
  return { path };
};

/** What editors read without a token (contract, section 10). */
export const OPEN_REGISTRY = [
  'GET /v0.1/servers',
  'GET /v0.1/servers/{server_name}/versions',
  'GET /v0.1/servers/{server_name}/versions/{version}',
  'GET /v0.1/x/com.toolyard/bundles',
  'GET /v0.1/x/com.toolyard/categories',
  'GET /v0.1/x/com.toolyard/facets',
  'POST /v0.1/publish',
];

/** Rows of `test/access.e2e-spec.ts`: categories, listings, the registry API, imports. */
export const CATALOGUE_ROWS: readonly Row[] = [
  // Platform administrators are none of these actors; test/catalog/categories-admin.e2e-spec.ts has them.
  ['POST /v1/mcp/categories', [401, 403, 403, 403, 403, 403], given(nothing, () => ({ name: unique('Category') }))],
  [
    'PATCH /v1/mcp/categories/{category_id}',
    [401, 403, 403, 403, 403, 403],
    given(category, () => ({ name: 'Other' })),
  ],
  ['GET /v1/mcp/categories/overview', [401, 403, 403, 403, 403, 403], nothing],
  [
    'PUT /v1/mcp/categories/order',
    [401, 403, 403, 403, 403, 403],
    given(nothing, () => ({ order: [], former_order: [] })),
  ],
  ['DELETE /v1/mcp/categories/{category_id}', [401, 403, 403, 403, 403, 403], category],
  [
    'POST /v1/mcp/categories/{category_id}/move-listings',
    [401, 403, 403, 403, 403, 403],
    given(category, () => ({ to: 'testing' })),
  ],

  ['GET /v1/mcp/listings', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/mcp/listings/highlights', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/mcp/listings/facets', [401, 404, 200, 200, 200, 200], ofOrganisation],
  [
    'POST /v1/mcp/listings',
    [401, 404, 201, 201, 201, 201],
    async (side) => {
      await listing(side);
      return { body: { server: document(), category: 'testing', org_id: side.orgId } };
    },
  ],
  ['GET /v1/mcp/listings/{listing_id}', [401, 404, 200, 200, 200, 200], listing],
  // A draft of the OWNER, not of the MEMBER.
  [
    'PATCH /v1/mcp/listings/{listing_id}',
    [401, 404, 403, 200, 200, 200],
    given(listing, () => ({ visibility: 'PUBLIC' })),
  ],
  ['DELETE /v1/mcp/listings/{listing_id}', [401, 404, 403, 204, 204, 204], listing],
  ['POST /v1/mcp/listings/{listing_id}/publish', [401, 404, 403, 200, 200, 200], listing],
  // Public, so outsiders see it.
  ['POST /v1/mcp/listings/{listing_id}/archive', [401, 403, 403, 200, 200, 200], publicListing],
  [
    'POST /v1/mcp/listings/{listing_id}/restore',
    [401, 404, 403, 200, 200, 200],
    async (side) => {
      const { path } = await publicListing(side);
      await side.api.post(`/v1/mcp/listings/${path?.listing_id}/archive`, undefined, 200);
      return { path };
    },
  ],
  ['POST /v1/mcp/listings/{listing_id}/versions', [401, 403, 403, 201, 201, 201], newVersion(publicListing)],
  ['GET /v1/mcp/listings/{listing_id}/versions', [401, 404, 200, 200, 200, 200], listing],
  [
    'GET /v1/mcp/listings/{listing_id}/versions/{version}',
    [401, 404, 200, 200, 200, 200],
    async (side) => ({ path: { ...(await listing(side)).path, version: '1.0.0' } }),
  ],

  ['GET /v1/mcp/listings/{listing_id}/icon', [401, 404, 200, 200, 200, 200], listingWithIcon],
  ['GET /v1/platform/reviews', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/mcp/listings/{listing_id}/reviews', [401, 404, 200, 200, 200, 200], publishedListing],
  [
    'POST /v1/mcp/listings/{listing_id}/reviews',
    [401, 404, 201, 201, 201, 201],
    given(publishedListing, () => ({ rating: 5, text: 'Fast.' })),
  ],
  ['GET /v1/mcp/listings/{listing_id}/reviews/{review_id}', [401, 404, 200, 200, 200, 200], review],
  [
    'PATCH /v1/mcp/listings/{listing_id}/reviews/{review_id}',
    [401, 404, 403, 403, 200, 200],
    given(review, () => ({ rating: 2 })),
  ],
  ['DELETE /v1/mcp/listings/{listing_id}/reviews/{review_id}', [401, 404, 403, 403, 204, 204], review],
  [
    'PUT /v1/mcp/listings/{listing_id}/reviews/{review_id}/answer',
    [401, 404, 403, 200, 200, 200],
    given(review, () => ({ text: 'Thank you.' })),
  ],
  // Platform administrators are not among these actors; test/catalog/reviews.e2e-spec.ts has them.
  [
    'POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/hide',
    [401, 403, 403, 403, 403, 403],
    given(review, () => ({ reason: 'Advertising.' })),
  ],
  ['POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/show', [401, 403, 403, 403, 403, 403], review],

  [
    'POST /v1/mcp/namespaces',
    [401, 404, 403, 201, 201, 201],
    ({ orgId }) => ({ body: { namespace: `com.example.${unique('ns')}`, org_id: orgId } }),
  ],
  ['GET /v1/mcp/namespaces', [401, 404, 200, 200, 200, 200], ofOrganisation],
  ['GET /v1/mcp/namespaces/{namespace_id}', [401, 404, 200, 200, 200, 200], namespace],
  ['POST /v1/mcp/namespaces/{namespace_id}/verify', [401, 404, 403, 200, 200, 200], grantedNamespace],
  ['DELETE /v1/mcp/namespaces/{namespace_id}', [401, 404, 403, 204, 204, 204], namespace],

  ['GET /v1/mcp/imports', [401, 403, 403, 403, 403, 403], nothing],
  ['POST /v1/mcp/imports', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/mcp/imports/overview', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/mcp/imports/quarantine', [401, 403, 403, 403, 403, 403], nothing],
  ['GET /v1/mcp/imports/quarantine/{document_id}', [401, 403, 403, 403, 403, 403], quarantined],
  ['POST /v1/mcp/imports/quarantine/{document_id}/retry', [401, 403, 403, 403, 403, 403], quarantined],
  [
    'POST /v1/mcp/imports/quarantine/{document_id}/import',
    [401, 403, 403, 403, 403, 403],
    given(quarantined, () => ({ server: document() })),
  ],
  ['POST /v1/mcp/imports/quarantine/{document_id}/dismiss', [401, 403, 403, 403, 403, 403], quarantined],
  ['POST /v1/mcp/imports/quarantine/{document_id}/reopen', [401, 403, 403, 403, 403, 403], quarantined],
  ['GET /v1/organisations/{org_id}/managed-settings', [401, 404, 200, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/managed-settings/report', [401, 404, 200, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/allowed-listings', [401, 404, 200, 200, 200, null], organisation],

  ...OPEN_REGISTRY.map((operation): Row => [
    operation,
    Array(5)
      .fill(operation.startsWith('GET') ? 200 : 501)
      .concat(null) as number[],
    server,
  ]),
  ['GET /v1/organisations/{org_id}/registry/v0.1/servers', [401, 404, 200, 200, 200, null], organisation],
  [
    'GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions',
    [401, 404, 200, 200, 200, null],
    serverOf,
  ],
  [
    'GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions/{version}',
    [401, 404, 200, 200, 200, null],
    serverOf,
  ],
];
