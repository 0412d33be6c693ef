import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../metrics/metrics';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Panel {
  title: string;
  type: string;
  description?: string;
  targets?: { expr: string }[];
}

/** Names of metrics in PromQL: what is followed by labels, a range, or stands alone. */
const namesIn = (text: string) =>
  [...text.matchAll(/\b((?:toolyard|http_server|mcp_server|nodejs|process)_[a-z0-9_]+)\b/g)].map(
    ([, name = '']) => name,
  );

/** The names that the code declares. */
function declaredNames(): string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => read(`src/${file}`))
    .filter((text) => /from '[./\w-]*metrics'/.test(text) || /class Metrics\b/.test(text));
  return files.flatMap((text) => [...text.matchAll(/\b(?:toolyard|mcp_server)_[a-z_]+/g)].map(([name]) => name));
}

/** The series of histograms, which begin with the name of the metric. */
const ofHistogram = (name: string) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`];

/** `# HELP` lines of a process, for what is not declared by name in our code. */
async function ownNames(): Promise<string[]> {
  const metrics = new Metrics();
  metrics.addProcess();
  const names = [...(await metrics.text()).matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name);
  return names.flatMap(ofHistogram);
}

describe('What deploy/ says of metrics', () => {
  const rules = read('deploy/prometheus/toolyard.rules.yml');
  const dashboard = JSON.parse(read('deploy/grafana/toolyard.json')) as { panels: Panel[] };
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const expressions = rules.replace(/^\s*(#|summary:).*$/gm, '');
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const observing = read('docs/operating/observing.md');

  it('names metrics that exist', async () => {
    const known = new Set([...declaredNames().flatMap(ofHistogram), ...(await ownNames())]);
    const named = [...namesIn(expressions), ...queries.flatMap(namesIn)];
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('shows each of our own metrics, and docs/operating/observing.md explains it', () => {
    const own = [...new Set(declaredNames())];
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter((name) => !queries.some((query) => query.includes(name)))).toEqual([]);
    expect(own.filter((name) => !observing.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains each alert, and tests it', () => {
    expect(alerts.length).toBeGreaterThan(10);
    const tests = read('deploy/prometheus/toolyard.rules.test.yml');
    for (const what of [observing, tests]) expect(alerts.filter((name) => !what.includes(name))).toEqual([]);
    const mentioned = panels.flatMap(({ description = '' }) => description.match(/Toolyard[A-Z]\w+/g) ?? []);
    expect(mentioned.filter((name) => !alerts.includes(name))).toEqual([]);
  });
});
