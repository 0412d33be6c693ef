import fc from 'fast-check';
import { anyPatch, anyPath, anyValue } from '../../../../test/support/random-scim-patches';
import { ADA } from '../../../../test/support/scim-user';
import { readGroup } from '../groups/group-reader';
import { userResource } from '../stored/to-scim';
import { readUser } from '../users/user-reader';
import type { UserDocument } from '../schema/user-document';
import { ScimError } from '../scim-error';
import { planGroupPatch } from './group-patch';
import { patchUser } from './user-patch';
import { crowding } from '../../../../test/support/eventually';

const MAX_MS = 10;

/** A few seconds each on an idle machine. */
const TIMEOUT = 120_000;

/** What random input must not modify. */
const SHARED = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype, Set.prototype];

function surroundings(): unknown[] {
  return [Object, Array, Function, ...SHARED].map((one) =>
    Reflect.ownKeys(one).map((key) => [key, Object.getOwnPropertyDescriptor(one, key)]),
  );
}

/**
 * @returns the result; undefined if the input is rejected
 * @throws any other error, and an Error for input that is slow every time
 */
function refusedOrDone<T>(work: (ignored: Set<string>) => T): T | undefined {
  const attempt = () => {
    const start = performance.now();
    let result: T | undefined;
    try {
      result = work(new Set());
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
    }
    return { result, took: performance.now() - start };
  };
  const first = attempt();
  let { took } = first;
  // The machine may have been busy.
  for (let again = 0; took > MAX_MS * crowding() && again < 5; again++) took = Math.min(took, attempt().took);
  if (took > MAX_MS * crowding()) throw new Error(`It took ${took} ms.`);
  return first.result;
}

function expectValid(user: UserDocument | undefined): void {
  if (!user) return;
  const stored = { ...user, id: 'u', userId: 'a', version: 1, createdAt: new Date(0), updatedAt: new Date(0) };
  const ignored = new Set<string>();
  const again = readUser(userResource(stored, [], 'https://x'), ignored);
  if (JSON.stringify(again) !== JSON.stringify(user) || ignored.size > 0) expect(again).toEqual(user);
}

describe('random SCIM input', () => {
  let before: unknown[];
  const ada = JSON.stringify(ADA);

  beforeAll(() => {
    before = surroundings();
  });

  afterEach(() => {
    expect(surroundings()).toEqual(before);
    expect(JSON.stringify(ADA)).toBe(ada);
  });

  it(
    'in 40,000 PATCHes is rejected or gives a storable result',
    () => {
      fc.assert(
        fc.property(anyPatch, (body) => {
          expectValid(refusedOrDone((ignored) => patchUser(ADA, body, ignored)));
          refusedOrDone((ignored) => planGroupPatch(body, ignored));
        }),
        { numRuns: 40_000 },
      );
    },
    TIMEOUT,
  );

  it(
    'in 60,000 paths is rejected or gives a storable result',
    () => {
      const op = fc.constantFrom('add', 'replace', 'remove');
      const value = fc.constantFrom<unknown>('x', true, null, { value: 'x' }, [{ value: 'x', primary: true }]);
      fc.assert(
        fc.property(op, anyPath, value, (op, path, value) => {
          const body = { Operations: [{ op, path, value }] };
          expectValid(refusedOrDone((ignored) => patchUser(ADA, body, ignored)));
          refusedOrDone((ignored) => planGroupPatch(body, ignored));
        }),
        { numRuns: 60_000 },
      );
    },
    TIMEOUT,
  );

  it(
    'in 10,000 users and groups is rejected or gives a storable result',
    () => {
      fc.assert(
        fc.property(anyValue, (body) => {
          const named = typeof body === 'object' && body !== null ? { userName: 'u', displayName: 'd', ...body } : body;
          expectValid(refusedOrDone((ignored) => readUser(named, ignored)));
          refusedOrDone((ignored) => readGroup(named, ignored));
        }),
        { numRuns: 10_000 },
      );
    },
    TIMEOUT,
  );
});
