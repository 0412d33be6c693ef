import { createTestApp, type TestApp } from '../support/app';
import { unique } from '../support/factories';
import { ScimConnection } from '../support/scim-connection';
import { ENTRA_CREATES } from '../support/scim-shapes/entra-creates';
import { ENTRA_FLAG } from '../support/scim-shapes/entra-flag';
import { ENTRA_GROUPS } from '../support/scim-shapes/entra-groups';
import { ENTRA_USERS } from '../support/scim-shapes/entra-users';
import { GOOGLE } from '../support/scim-shapes/google';
import { JUMPCLOUD } from '../support/scim-shapes/jumpcloud';
import { OKTA } from '../support/scim-shapes/okta';
import { ONELOGIN } from '../support/scim-shapes/onelogin';
import { ERROR_URN, LIST_URN, type Provider, type Shape } from '../support/scim-shapes/shape';

const SHAPES: readonly Shape[] = [
  ...OKTA,
  ...ENTRA_CREATES,
  ...ENTRA_USERS,
  ...ENTRA_GROUPS,
  ...ENTRA_FLAG,
  ...GOOGLE,
  ...ONELOGIN,
  ...JUMPCLOUD,
];

type Resource = Record<string, unknown>;
/** The path of a resource, by its name in the shape. */
type Places = Record<string, { type: 'User' | 'Group'; id: string }>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const TAG = /^W\/"[^"]+"$/;

/** What identity providers send, one request per row: the answer, and what a GET returns afterwards. */
describe('Requests as identity providers send them', () => {
  let test: TestApp;

  beforeAll(async () => {
    // Nothing is delivered here, and 130 organisations are created.
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  const rows = SHAPES.map((shape): [Provider, string, Shape] => [shape.provider, shape.name, shape]);

  it.each(rows)('%s %s', async (_provider, _name, shape) => {
    const connection = await connect();
    const places = await make(connection, shape);
    const before = await readAll(connection, places);

    const { status, headers, body, text } = await connection.send(filled(shape.request, connection, places));
    expect(`${status} ${status === shape.status ? '' : text}`).toBe(`${shape.status} `);

    if (text !== '') expect(headers['content-type']).toMatch(/^application\/scim\+json(; ?charset=utf-8)?$/);
    if (status === 204) expect(text).toBe('');
    if (status === 201) {
      places.new = { type: shape.request.path === '/Users' ? 'User' : 'Group', id: String(body.id) };
      expect(headers.location).toBe(addressOf(connection, places.new));
    }

    const after = await readAll(connection, places);
    const stored = filled(shape.stored ?? {}, connection, places) as Record<string, Resource | null>;
    for (const [name, resource] of Object.entries(after)) {
      if (name in stored) expect({ [name]: content(resource) }).toEqual({ [name]: stored[name] ?? null });
      else expect({ [name]: apartFromGroups(resource) }).toEqual({ [name]: apartFromGroups(before[name]) });
    }
    expect(Object.keys(stored).filter((name) => !(name in after))).toEqual([]);

    if (shape.answer) expectAnswer(body, filled(shape.answer, connection, places) as Resource);
    else if (text !== '') expect(Object.values(after)).toContainEqual(body);
    await expectCount(connection, after);
  });

  it('cover many shapes from each provider', () => {
    const counts = new Map<Provider, number>();
    for (const { provider } of SHAPES) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    expect(SHAPES.length).toBeGreaterThanOrEqual(90);
    expect([...counts.values()].filter((count) => count < 10)).toEqual([]);
    const names = SHAPES.map(({ provider, name }) => `${provider} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  async function connect(): Promise<ScimConnection> {
    const owner = await test.as('owner');
    const created = await owner.post('/v1/organisations', { name: unique('Organisation') });
    return ScimConnection.open(test, owner, created.body.id);
  }

  async function make(connection: ScimConnection, { given }: Shape): Promise<Places> {
    const places: Places = {};
    for (const [type, path, resources] of [
      ['User', '/Users', given?.users],
      ['Group', '/Groups', given?.groups],
    ] as const) {
      for (const [name, resource] of Object.entries(resources ?? {})) {
        const id = await connection.make(path, filled(resource, connection, places));
        places[name] = { type, id };
      }
    }
    return places;
  }

  async function readAll(connection: ScimConnection, places: Places): Promise<Record<string, Resource | null>> {
    const resources: Record<string, Resource | null> = {};
    for (const [name, place] of Object.entries(places)) {
      const { status, body, text } = await connection.send({ method: 'GET', path: pathOf(place) });
      expect([200, 404]).toContain(status);
      if (status === 404) {
        expectAnswer(body, { schemas: [ERROR_URN], status: '404' });
        resources[name] = null;
        continue;
      }
      expect({ text, id: body.id }).toEqual({ text, id: place.id });
      expect(body.meta).toEqual({
        resourceType: place.type,
        created: expect.stringMatching(INSTANT) as unknown,
        lastModified: expect.stringMatching(INSTANT) as unknown,
        location: addressOf(connection, place),
        version: expect.stringMatching(TAG) as unknown,
      });
      resources[name] = body;
    }
    return resources;
  }

  /** Nothing else was created. */
  async function expectCount(connection: ScimConnection, resources: Record<string, Resource | null>): Promise<void> {
    const living = Object.values(resources).filter((resource) => resource !== null);
    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 0 };
    const { body } = await connection.call(200, { method: 'POST', path: '/.search', body: search });
    expect(body.totalResults).toBe(living.length);
  }
});

const pathOf = ({ type, id }: Places[string]): string => `/${type}s/${id}`;
const addressOf = ({ base }: ScimConnection, place: Places[string]): string => base + pathOf(place);

/** The same with ids in place of names. */
function filled<T extends object>(value: T, { base }: ScimConnection, places: Places): T {
  const text = JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name: string) =>
    name === 'base' ? base : (places[name]?.id ?? all),
  );
  return JSON.parse(text) as T;
}

/** The resource without its id and meta, and without empty groups. */
function content(resource: Resource | null | undefined): Resource | null {
  if (!resource) return null;
  const { id: _id, meta: _meta, groups, ...rest } = resource;
  return Array.isArray(groups) && groups.length > 0 ? { ...rest, groups } : rest;
}

function apartFromGroups(resource: Resource | null | undefined): Resource | null {
  if (!resource) return null;
  const { groups: _groups, meta: _meta, ...rest } = resource;
  return rest;
}

function expectAnswer(body: Resource, expected: Resource): void {
  const schemas = expected.schemas as string[];
  if (schemas.includes(ERROR_URN)) {
    expect(body).toEqual({ ...expected, detail: expect.stringMatching(/\w/) as unknown });
  } else if (schemas.includes(LIST_URN)) {
    const resources = (body.Resources as Resource[] | undefined)?.map(content);
    expect({ ...body, Resources: resources }).toEqual(expected);
  } else {
    expect(content(body)).toEqual(expected);
  }
}
