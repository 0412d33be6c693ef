// Makes a release: the version, the changelog, the OpenAPI document, a commit, a tag, and the image with its SBOM. Without
// `--really` it changes nothing and prints what it would do (docs/releasing.md).
//
//   npm run release -- 0.2.0 [--really] [--image registry.example.com/toolyard]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const UNRELEASED = '## Unreleased';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { really: { type: 'boolean', default: false }, image: { type: 'string', default: 'toolyard' } },
});
const [version] = positionals;
const before = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const faults = faultsOf();
if (faults.length > 0) {
  process.stderr.write(`No release:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
  process.exit(1);
}

const today = new Date().toISOString().slice(0, 10);
const released = readFileSync(CHANGELOG, 'utf8').replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} - ${today}`);
process.stdout.write(`${values.really ? 'Releasing' : 'Would release'} ${version} (now ${before}):\n`);
run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts']);
change(CHANGELOG, released);
run('npm', ['run', '--silent', 'build']);
run('npm', ['run', '--silent', 'openapi']);
run('git', ['commit', '--all', '--message', `Release ${version}`]);
run('git', ['tag', '--annotate', `v${version}`, '--message', `Toolyard ${version}`]);
// Into a file: not every store of images can hold an SBOM, and a builder in a container keeps nothing by itself.
const archive = `toolyard-${version}.tar`;
const attested = ['--sbom=true', '--provenance=true', '--output', `type=oci,dest=${archive}`];
run('docker', ['buildx', 'build', ...attested, '--tag', `${values.image}:${version}`, '.']);
process.stdout.write(
  values.really
    ? `Push the commit and the tag when you have looked at them, and the image with: skopeo copy --all oci-archive:${archive} docker://${values.image}:${version}\n`
    : 'Nothing was changed.\n',
);

/** @returns why there can be no release now */
function faultsOf() {
  const found = [];
  if (version === undefined || !VERSION.test(version)) found.push('Say which version: `npm run release -- 0.2.0`.');
  else if (!isLater(version, before)) found.push(`${version} does not follow ${before}.`);
  if (output('git', ['status', '--porcelain']) !== '') found.push('The work tree has changes that are not committed.');
  if (output('git', ['branch', '--show-current']) !== 'main') found.push('This is not the branch `main`.');
  if (version !== undefined && output('git', ['tag', '--list', `v${version}`]) !== '')
    found.push(`The tag v${version} exists.`);
  const [, news = ''] = readFileSync(CHANGELOG, 'utf8').split(`${UNRELEASED}\n`);
  if (news.split(/^## /m)[0].trim() === '') found.push('CHANGELOG.md has nothing under _Unreleased_.');
  return found;
}

function isLater(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const place = left.findIndex((part, index) => part !== right[index]);
  return place >= 0 && left[place] > right[place];
}

function output(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function run(program, args) {
  process.stdout.write(`  ${program} ${args.map((arg) => (/\s/.test(arg) ? `'${arg}'` : arg)).join(' ')}\n`);
  if (!values.really) return;
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
  if (status === 0) return;
  process.stderr.write(
    `${program} failed. \`git reset --hard\` and \`git tag --delete v${version}\` undo what was done.\n`,
  );
  process.exit(1);
}

function change(file, text) {
  process.stdout.write(`  the news of ${UNRELEASED.slice(3)} become those of ${version} in CHANGELOG.md\n`);
  if (values.really) writeFileSync(file, text);
}
