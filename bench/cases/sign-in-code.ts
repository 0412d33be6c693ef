import { hash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { artifactPlans } from '../artifact-plans';
import { addSession, Browser } from '../browser';
import { quantile, settle } from '../directory';
import type { BenchCase } from '../measure';
import { PUBLIC_URL, type Service, startService } from '../service';

const FEW = 1_000;
const MANY = 1_000_000;
const EXCHANGES_PER_ROUND = 40;
const CALLBACK = 'https://client.example/callback';

/** A service with artefacts, a client that people need not consent to, and a person in a browser. */
interface Target {
  service: Service;
  browser: Browser;
  clientId: string;
}

/** The exchange of an authorization code for tokens, with 1,000,000 rows of artefacts and with 1,000, alternating. */
export const signInCode: BenchCase = async (settings) => {
  const env = { PLATFORM_ADMINS: 'bench@example.com', LOG_LEVEL: 'warn', RUN: 'api' };
  const services = [
    await startService(settings, 'bench_code_few', 3937, env),
    await startService(settings, 'bench_code_many', 3938, env),
  ] as const;
  try {
    const few = await prepare(services[0], FEW);
    const many = await prepare(services[1], MANY);
    if (settings.explain) process.stdout.write(await artifactPlans(many.service.database));
    for (let index = 0; index < EXCHANGES_PER_ROUND; index++) for (const target of [few, many]) await exchange(target);
    const [fewTimes, manyTimes, p95s]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < settings.rounds; round++) {
      const [ofFew, ofMany]: [number[], number[]] = [[], []];
      for (let index = 0; index < EXCHANGES_PER_ROUND; index++) {
        ofFew.push(await exchange(few));
        ofMany.push(await exchange(many));
      }
      fewTimes.push(...ofFew);
      manyTimes.push(...ofMany);
      p95s.push(quantile(ofMany, 0.95));
    }
    const p95 = { few: quantile(fewTimes, 0.95), many: quantile(manyTimes, 0.95) };
    return [
      {
        name: 'code for token, 1,000,000 rows, p95',
        median: p95.many,
        unit: 'ms',
        rounds: p95s,
        ratio: { to: '1,000 rows', value: p95.many / p95.few },
        goal: '≤ 1.5',
      },
      {
        name: 'the same, medians',
        median: quantile(manyTimes, 0.5),
        unit: 'ms',
        rounds: manyTimes,
        ratio: { to: '1,000 rows', value: quantile(manyTimes, 0.5) / quantile(fewTimes, 0.5) },
      },
    ];
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
};

async function prepare(service: Service, rows: number): Promise<Target> {
  await fill(service.database, rows);
  const client = { name: 'Bench', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', is_trusted: true };
  const { id: clientId } = (await service.call('POST', '/v1/oauth-clients', client)).body as { id: string };
  const browser = new Browser(service.url);
  browser.setCookie(await addSession(service.database, service.userId));
  return { service, browser, clientId };
}

/** @returns how long the exchange of a new code took; milliseconds */
async function exchange({ service, browser, clientId }: Target): Promise<number> {
  const verifier = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'catalog:read offline_access',
    resource: PUBLIC_URL,
    state: 'bench',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  });
  const back = await browser.leave(`/oauth2/authorize?${request.toString()}`);
  const code = back.searchParams.get('code');
  if (code === null) throw new Error(`The authorization failed: ${back.search}`);
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
  };
  const { status, ms, text } = await new Browser(service.url).request('/oauth2/token', { form });
  if (status !== 200) throw new Error(`The exchange was answered with ${status}: ${text}`);
  return ms;
}

/**
 * Artefacts of people who use five clients each, as after some weeks: of each grant of 30 days the code, which was used,
 * three refresh tokens, of which the last one is good, and every tenth time a session of the library, a device code or a
 * remembered consent. All expire in the future, so that no row is deleted meanwhile. The payloads are random bytes of the
 * usual length: nothing reads them.
 */
async function fill(database: Client, rows: number): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'oauth_artifacts' AND indexname <> 'oauth_artifacts_pkey'`,
  );
  // Building them afterwards takes a fraction of the time.
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await database.query('SET synchronous_commit = off');
  await database.query(
    `INSERT INTO oauth_artifacts (digest, id, model, grant_digest, user_code_digest, uid_digest, account_id, client_id,
       payload, consumed_at, expires_at)
     SELECT sha256(('row ' || n)::bytea), uuid_v7(), kind.model,
       CASE WHEN kind.has_grant THEN sha256(('row ' || n - n % 10)::bytea) END,
       CASE WHEN kind.model = 'DeviceCode' THEN sha256(('user code ' || n)::bytea) END,
       CASE WHEN kind.model IN ('Session', 'Interaction') THEN sha256(('uid ' || n)::bytea) END,
       CASE WHEN kind.model <> 'Interaction' THEN md5('account ' || n / 50)::uuid END,
       md5('client ' || n / 10 % 500)::uuid::text,
       decode(repeat(md5(n::text), kind.payload_bytes / 16), 'hex'),
       CASE WHEN kind.is_consumed THEN now() END,
       now() + interval '1 day' + n % 2500000 * interval '1 second'
     FROM generate_series(1, $1) AS n JOIN (VALUES
       (0, 'Grant', false, false, 256), (1, 'AuthorizationCode', true, true, 640),
       (2, 'RefreshToken', true, true, 512), (3, 'RefreshToken', true, true, 512),
       (4, 'RefreshToken', true, false, 512), (5, 'AuthorizationCode', true, true, 640),
       (6, 'Session', false, false, 640), (7, 'Interaction', false, false, 1024),
       (8, 'DeviceCode', true, true, 512), (9, 'Consent', false, false, 256)
     ) AS kind (digit, model, has_grant, is_consumed, payload_bytes) ON kind.digit = n % 10`,
    [rows],
  );
  for (const { definition } of indexes) await database.query(definition);
  await settle(database);
}
