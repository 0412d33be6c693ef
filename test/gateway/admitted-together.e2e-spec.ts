import type { Admission, AdmissionQuery } from '../../src/gateway/edge/admission';
import { Admissions } from '../../src/gateway/edge/admission';
import { idOf, unique } from '../support/factories';
import { statementsOf } from '../support/statements';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { TestUpstream } from './support/test-upstream';

let stage: Stage;
let upstream: TestUpstream;
let ada: Person;
let bob: Person;
let endpoint: Endpoint;
let admissions: Admissions;

beforeAll(async () => {
  upstream = await TestUpstream.start();
  stage = await createStage();
  ada = await stage.person(unique('ada'));
  bob = await stage.person(unique('bob'));
  endpoint = await ada.endpoint([upstream.url]);
  admissions = stage.test.app.get(Admissions);
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

/** By a person, or by an access token of the bundle. */
async function askOf(by: Person | string, { path, bundleId: id } = endpoint): Promise<AdmissionQuery> {
  if (typeof by === 'string') return { path: { kind: 'bundle', id, path }, credential: { kind: 'token', token: by } };
  const caller = { userId: await idOf(by.api), email: null, name: null, isPlatformAdmin: false };
  return { path: { kind: 'bundle', id, path }, credential: { kind: 'person', caller, expiresAt: Infinity } };
}

const outcomeOf = (asked: Promise<Admission>) =>
  asked.then(
    ({ principal }) => principal,
    (error: Error) => error.message,
  );

describe('Requests that come at the same time', () => {
  it('are admitted by one statement, each for itself', async () => {
    const token = await endpoint.bundleToken();
    const other = await bob.endpoint([upstream.url]);
    const [byAda, byBob] = [await idOf(ada.api), await idOf(bob.api)];
    const asks = [await askOf(ada), await askOf(bob), await askOf(token), await askOf(bob, other), await askOf(ada)];
    await outcomeOf(admissions.admit(await askOf(token))); // Notes that the token was used.
    let outcomes: string[] = [];
    const statements = await statementsOf(stage.test, async () => {
      outcomes = await Promise.all(asks.map((ask) => outcomeOf(admissions.admit(ask))));
    });
    // The lists of the server are looked after meanwhile.
    expect(statements.filter(({ sql }) => sql.includes('AS asked('))).toHaveLength(1);
    expect(outcomes).toEqual([
      `user ${byAda}`,
      expect.stringContaining('was not found'),
      expect.stringMatching(/^token /),
      `user ${byBob}`,
      `user ${byAda}`,
    ]);
  });

  it('say of a wrong token what is wrong with it, as if it had come alone', async () => {
    const asks = [await askOf(ada), await askOf('tyb_nothing'), await askOf(ada)];
    const outcomes = await Promise.all(asks.map((ask) => outcomeOf(admissions.admit(ask))));
    expect(outcomes[1]).toContain('access token');
    expect(new Set([outcomes[0], outcomes[2]])).toEqual(new Set([`user ${await idOf(ada.api)}`]));
  });
});
