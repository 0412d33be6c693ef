import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BodyOf, RequestOf } from './support/typed-paths';
import type { Bundle, BundleCreate, BundleEntry, Error as ErrorBody, ServerList } from './support/api-types';

const ROOT = join(__dirname, '..');

/** `true` if the types are equal, so that a difference does not compile. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

describe('The generated types of the client', () => {
  it('match openapi.json; if not, run `npm run client-types` and commit the result', () => {
    execFileSync(process.execPath, ['.scripts/client-types.mjs', '--check'], { cwd: ROOT, stdio: 'pipe' });
  });

  it('are selected by the path of a call', () => {
    const types: [
      Same<BodyOf<'get', `/v1/bundles/${string}`>, Bundle>,
      Same<BodyOf<'get', `/v1/bundles/${string}/entries?limit=${number}`>, BundleEntry[]>,
      Same<BodyOf<'get', `/v1/bundles/${string}`, 404>, ErrorBody>,
      Same<BodyOf<'get', '/v0.1/servers'>, ServerList>,
      Same<BodyOf<'get', string>, unknown>,
      Same<BodyOf<'get', '/v1/nowhere'>, unknown>,
      Same<RequestOf<'post', '/v1/bundles', 201>, BundleCreate>,
      Same<RequestOf<'post', '/v1/bundles', 422>, object>,
    ] = [true, true, true, true, true, true, true, true];
    expect(types).not.toContain(false);
  });
});
