import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('The list of steps', () => {
  it('is the one that docs/journeys/mcp-call.md shows', () => {
    const source = read('src/gateway/edge/call-steps.ts');
    const all = /this\.steps = \[([^\]]+)\]/.exec(source)?.[1] ?? '';
    const toServers = /const toServers = \[([^\]]+)\]/.exec(source)?.[1] ?? '';
    const steps = `${all.replace('...toServers', toServers)}`.match(/(?<=this\.)\w+/g);
    const shown = read('docs/journeys/mcp-call.md').match(/(?<=^\| `)\w+(?=` )/gm);
    expect(shown).toEqual(steps);
    expect(steps?.length).toBeGreaterThan(10);
  });
});
