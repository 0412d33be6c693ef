import { newId } from '../src/database/id';
import { References } from '../src/http/openapi/openapi-references';
import type { Answer, Api } from './support/api';
import { createTestApp, PUBLIC_URL, type TestApp } from './support/app';
import { createListing } from './support/factories';
import { nextPage } from './support/pages';

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: unknown;
}

interface Refusal {
  detail: unknown;
  errors?: { location: string }[];
}

/** Validation comes before existence (contract, section 1): nothing in these paths exists. */
/** What a list by POST needs besides its cursor. */
const bodyOf = (path: string): object =>
  path.endsWith('/policies/preview') ? { rules: [], as: 'role', id: 'ORG_MEMBER' } : {};

describe('A tampered cursor', () => {
  let test: TestApp;
  let alice: Api;
  let cursor: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    alice = await test.as('alice');
    for (let count = 0; count < 2; count++) await createListing(test.dataSource);
    const link = nextPage(await alice.get('/v1/mcp/listings?limit=1')) ?? '';
    cursor = new URL(link, PUBLIC_URL).searchParams.get('cursor') ?? '';
  });

  afterAll(() => test.close());

  /** Every operation with a cursor that takes an access token or none; SCIM tokens open nothing that does not exist. */
  const lists = (): [method: 'get' | 'post', path: string][] =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>)
        .filter(([, { parameters = [] }]) =>
          parameters
            .map((one) => new References(test.document).resolve<Parameter>(one))
            .some((one) => one.in === 'query' && one.name === 'cursor'),
        )
        .filter(([, { security = [] }]) => !security.some((scheme) => 'scimToken' in scheme))
        .map(([method]): ['get' | 'post', string] => [method as 'get' | 'post', path.replace(/\{[^}]+\}/g, newId())]),
    );
  const placesOf = ({ detail, errors = [] }: Refusal): unknown[] => {
    return Array.isArray(detail)
      ? (detail as { loc: string[] }[]).map(({ loc }) => loc.join('.'))
      : errors.map(({ location }) => location);
  };

  it('is rejected before any lookup, in every list of the API', async () => {
    const changed = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    expect(lists().length).toBeGreaterThan(20);
    const answers: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [method, path] of lists()) {
      for (const bad of [changed, 'x', cursor.slice(0, -2), `${cursor}AAAA`]) {
        const key = `${method} ${path} ${bad}`;
        const request = alice.raw(method, `${path}?cursor=${bad}`);
        const response: Answer<Refusal> = await (method === 'post' ? request.send(bodyOf(path)) : request);
        answers[key] = [response.status, placesOf(response.body)];
        // The MCP registry has its own error format.
        expected[key] = [path.includes('/v0.1/') ? 400 : 422, ['query.cursor']];
      }
    }
    expect(answers).toEqual(expected);
  });

  it('is reported together with the other errors of the request', async () => {
    const answer = await alice.get(`/v1/organisations/x/members?cursor=x&limit=0`, 422);
    expect(placesOf(answer.body).sort()).toEqual(['path.org_id', 'query.cursor', 'query.limit']);
  });

  it('is rejected like a genuine cursor of another list', async () => {
    await alice.get(`/v1/mcp/listings?cursor=${cursor}`);
    const answer = await alice.get(`/v1/bundles?cursor=${cursor}`, 422);
    expect(placesOf(answer.body)).toEqual(['query.cursor']);
  });
});
