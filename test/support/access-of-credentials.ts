import { bundle } from './access-of-bundles';
import { newId } from '../../src/database/id';
import { given, nothing, ofOrganisation, type Recipe, type Row } from './access-table';
import { createListing } from './factories';

const SECRET = { name: 'X-Api-Key', isSecret: true, isRequired: true };

/** An entry whose server wants a key of the bundle. Nothing is sent there. */
const keyedEntry: Recipe = async (side) => {
  const { path } = await bundle(side);
  const listing_id = await createListing(side.test.dataSource);
  await side.test.dataSource.query(
    `UPDATE listing_versions SET server = (server::jsonb || $2::jsonb)::json WHERE listing_id = $1`,
    [
      listing_id,
      JSON.stringify({ remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com', headers: [SECRET] }] }),
    ],
  );
  const body = { listing_id, credential_mode: 'PERSONAL_OR_SHARED' };
  const entry = await side.api.call('post', `/v1/bundles/${path?.bundle_id}/entries`, 201, body);
  return { body: { bundle_id: path?.bundle_id, entry_id: entry.body.id } };
};

const newCredential: Recipe = async (side) => {
  const { body } = await keyedEntry(side);
  return { body: { ...body, values: { 'X-Api-Key': 'a' } } };
};

const credential: Recipe = async (side) => {
  const { body } = await newCredential(side);
  const made = await side.api.call('post', '/v1/credentials', 201, body);
  return { path: { credential_id: made.body.id } };
};

const EVERYONE = (status: number) => [status, status, status, status, status, null] as const;

/** Pages are open: they send people who are not signed in to `/sign-in`. */
const PAGE_ROWS: readonly Row[] = [
  ['GET /connect/accounts/{link}', EVERYONE(404), () => ({ path: { link: 'none' } })],
  ['POST /connect/accounts/{link}', EVERYONE(404), () => ({ path: { link: 'none' } })],
  ['GET /connect/callback', EVERYONE(400), nothing],
  ['GET /connect/callback/{client}', EVERYONE(400), () => ({ path: { client: newId() } })],
  ['GET /oauth2/clients/mcp.json', EVERYONE(200), nothing],
];

export const OPEN_CONNECT_PAGES = PAGE_ROWS.map(([operation]) => operation);

/** Of a bundle: those who may change it. To a MEMBER who may not, a credential is not there. */
export const CREDENTIAL_ROWS: readonly Row[] = [
  ['GET /v1/credentials', [401, 404, 403, 200, 200, 200], ofOrganisation],
  ['POST /v1/credentials', [401, 404, 403, 201, 201, 201], newCredential],
  [
    'PATCH /v1/credentials/{credential_id}',
    [401, 404, 404, 200, 200, 200],
    given(credential, () => ({ values: { 'X-Api-Key': 'b' } })),
  ],
  ['DELETE /v1/credentials/{credential_id}', [401, 404, 404, 204, 204, 204], credential],
  // One for everyone who uses the bundle.
  [
    'POST /v1/credentials/connect',
    [401, 404, 403, 200, 200, 200],
    async (side) => {
      const { body } = await keyedEntry(side);
      return { body: { ...body, owner: 'BUNDLE' } };
    },
  ],
  ...PAGE_ROWS,
];
