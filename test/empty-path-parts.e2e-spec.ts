import { isRegistryPath } from '../src/catalog/registry/registry-path';
import { newId } from '../src/database/id';
import { References } from '../src/http/openapi/openapi-references';
import type { Operation, ResponseObject } from '../src/http/openapi/openapi-walk';
import { createTestApp, TestApp } from './support/app';
import { Cast, createCast } from './support/factories';
import { ScimConnection } from './support/scim-connection';

/** The texts of an error in the three error formats. */
interface ErrorBody {
  detail: string;
}

describe('A path with an empty part', () => {
  let test: TestApp;
  let cast: Cast;
  let connection: ScimConnection;

  beforeAll(async () => {
    test = await createTestApp();
    cast = await createCast(test);
    connection = await ScimConnection.open(test, cast.admin, cast.orgId);
  });

  afterAll(() => test.close());

  const operations = () =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => ({ method, path })),
    );

  const send = async (method: string, path: string) => {
    const token = path.includes('/scim/v2') ? connection.token : cast.owner.token;
    const response = await fetch(test.url + path, { method, headers: { Authorization: `Bearer ${token}` } });
    const type = response.headers.get('content-type')?.split(';')[0];
    const text = await response.text();
    // The errors of pages are pages.
    return {
      status: response.status,
      type,
      detail: type === 'text/html' ? text : (JSON.parse(text) as ErrorBody).detail,
    };
  };

  /** The path with a value for each parameter except the named one. */
  const filled = (path: string, empty?: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => (name === empty ? '' : name === 'org_id' ? cast.orgId : newId()));

  /** The media type of errors below a path, as documented. */
  const typeOf = (path: string) => {
    const [operation] = Object.values(test.document.paths[path] as Record<string, Operation>);
    const failure = new References(test.document).resolve<ResponseObject>(operation?.responses['500'] ?? {});
    return Object.keys(failure.content ?? {})[0];
  };

  it('is not found, and the error names the part in the format of its API', async () => {
    // Without an organisation a path is not below its SCIM service, so its error is one of ours.
    const cases = operations().flatMap(({ method, path }) =>
      [...path.matchAll(/\{(\w+)\}/g)]
        .map(([part, name = '']) => ({ method: method.toUpperCase(), path, name, isLast: path.endsWith(part) }))
        // The registry ignores a slash at the end, so its path without the last part is that of the list above it.
        .filter(({ isLast }) => !(isLast && isRegistryPath(path))),
    );
    expect(cases.length).toBeGreaterThan(100);
    for (const { method, path, name } of cases) {
      const answer = await send(method, filled(path, name));
      const type = name === 'org_id' ? 'application/json' : typeOf(path);
      expect({ method, path, name, ...answer }).toMatchObject({
        status: 404,
        type,
        detail: expect.stringContaining(`an empty part: ${name} of ${path.slice(0, path.indexOf(name))}`) as string,
      });
    }
  });

  it('is not found either if only a slash is appended to an existing path', async () => {
    const paths = Object.keys(test.document.paths).filter((path) => path !== '/' && !isRegistryPath(path));
    for (const path of paths) {
      const answer = await send('GET', `${filled(path)}/`);
      expect({ path, ...answer }).toMatchObject({
        status: 404,
        type: typeOf(path),
        detail: expect.stringContaining('an empty part') as string,
      });
    }
  });

  it('is what clients of the registry may send, whose base address ends with a slash, and those of nothing else', async () => {
    for (const base of ['', `/v1/organisations/${cast.orgId}/registry`]) {
      for (const path of [
        '/v0.1/servers/',
        '//v0.1/servers',
        '/v0/servers/?limit=1',
        '//v0/servers/',
        '//v0/servers',
      ]) {
        expect({ base, path, ...(await send('GET', base + path)) }).toMatchObject({ status: 200 });
      }
      for (const path of ['///v0.1/servers', '/v0.1/servers//', '/v0.1//servers']) {
        expect({ base, path, ...(await send('GET', base + path)) }).toMatchObject({ status: 404 });
      }
    }
    expect((await send('GET', '//v1/users/me')).status).toBe(404);
  });

  it('is recorded in the provisioning log, for administrators whose base address ends with a slash', async () => {
    await send('GET', `/v1/organisations/${cast.orgId}/scim/v2//Users`);
    const log = await cast.admin.get(`/v1/organisations/${cast.orgId}/scim/log?failed=true&limit=1`);
    expect(log.body).toMatchObject([
      { path: '//Users', status: 404, error: expect.stringContaining('an empty part') as string },
    ]);
  });
});
