import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/database/id';
import type { EventPayload } from '../../src/events/event-schemas';
import { RETRY_DELAYS_MS } from '../../src/webhooks/engine/retry-schedule';
import { sign } from '../../src/webhooks/sending/signature';
import { expectDeclared } from '../support/declared-events';
import { eventually } from '../support/eventually';
import { freePort } from '../support/toolyard-process';

const ROOT = join(__dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/receiving-webhooks.md'), 'utf8');
const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEW = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const LATEST_MS = 10_000;

/** The first block of that language in the guide. */
function block(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`The guide has no ${language}.`);
  return code;
}

describe('The guide for webhook receivers', () => {
  it('shows a body as it is really sent', () => {
    expectDeclared(JSON.parse(block('json')) as EventPayload);
  });

  it('shows the retry schedule', () => {
    const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
    const [, row = ''] = /^\| after +\|(.*)\|$/m.exec(GUIDE) ?? [];
    const waits = row.split('|').map((cell) => {
      const [, amount, unit = ''] = /^(\d+) (\w+)$/.exec(cell.trim()) ?? [];
      return amount === undefined ? cell.trim() : Number(amount) * (units[unit] ?? NaN);
    });
    expect(waits).toEqual(['at once', ...RETRY_DELAYS_MS.slice(1)]);
  });

  describe('contains a receiver for Node that', () => {
    let receiver: ChildProcess;
    let url: string;
    let output = '';
    let errors = '';

    beforeAll(async () => {
      const port = String(await freePort());
      url = `http://127.0.0.1:${port}/toolyard`;
      const { PATH = '' } = process.env;
      receiver = spawn(process.execPath, ['--input-type=module', '--eval', block('js')], {
        cwd: ROOT,
        env: { PATH, PORT: port, WEBHOOK_SECRET: OLD },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      receiver.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
      receiver.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
      const answers = () => fetch(url).then(({ status }) => status, String);
      await eventually(answers, (answer) => answer === 400, LATEST_MS);
    });

    afterAll(async () => {
      const exit = once(receiver, 'exit');
      receiver.kill();
      await exit;
      expect(errors).toBe('');
    });

    /** Sends the same as our own sender. */
    async function send({
      id = newId(),
      body = block('json'),
      secrets = [OLD],
      age = 0,
      sent = body,
    }: {
      id?: string;
      body?: string;
      secrets?: string[];
      age?: number;
      sent?: string;
    } = {}): Promise<number> {
      const timestamp = Math.floor(Date.now() / 1_000) - age;
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sign(id, timestamp, Buffer.from(body), secrets),
        },
        body: sent,
      });
      return response.status;
    }

    it('accepts what we sign, and acts only once on a repeated webhook', async () => {
      const [twice, after] = [newId(), newId()];
      const body = '{"type": "bundle.followed", "timestamp": "2026-11-20T08:30:00.000Z", "data": {"name": "Grüße 🚀"}}';
      expect(await send({ id: twice, body })).toBe(204);
      expect(await send({ id: twice, body })).toBe(204);
      expect(await send({ id: after })).toBe(204);
      await eventually(
        () => output,
        (text) => text.includes(after),
        LATEST_MS,
      );
      expect(output.split(twice)).toHaveLength(2);
      expect(output).toContain("bundle.followed { name: 'Grüße 🚀' }");
    });

    it('accepts both signatures during a rotation, in either order', async () => {
      expect(await send({ secrets: [NEW, OLD] })).toBe(204);
      expect(await send({ secrets: [OLD, NEW] })).toBe(204);
    });

    it('rejects foreign signatures, changed bodies and old webhooks', async () => {
      expect(await send({ secrets: [NEW] })).toBe(400);
      expect(await send({ sent: block('json').replace('Incident', 'Accident') })).toBe(400);
      expect(await send({ sent: JSON.stringify(JSON.parse(block('json'))) })).toBe(400);
      expect(await send({ age: 301 })).toBe(400);
    });
  });
});
