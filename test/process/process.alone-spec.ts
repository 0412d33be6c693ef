import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { send } from '../support/answers';
import type { Category, Organisation } from '../support/api-types';
import { isGone, newFolder, postmaster, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { freePort, killToolyards, runToken, startToolyard, ToolyardProcess } from '../support/toolyard-process';

const ENDED = { code: 0, signal: null };
const FAILED = { code: 1, signal: null };

const hasPostgres = (dataDir: string) => existsSync(join(dataDir, 'postgres/postmaster.pid'));

afterAll(async () => {
  await killToolyards();
  removeFolders();
});

describe('The process with the embedded PostgreSQL', () => {
  let dataDir: string;
  let service: ToolyardProcess;
  let token: string;

  beforeAll(async () => {
    dataDir = newFolder();
    service = await (await startToolyard({ DATA_DIR: dataDir })).ready();
    const { stdout } = await runToken(service.env, '--email', 'alice@example.com');
    token = stdout.trim();
  });

  const again = async () => (await startToolyard(service.env)).ready();
  const slugs = async () => {
    const { body } = await send<Organisation[]>(`${service.url}/v1/organisations`, { token });
    return body.map(({ slug }) => slug);
  };
  const create = async (slug: string) => {
    const body = JSON.stringify({ name: slug, slug });
    const headers = { 'Content-Type': 'application/json' };
    expect((await send(`${service.url}/v1/organisations`, { method: 'POST', token, headers, body })).status).toBe(201);
  };

  it('prints where it listens, where the documentation is and what to do next', async () => {
    expect(service.stderr).toContain(`Toolyard listens at ${service.url} (embedded PostgreSQL)`);
    expect(service.stderr).toContain(`API: ${service.url}/v1\n`);
    expect(service.stderr).toContain(`${service.url}/docs`);
    const settings = `DATA_DIR=${dataDir} PORT=${service.env.PORT}`;
    expect(service.stderr).toContain(`terminal:  ${settings} npm run --silent token -- --email alice@example.com\n`);
    expect((await fetch(`${service.url}/docs`)).status).toBe(200);
    expect((await send(`${service.url}/healthz`)).body).toEqual({ status: 'ok' });
    expect((await send(`${service.url}/readyz`)).body).toEqual({ status: 'ok', database: 'ok', migrations: 'ok' });
  });

  it('shows the sample catalogue, with counts, for a token from the token command', async () => {
    const { status, body } = await send<Category[]>(`${service.url}/v1/mcp/categories`, { token });
    expect(status).toBe(200);
    const counts = body.map(({ mcp_count }) => mcp_count);
    expect(counts.length).toBeGreaterThan(10);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    const me = await send(`${service.url}/v1/users/me`, { token });
    expect(me.body).toMatchObject({ email: 'alice@example.com' });
  });

  it('logs one JSON object per line, without tokens or passwords', async () => {
    await send(`${service.url}/v1/users/me?access_token=${token}`, { token });
    await send(`${service.url}/v1/users/me`, { token: `${token}x` });
    await eventually(
      () => service.log,
      (log) => log.some((line) => JSON.stringify(line).includes('"status":401')),
      5_000,
    );
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
    for (const secret of [token, password]) expect(service.stdout + service.stderr).not.toContain(secret);
  });

  it('refuses to share its DATA_DIR with another process, which says so', async () => {
    const second = await startToolyard({ DATA_DIR: dataDir });
    expect(await second.exit).toEqual(FAILED);
    expect(second.stderr).toMatch(/^DATA_DIR .* is in use by another Toolyard process \(pid \d+\)\. .*\n$/);
    expect(second.stderr).toContain(dataDir);
    expect((await send(`${service.url}/readyz`)).status).toBe(200);
  });

  it('stops with its PostgreSQL when asked to, and has kept everything on the next start', async () => {
    await create('kept-over-a-restart');
    const pid = postmaster(dataDir);
    expect(await service.stop()).toEqual(ENDED);
    expect(service.log.at(-1)?.msg).toBe('Stopped.');
    expect(isGone(pid)).toBe(true);
    expect(hasPostgres(dataDir)).toBe(false);
    service = await again();
    expect(await slugs()).toContain('kept-over-a-restart');
  });

  it('starts again after kill -9, replacing the orphaned PostgreSQL', async () => {
    await create('kept-over-a-kill');
    const orphan = postmaster(dataDir);
    service.signal('SIGKILL');
    await service.exit;
    expect(isGone(orphan)).toBe(false);
    service = await again();
    expect(isGone(orphan)).toBe(true);
    expect(await slugs()).toEqual(['kept-over-a-restart', 'kept-over-a-kill']);
  });

  it('ends with an error if its PostgreSQL is gone', async () => {
    process.kill(postmaster(dataDir), 'SIGKILL');
    expect(await service.ended(10_000)).toEqual(FAILED);
    expect(service.stderr).toMatch(/The embedded PostgreSQL ended unexpectedly \(by a signal\); see postgres\.log in/);
    expect(service.stderr).toContain(dataDir);
    expect(service.log.at(-1)?.msg).toBe('Stopped.');
  });

  it('ends with an error that names PORT if the port is in use, and leaves no PostgreSQL behind', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const late = await startToolyard({ DATA_DIR: dataDir, PORT: String(port) });
    expect(await late.exit).toEqual(FAILED);
    other.close();
    expect(late.stderr).toMatch(new RegExp(`^PORT ${port} is in use on 127\\.0\\.0\\.1\\. .*\\n$`));
    expect(late.stdout).not.toContain('Notifications are lost');
    expect(hasPostgres(dataDir)).toBe(false);
  });

  it('prints the address at which it listens, besides the public one', async () => {
    const behindProxy = await startToolyard({ DATA_DIR: dataDir, PUBLIC_URL: 'https://tools.example.com' });
    await behindProxy.ready();
    expect(behindProxy.stderr).toContain(`Toolyard listens at ${behindProxy.url} `);
    expect(behindProxy.stderr).toContain('API: https://tools.example.com/v1\n');
    expect(await behindProxy.stop()).toEqual(ENDED);
  });

  it('goes on, and ends as asked, while the disk under its log is full', async () => {
    const full = openSync('/dev/full', 'w');
    const muted = await (await startToolyard({ DATA_DIR: newFolder(), LOG_LEVEL: 'debug' }, full)).ready();
    // More than is gathered before it is written.
    for (let n = 0; n < 50; n++) expect((await send(`${muted.url}/v1/users/me`)).status).toBe(401);
    expect((await send(`${muted.url}/readyz`)).status).toBe(200);
    expect(await muted.stop()).toEqual(ENDED);
    closeSync(full);
  });

  it('leaves no PostgreSQL behind after a SIGTERM during its start', async () => {
    const starting = await startToolyard({ DATA_DIR: dataDir });
    const pid = await eventually(
      () => (hasPostgres(dataDir) ? postmaster(dataDir) : 0),
      (seen) => seen > 0,
      10_000,
    );
    starting.signal('SIGTERM');
    expect(await starting.ended(5_000)).toEqual(ENDED);
    expect(starting.stderr).toBe('');
    expect(isGone(pid)).toBe(true);
    expect(hasPostgres(dataDir)).toBe(false);
  });

  it('leaves nothing half-created behind after a SIGINT while it creates its database', async () => {
    const fresh = newFolder();
    const starting = await startToolyard({ DATA_DIR: fresh });
    await eventually(() => existsSync(join(fresh, 'toolyard.pid')), Boolean, 10_000);
    starting.signal('SIGINT');
    expect(await starting.ended(15_000)).toEqual(ENDED);
    expect(hasPostgres(fresh)).toBe(false);
    expect(existsSync(join(fresh, 'toolyard.pid'))).toBe(false);
  });
});
