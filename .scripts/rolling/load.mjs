import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Calls the service at an even rate, whether it answers or not, and notes what came of each call.
 *
 * @param base the balancer
 * @param tokens `user` for the API, `scim` for the directory of `org`
 * @param people how many `person<n>@example.com` the directory has
 * @returns `phase(name)` from when on calls count for that phase; `stop()`, which gives the figures by phase
 */
export async function startLoad({ base, tokens, org, people, perSecond }) {
  const agent = new Agent({ connections: 64, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const phases = new Map();
  let current;
  const phase = (name) => {
    current = { latencies: [], failures: [], byCall: calls.map(() => []) };
    phases.set(name, current);
  };
  const send = async (method, path, body, token = tokens.user) => {
    const { statusCode, body: answer } = await request(`${base}${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    });
    return { status: statusCode, text: await answer.text() };
  };
  const scim = (method, path, body) => send(method, `/v1/organisations/${org}/scim/v2${path}`, body, tokens.scim);

  const bundles = [];
  for (let n = 0; n < 20; n++) {
    const { text } = await send('POST', '/v1/bundles', { name: `Load ${n}`, org_id: org });
    bundles.push(JSON.parse(text).id);
  }
  let number = 0;
  const any = (list) => list[number % list.length];
  const person = () => `person${1 + ((number * 7919) % people)}@example.com`;
  const named = (name) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`;
  /** Reads, changes with their events, and provisioning, which writes the tables that are migrated. */
  const calls = [
    () => send('GET', '/v1/mcp/categories'),
    () => send('GET', '/v0.1/servers?limit=30'),
    () => send('GET', `/v1/mcp/listings?limit=30`),
    () => send('GET', '/v1/users/me'),
    () => send('GET', `/v1/bundles/${any(bundles)}`),
    () => send('PATCH', `/v1/bundles/${any(bundles)}`, { description: `Changed ${number}` }),
    () => send('POST', '/v1/bundles', { name: `New ${number}`, org_id: org }),
    () => scim('GET', named(person())),
    () =>
      scim('POST', '/Users', {
        schemas: [USER],
        userName: `new${number}@example.com`,
        emails: [{ value: `new${number}@example.com`, primary: true }],
      }),
    async () => {
      const found = await scim('GET', named(person()));
      if (found.status >= 400) return found;
      const [{ id } = {}] = JSON.parse(found.text).Resources ?? [];
      if (id === undefined) return found;
      return scim('PATCH', `/Users/${id}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', path: 'displayName', value: `Renamed ${number}` }],
      });
    },
  ];

  phase('before');

  const pending = new Set();
  const one = async () => {
    const mine = current;
    const which = number++ % calls.length;
    const began = performance.now();
    let problem;
    try {
      const { status, text } = await calls[which]();
      if (status >= 400) problem = `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      problem = String(error);
    }
    mine.latencies.push(performance.now() - began);
    mine.byCall[which].push(performance.now() - began);
    if (problem !== undefined) mine.failures.push(`call ${which}: ${problem}`);
  };
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    // As many as should have been sent by now: a late timer must not lower the rate.
    while (sent < ((performance.now() - began) / 1_000) * perSecond) {
      sent++;
      const call = one().finally(() => pending.delete(call));
      pending.add(call);
    }
  }, 5);
  const stop = async () => {
    clearInterval(timer);
    await Promise.all(pending);
    await agent.close();
    return [...phases].map(([name, { latencies, failures, byCall }]) => ({
      phase: name,
      requests: latencies.length,
      failed: failures.length,
      'p50 ms': quantile(latencies, 0.5),
      'p99 ms': quantile(latencies, 0.99),
      'longest ms': quantile(latencies, 1),
      'slowest call': slowestOf(byCall),
      failures,
    }));
  };
  return { phase, stop };
}

function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0);
}

function slowestOf(byCall) {
  const [[call, ms] = []] = byCall.map((times, call) => [call, quantile(times, 0.5)]).sort((a, b) => b[1] - a[1]);
  return `${call}: p50 ${ms} ms`;
}
