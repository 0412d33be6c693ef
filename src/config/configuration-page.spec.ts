import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration-page';
import { declaredVariables } from './declared-variables';
import { VARIABLE_GROUPS } from './variables';

describe('docs/configuration.md', () => {
  const described = VARIABLE_GROUPS.flatMap(({ variables }) => Object.keys(variables));

  it('has a line for each variable that the environment reads, and for no other (src/config/variables.ts)', () => {
    expect([...described].sort()).toEqual([...declaredVariables().keys()].sort());
  });

  it('is what `npm run build && npm run configuration` writes', () => {
    expect(readFileSync(join(__dirname, '../../docs/configuration.md'), 'utf8')).toBe(configurationPage());
  });

  it('has the defaults and bounds of the code', () => {
    const row = (name: string) =>
      configurationPage()
        .split('\n')
        .find((line) => line.includes(`\`${name}\` `))
        ?.replace(/ +/g, ' ');
    expect(row('PORT')).toBe('| `PORT` | 0 to 65,535 | `3000` | the port it listens on |');
    expect(row('RUN')).toBe('| `RUN` | | `api,worker` | the parts that this process runs |');
    expect(row('SSO_SIGN_UP')).toContain('| `anybody` `provisioned` `invited` | `provisioned` once SCIM is used');
    expect(row('SSO_TRUST_EMAIL')).toContain('| boolean | `false` |');
  });
});
