import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { send } from '../support/answers';
import { eventually } from '../support/eventually';
import { freePort } from '../support/toolyard-process';

const CONFIG = join(__dirname, '../../deploy/haproxy.cfg');
const isMissing = spawnSync('haproxy', ['-v']).error !== undefined;
if (isMissing) process.stderr.write('SKIPPED: deploy/haproxy.cfg was not tried: haproxy is not installed.\n');

/** A replica: ready or not, and it answers either way. */
class Replica {
  isReady = true;
  readonly server: Server;

  constructor(readonly name: string) {
    this.server = createServer(({ url }, response) => {
      response.writeHead(url === '/readyz' && !this.isReady ? 503 : 200);
      response.end(JSON.stringify({ name: this.name }));
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  end(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

(isMissing ? describe.skip : describe)('HAProxy with the configuration of deploy/', () => {
  const replicas = [new Replica('one'), new Replica('two')] as const;
  let balancer: ChildProcess;
  let ended: Promise<unknown>;
  let url: string;

  beforeAll(async () => {
    const [first = '', second = ''] = await Promise.all(replicas.map((replica) => replica.listen()));
    const bind = `127.0.0.1:${await freePort()}`;
    url = `http://${bind}/v1/bundles`;
    balancer = spawn('haproxy', ['-db', '-f', CONFIG], {
      env: { PATH: process.env.PATH, TOOLYARD_BIND: bind, TOOLYARD_SERVER_1: first, TOOLYARD_SERVER_2: second },
      stdio: 'ignore',
    });
    ended = once(balancer, 'exit');
  });

  afterAll(async () => {
    for (const replica of replicas) replica.end();
    balancer.kill('SIGKILL');
    await ended;
  });

  const ask = (method = 'GET') => send(url, { method });
  const servedBy = (name: string) =>
    eventually(
      async () => Promise.all(Array.from({ length: 6 }, () => ask())),
      (answers) => answers.every(({ body }) => (body as { name?: string }).name === name),
      10_000,
    );

  it('sends requests to replicas that are ready', async () => {
    await eventually(
      () => ask().catch(() => undefined),
      (answer) => answer?.status === 200,
      10_000,
    );
    replicas[0].isReady = false;
    await servedBy('two');
  });

  it('sends them to those that answer while none is ready', async () => {
    replicas[1].isReady = false;
    await eventually(
      () => Promise.all(Array.from({ length: 10 }, () => ask('POST'))),
      (answers) => answers.some(({ body }) => (body as { name?: string }).name === 'one'),
      10_000,
    );
    replicas[1].end();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('POST')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  it('says when to try again if nothing can be reached', async () => {
    replicas[0].end();
    const { status, headers, body } = await ask('POST');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(body).toEqual({
      detail: 'The service cannot be reached. Try again shortly.',
      code: 'service_unavailable',
    });
  });
});
