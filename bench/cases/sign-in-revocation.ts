import { quantile } from '../directory';
import type { BenchCase, BenchSettings, Figure } from '../measure';
import { type Service, startReplica, startService, tokenFor } from '../service';

const PATH = '/v1/mcp/categories';
const TRIES_PER_ROUND = 4;
/** A credential that is still accepted then is a failure of the case, and not a figure. */
const PATIENCE_MS = 10_000;

/** A credential of an account, and what ends it. */
interface Ending {
  bearer: string;
  end: () => Promise<unknown>;
}

/**
 * How long another replica still accepts a credential that was ended, from the answer of the replica that ended it. The
 * other one has the credential in memory.
 */
export const signInRevocation: BenchCase = async (settings) => {
  const first = await startService(settings, 'bench_revocation', 3927, { PLATFORM_ADMINS: 'bench@example.com' });
  const second = await startReplica(settings, first.databaseUrl, 3928);
  try {
    return [
      ...(await measure(settings, second.url, 'a revoked personal token', (name) => revokedToken(first, name))),
      ...(await measure(settings, second.url, 'a closed account, JWT', (name) => closedAccount(first, name))),
    ];
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
};

async function measure(
  settings: BenchSettings,
  url: string,
  what: string,
  prepare: (name: string) => Promise<Ending>,
): Promise<Figure[]> {
  const [waits, asked]: [number[], number[]] = [[], []];
  for (let index = 0; index < settings.rounds * TRIES_PER_ROUND; index++) {
    const remembered = await prepare(`${what.replace(/\W+/g, '-')}-${index}`);
    waits.push(await msUntilRefused(url + PATH, remembered));
    const introspected = await prepare(`${what.replace(/\W+/g, '-')}-${index}-asked`);
    asked.push(await acceptedAfter(`${url}${PATH}?verify_locally=false`, introspected));
  }
  return [
    {
      name: `${what}, seen by another replica, slowest`,
      median: Math.max(...waits),
      unit: 'ms',
      rounds: waits,
      goal: '≤ 1000 ms',
    },
    { name: `${what}, the same, median`, median: quantile(waits, 0.5), unit: 'ms', rounds: waits },
    {
      name: `${what}, accepted afterwards with verify_locally=false`,
      median: asked.reduce((sum, count) => sum + count, 0),
      unit: 'requests',
      rounds: asked,
      goal: '0',
    },
  ];
}

/** @returns when the first request that is refused was sent, since the answer to what ended the credential */
async function msUntilRefused(url: string, { bearer, end }: Ending): Promise<number> {
  await remember(url, bearer);
  await end();
  const ended = performance.now();
  for (;;) {
    const began = performance.now();
    if ((await statusOf(url, bearer)) === 401) return Math.round(began - ended);
    if (began - ended > PATIENCE_MS) throw new Error('The credential is still accepted.');
  }
}

/** @returns how many requests are accepted that are sent after the answer to what ended the credential */
async function acceptedAfter(url: string, { bearer, end }: Ending): Promise<number> {
  await remember(url, bearer);
  await end();
  let accepted = 0;
  for (let index = 0; index < 3; index++) if ((await statusOf(url, bearer)) !== 401) accepted++;
  return accepted;
}

async function remember(url: string, bearer: string): Promise<void> {
  for (let index = 0; index < 3; index++) {
    const status = await statusOf(url, bearer);
    if (status !== 200) throw new Error(`${url}: ${status}`);
  }
}

async function statusOf(url: string, bearer: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
  await response.arrayBuffer();
  return response.status;
}

async function revokedToken(service: Service, name: string): Promise<Ending> {
  const { body } = await service.call('POST', '/v1/users/me/access-tokens', { name, scopes: ['catalog:read'] });
  const { id, token } = body as { id: string; token: string };
  return { bearer: token, end: () => service.call('DELETE', `/v1/users/me/access-tokens/${id}`) };
}

async function closedAccount(service: Service, name: string): Promise<Ending> {
  const bearer = await tokenFor(service.databaseUrl, name);
  const response = await fetch(`${service.url}/v1/users/me`, { headers: { authorization: `Bearer ${bearer}` } });
  const { id } = (await response.json()) as { id: string };
  return { bearer, end: () => service.call('POST', `/v1/users/${id}/close`) };
}
