import { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast } from '../support/factories';
import { faultsOf } from '../support/faults';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const listOf = (bundleId: string) => `/v1/bundles/${bundleId}/access-tokens` as const;
const make = async (bundleId: string, fields: object = {}) =>
  (await cast.owner.post(listOf(bundleId), { name: 'CI', ...fields })).body;
const read = (bundleId: string, token: string, status: number) =>
  new Api(test.url, test.document, token).call('get', `/v1/bundles/${bundleId}`, status);

describe('The scopes of an access token of a bundle', () => {
  it('are read unless others are asked for, each once and in one order', async () => {
    const { id } = await createBundle(cast.owner);
    for (const [given, scopes] of [
      [undefined, ['read']],
      [null, ['read']],
      [
        ['call', 'read'],
        ['read', 'call'],
      ],
      [['call', 'call'], ['call']],
    ] as const) {
      const made = await make(id, given === undefined ? {} : { scopes: given });
      expect(made.scopes).toEqual(scopes);
      expect((await cast.owner.get(`${listOf(id)}/${made.id}`)).body.scopes).toEqual(scopes);
    }
  });

  it('open the bundle in this API with read, and nothing in it without', async () => {
    const { id } = await createBundle(cast.owner);
    await read(id, (await make(id, { scopes: ['read', 'call'] })).token, 200);
    const refused = await read(id, (await make(id, { scopes: ['call'] })).token, 401);
    expect(refused.body).toMatchObject({
      code: 'invalid_token',
      detail: 'The access token lacks the scope read: it can only call the tools of the MCP endpoint.',
    });
  });

  it('are at least one, and known', async () => {
    const { id } = await createBundle(cast.owner);
    for (const [scopes, fault] of [
      [[], 'body.scopes value_error'],
      [['write'], 'body.scopes.0 enum'],
      ['read', 'body.scopes list_type'],
      [['read', 'call', 'read'], 'body.scopes value_error'],
    ] as const) {
      expect(faultsOf(await cast.owner.call('post', listOf(id), 422, { name: 'CI', scopes }))).toEqual([fault]);
    }
  });

  it('of tokens of the previous release are read: the column has that default', async () => {
    const { id } = await createBundle(cast.owner);
    await make(id);
    const [row] = await test.dataSource.query<{ scopes: string[] }[]>(
      `INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, created_by)
       SELECT uuid_v7(), bundle_id, 'Old', 'tyb_', '\\x00', created_by FROM bundle_access_tokens WHERE bundle_id = $1
       RETURNING scopes`,
      [id],
    );
    expect(row?.scopes).toEqual(['read']);
  });
});
