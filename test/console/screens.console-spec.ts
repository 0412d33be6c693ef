import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page, Route } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE, type Role } from '../support/console-scene';
import { addAdministration, type Administration } from '../support/console-scene-administration';
import { screensOf } from '../support/console-screens';

/** `SCREENS='platform|webhook'` for those alone whose names begin so. */
const ONLY = new RegExp(`^(${process.env['SCREENS'] ?? ''})`);
const WIDTHS = [360, 1280];
const THEMES = ['light', 'dark'] as const;
/** WCAG 2.2 AA. A theme changes colours alone, so the second one is not asked all over again. */
const RULES = {
  light: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const refusal =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({
      status,
      headers,
      contentType: 'application/json',
      body: JSON.stringify({ detail: 'Refused.', code }),
    });

/** What the API answers but for who is signed in. */
const STATES = {
  content: undefined,
  loading: () => new Promise<void>(() => undefined),
  failed: refusal(500, 'internal_error', { 'X-Request-Id': '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10' }),
  forbidden: refusal(403, 'forbidden'),
  busy: refusal(429, 'rate_limited', { 'Retry-After': '120' }),
};
type State = keyof typeof STATES;

/** What Chromium says of an answer that the state demands. */
const EXPECTED = /Failed to load resource|^refused:/;

describeInBrowser('Every screen of the console', () => {
  let scene: ConsoleScene & Administration;
  let browser: Browser;
  /** The faults of each screen in each case, by their names. */
  const results = new Map<string, Map<string, number>>();

  beforeAll(async () => {
    const people = await createConsoleScene();
    scene = { ...people, ...(await addAdministration(people)) };
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
    process.stdout.write(tableOf(results));
  });

  const cases = (Object.keys(PEOPLE) as Role[]).flatMap((role) => {
    // Together they see every part of every screen.
    const states: State[] = ['lead', 'admin'].includes(role)
      ? ['content', 'loading', 'failed', 'forbidden', 'busy']
      : ['content'];
    return states.flatMap((state) => WIDTHS.map((width) => ({ role, state, width })));
  });

  it('fits the window with longer texts, at 360 px', async () => {
    const visitor = await Visitor.arrive(browser, scene.origin, { width: 360, language: 'pseudo' });
    await visitor.signIn(PEOPLE.lead);
    const wide: string[] = [];
    for (const { name, path } of screensOf(scene).filter((screen) => ONLY.test(screen.name))) {
      await visitor.open(path);
      await visitor.page.locator('#content h1').waitFor();
      await visitor.page.waitForLoadState('networkidle');
      if (await isWiderThanWindow(visitor.page)) wide.push(name);
    }
    await visitor.context.close();
    expect(wide).toEqual([]);
  });

  it.each(cases)(
    'for the $role, $state, at $width px: no complaint, and nothing that keeps people out',
    async ({ role, state, width }) => {
      const visitor = await Visitor.arrive(browser, scene.origin, { width });
      await visitor.signIn(PEOPLE[role]);
      const answer = STATES[state];
      if (answer) {
        await visitor.page.route('**/v1/**', (route) =>
          new URL(route.request().url()).pathname === '/v1/users/me' ? route.continue() : answer(route),
        );
      }
      const found: string[] = [];
      for (const screen of screensOf(scene).filter(({ name }) => ONLY.test(name))) {
        // Both are of the organisation, which the others do not belong to.
        if (['stranger', 'admin'].includes(role) && /^(server|bundle),/.test(screen.name)) continue;
        // Of the states, each sees those of the screens that are for them.
        if (state !== 'content' && screen.name.startsWith('platform') !== (role === 'admin')) continue;
        const before = found.length;
        visitor.complaints.length = 0;
        let asked: string[] = [];
        for (const theme of THEMES) {
          // Each from the beginning: Chromium repaints late what a changed theme colours, and a live screen goes on asking.
          await visitor.page.goto('about:blank');
          visitor.asked.length = 0;
          await visitor.page.emulateMedia({ colorScheme: theme });
          await visitor.open(screen.path);
          await settled(visitor.page, state);
          // Before what a live screen asks again.
          asked = [...visitor.asked];
          for (const fault of await barriers(visitor.page, theme)) found.push(`${screen.name}, ${theme}: ${fault}`);
        }
        if (await isWiderThanWindow(visitor.page)) found.push(`${screen.name}: scrolls sideways`);
        for (const complaint of visitor.complaints) {
          if (state === 'content' || !EXPECTED.test(complaint)) found.push(`${screen.name}: ${complaint}`);
        }
        if (state === 'content') found.push(...tooManyCalls(screen.name, asked));
        const row = results.get(screen.name) ?? new Map<string, number>();
        results.set(screen.name, row.set(`${role}, ${state}, ${width}`, found.length - before));
      }
      await visitor.context.close();
      expect(found).toEqual([]);
    },
  );
});

function tooManyCalls(screen: string, asked: readonly string[]): string[] {
  const calls = asked.join(', ');
  return [
    ...(asked.length > 4 ? [`${screen}: asks ${asked.length} times: ${calls}`] : []),
    ...(new Set(asked).size < asked.length ? [`${screen}: asks twice: ${calls}`] : []),
  ];
}

/** The faults of every screen, in both themes, as a table of Markdown. A dash: the role has no such screen. */
function tableOf(results: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const cases = [...new Set([...results.values()].flatMap((row) => [...row.keys()]))];
  const lines = [...results].map(([screen, row]) => [screen, ...cases.map((one) => String(row.get(one) ?? '–'))]);
  const rows = [['screen', ...cases], ['---', ...cases.map(() => '---:')], ...lines];
  return `${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

/** Waits until the screen shows what it has. */
async function settled(page: Page, state: State): Promise<void> {
  await page.locator('#content h1').waitFor();
  if (state === 'loading') return;
  await page.waitForLoadState('networkidle');
  await page.getByRole('status', { name: 'Loading…' }).first().waitFor({ state: 'detached' });
}

/** What keeps people out, by axe. What runs in the page is text: the types of tests know no browser. */
async function barriers(page: Page, theme: (typeof THEMES)[number]): Promise<string[]> {
  await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES[theme], resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

const isWiderThanWindow = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');
