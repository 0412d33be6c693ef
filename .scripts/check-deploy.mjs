// Checks what is in deploy/: the balancer's configuration with HAProxy, the Kubernetes manifests against the schemas that
// Kubernetes publishes. Says loudly what it could not check.
//
//   npm run check:deploy
//
// haproxy is in Debian. `kubectl kustomize` puts the overlays together; `pip install kubernetes-validate` has the schemas
// (KUBERNETES_VALIDATE names the program if it is not in PATH).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The oldest that still gets fixes somewhere, and the newest that the schemas have. */
const KUBERNETES_VERSIONS = ['1.30', '1.37'];
const VALIDATE = process.env.KUBERNETES_VALIDATE ?? 'kubernetes-validate';

const work = mkdtempSync(join(tmpdir(), 'toolyard-deploy-'));
try {
  checkBalancer();
  checkManifests();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function checkBalancer() {
  if (isMissing('haproxy', '-v'))
    return skip('deploy/haproxy.cfg', 'haproxy is not installed (apt-get install haproxy)');
  const env = {
    TOOLYARD_BIND: '127.0.0.1:8080',
    TOOLYARD_SERVER_1: '127.0.0.1:3001',
    TOOLYARD_SERVER_2: '127.0.0.1:3002',
  };
  // -dW: a warning is an error.
  run('deploy/haproxy.cfg', 'haproxy', ['-c', '-dW', '-f', 'deploy/haproxy.cfg'], env);
}

function checkManifests() {
  if (isMissing('kubectl', 'version', '--client')) return skip('deploy/kubernetes', 'kubectl is not installed');
  const overlays = readdirSync(join(ROOT, 'deploy/kubernetes/overlays')).map((name) => `overlays/${name}`);
  for (const folder of ['base', ...overlays]) {
    const name = `deploy/kubernetes/${folder}`;
    const manifests = run(`${name}: kubectl kustomize`, 'kubectl', ['kustomize', name]);
    const file = join(work, `${folder.replace('/', '-')}.yaml`);
    writeFileSync(file, manifests);
    if (isMissing(VALIDATE, '--version')) {
      skip(name, 'the schemas of Kubernetes are absent (pip install kubernetes-validate)');
      continue;
    }
    for (const version of KUBERNETES_VERSIONS)
      run(`${name}: Kubernetes ${version}`, VALIDATE, ['-k', version, '--strict', file]);
  }
}

function isMissing(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).error !== undefined;
}

/** @returns what it printed */
function run(label, program, args, env = {}) {
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  process.stdout.write(`${status === 0 ? 'ok' : 'FAILED'}: ${label}\n`);
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exitCode = 1;
  }
  return stdout;
}

function skip(what, why) {
  process.stderr.write(`SKIPPED: ${what} was not checked: ${why}.\n`);
}
