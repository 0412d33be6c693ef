import type { Response } from 'supertest';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createBundle, createCast } from '../support/factories';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';

const HEADERS = { Authorization: 'Bearer never-shown-again-1', 'X-Api-Key': 'never-shown-again-2' };
const REPLACED = { Authorization: null, 'X-Api-Key': 'never-shown-again-3' };
const REFUSED = {
  Authorization: 'Bearer never-shown-again-4',
  'X-Bad': 'never-shown-again-5\n',
  Host: 'never-shown-again-6',
};

let test: TestApp;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start((webhook, response) => {
    if (webhook.path === '/hang') return;
    response.writeHead(webhook.path === '/in' ? 204 : 500).end();
  });
  test = await createTestApp({ env: { ...SENDING, WEBHOOKS_DEADLINE_SECONDS: '1' } });
});

afterAll(async () => {
  await test.close();
  await receiver.close();
});

/** In every encoding in which it might be written. */
function spellings(secret: string): string[] {
  const bare = secret.replace(/^whsec_|^Bearer |\n$/g, '');
  const bytes = secret.startsWith('whsec_') ? [Buffer.from(bare, 'base64'), Buffer.from(bare)] : [Buffer.from(bare)];
  return [
    bare,
    encodeURIComponent(bare),
    ...bytes.flatMap((part) => [part.toString('hex'), part.toString('base64').replace(/=+$/, ''), part.join(',')]),
  ];
}

describe('The secrets and headers of webhook endpoints', () => {
  it('are not in any log line, and only in the two answers that return a new secret', async () => {
    const cast = await createCast(test);
    const answers: Response[] = [];
    const call = async (
      api: Api,
      method: 'get' | 'post' | 'patch' | 'delete',
      path: string,
      status: number,
      body?: object,
    ) => {
      const answer = await api.call(method, path, status, body);
      answers.push(answer);
      return answer;
    };
    const create = { org_id: cast.orgId, target_url: `${receiver.url}/in`, event_types: ['bundle.created' as const] };

    const created = await cast.admin.post('/v1/webhooks', { ...create, headers: HEADERS });
    const { id, secret: first } = created.body;
    const path = `/v1/webhooks/${id}` as const;
    await call(cast.admin, 'get', path, 200);
    await call(cast.member, 'get', path, 200);
    await call(cast.admin, 'get', `/v1/webhooks?org_id=${cast.orgId}`, 200);
    await call(cast.admin, 'patch', path, 200, { headers: REPLACED });
    await call(cast.admin, 'patch', path, 422, { headers: REFUSED });
    await call(cast.admin, 'patch', path, 422, { headers: { ...HEADERS, 'X-Missing': null } });
    await call(cast.member, 'patch', path, 403, { headers: HEADERS });
    await call(cast.outsider, 'patch', path, 404, { headers: HEADERS });
    await call(cast.admin, 'post', '/v1/webhooks', 422, { ...create, headers: REFUSED });
    await call(cast.admin, 'post', `${path}/ping`, 200);
    await createBundle(cast.owner, { org_id: cast.orgId });

    const rotated = await cast.admin.post(`${path}/rotate-secret`, undefined, 200);
    const { secret: second } = rotated.body;
    await call(cast.member, 'post', `${path}/rotate-secret`, 403);
    await call(cast.admin, 'post', `${path}/rotate-secret`, 422, { grace_seconds: -1 });
    const secrets = [first, second];
    for (let n = 0; n < 3; n++) {
      const again = await cast.admin.post(`${path}/rotate-secret`, {}, 200);
      secrets.push(again.body.secret);
    }
    await call(cast.admin, 'post', `${path}/rotate-secret`, 409);
    for (const target of [`${receiver.url}/broken`, `${receiver.url}/hang`, 'https://unknown.example.com/']) {
      await call(cast.admin, 'patch', path, 200, { target_url: target });
      await call(cast.admin, 'post', `${path}/ping`, 200);
    }
    await call(cast.admin, 'patch', path, 200, { target_url: `${receiver.url}/broken` });
    await createBundle(cast.owner, { org_id: cast.orgId });
    const came = (at: string) => receiver.requests.filter((request) => request.path === at).length;
    await eventually(
      () => came('/in') + came('/broken'),
      (count) => count === 4,
      10_000,
    );

    // As if the operator had set another key.
    await test.dataSource.query(`UPDATE webhook_endpoints SET encrypted_secret = encrypted_headers WHERE id = $1`, [
      id,
    ]);
    await call(cast.admin, 'post', `${path}/ping`, 500);
    await call(cast.admin, 'delete', path, 204);

    const log = test.log.join('\n');
    expect(log).toContain('"route":"/v1/webhooks/{endpoint_id}/ping"');
    const heard = receiver.requests.map(({ headers }) => JSON.stringify(headers)).join('\n');
    const values = [...Object.values(HEADERS), ...Object.values(REFUSED), REPLACED['X-Api-Key']];
    for (const value of [HEADERS.Authorization, REPLACED['X-Api-Key']]) expect(heard).toContain(value);
    for (const spelling of [...secrets, ...values].flatMap(spellings)) {
      expect(log).not.toContain(spelling);
      for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(spelling);
      // Nor does the receiver get the secret.
      if (secrets.some((secret) => spellings(secret).includes(spelling))) expect(heard).not.toContain(spelling);
    }
    for (const { text } of [created, rotated]) {
      for (const value of values.flatMap(spellings)) expect(text).not.toContain(value);
    }
    expect(rotated.text).not.toContain(first);
  });
});
