// Prints the SBOM of what runs in production, as CycloneDX JSON: that of `npm sbom`, without the packages that only
// development needs. (`npm sbom --omit dev` of npm 11 also leaves out what development needs besides: half of the rest.)
//
//   npm run --silent sbom > sbom.json
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
const whole = JSON.parse(stdout);

/** What runs in production, as `name@version`; a package under another name (`npm:` in package.json) has both. */
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const needed = Object.entries(packages)
  .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
  .map(([path, { name, version }]) => {
    const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return [folder, name ?? folder].map((known) => `${known}@${version}`);
  });
const ids = new Set(needed.flat());
const idOf = ({ name, group, version }) => `${group === undefined ? name : `${group}/${name}`}@${version}`;
const components = whole.components.filter((component) => ids.has(idOf(component)));
const listed = new Set(components.map(idOf));
const missing = needed.filter((known) => !known.some((id) => listed.has(id)));
if (missing.length > 0) {
  process.stderr.write(`npm left out ${missing.map(([id]) => id).join(', ')}.\n`);
  process.exit(1);
}

const kept = new Set([whole.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
const dependencies = whole.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
process.stdout.write(`${JSON.stringify({ ...whole, components, dependencies }, null, 2)}\n`);
