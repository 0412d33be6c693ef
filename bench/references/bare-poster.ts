import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

/**
 * Signed POSTs in a loop with fixed concurrency, by the same HTTP client as ours and nothing else: no database, no
 * queue.
 */
const IN_FLIGHT = Number(process.env.IN_FLIGHT);
const TARGET = String(process.env.TARGET);

const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
const key = randomBytes(32);
const data = JSON.stringify({
  bundle_id: randomUUID(),
  name: 'Bench',
  slug: 'bench',
  visibility: 'PRIVATE',
  org_id: randomUUID(),
});

async function post(): Promise<void> {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = `{"type":"bundle.created","timestamp":"${new Date().toISOString()}","data":${data}}`;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await request(TARGET, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await answer.body.dump();
}

for (let n = 0; n < IN_FLIGHT; n++) {
  void (async () => {
    for (;;) await post();
  })();
}
