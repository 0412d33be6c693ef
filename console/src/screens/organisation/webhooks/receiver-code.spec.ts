import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { sign } from '../../../../../src/webhooks/sending/signature';
import { eventually } from '../../../../../test/support/eventually';
import { type Language, LANGUAGES, placeOf, receiverCode } from './receiver-code';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"bundle.created","timestamp":"2026-11-20T08:30:00.000Z","data":{"name": "Zoë"}}';
const PLACE = placeOf('https://hooks.example.com/a%20b/"in"?token=1');

/** How each language runs a program from its text; Go needs a folder, and is tried by hand. */
const COMMANDS: Partial<Record<Language, readonly string[]>> = {
  node: [process.execPath, '--input-type=module', '--eval'],
  python: ['python3', '-c'],
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

const isThere = (language: Language) => {
  const [command = ''] = COMMANDS[language] ?? [];
  return command !== '' && spawnSync(command, ['--version']).status === 0;
};

describe('The code of a receiver', () => {
  it('has the path of the endpoint, and not its query', () => {
    for (const language of LANGUAGES) {
      expect(receiverCode(language, PLACE)).toContain(JSON.stringify(PLACE.path));
      expect(receiverCode(language, PLACE)).not.toContain('token');
    }
  });

  describe.each(LANGUAGES.filter(isThere))('in %s', (language) => {
    let receiver: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const port = String(await freePort());
      url = `http://127.0.0.1:${port}`;
      const [command = '', ...flags] = COMMANDS[language] ?? [];
      receiver = spawn(command, [...flags, receiverCode(language, PLACE)], {
        env: { PATH: process.env['PATH'] ?? '', PORT: port, WEBHOOK_SECRET: SECRET },
        stdio: 'ignore',
      });
      const answers = () =>
        fetch(`${url}/elsewhere`, { method: 'POST', body: '' }).then(({ status }) => status, String);
      await eventually(answers, (answer) => answer === 404, 20_000);
    });

    afterAll(() => receiver.kill());

    const send = async (seconds: number, secrets: string[], body = BODY) => {
      const headers = {
        'webhook-id': '019a',
        'webhook-timestamp': String(seconds),
        'webhook-signature': sign('019a', seconds, Buffer.from(BODY), secrets),
      };
      return (await fetch(`${url}${PLACE.path}?token=1`, { method: 'POST', headers, body })).status;
    };

    it('takes what is signed, and nothing else', async () => {
      const now = Math.floor(Date.now() / 1_000);
      expect(await send(now, [SECRET])).toBe(204);
      expect(await send(now, [OTHER, SECRET])).toBe(204);
      expect(await send(now, [OTHER])).toBe(401);
      expect(await send(now, [SECRET], BODY.replace('Zoë', 'Zoe'))).toBe(401);
      expect(await send(now - 400, [SECRET])).toBe(401);
      expect(await send(now + 400, [SECRET])).toBe(401);
      expect((await fetch(`${url}${PLACE.path}`, { method: 'POST', body: BODY })).status).toBe(401);
    });
  });
});
